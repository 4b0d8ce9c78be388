"""Brings a database to the newest schema of the store."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

SCRIPTS = Path(__file__).parent / "migrations"

LOCK = 0x7A11_5710
"""The PostgreSQL advisory lock under which one process at a time migrates."""


def alone(connection: Connection) -> None:
    """Wait until no other process changes the schema; holds to the end of the transaction."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK})")


def migrate(connection: Connection, scripts: Path = SCRIPTS, upto: str = "head") -> None:
    """Run a folder's missing migrations in the connection's transaction, one process at a time.

    SQLite needs no lock of its own: its transactions begin by taking the write lock.
    """
    alone(connection)
    config = Config()
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, upto)
