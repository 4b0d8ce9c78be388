"""The one writer of a store: a thread that commits whatever is waiting in one transaction.

Callers wait for a future and never touch the connection, so a call that is cancelled cannot
leave a transaction half done, and one sync of the disk serves everybody who waited for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any

import structlog

from shared.platform.store.database import Database
from shared.platform.store.entries import Append
from shared.platform.store.errors import AppendRefused, StoreBusy, StoreUnavailable
from shared.platform.telemetry import Metrics

BATCH = 256
WAITING = 10_000
"""How many appends may wait before new ones are turned away."""

GATHER_SECONDS = 0.02
"""The longest that an append is held back for others that are on their way."""

IDLE_ROUND_SECONDS = 1e-4
IDLE_ROUNDS = 10
"""The event loop has nothing else to do when it comes round so fast, so often in a row."""

RECONNECT_SECONDS = (0.1, 2.0)

Errand = Callable[[Any], Any]
"""Something else to do with the writer's connection, in a transaction of its own."""


@dataclass(eq=False, slots=True)
class _Job:
    """Work for the writer and the future that its caller waits for."""

    work: Append | Errand
    future: asyncio.Future[Any]


Settled = list[tuple[asyncio.Future[Any], Any]]
"""Futures with what became of them: a value, or the exception to raise."""


class Writer:
    """Group commit for one store. Its methods are called on the event loop it was started on."""

    def __init__(
        self, database: Database, committed: Callable[[int | None], None], metrics: Metrics
    ) -> None:
        self._database = database
        self._metrics = metrics
        self._committed = committed
        self._queue: SimpleQueue[list[_Job] | None] = SimpleQueue()
        self._arrived: list[_Job] = []
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting = 0
        self._closing = False
        self._connection: Any = None
        self._pause = 0.0
        self._log = structlog.get_logger(__name__)

    def start(self) -> None:
        """Start the thread; answers arrive on the running loop."""
        self._loop = asyncio.get_running_loop()
        self._thread.start()

    async def submit(self, work: Append | Errand) -> Any:
        """Wait until the work is done. Raises what the store's `append` raises."""
        if self._loop is None or self._closing:
            raise StoreUnavailable("the store is not open: use it inside `async with store`")
        if self._waiting >= WAITING:
            raise StoreBusy(f"{self._waiting} appends are waiting for the database")
        future = self._loop.create_future()
        self._waiting += 1
        self._arrived.append(_Job(work, future))
        if len(self._arrived) == 1:
            now = time.perf_counter()
            self._loop.call_soon(self._come_round, now + GATHER_SECONDS, now, 0)
        return await future

    def _come_round(self, deadline: float, before: float, idle: int) -> None:
        """Hand over what has arrived, once the loop is idle and so brings no more.

        A busy loop brings appends one by one. Each alone would cost the thread, the database and
        the loop, which shares its interpreter with the thread, as much as all of them together.
        """
        assert self._loop is not None
        now = time.perf_counter()
        idle = idle + 1 if now - before < IDLE_ROUND_SECONDS else 0
        if idle < IDLE_ROUNDS and now < deadline and 0 < len(self._arrived) < BATCH:
            self._loop.call_soon(self._come_round, deadline, now, idle)
        else:
            self._hand_over()

    def _hand_over(self) -> None:
        if self._arrived:
            self._queue.put(self._arrived)
            self._arrived = []

    async def close(self) -> None:
        """Finish what is waiting, then end the thread."""
        if self._loop is None or self._closing:
            return
        self._closing = True
        self._hand_over()
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        later: list[_Job] = []
        open_ = True
        while open_ or later:
            jobs, open_ = self._gather(later, open_)
            batch, later = _split(jobs)
            if batch:
                self._settle(self._work_through(batch))
        if self._connection is not None:
            self._connection.close()

    def _gather(self, later: list[_Job], open_: bool) -> tuple[list[_Job], bool]:
        """What was put off, and whatever else is waiting; wait for a first job if need be."""
        jobs = list(later)
        while open_ and len(jobs) < BATCH:
            try:
                arrived = self._queue.get(block=not jobs)
            except Empty:
                break
            if arrived is None:
                return jobs, False
            jobs += arrived
        return jobs, open_

    def _work_through(self, batch: list[_Job]) -> Settled:
        """Do a batch; if the connection is lost, everybody in it is told so."""
        settled: Settled = []
        try:
            self._connect()
            for job in batch:
                if not isinstance(job.work, Append):
                    settled += self._run_errand(job, job.work)
            appends = [job for job in batch if isinstance(job.work, Append)]
            if appends:
                settled += self._append(appends)
        except Exception as error:
            self._disconnect(error)
            why = f"the connection to the database was lost: {error}"
            done = {future for future, _ in settled}
            settled += [
                (job.future, StoreUnavailable(why)) for job in batch if job.future not in done
            ]
        return settled

    def _run_errand(self, job: _Job, errand: Errand) -> Settled:
        try:
            return [(job.future, errand(self._connection))]
        except Exception as error:
            if self._database.lost(self._connection, error):
                raise
            return [(job.future, AppendRefused(str(error)))]

    def _append(self, jobs: list[_Job]) -> Settled:
        """Commit the appends together; if the database refuses them, one by one.

        The second try is also for a lone append: it may have met another process half-way,
        whose commit it can see by now.
        """
        try:
            return self._commit(jobs)
        except Exception as error:
            if self._database.lost(self._connection, error):
                raise
        return [settled for job in jobs for settled in self._append_alone(job)]

    def _append_alone(self, job: _Job) -> Settled:
        try:
            return self._commit([job])
        except Exception as error:
            if self._database.lost(self._connection, error):
                raise
            return [(job.future, AppendRefused(f"nothing was written: {error}"))]

    def _commit(self, jobs: list[_Job]) -> Settled:
        appends = [job.work for job in jobs if isinstance(job.work, Append)]
        began = time.perf_counter()
        written = self._database.write(self._connection, appends)
        self._metrics.append_seconds.observe(time.perf_counter() - began)
        self._metrics.append_batch.observe(len(appends))
        self._committed(written.position)
        return [(job.future, outcome) for job, outcome in zip(jobs, written.outcomes, strict=True)]

    def _connect(self) -> None:
        if self._connection is None:
            time.sleep(self._pause)
            self._connection = self._database.connect()
            self._pause = 0.0

    def _disconnect(self, error: Exception) -> None:
        self._metrics.store_failures.inc()
        self._log.error("store-connection-lost", error=str(error))
        least, most = RECONNECT_SECONDS
        self._pause = min(max(least, self._pause * 2), most)
        if self._connection is not None:
            with contextlib.suppress(Exception):
                self._connection.close()
            self._connection = None

    def _settle(self, settled: Settled) -> None:
        assert self._loop is not None
        # A loop that is closed has nobody left who waits.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._answer, settled)

    def _answer(self, settled: Settled) -> None:
        self._waiting -= len(settled)
        for future, outcome in settled:
            if future.done():
                continue
            if isinstance(outcome, Exception):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)


def _split(jobs: list[_Job]) -> tuple[list[_Job], list[_Job]]:
    """A batch in which no stream and no command occurs twice, and the jobs put off for it."""
    batch: list[_Job] = []
    later: list[_Job] = []
    taken: set[object] = set()
    for job in jobs:
        keys = set(_keys(job.work))
        (later if taken & keys else batch).append(job)
        taken |= keys
    return batch, later


def _keys(work: Append | Errand) -> Iterator[object]:
    if isinstance(work, Append):
        yield work.stream
        if work.receipt is not None:
            yield work.receipt.principal, work.receipt.command_id
