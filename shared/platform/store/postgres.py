"""The store in PostgreSQL: a whole batch of appends is one statement, one round trip, one sync."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any, Final

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from sqlalchemy import URL, Engine, NullPool, create_engine

from shared.platform.store.arrays import Blobs, Numbers, Texts, register_arrays
from shared.platform.store.database import Outcome, Written
from shared.platform.store.entries import Append, Receipt
from shared.platform.store.errors import (
    AlreadyDone,
    AppendRefused,
    UnsafeSettings,
    VersionConflict,
)
from shared.platform.store.migrate import migrate

DURABLE = {
    "fsync": ("on",),
    "full_page_writes": ("on",),
    "synchronous_commit": ("on", "remote_apply"),
}

# A server that vanishes without a word (its machine, the network) is noticed within half a minute;
# the system's own patience is a quarter of an hour for what was sent, two hours for an answer.
DIAL = {
    "connect_timeout": "5",
    "application_name": "tallystick",
    "tcp_user_timeout": "10000",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
}

# Statements are planned once, to look every row up by its key: by row estimates a table that is
# still empty would be scanned, and the plan kept while it grows.
PLANS: Final = """
SET plan_cache_mode = force_generic_plan;
SET enable_seqscan = off;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
"""
# A lock or a statement that hangs fails its append, not the whole service.
WRITER_SETTINGS: Final = PLANS + "SET lock_timeout = '1s'; SET statement_timeout = '30s'"

# A sequencer that stops in the middle (a suspended machine) must not stop the others.
SEQUENCER_SETTINGS: Final = (
    PLANS + "SET idle_in_transaction_session_timeout = '3s'; SET statement_timeout = '30s'"
)

# An append whose receipt exists is left alone; so is one whose stream is not at `expected`.
# Should another process commit the same receipt meanwhile, the primary key fails the batch.
WRITE: Final = """
WITH batch AS (
    SELECT * FROM unnest(
        %(slots)b, %(streams)b, %(expected)b, %(ends)b,
        %(principals)b, %(commands)b, %(requests)b, %(owners)b, %(responses)b
    ) AS b (slot, stream, expected, ends, principal, command_id, request_hash, owner, response)
), fresh AS (
    SELECT * FROM batch b WHERE NOT EXISTS (
        SELECT FROM receipts r
        WHERE r.principal = b.principal AND r.command_id = b.command_id
    )
), opened AS (
    INSERT INTO streams (stream, version)
    SELECT stream, ends FROM fresh WHERE expected = 0 ORDER BY stream
    ON CONFLICT DO NOTHING RETURNING stream
), moved AS (
    UPDATE streams s SET version = f.ends FROM fresh f
    WHERE f.expected > 0 AND s.stream = f.stream AND s.version = f.expected
    RETURNING f.*
), won AS (
    SELECT * FROM moved UNION ALL SELECT f.* FROM fresh f JOIN opened USING (stream)
), answered AS (
    INSERT INTO receipts (principal, command_id, request_hash, stream, response)
    SELECT principal, command_id, request_hash, owner, response
    FROM won WHERE principal IS NOT NULL
), written AS (
    INSERT INTO records (stream, version, type, body, hash)
    SELECT w.stream, r.version, r.type, r.body, r.hash
    FROM unnest(%(r_slots)b, %(r_versions)b, %(r_types)b, %(r_bodies)b, %(r_hashes)b)
        WITH ORDINALITY AS r (slot, version, type, body, hash, place)
    JOIN won w USING (slot) ORDER BY r.place
    RETURNING row_id
), hidden AS (
    INSERT INTO secrets (stream, version, number, audience, fact, field, salt, value)
    SELECT w.stream, s.version, s.number, s.audience, s.fact, s.field, s.salt, s.value
    FROM unnest(
        %(s_slots)b, %(s_versions)b, %(s_numbers)b, %(s_audiences)b,
        %(s_facts)b, %(s_fields)b, %(s_salts)b, %(s_values)b
    ) AS s (slot, version, number, audience, fact, field, salt, value)
    JOIN won w USING (slot)
), queued AS (
    INSERT INTO outbox (row_id) SELECT row_id FROM written
)
SELECT slot FROM won
"""

GET_RECEIPT: Final = """
SELECT request_hash, stream, response FROM receipts WHERE principal = %s AND command_id = %s
"""
GET_VERSION: Final = "SELECT version FROM streams WHERE stream = %s"
PUT_TRACES: Final = """
INSERT INTO traces (hash, traceparent) SELECT * FROM unnest(%s::text[], %s::text[])
ON CONFLICT DO NOTHING
"""
FORGET_TRACES: Final = "DELETE FROM traces WHERE hash = ANY(%s)"
FORGET_ALL_TRACES: Final = "DELETE FROM traces"
PUT_PRIVATE: Final = "INSERT INTO private (key, value) VALUES (%s, %s) ON CONFLICT DO NOTHING"
GET_PRIVATE: Final = "SELECT value FROM private WHERE key = %s"
MOVE_CURSOR: Final = """
INSERT INTO cursors AS c (name, position) VALUES (%s, %s)
ON CONFLICT (name) DO UPDATE SET position = greatest(c.position, excluded.position)
"""
# Rows that another process is deleting are left to it.
FORGET_RECEIPTS: Final = """
DELETE FROM receipts WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM receipts WHERE stream = %s LIMIT %s FOR UPDATE SKIP LOCKED
))
"""


class PostgresDatabase:
    """A PostgreSQL database. Positions are given out by the sequencer, after the commit."""

    def __init__(self, url: URL) -> None:
        self._address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self.readers: Engine = create_engine(
            "postgresql+psycopg://", creator=self.dial, pool_size=4, isolation_level="AUTOCOMMIT"
        )

    def dial(self) -> psycopg.Connection[Any]:
        """A plain connection that gives up in time."""
        given = conninfo_to_dict(self._address)
        return psycopg.connect(make_conninfo(self._address, **manners(given)))

    def connect(self) -> psycopg.Connection[Any]:
        """A connection for appends: every statement is a transaction of its own."""
        connection = self.dial()
        connection.autocommit = True
        connection.execute(WRITER_SETTINGS)
        register_arrays(connection)
        return connection

    def connect_sequencer(self) -> psycopg.Connection[Any]:
        """A connection for giving out positions, which cannot hold its lock for long."""
        connection = self.dial()
        connection.autocommit = True
        connection.execute(SEQUENCER_SETTINGS)
        return connection

    def open(self) -> None:
        """Check that the server keeps what it acknowledges, then migrate."""
        engine = create_engine("postgresql+psycopg://", creator=self.dial, poolclass=NullPool)
        with engine.begin() as connection:
            for name, safe in DURABLE.items():
                found = connection.exec_driver_sql(f"SHOW {name}").scalar()
                if found not in safe:
                    raise UnsafeSettings(
                        f"PostgreSQL has {name} = {found}: acknowledged moves could be lost; "
                        f"set {name} = on for the server, the database and the role"
                    )
            migrate(connection)
            connection.exec_driver_sql(FORGET_ALL_TRACES)

    def write(self, connection: psycopg.Connection[Any], appends: Sequence[Append]) -> Written:
        """Commit a batch in one statement; then look up why the losers lost."""
        rows = connection.execute(WRITE, _columns(appends), prepare=True)
        won = {slot for (slot,) in rows}
        outcomes = [
            None if slot in won else _why_lost(connection, append)
            for slot, append in enumerate(appends)
        ]
        traced = [a for slot, a in enumerate(appends) if a.trace and slot in won]
        if traced:
            _put_traces(connection, traced)
        return Written(outcomes, None)

    def lost(self, connection: psycopg.Connection[Any], error: Exception) -> bool:
        """Whether the server closed the connection, or the network did."""
        return connection.closed

    def forget_traces(self, connection: psycopg.Connection[Any], hashes: Sequence[str]) -> None:
        """Forget the traces of some records, by hash."""
        connection.execute(FORGET_TRACES, (list(hashes),))

    def put_private(self, connection: psycopg.Connection[Any], key: str, value: bytes) -> bytes:
        """Keep a value under a new key; the value that is kept there now."""
        connection.execute(PUT_PRIVATE, (key, value))
        row = connection.execute(GET_PRIVATE, (key,)).fetchone()
        assert row is not None, "a private value cannot be deleted"
        return bytes(row[0])

    def move_cursor(self, connection: psycopg.Connection[Any], name: str, position: int) -> None:
        """Move a reader's place in the log forward, never back."""
        connection.execute(MOVE_CURSOR, (name, position))

    def forget_receipts(self, connection: psycopg.Connection[Any], stream: str, limit: int) -> int:
        """Delete some receipts of a stream; how many."""
        return connection.execute(FORGET_RECEIPTS, (stream, limit)).rowcount


