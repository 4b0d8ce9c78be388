"""The tables of the match index. They can be made again from the log at any time.

So they have no migrations: a new shape gets new names, and is filled from position 0.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    text,
)

metadata = MetaData()

matches = Table(
    "match_index_1",
    metadata,
    Column("match", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("over", Boolean, nullable=False),
    Column("asks_bots", Boolean, nullable=False),
    Column("summary", LargeBinary, nullable=False),
)
Index("match_index_1_changed", matches.c.changed_at, matches.c.match)
Index(
    "match_index_1_bots",
    matches.c.match,
    sqlite_where=text("asks_bots"),
    postgresql_where=text("asks_bots"),
)

seats = Table(
    "match_index_1_seats",
    metadata,
    Column("account", Text, primary_key=True),
    Column("match", Text, primary_key=True),
)

unlisted = Table(
    "match_index_1_unlisted",
    metadata,
    Column("match", Text, primary_key=True),
)

progress = Table(
    "match_index_1_progress",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("position", BigInteger, nullable=False),
)
