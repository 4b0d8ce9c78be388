"""Scoring's own database.

Its commits do not wait for the disk: rows and position are lost together, if at all, and what is
lost is read from the rules' log again.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Engine, QueuePool, create_engine, event, make_url

from shared.platform.store.migrate import migrate
from shared.platform.store.opening import opening
from shared.platform.store.postgres import manners
from shared.platform.store.wal import connect_wal

SCRIPTS = Path(__file__).parent / "migrations"
READERS = 4


def open_database(url: str) -> tuple[Engine, Engine]:
    """The migrated database at `sqlite:///path` or `postgresql://...`: to write, and to read.

    Raises `CannotOpen`.
    """
    address = make_url(url)
    with opening(address):
        return _open(address)


def _open(address: URL) -> tuple[Engine, Engine]:
    if address.get_backend_name() == "sqlite":
        path = Path(address.database or "")
        path.parent.mkdir(parents=True, exist_ok=True)
        # Named, because without a path in its address SQLAlchemy takes a pool for memory.
        writer = create_engine(
            "sqlite://", creator=lambda: _sqlite(path), poolclass=QueuePool, pool_size=1
        )
        event.listen(writer, "begin", lambda c: c.exec_driver_sql("BEGIN IMMEDIATE"))
        _migrate(writer)
        reader = create_engine(
            "sqlite://", creator=lambda: _reader(path), poolclass=QueuePool, pool_size=READERS
        )
        return writer, reader
    given = manners(address.query)
    address = address.set(drivername="postgresql+psycopg")
    writer = create_engine(address, pool_size=1, pool_pre_ping=True, connect_args=given)
    event.listen(writer, "connect", _hasten)
    _migrate(writer)
    reader = create_engine(
        address, pool_size=READERS, pool_pre_ping=True, isolation_level="AUTOCOMMIT",
        connect_args=given,
    )  # fmt: skip
    return writer, reader


def _migrate(engine: Engine) -> None:
    with engine.begin() as connection:
        migrate(connection, SCRIPTS)


def _sqlite(path: Path) -> sqlite3.Connection:
    connection = connect_wal(path)
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def _reader(path: Path) -> sqlite3.Connection:
    connection = _sqlite(path)
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute("PRAGMA query_only = ON")
    return connection


def _hasten(connection: Any, _: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit = off; SET statement_timeout = '30s'")
    connection.commit()