def manners(given: Container[str]) -> dict[str, str]:
    """How connections bear with a server, as far as its address does not say."""
    return {name: value for name, value in DIAL.items() if name not in given}


def _columns(appends: Sequence[Append]) -> dict[str, Numbers | Texts | Blobs]:
    """The batch as one array per column; a slot says to which append a row belongs."""
    receipts = [append.receipt for append in appends]
    records = [(slot, r) for slot, append in enumerate(appends) for r in append.records]
    secrets = [(slot, r.version, s) for slot, r in records for s in r.secrets]
    return {
        "slots": Numbers(range(len(appends))),
        "streams": Texts([a.stream for a in appends]),
        "expected": Numbers([a.expected for a in appends]),
        "ends": Numbers([a.expected + len(a.records) for a in appends]),
        "principals": Texts([r.principal if r else None for r in receipts]),
        "commands": Texts([r.command_id if r else None for r in receipts]),
        "requests": Texts([r.request_hash if r else None for r in receipts]),
        "owners": Texts([r.stream if r else None for r in receipts]),
        "responses": Blobs([r.response if r else None for r in receipts]),
        "r_slots": Numbers([slot for slot, _ in records]),
        "r_versions": Numbers([r.version for _, r in records]),
        "r_types": Texts([r.type for _, r in records]),
        "r_bodies": Blobs([r.body for _, r in records]),
        "r_hashes": Texts([r.hash for _, r in records]),
        "s_slots": Numbers([slot for slot, _, _ in secrets]),
        "s_versions": Numbers([version for _, version, _ in secrets]),
        "s_numbers": Numbers([s.index for _, _, s in secrets]),
        "s_audiences": Numbers([s.audience for _, _, s in secrets]),
        "s_facts": Numbers([s.fact for _, _, s in secrets]),
        "s_fields": Texts([s.field for _, _, s in secrets]),
        "s_salts": Texts([s.salt for _, _, s in secrets]),
        "s_values": Blobs([bytes(s.value) for _, _, s in secrets]),
    }


