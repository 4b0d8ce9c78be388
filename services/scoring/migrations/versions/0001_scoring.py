"""Sheets, results, ratings, and how far the rules' log was followed."""

from __future__ import annotations

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE progress (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    epoch TEXT NOT NULL,
    position BIGINT NOT NULL
);
INSERT INTO progress VALUES (1, '', 0);
CREATE TABLE live_records (
    match_id TEXT NOT NULL,
    version BIGINT NOT NULL,
    body {bytes} NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (match_id, version)
);
CREATE TABLE sheets (
    match_id TEXT NOT NULL PRIMARY KEY,
    game TEXT NOT NULL,
    version BIGINT NOT NULL,
    final BOOLEAN NOT NULL,
    agreement TEXT NOT NULL,
    problem TEXT NOT NULL,
    seats {bytes} NOT NULL,
    lines {bytes} NOT NULL,
    standings {bytes} NOT NULL
);
CREATE TABLE results (
    match_id TEXT NOT NULL PRIMARY KEY,
    position BIGINT NOT NULL,
    game TEXT NOT NULL,
    edition TEXT NOT NULL,
    finished_at BIGINT NOT NULL,
    reason TEXT NOT NULL,
    agreement TEXT NOT NULL,
    rated BOOLEAN NOT NULL
);
CREATE UNIQUE INDEX results_by_position ON results (position);
CREATE TABLE result_seats (
    match_id TEXT NOT NULL REFERENCES results (match_id),
    seat INTEGER NOT NULL,
    account TEXT NOT NULL,
    name TEXT NOT NULL,
    points BIGINT NOT NULL,
    rank INTEGER NOT NULL,
    resigned BOOLEAN NOT NULL,
    counted BOOLEAN NOT NULL,
    PRIMARY KEY (match_id, seat)
);
CREATE INDEX result_seats_by_account ON result_seats (account, match_id);
CREATE TABLE ratings (
    game TEXT NOT NULL,
    account TEXT NOT NULL,
    mu {float} NOT NULL,
    sigma {float} NOT NULL,
    ordinal {float} NOT NULL,
    matches BIGINT NOT NULL,
    PRIMARY KEY (game, account)
);
CREATE INDEX ratings_by_ordinal ON ratings (game, ordinal, account);
CREATE TABLE dead_letters (
    position BIGINT NOT NULL PRIMARY KEY,
    stream TEXT NOT NULL,
    version BIGINT NOT NULL,
    problem TEXT NOT NULL
)
"""

TYPES = {
    "sqlite": {"bytes": "BLOB", "float": "DOUBLE"},
    "postgresql": {"bytes": "BYTEA", "float": "DOUBLE PRECISION"},
}


def upgrade() -> None:
    """Make the tables."""
    types = TYPES[op.get_bind().dialect.name]
    for statement in TABLES.format(**types).split(";\n"):
        op.get_bind().exec_driver_sql(statement)
