"""The tables of the store, for reading. The migrations make them; the writers fill them."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Integer, LargeBinary, MetaData, Table, Text

metadata = MetaData()

streams = Table(
    "streams",
    metadata,
    Column("stream", Text, primary_key=True),
    Column("version", BigInteger, nullable=False),
)

records = Table(
    "records",
    metadata,
    Column("row_id", BigInteger, primary_key=True),
    Column("stream", Text, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("type", Text, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("hash", Text, nullable=False),
)

secrets = Table(
    "secrets",
    metadata,
    Column("stream", Text, primary_key=True),
    Column("version", BigInteger, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("audience", Integer, nullable=False),
    Column("fact", Integer, nullable=False),
    Column("field", Text, nullable=False),
    Column("salt", Text, nullable=False),
    Column("value", LargeBinary, nullable=False),
)

receipts = Table(
    "receipts",
    metadata,
    Column("principal", Text, primary_key=True),
    Column("command_id", Text, primary_key=True),
    Column("request_hash", Text, nullable=False),
    Column("stream", Text, nullable=False),
    Column("response", LargeBinary, nullable=False),
)

log_index = Table(
    "log_index",
    metadata,
    Column("position", BigInteger, primary_key=True),
    Column("row_id", BigInteger, nullable=False),
)

private = Table(
    "private",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", LargeBinary, nullable=False),
)

traces = Table(
    "traces",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("traceparent", Text, nullable=False),
)

cursors = Table(
    "cursors",
    metadata,
    Column("name", Text, primary_key=True),
    Column("position", BigInteger, nullable=False),
)
