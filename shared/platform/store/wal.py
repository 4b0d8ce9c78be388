"""Connections to SQLite files, all of them in write-ahead-log mode."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

BUSY_SECONDS = 30.0
"""How long a connection waits for another one's lock. Several processes may migrate in turn."""

RETRY_SECONDS = 0.01


def connect(path: Path) -> sqlite3.Connection:
    """A connection that begins no transaction by itself. Raises `sqlite3.Error`."""
    return sqlite3.connect(
        path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )


def connect_wal(path: Path) -> sqlite3.Connection:
    """The same, with the file brought into WAL mode if it is not yet. Raises `sqlite3.Error`."""
    connection = connect(path)
    try:
        _convert(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _convert(connection: sqlite3.Connection) -> None:
    """SQLite's own waiting leaves this one change out (it could wait for ever): we wait here."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > deadline:
                raise
            time.sleep(RETRY_SECONDS)
        else:
            return
