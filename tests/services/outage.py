"""A database that is away for a while, as when its server is restarted or fails over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg.sql import SQL, Identifier
from sqlalchemy import make_url


@contextmanager
def database_away(server: str, url: str) -> Iterator[None]:
    """Inside the block nobody is connected to the database, and nobody can connect."""
    name = make_url(url).database or ""
    with psycopg.connect(server, autocommit=True) as admin:
        admin.execute(SQL("ALTER DATABASE {} ALLOW_CONNECTIONS false").format(Identifier(name)))
        try:
            admin.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,)
            )
            yield
        finally:
            admin.execute(SQL("ALTER DATABASE {} ALLOW_CONNECTIONS true").format(Identifier(name)))
