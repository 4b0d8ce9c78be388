"""How many appends a second the store makes durable, beside plain inserts of the same bytes.

Run by itself (`python -m tests.bench.store`) or collected through `run()`.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
import uuid
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import psycopg

from shared.engine.record import Sealed
from shared.platform.embedded.postgres import EmbeddedPostgres
from shared.platform.store import Append, Receipt, Store, open_store
from tests.bench.rounds import percentile, ratio, spread

WRITERS = 32
SECONDS = 3.0
ROUNDS = 3
BODY = json.dumps({"@type": "DwarfPlaced", "filler": "x" * 560}).encode()
HASH = "0" * 64

PLAIN_TABLE = """
CREATE TABLE plain (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    stream TEXT NOT NULL, version BIGINT NOT NULL, type TEXT NOT NULL, body BYTEA NOT NULL,
    hash TEXT NOT NULL, UNIQUE (stream, version)
)
"""
PLAIN_INSERT = "INSERT INTO plain (stream, version, type, body, hash) VALUES (%s, %s, %s, %s, %s)"

Write = Callable[[str, int], Awaitable[None]]


def run() -> dict[str, float]:
    """The figures by name: appends a second, and latencies in milliseconds."""
    figures: dict[str, float] = {}
    with EmbeddedPostgres() as server:
        figures |= asyncio.run(_postgres(server.url()))
    with tempfile.TemporaryDirectory() as folder:
        figures |= asyncio.run(_sqlite(f"sqlite:///{Path(folder) / 'bench.db'}"))
    return {name: round(value, 2) for name, value in figures.items()}


async def _postgres(url: str) -> dict[str, float]:
    """Plain inserts and store appends in turn, so that both meet the same machine."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(PLAIN_TABLE)
    connections = [
        await psycopg.AsyncConnection.connect(url, autocommit=True) for _ in range(WRITERS)
    ]
    plain: list[float] = []
    ours: list[float] = []
    latencies: list[float] = []
    async with open_store(url) as store:
        for _ in range(ROUNDS):
            plain.append(await rate([_plain(c) for c in connections], []))
            ours.append(await rate([append_to(store)] * WRITERS, latencies))
        single: list[float] = []
        alone = await rate([append_to(store)], single)
        lag = await _sequencer_lag(store)
    for opened in connections:
        await opened.close()
    return {
        **spread("postgres_plain_insert_32_per_s", plain),
        **spread("postgres_append_32_per_s", ours),
        **ratio("postgres_append_ratio", ours, plain),
        "postgres_append_32_p50_ms": _at(latencies, 0.5),
        "postgres_append_32_p99_ms": _at(latencies, 0.99),
        "postgres_append_1_per_s": alone,
        "postgres_append_1_p50_ms": _at(single, 0.5),
        "postgres_position_lag_ms": lag,
    }


async def _sqlite(url: str) -> dict[str, float]:
    latencies: list[float] = []
    single: list[float] = []
    async with open_store(url) as store:
        many = await rate([append_to(store)] * WRITERS, latencies)
        alone = await rate([append_to(store)], single)
    return {
        "sqlite_append_32_per_s": many,
        "sqlite_append_32_p50_ms": _at(latencies, 0.5),
        "sqlite_append_1_per_s": alone,
        "sqlite_append_1_p50_ms": _at(single, 0.5),
    }


def append_to(store: Store) -> Write:
    """One durable append of one record with its receipt."""

    async def write(stream: str, version: int) -> None:
        receipt = Receipt("player", f"{stream}:{version}", HASH, stream, b"{}")
        record = Sealed(stream, version, "Moved", BODY, HASH)
        await store.append(Append(stream, version - 1, (record,), receipt))

    return write


def _plain(connection: psycopg.AsyncConnection[Any]) -> Write:
    async def write(stream: str, version: int) -> None:
        row = (stream, version, "Moved", BODY, HASH)
        await connection.execute(PLAIN_INSERT, row, prepare=True)

    return write


async def rate(writes: list[Write], latencies: list[float], seconds: float = 0) -> float:
    """Let each writer write its own stream for a while; all writes a second."""
    end = time.perf_counter() + (seconds or SECONDS)

    async def one(write: Write) -> int:
        stream = f"match-{uuid.uuid4().hex}"
        version = 0
        while (begun := time.perf_counter()) < end:
            version += 1
            await write(stream, version)
            latencies.append(time.perf_counter() - begun)
        return version

    begun = time.perf_counter()
    counts = await asyncio.gather(*(one(write) for write in writes))
    return sum(counts) / (time.perf_counter() - begun)


async def _sequencer_lag(store: Store) -> float:
    """Milliseconds from an answered append to its position, on a quiet store (median)."""
    lags: list[float] = []
    write = append_to(store)
    for _ in range(50):
        head = await store.last_position()
        await write(f"match-{uuid.uuid4().hex}", 1)
        begun = time.perf_counter()
        await store.positions_after(head, 5.0)
        lags.append(time.perf_counter() - begun)
    return _at(lags, 0.5)


def _at(latencies: list[float], share: float) -> float:
    return percentile(latencies, share) * 1000


if __name__ == "__main__":
    for name, value in run().items():
        print(f"{name:34} {value:10,.2f}")
