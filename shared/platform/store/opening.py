"""Opening a database at the start of a service, or saying plainly why it cannot be opened."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError

from shared.platform.store.errors import CannotOpen


@contextmanager
def opening(address: URL) -> Iterator[None]:
    """Whatever the driver or the file system says in the block is told as `CannotOpen`."""
    try:
        yield
    except (OSError, sqlite3.Error, psycopg.Error, DBAPIError) as error:
        cause = error.orig if isinstance(error, DBAPIError) else error
        # Account, password and parameters are not for a log.
        where = URL.create(
            address.get_backend_name(),
            host=address.host,
            port=address.port,
            database=address.database,
        )
        raise CannotOpen(
            f"the database {where} cannot be opened: {' '.join(str(cause).split())}; "
            "see that it is there and whole, or set TALLY_DATABASE_URL or TALLY_DATA_DIR"
        ) from error
