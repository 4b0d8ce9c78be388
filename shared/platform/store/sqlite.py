"""The store in one SQLite file: durable before it answers, one connection that writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import structlog
from sqlalchemy import URL, Connection, Engine, NullPool, QueuePool, create_engine, event

from shared.platform.store.database import Outcome, Written
from shared.platform.store.entries import Append, Receipt
from shared.platform.store.errors import AlreadyDone, UnsafeSettings, VersionConflict
from shared.platform.store.migrate import migrate
from shared.platform.store.wal import connect, connect_wal

WAL_RESET_FIXED = (3, 51, 3)
"""The first SQLite without the bug by which two checkpointing connections damage the file."""

GET_RECEIPT = """
SELECT request_hash, stream, response FROM receipts WHERE principal = ? AND command_id = ?
"""
OPEN_STREAM = "INSERT INTO streams (stream, version) VALUES (?, ?) ON CONFLICT DO NOTHING"
MOVE_STREAM = "UPDATE streams SET version = ? WHERE stream = ? AND version = ?"
GET_VERSION = "SELECT version FROM streams WHERE stream = ?"
PUT_RECEIPT = """
INSERT INTO receipts (principal, command_id, request_hash, stream, response)
VALUES (?, ?, ?, ?, ?)
"""
PUT_RECORD = "INSERT INTO records (stream, version, type, body, hash) VALUES (?, ?, ?, ?, ?)"
PUT_POSITION = """
INSERT INTO log_index (position, row_id)
SELECT coalesce(max(position), 0) + 1, ? FROM log_index
"""
LAST_POSITION = "SELECT coalesce(max(position), 0) FROM log_index"
PUT_SECRET = "INSERT INTO secrets VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
PUT_TRACE = "INSERT INTO traces (hash, traceparent) VALUES (?, ?) ON CONFLICT DO NOTHING"
FORGET_TRACE = "DELETE FROM traces WHERE hash = ?"
FORGET_ALL_TRACES = "DELETE FROM traces"
PUT_PRIVATE = "INSERT INTO private (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING"
GET_PRIVATE = "SELECT value FROM private WHERE key = ?"
MOVE_CURSOR = """
INSERT INTO cursors (name, position) VALUES (?, ?)
ON CONFLICT (name) DO UPDATE SET position = max(position, excluded.position)
"""
FORGET_RECEIPTS = """
DELETE FROM receipts WHERE rowid IN (SELECT rowid FROM receipts WHERE stream = ? LIMIT ?)
"""


class SqliteDatabase:
    """A database file. Positions are given out inside the append, for only one can write."""

    def __init__(self, url: URL) -> None:
        if not url.database or url.database == ":memory:":
            raise UnsafeSettings("SQLite keeps nothing in memory: give a file, sqlite:///path")
        self._path = Path(url.database)
        self.readers: Engine = create_engine(
            "sqlite://", creator=self._reader, poolclass=QueuePool, pool_size=4
        )

    def connect(self) -> sqlite3.Connection:
        """A connection that syncs every commit and says itself when a transaction begins."""
        connection = connect_wal(self._path)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        # Without this an INSERT OR REPLACE would slip past the triggers that refuse deletes.
        connection.execute("PRAGMA recursive_triggers = ON")
        return connection

    def _reader(self) -> sqlite3.Connection:
        connection = connect(self._path)
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("PRAGMA query_only = ON")
        return connection

    def open(self) -> None:
        """Make the file if need be, check that it will be durable, migrate it."""
        warn_of_old_library(sqlite3.sqlite_version_info)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        # Seeds and hidden cards lie in this file: it is for the server's own account only.
        self._path.touch(mode=0o600)
        connection = self.connect()
        try:
            check_settings(connection)
        finally:
            connection.close()
        engine = create_engine("sqlite://", creator=self.connect, poolclass=NullPool)
        event.listen(engine, "begin", _begin_immediate)
        with engine.begin() as migrating:
            migrate(migrating)
            migrating.exec_driver_sql(FORGET_ALL_TRACES)

    def write(self, connection: sqlite3.Connection, appends: Sequence[Append]) -> Written:
        """Commit a batch; each append is checked before it writes, so a loser leaves nothing."""
        with _Transaction(connection):
            outcomes = [_append(connection, append) for append in appends]
            position: int = connection.execute(LAST_POSITION).fetchone()[0]
        return Written(outcomes, position)

    def lost(self, connection: sqlite3.Connection, error: Exception) -> bool:
        """Whether the file could not be read or written as it should."""
        return isinstance(error, sqlite3.OperationalError)

    def forget_traces(self, connection: sqlite3.Connection, hashes: Sequence[str]) -> None:
        """Forget the traces of some records, by hash."""
        with _Transaction(connection):
            connection.executemany(FORGET_TRACE, [(each,) for each in hashes])

    def put_private(self, connection: sqlite3.Connection, key: str, value: bytes) -> bytes:
        """Keep a value under a new key; the value that is kept there now."""
        with _Transaction(connection):
            connection.execute(PUT_PRIVATE, (key, value))
            kept: bytes = connection.execute(GET_PRIVATE, (key,)).fetchone()[0]
        return kept

    def move_cursor(self, connection: sqlite3.Connection, name: str, position: int) -> None:
        """Move a reader's place in the log forward, never back."""
        with _Transaction(connection):
            connection.execute(MOVE_CURSOR, (name, position))

    def forget_receipts(self, connection: sqlite3.Connection, stream: str, limit: int) -> int:
        """Delete some receipts of a stream; how many."""
        with _Transaction(connection):
            return connection.execute(FORGET_RECEIPTS, (stream, limit)).rowcount


