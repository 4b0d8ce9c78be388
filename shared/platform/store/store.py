"""The event store: append-only streams, and the one log that all of them make together."""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
from sqlalchemy import Executable, make_url
from sqlalchemy.exc import DBAPIError

from shared.engine.record import Secret
from shared.platform import telemetry
from shared.platform.store import queries
from shared.platform.store.database import Database
from shared.platform.store.entries import Append, LogEntry, Receipt, Stored
from shared.platform.store.errors import OutOfOrder, StoreUnavailable
from shared.platform.store.opening import opening
from shared.platform.store.postgres import PostgresDatabase
from shared.platform.store.sequencer import Sequencer, SequencerThread
from shared.platform.store.sqlite import SqliteDatabase
from shared.platform.store.writer import Writer
from shared.platform.telemetry import Metrics

READERS = 4
Value = str | int | Sequence[str]
POLL_SECONDS = 0.2
"""How long another process's append may stay unnoticed by one who waits for it."""

EPOCH_KEY = "epoch"


def open_store(url: str, metrics: Metrics | None = None) -> Store:
    """The store at `sqlite:///path` or `postgresql://...`, checked and migrated.

    Raises `CannotOpen`, or `UnsafeSettings` if the database could lose what it acknowledged.
    """
    address = make_url(url)
    database: SqliteDatabase | PostgresDatabase
    if address.get_backend_name() == "sqlite":
        database = SqliteDatabase(address)
    elif address.get_backend_name() == "postgresql":
        database = PostgresDatabase(address)
    else:
        raise ValueError(
            f"a store lives in sqlite:///path or postgresql://..., not {address.drivername}"
        )
    with opening(address):
        database.open()
        connection: Any = database.connect()
        try:
            epoch = database.put_private(connection, EPOCH_KEY, str(uuid.uuid4()).encode())
        finally:
            connection.close()
    return Store(database, epoch.decode(), metrics or Metrics())


