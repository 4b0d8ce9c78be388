"""How long an appended record takes to reach a consumer's handler, and how fast a relay refills.

Real store (SQLite), real nats-server with `sync_interval: always`, one process and its two lines.
Run by itself (`python -m tests.bench.bus`) or collected through `run()`.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
import time
from pathlib import Path

from shared.engine.record import Sealed, record_hash
from shared.platform.bus import Bus, Consumer, Relay
from shared.platform.embedded.nats import EmbeddedNats
from shared.platform.store import Append, LogEntry, Store, open_store

BODY = json.dumps({"at": 1_700_000_000_000, "filler": "x" * 560}).encode()
HASH = record_hash(BODY)
PACE_PER_S = 500
PACED = 2_000
BACKLOG = 8_000


def run() -> dict[str, float]:
    """The figures by name."""
    with tempfile.TemporaryDirectory() as folder, EmbeddedNats() as server:
        figures = asyncio.run(_measure(server.url, f"sqlite:///{Path(folder) / 'bench.db'}"))
    return {name: round(value, 2) for name, value in figures.items()}


async def _measure(url: str, database: str) -> dict[str, float]:
    async with (
        open_store(database) as store,
        await Bus.connect(url, "bench") as bus,
        await Bus.connect(url, "hearer") as other,
    ):
        backlog = await _relay_rate(bus, store)
        handled = await _consumer_rate(other, store)
        return {**backlog, **handled, **await _latency(bus, other, store)}


async def _relay_rate(bus: Bus, store: Store) -> dict[str, float]:
    await store.append(_records("match-backlog", 0, BACKLOG))
    relay = Relay(bus, store, "bench")
    task = asyncio.create_task(relay.run())
    begun = time.perf_counter()
    while relay.position < BACKLOG:
        await asyncio.sleep(0.005)
    spent = time.perf_counter() - begun
    await _end(task)
    return {"relay_refill_per_s": BACKLOG / spent}


async def _consumer_rate(bus: Bus, store: Store) -> dict[str, float]:
    """From the bus alone: the owner's log shows nothing."""
    inbox = _Inbox()
    task = asyncio.create_task(inbox.consumer(bus).run())
    begun = time.perf_counter()
    while inbox.position < BACKLOG:
        await asyncio.sleep(0.005)
    spent = time.perf_counter() - begun
    await _end(task)
    return {"consumer_drain_per_s": BACKLOG / spent}


async def _latency(bus: Bus, other: Bus, store: Store) -> dict[str, float]:
    """Records appended at a steady pace; from the answered append to the handler's call."""
    inbox = _Inbox(BACKLOG)
    tasks = [
        asyncio.create_task(Relay(bus, store, "bench").run()),
        asyncio.create_task(inbox.consumer(other).run()),
    ]
    await asyncio.sleep(0.5)
    committed: dict[int, float] = {}
    begun = time.perf_counter()

    async def one(number: int) -> None:
        await store.append(_records(f"match-{number}", 0, 1))
        committed[number] = time.perf_counter()

    async with asyncio.TaskGroup() as group:
        for number in range(PACED):
            due = begun + number / PACE_PER_S
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            group.create_task(one(number))
    pace = PACED / (time.perf_counter() - begun)
    while inbox.position < BACKLOG + PACED:
        await asyncio.sleep(0.005)
    for task in tasks:
        await _end(task)
    lags = sorted((inbox.heard[n] - committed[n]) * 1000 for n in range(PACED))
    return {
        "bus_pace_per_s": pace,
        "bus_latency_p50_ms": statistics.median(lags),
        "bus_latency_p99_ms": lags[int(len(lags) * 0.99)],
        "bus_latency_max_ms": lags[-1],
    }


class _Inbox:
    """A consumer's database that costs nothing, to measure the bus alone."""

    def __init__(self, position: int = 0) -> None:
        self.position = position
        self.heard: dict[int, float] = {}

    async def handle(self, entry: LogEntry) -> None:
        self.position = entry.position
        self.heard[int(entry.stream.removeprefix("match-").replace("backlog", "-1"))] = (
            time.perf_counter()
        )

    async def checkpoint(self) -> int:
        return self.position

    async def nothing(self, after: int, limit: int) -> list[LogEntry]:
        return []

    async def bury(self, entry: LogEntry, error: Exception, attempts: int) -> None:
        raise AssertionError("nothing fails here") from error

    def consumer(self, bus: Bus) -> Consumer:
        return Consumer(
            bus,
            name="hearer-bench",
            service="bench",
            handler=self.handle,
            checkpoint=self.checkpoint,
            read_log=self.nothing,
            dead_letter=self.bury,
        )


def _records(stream: str, after: int, count: int) -> Append:
    versions = range(after + 1, after + count + 1)
    return Append(
        stream, after, tuple(Sealed(stream, version, "Moved", BODY, HASH) for version in versions)
    )


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


if __name__ == "__main__":
    print(json.dumps(run(), indent=2))
