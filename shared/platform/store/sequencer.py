"""Gives every committed record its place in the log: gapless, and in an order safe to follow.

A position exists only after the commit of its record, so a reader that goes by position can
never pass a record that commits late. One process at a time gives out positions: it holds a
lease that ends by itself, and every batch proves first that the lease was not taken over.
"""

from __future__ import annotations

import contextlib
import threading
import time
import uuid
from collections.abc import Callable
from typing import Any, Final

import psycopg
import structlog

from shared.platform.store.errors import OutOfOrder

BATCH: Final = 1000
LEASE_SECONDS: Final = 3.0
POLL_SECONDS: Final = 0.1
RETRY_SECONDS: Final = 0.5
PACE_SECONDS: Final = 0.02
"""Under load one batch this often: small batches would cost more than the appends themselves."""

TAKE_LEASE: Final = """
UPDATE sequencer
SET holder = %s, epoch = epoch + 1, until = clock_timestamp() + make_interval(secs => %s)
WHERE until < clock_timestamp() RETURNING epoch
"""
# Also the lock that keeps two sequencers apart until the batch commits.
KEEP_LEASE: Final = """
UPDATE sequencer SET until = clock_timestamp() + make_interval(secs => %s)
WHERE holder = %s AND epoch = %s
"""
DROP_LEASE: Final = "UPDATE sequencer SET until = '-infinity' WHERE holder = %s AND epoch = %s"

ANY_WAITING: Final = "SELECT EXISTS (SELECT FROM outbox)"
LAST_POSITION: Final = "SELECT coalesce(max(position), 0) FROM log_index"

# `astray` is a record whose predecessor in its stream has no earlier position.
PLACE: Final = """
WITH taken AS (
    DELETE FROM outbox WHERE row_id = ANY (ARRAY(
        SELECT row_id FROM outbox ORDER BY row_id LIMIT %s
    )) RETURNING row_id
), placed AS (
    INSERT INTO log_index (position, row_id)
    SELECT head.position + row_number() OVER (ORDER BY row_id), row_id
    FROM taken, (SELECT coalesce(max(position), 0) AS position FROM log_index) head
    RETURNING position, row_id
), checked AS (
    SELECT p.position, r.stream, r.version,
        lag(r.version) OVER (PARTITION BY r.stream ORDER BY r.row_id) AS earlier
    FROM placed p JOIN records r USING (row_id)
)
SELECT count(*), max(position), (array_agg(
    stream || ' version ' || version ORDER BY position
) FILTER (
    WHERE version <> 1 + coalesce(earlier, (
        SELECT r.version FROM records r JOIN log_index USING (row_id)
        WHERE r.stream = checked.stream AND r.version = checked.version - 1
    ), 0)
))[1] AS astray
FROM checked
"""


class Fenced(Exception):
    """Another process took the lease over; nothing of the batch was kept."""


class Sequencer:
    """One process's attempt at being the sequencer of a PostgreSQL store."""

    def __init__(self, connect: Callable[[], psycopg.Connection[Any]]) -> None:
        self._connect = connect
        self._connection: psycopg.Connection[Any] | None = None
        self._holder = uuid.uuid4().hex
        self._epoch: int | None = None
        self._renew_at = 0.0

    def step(self) -> int | None:
        """Give out positions for all that waits; the last position, or `None` if not the holder.

        Raises `OutOfOrder`, `Fenced` or the driver's error.
        """
        if self._epoch is None and not self._take_lease():
            return None
        last = None
        while self._must_write():
            count, placed = self._place()
            last = placed or last
            if count < BATCH:
                break
        return last if last is not None else self.last_position()

    def last_position(self) -> int:
        """The last position that anybody gave out."""
        row = self._on().execute(LAST_POSITION).fetchone()
        assert row is not None
        return int(row[0])

    def release(self) -> None:
        """Let another process take over at once, and close."""
        if self._connection is not None and self._epoch is not None:
            with contextlib.suppress(psycopg.Error):
                self._connection.execute(DROP_LEASE, (self._holder, self._epoch))
        self.drop()

    def drop(self) -> None:
        """Forget the connection and the lease."""
        if self._connection is not None:
            with contextlib.suppress(psycopg.Error):
                self._connection.close()
        self._connection = None
        self._epoch = None

    def _on(self) -> psycopg.Connection[Any]:
        if self._connection is None:
            self._connection = self._connect()
        return self._connection

    def _take_lease(self) -> bool:
        row = self._on().execute(TAKE_LEASE, (self._holder, LEASE_SECONDS)).fetchone()
        self._epoch = row[0] if row else None
        self._renew_at = time.monotonic() + LEASE_SECONDS / 3
        return row is not None

    def _must_write(self) -> bool:
        """Whether records wait, or the lease needs renewing."""
        if time.monotonic() >= self._renew_at:
            return True
        row = self._on().execute(ANY_WAITING).fetchone()
        return bool(row and row[0])

    def _place(self) -> tuple[int, int | None]:
        """Move one batch from the outbox to the log, if the lease is still ours."""
        connection = self._on()
        with connection.transaction():
            kept = connection.execute(KEEP_LEASE, (LEASE_SECONDS, self._holder, self._epoch))
            if kept.rowcount != 1:
                self._epoch = None
                raise Fenced("another process gives out the positions now")
            row = connection.execute(PLACE, (BATCH,), prepare=True).fetchone()
            assert row is not None
            count, last, astray = row
            if astray is not None:
                raise OutOfOrder(f"{astray} reached the log before its predecessor")
        self._renew_at = time.monotonic() + LEASE_SECONDS / 3
        return count, last


class SequencerThread:
    """Runs a sequencer until the store closes; it is woken by commits and polls besides."""

    def __init__(
        self,
        sequencer: Sequencer,
        announce: Callable[[int], None],
        broken: Callable[[OutOfOrder], None],
    ) -> None:
        self._sequencer = sequencer
        self._announce = announce
        self._broken = broken
        self._woken = threading.Event()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="store-sequencer", daemon=True)
        self._log = structlog.get_logger(__name__)

    def start(self) -> None:
        """Begin giving out positions."""
        self._woken.set()
        self._thread.start()

    def wake(self) -> None:
        """Say that records were committed."""
        self._woken.set()

    def close(self) -> None:
        """Give out what is left, hand the lease on, and end."""
        self._closing.set()
        self._woken.set()
        self._thread.join()

    def _run(self) -> None:
        pause = 0.0
        closing = False
        while not closing:
            closing = self._closing.wait(pause)
            if not closing:
                self._woken.wait(POLL_SECONDS)
            self._woken.clear()
            try:
                pause = self._round()
            except OutOfOrder as error:
                self._log.critical("log-out-of-order", error=str(error))
                self._broken(error)
                break
        self._sequencer.release()

    def _round(self) -> float:
        """One step; how long to wait at least before the next."""
        try:
            position = self._sequencer.step()
            self._announce(self._sequencer.last_position() if position is None else position)
        except Fenced:
            self._log.warning("sequencer-fenced")
        except psycopg.Error as error:
            self._log.error("sequencer-failed", error=str(error))
            self._sequencer.drop()
            return RETRY_SECONDS
        return PACE_SECONDS