class Store:
    """Streams of records, each at a version, and the service's log of them by position.

    Appending needs a started store (`async with store:`). `epoch` names this log: positions
    of two logs never compare.
    """

    def __init__(self, database: Database, epoch: str, metrics: Metrics) -> None:
        self.epoch = epoch
        self._database = database
        self._writer = Writer(database, self._committed, metrics)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="store-reader")
        self._sequencer: SequencerThread | None = None
        if isinstance(database, PostgresDatabase):
            self._sequencer = SequencerThread(
                Sequencer(database.connect_sequencer), self._announce, self._break
            )
        self._loop: asyncio.AbstractEventLoop | None = None
        self._head = 0
        self._moved = asyncio.Event()
        self._fault: OutOfOrder | None = None

    async def __aenter__(self) -> Store:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def start(self) -> None:
        """Begin to take appends and to give out positions."""
        self._loop = asyncio.get_running_loop()
        self._note(await self.last_position())
        self._writer.start()
        if self._sequencer is not None:
            self._sequencer.start()

    async def close(self) -> None:
        """Finish what is waiting, give out its positions, and let go of the database."""
        await self._writer.close()
        if self._sequencer is not None and self._loop is not None:
            await asyncio.to_thread(self._sequencer.close)
        await asyncio.to_thread(self._readers.shutdown)
        self._database.readers.dispose()

    @property
    def head(self) -> int:
        """The last position that this process knows of."""
        return self._head

    async def append(self, append: Append) -> None:
        """Add records to a stream, durably, all or none.

        Raises `VersionConflict`, `AlreadyDone`, `ValueError`, or another `StoreError`.
        """
        append.check()
        trace = telemetry.traceparent()
        if trace:
            append = msgspec.structs.replace(append, trace=trace)
        await self._writer.submit(append)

    async def receipt(self, principal: str, command_id: str) -> Receipt | None:
        """The answer that a command got, if it was carried out."""
        rows = await self._read(queries.RECEIPT, principal=principal, command_id=command_id)
        return Receipt(*rows[0]) if rows else None

    async def load(self, stream: str, after: int = 0, limit: int | None = None) -> list[Stored]:
        """The records of a stream that follow version `after`."""
        rows = await self._read(
            queries.RECORDS,
            stream=stream,
            after=after,
            limit=queries.ALL if limit is None else limit,
        )
        return [Stored(*row) for row in rows]

    async def secrets(
        self, stream: str, after: int = 0, upto: int | None = None
    ) -> dict[int, tuple[Secret, ...]]:
        """The hidden parts of a stream's records after `after`, by version."""
        rows = await self._read(
            queries.SECRETS, stream=stream, after=after, upto=queries.ALL if upto is None else upto
        )
        found: dict[int, tuple[Secret, ...]] = {}
        for _, version, number, audience, fact, field, salt, value in rows:
            secret = Secret(number, audience, fact, field, salt, msgspec.Raw(value))
            found[version] = (*found.get(version, ()), secret)
        return found

    async def read_log(self, after: int, limit: int = 500, stream: str = "") -> list[LogEntry]:
        """The log's entries that follow position `after`, without a gap; or those of one stream."""
        if stream:
            rows = await self._read(queries.LOG_OF_STREAM, after=after, limit=limit, stream=stream)
        else:
            rows = await self._read(queries.LOG, after=after, limit=limit)
        return [LogEntry(*row) for row in rows]

    async def last_position(self) -> int:
        """The last position that was given out; 0 while the log is empty."""
        rows = await self._read(queries.LAST_POSITION)
        return int(rows[0][0])

    async def positions_after(self, after: int, timeout: float) -> int:
        """Wait until there are positions beyond `after`; the last one, or `after` at the timeout.

        Appends of this process are noticed at once, those of others by asking now and then.
        Raises `OutOfOrder` when the log was found to be damaged and cannot go on.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout
        while self._head <= after:
            if self._fault is not None:
                raise self._fault
            left = deadline - loop.time()
            if left <= 0:
                return after
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(left, POLL_SECONDS)):
                    await self._moved.wait()
                continue
            self._note(await self.last_position())
        return self._head

    async def traces(self, hashes: Sequence[str]) -> dict[str, str]:
        """The traces of some records, by hash, as far as there are any that were not forgotten."""
        rows = await self._read(queries.TRACES, hashes=hashes)
        return {hash: trace for hash, trace in rows}

    async def forget_traces(self, hashes: Sequence[str]) -> None:
        """Forget the traces of records whose readers know them."""
        await self._writer.submit(
            lambda connection: self._database.forget_traces(connection, hashes)
        )

    async def put_private(self, key: str, value: bytes) -> bytes:
        """Keep a secret of the service for ever; the value kept under that key (the first wins)."""
        kept: bytes = await self._writer.submit(
            lambda connection: self._database.put_private(connection, key, value)
        )
        return kept

    async def get_private(self, key: str) -> bytes | None:
        """A secret of the service; never to be served to anyone."""
        rows = await self._read(queries.PRIVATE, key=key)
        return bytes(rows[0][0]) if rows else None

    async def cursor(self, name: str) -> int:
        """The position up to which a reader of the log has come; 0 if it never began."""
        rows = await self._read(queries.CURSOR, name=name)
        return int(rows[0][0]) if rows else 0

    async def move_cursor(self, name: str, position: int) -> None:
        """Remember how far a reader has come; a cursor never goes back."""
        await self._writer.submit(
            lambda connection: self._database.move_cursor(connection, name, position)
        )

    async def forget_receipts(self, stream: str, limit: int) -> int:
        """Delete some receipts of a stream that takes no more commands; how many."""
        gone: int = await self._writer.submit(
            lambda connection: self._database.forget_receipts(connection, stream, limit)
        )
        return gone

    async def _read(self, query: Executable, **values: Value) -> Sequence[Any]:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._readers, self._fetch, query, values)

    def _fetch(self, query: Executable, values: dict[str, Value]) -> Sequence[Any]:
        """Run a query, a second time if the connection turned out to be dead."""
        try:
            return self._fetch_once(query, values)
        except DBAPIError as error:
            if not error.connection_invalidated:
                raise StoreUnavailable(f"the database cannot be read: {error.orig}") from error
        try:
            return self._fetch_once(query, values)
        except DBAPIError as error:
            raise StoreUnavailable(f"the database cannot be read: {error.orig}") from error

    def _fetch_once(self, query: Executable, values: dict[str, Value]) -> Sequence[Any]:
        with self._database.readers.connect() as connection:
            return connection.execute(query, values).all()

    def _committed(self, position: int | None) -> None:
        """On the writer's thread: records were committed, at once with positions or not."""
        if position is not None:
            self._announce(position)
        elif self._sequencer is not None:
            self._sequencer.wake()

    def _announce(self, position: int) -> None:
        self._on_loop(lambda: self._note(position))

    def _break(self, fault: OutOfOrder) -> None:
        def note() -> None:
            self._fault = fault
            self._moved.set()

        self._on_loop(note)

    def _on_loop(self, action: Callable[[], None]) -> None:
        # A loop that is closed has nobody left who waits.
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(action)

    def _note(self, position: int) -> None:
        """Let everybody go on who waits for a position up to this one."""
        if position > self._head:
            self._head = position
            self._moved.set()
            self._moved = asyncio.Event()
