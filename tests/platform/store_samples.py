"""Records, appends and raw look-ups that the store tests share."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import psycopg

from shared.engine.record import GENESIS, Record, Sealed, Secret, seal
from shared.platform.store import Append, Receipt, Store, StoreError


def record(stream: str, version: int, secrets: tuple[Secret, ...] = ()) -> Sealed:
    """A real sealed record; only its content is made up."""
    return seal(
        Record(
            stream=stream,
            version=version,
            type="Moved",
            schema=1,
            edition="sample/1",
            actor="player:ann",
            seat=0,
            move=f"move {version}",
            facts=msgspec.Raw(b"[]"),
            secrets=tuple(secret.commitment() for secret in secrets),
            barrier=False,
            state="0" * 64,
            at=1_700_000_000_000 + version,
            prev=GENESIS,
        ),
        secrets,
    )


def secret(index: int) -> Secret:
    return Secret(index, 1, 0, "cards", "ab" * 16, msgspec.Raw(b'["gold","iron"]'))


def receipt(command_id: str, stream: str, response: bytes = b"done") -> Receipt:
    return Receipt("ann", command_id, "hash of the request", stream, response)


def append(stream: str, expected: int, count: int = 1, command_id: str | None = None) -> Append:
    return Append(
        stream,
        expected,
        tuple(record(stream, expected + n) for n in range(1, count + 1)),
        receipt(command_id, stream) if command_id else None,
    )


async def outcome(store: Store, wanted: Append) -> StoreError | None:
    """What became of an append, as a value."""
    try:
        await store.append(wanted)
    except StoreError as error:
        return error
    return None


@asynccontextmanager
async def held(store: Store) -> AsyncIterator[None]:
    """Keep the writer busy, so that whatever is appended meanwhile shares one batch."""
    gate = threading.Event()
    errand = asyncio.ensure_future(store._writer.submit(lambda _: gate.wait(10)))
    await asyncio.sleep(0.05)
    try:
        yield
    finally:
        gate.set()
        await errand


class Raw:
    """The database behind a store, without the store."""

    def __init__(self, url: str) -> None:
        self.connection: Any
        if url.startswith("sqlite"):
            self.connection = sqlite3.connect(
                url.removeprefix("sqlite:///"), timeout=30, isolation_level=None
            )
        else:
            self.connection = psycopg.connect(url, autocommit=True)

    def __enter__(self) -> Raw:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def run(self, statement: str) -> None:
        self.connection.execute(statement)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = self.connection.execute(query).fetchall()
        return found

    def count(self, table: str) -> int:
        return int(self.rows(f"SELECT count(*) FROM {table}")[0][0])