class _Transaction:
    """Takes the write lock at the start: a transaction that began by reading could be refused."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self._connection.execute("COMMIT")
        elif self._connection.in_transaction:
            self._connection.execute("ROLLBACK")


def _append(connection: sqlite3.Connection, append: Append) -> Outcome:
    receipt = append.receipt
    if receipt is not None:
        found = connection.execute(GET_RECEIPT, (receipt.principal, receipt.command_id)).fetchone()
        if found is not None:
            return AlreadyDone(Receipt(receipt.principal, receipt.command_id, *found))
    if not _move_stream(connection, append):
        row = connection.execute(GET_VERSION, (append.stream,)).fetchone()
        return VersionConflict(append.stream, append.expected, row[0] if row else 0)
    if receipt is not None:
        connection.execute(
            PUT_RECEIPT,
            (receipt.principal, receipt.command_id, receipt.request_hash, receipt.stream,
             receipt.response),
        )  # fmt: skip
    for record in append.records:
        put = connection.execute(
            PUT_RECORD, (append.stream, record.version, record.type, record.body, record.hash)
        )
        connection.execute(PUT_POSITION, (put.lastrowid,))
        connection.executemany(
            PUT_SECRET,
            [
                (append.stream, record.version, secret.index, secret.audience, secret.fact,
                 secret.field, secret.salt, bytes(secret.value))
                for secret in record.secrets
            ],
        )  # fmt: skip
    if append.trace:
        connection.executemany(PUT_TRACE, [(each.hash, append.trace) for each in append.records])
    return None


def _move_stream(connection: sqlite3.Connection, append: Append) -> bool:
    """Compare-and-set the stream's version."""
    version = append.expected + len(append.records)
    if append.expected == 0:
        moved = connection.execute(OPEN_STREAM, (append.stream, version))
    else:
        moved = connection.execute(MOVE_STREAM, (version, append.stream, append.expected))
    return moved.rowcount == 1


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def check_settings(connection: sqlite3.Connection) -> None:
    """Refuse a file on which a commit would not be durable. Raises `UnsafeSettings`."""
    wanted = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    for name, value in wanted.items():
        found = connection.execute(f"PRAGMA {name}").fetchone()[0]
        if found != value:
            raise UnsafeSettings(
                f"SQLite has {name} = {found} where {value} is needed; keep the file on a local "
                "disk that can share memory between processes"
            )


def warn_of_old_library(version: tuple[int, ...]) -> None:
    """Say so when this SQLite can damage a file that two connections checkpoint at once.

    The store itself writes and checkpoints on one connection only.
    """
    if (3, 7, 0) <= version < WAL_RESET_FIXED:
        structlog.get_logger(__name__).warning(
            "sqlite-wal-reset-bug",
            version=".".join(map(str, version)),
            fixed_in=".".join(map(str, WAL_RESET_FIXED)),
            advice="let one process only use the file, or use PostgreSQL",
        )
