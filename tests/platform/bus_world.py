"""What the bus tests stand on: a log and a projection in SQLite files, and patience.

Both survive the process that writes them, so that tests may kill it.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import nats
from nats.js.errors import NotFoundError

from shared.engine.record import GENESIS, Record, seal
from shared.platform.bus import stream_name
from shared.platform.bus.message import read
from shared.platform.store import LogEntry

EPOCH = "5b0f63e8-6a53-4a8b-9df5-0c5f5b1f0001"


class FileLog:
    """A gapless log in a file, as a store offers it to a relay and a consumer."""

    def __init__(self, file: Path, epoch: str = EPOCH) -> None:
        self.epoch = epoch
        self.away = False
        self.reads = 0
        self._db = sqlite3.connect(file, isolation_level=None, timeout=30)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute(
            "CREATE TABLE IF NOT EXISTS log(position INTEGER PRIMARY KEY, stream TEXT,"
            " version INTEGER, type TEXT, body BLOB, hash TEXT)"
        )
        self._grown = asyncio.Event()

    def append(self, count: int = 1, move: str = "place", at: int | None = None) -> int:
        """Add records to a few matches in turn; the last position."""
        self._db.execute("BEGIN IMMEDIATE")
        position = self._last()
        for _ in range(count):
            position += 1
            stream, version = f"match-{position % 3}", (position + 2) // 3
            sealed = seal(record(stream, version, move, at or int(time.time() * 1000)))
            row = (position, stream, version, sealed.type, sealed.body, sealed.hash)
            self._db.execute("INSERT INTO log VALUES (?,?,?,?,?,?)", row)
        self._db.execute("COMMIT")
        self._grown.set()
        return position

    def cut(self, after: int) -> None:
        """What restoring an older backup does."""
        self._db.execute("DELETE FROM log WHERE position > ?", (after,))

    def _last(self) -> int:
        (last,) = self._db.execute("SELECT coalesce(max(position), 0) FROM log").fetchone()
        return int(last)

    async def read_log(self, after: int, limit: int = 500) -> list[LogEntry]:
        self.reads += 1
        if self.away:
            raise ConnectionError("the owner is away")
        rows = self._db.execute(
            "SELECT * FROM log WHERE position > ? ORDER BY position LIMIT ?", (after, limit)
        )
        return [LogEntry(*row) for row in rows]

    @property
    def head(self) -> int:
        return self._last()

    async def last_position(self) -> int:
        return self._last()

    async def positions_after(self, after: int, timeout: float) -> int:
        deadline = time.monotonic() + timeout
        while self._last() <= after and time.monotonic() < deadline:
            self._grown.clear()
            try:
                async with asyncio.timeout(0.05):  # another process may have written
                    await self._grown.wait()
            except TimeoutError:
                pass
        return self._last()


class Projection:
    """A consumer's database: what it applied, its dead letters and its checkpoint."""

    def __init__(self, file: Path) -> None:
        self._db = sqlite3.connect(file, isolation_level=None, timeout=30)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.executescript(
            "CREATE TABLE IF NOT EXISTS applied(position INTEGER, stream TEXT, hash TEXT);"
            "CREATE TABLE IF NOT EXISTS dead(position INTEGER, attempts INTEGER, error TEXT);"
            "CREATE TABLE IF NOT EXISTS checkpoint(position INTEGER);"
            "INSERT INTO checkpoint SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM checkpoint);"
        )

    async def handle(self, entry: LogEntry) -> None:
        row = (entry.position, entry.stream, entry.hash)
        self._commit("INSERT INTO applied VALUES (?,?,?)", row, entry.position)

    async def bury(self, entry: LogEntry, error: Exception, attempts: int) -> None:
        row = (entry.position, attempts, str(error))
        self._commit("INSERT INTO dead VALUES (?,?,?)", row, entry.position)

    def _commit(self, statement: str, row: tuple[Any, ...], position: int) -> None:
        self._db.execute("BEGIN IMMEDIATE")
        self._db.execute(statement, row)
        self._db.execute("UPDATE checkpoint SET position = ?", (position,))
        self._db.execute("COMMIT")

    async def checkpoint(self) -> int:
        return int(self._db.execute("SELECT position FROM checkpoint").fetchone()[0])

    @property
    def applied(self) -> list[int]:
        """Positions in the order in which they took effect, twice if twice."""
        return [row[0] for row in self._db.execute("SELECT position FROM applied ORDER BY rowid")]

    @property
    def dead(self) -> list[tuple[int, int, str]]:
        return list(self._db.execute("SELECT * FROM dead ORDER BY rowid"))


def record(stream: str, version: int, move: str, at: int) -> Record:
    return Record(
        stream=stream, version=version, type="move", schema=1, edition="test@1",
        actor="ada", seat=0, move=move, facts=msgspec.Raw(b"[]"), secrets=(), barrier=False,
        state="0" * 64, at=at, prev=GENESIS,
    )  # fmt: skip


def up_to(last: int) -> list[int]:
    return list(range(1, last + 1))


async def eventually(
    true: Callable[[], bool | Awaitable[bool]], seconds: float = 30.0, what: str = ""
) -> None:
    deadline = time.monotonic() + seconds
    while True:
        answer = true()
        if answer if isinstance(answer, bool) else await answer:
            return
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds} s: {what}")
        await asyncio.sleep(0.01)


@asynccontextmanager
async def running(*workers: Any) -> AsyncIterator[list[asyncio.Task[None]]]:
    """Run relays, consumers and followers for a while; a worker that failed fails the test."""
    tasks = [asyncio.create_task(worker.run()) for worker in workers]
    try:
        yield tasks
    finally:
        failed = [task for task in tasks if task.done()]
        for task in tasks:
            task.cancel()
        _, deaf = await asyncio.wait(tasks, timeout=30)
        for task in deaf:
            task.print_stack()
    assert not deaf, "a worker does not end when it is cancelled"
    for task in failed:
        task.result()


@asynccontextmanager
async def looking(url: str) -> AsyncIterator[Any]:
    """A plain client that looks at the broker from outside."""
    client = await nats.connect(url, allow_reconnect=False)
    try:
        yield client.jetstream()
    finally:
        await client.close()


async def on_the_bus(url: str, service: str) -> list[int]:
    """The positions in a service's stream, in stream order, with all messages checked."""
    async with looking(url) as js:
        try:
            state = (await js.stream_info(stream_name(service))).state
        except NotFoundError:
            return []
        positions = []
        for sequence in range(max(1, state.first_seq), state.last_seq + 1):
            try:
                message = await js.get_msg(stream_name(service), sequence)
            except NotFoundError:
                continue
            positions.append(read(service, message.headers, message.data)[1].position)
        return positions