def _put_traces(connection: psycopg.Connection[Any], appends: Sequence[Append]) -> None:
    """Keep traces of what was committed: a relay that is quicker finds none, and does without."""
    pairs = [(record.hash, append.trace) for append in appends for record in append.records]
    try:
        connection.execute(PUT_TRACES, ([hash for hash, _ in pairs], [trace for _, trace in pairs]))
    except psycopg.Error:
        if connection.closed:
            raise


def _why_lost(connection: psycopg.Connection[Any], append: Append) -> Outcome:
    """Why an append wrote nothing. The others of its batch are committed: no error may hide it."""
    try:
        return _first_answer(connection, append)
    except psycopg.Error as error:
        if connection.closed:
            raise
        return AppendRefused(f"{append.stream} was not appended to, and why is unknown: {error}")


def _first_answer(connection: psycopg.Connection[Any], append: Append) -> Outcome:
    """The answer it already has, or the version that the stream really is at."""
    receipt = append.receipt
    if receipt is not None:
        row = connection.execute(GET_RECEIPT, (receipt.principal, receipt.command_id)).fetchone()
        if row is not None:
            request_hash, stream, response = row
            return AlreadyDone(
                Receipt(
                    receipt.principal, receipt.command_id, request_hash, stream, bytes(response)
                )
            )
    row = connection.execute(GET_VERSION, (append.stream,)).fetchone()
    return VersionConflict(append.stream, append.expected, row[0] if row else 0)
