"""The log: streams, records, secrets, receipts, outbox and positions."""

from __future__ import annotations

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

APPEND_ONLY = ("records", "secrets", "log_index", "private")

TABLES = """
CREATE TABLE streams (
    stream TEXT PRIMARY KEY,
    version BIGINT NOT NULL CHECK (version > 0)
);
CREATE TABLE records (
    row_id {identity},
    stream TEXT NOT NULL,
    version BIGINT NOT NULL CHECK (version > 0),
    type TEXT NOT NULL,
    body {bytes} NOT NULL,
    hash TEXT NOT NULL,
    UNIQUE (stream, version)
);
CREATE TABLE secrets (
    stream TEXT NOT NULL,
    version BIGINT NOT NULL,
    number INTEGER NOT NULL,
    audience INTEGER NOT NULL,
    fact INTEGER NOT NULL,
    field TEXT NOT NULL,
    salt TEXT NOT NULL,
    value {bytes} NOT NULL,
    PRIMARY KEY (stream, version, number),
    FOREIGN KEY (stream, version) REFERENCES records (stream, version)
);
CREATE TABLE receipts (
    principal TEXT NOT NULL,
    command_id TEXT NOT NULL,
    request_hash TEXT NOT NULL,
    stream TEXT NOT NULL,
    response {bytes} NOT NULL,
    created_at {time} NOT NULL DEFAULT CURRENT_TIMESTAMP,
    PRIMARY KEY (principal, command_id)
);
CREATE TABLE log_index (
    position {number} PRIMARY KEY,
    row_id BIGINT NOT NULL UNIQUE
);
CREATE TABLE private (key TEXT PRIMARY KEY, value {bytes} NOT NULL);
CREATE TABLE cursors (name TEXT PRIMARY KEY, position BIGINT NOT NULL)
"""

SQLITE_TYPES = {
    "identity": "INTEGER PRIMARY KEY AUTOINCREMENT",
    "number": "INTEGER",
    "bytes": "BLOB",
    "time": "TEXT",
}
POSTGRES_TYPES = {
    "identity": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    "number": "BIGINT",
    "bytes": "BYTEA",
    "time": "TIMESTAMPTZ",
}

# The outbox is emptied as fast as it is filled, so its dead rows must be cleaned up early.
POSTGRES_SEQUENCER = """
CREATE TABLE outbox (row_id BIGINT PRIMARY KEY) WITH (
    autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_cost_delay = 0
);
CREATE TABLE sequencer (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    holder TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    until TIMESTAMPTZ NOT NULL
) WITH (fillfactor = 10);
INSERT INTO sequencer VALUES (1, '', 0, '-infinity');
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION USING MESSAGE = TG_TABLE_NAME || ' is append-only'; END $$
"""


def upgrade() -> None:
    """Make the tables and the triggers that keep the log as it was written."""
    sqlite = op.get_bind().dialect.name == "sqlite"
    _run(TABLES.format(**(SQLITE_TYPES if sqlite else POSTGRES_TYPES)))
    if not sqlite:
        _run(POSTGRES_SEQUENCER)
    for table in APPEND_ONLY:
        for statement in _sqlite_guards(table) if sqlite else _postgres_guards(table):
            op.get_bind().exec_driver_sql(statement)


def _run(statements: str) -> None:
    for statement in statements.split(";\n"):
        op.get_bind().exec_driver_sql(statement)


def _sqlite_guards(table: str) -> list[str]:
    return [
        f"CREATE TRIGGER {table}_no_{change.lower()} BEFORE {change} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
        for change in ("UPDATE", "DELETE")
    ]


def _postgres_guards(table: str) -> list[str]:
    return [
        f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE ON {table} "
        "FOR EACH ROW EXECUTE FUNCTION refuse_change()",
        f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()",
    ]
