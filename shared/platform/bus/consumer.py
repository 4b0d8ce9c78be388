"""A consumer: applies another service's log to its own database, each entry once and in order.

Its position lies in the same transaction as what it applied, so a crash at any point repeats
nothing and skips nothing. The bus is only the fast road: what it loses, damages or never brings
is read from the owner's log. With the bus gone for good a consumer is a few seconds late, no more.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Sequence

import nats.errors
from nats.aio.msg import Msg

from shared.platform import telemetry
from shared.platform.bus import message
from shared.platform.bus.connection import Bus, heed_cancellation
from shared.platform.bus.errors import EpochChanged, LogGap
from shared.platform.bus.lag import Lag
from shared.platform.bus.pull import PullLoop
from shared.platform.crashpoint import crashpoint
from shared.platform.logging import get_logger
from shared.platform.store.entries import LogEntry
from shared.platform.telemetry import Metrics

POLL_SECONDS = 3.0
PAGE = 500
ATTEMPTS = 5
RETRY_SECONDS = (0.1, 5.0)

Handler = Callable[[LogEntry], Awaitable[None]]
BatchHandler = Callable[[Sequence[LogEntry]], Awaitable[None]]
Checkpoint = Callable[[], Awaitable[int]]
ReadLog = Callable[[int, int], Awaitable[Sequence[LogEntry]]]
DeadLetter = Callable[[LogEntry, Exception, int], Awaitable[None]]

log = get_logger("consumer")


class Consumer:
    """Follows one service's log under a durable name, e.g. `scoring-rules`.

    - `handler(entry)` applies an entry **and** stores its position in one transaction.
    - `checkpoint()` is the stored position, 0 at first; asked at start and after every failure.
    - `read_log(after, limit)` reads the owner's log: its Log RPC.
    - `dead_letter(entry, error, attempts)` puts an entry aside **and** stores its position in one
      transaction; called once `attempts` tries have failed.
    - `batch(entries)`, if given, applies several entries that follow each other, in one
      transaction: used while more than one is waiting. Should it fail, they go one by one.
    - `metrics`, if given, show how far behind it is and what was put aside.
    - `epoch` is the log the projection was built from, as stored beside the checkpoint; empty if
      not known yet. `consumer.epoch` is what to store.
    """

    def __init__(
        self,
        bus: Bus,
        *,
        name: str,
        service: str,
        handler: Handler,
        checkpoint: Checkpoint,
        read_log: ReadLog,
        dead_letter: DeadLetter,
        batch: BatchHandler | None = None,
        epoch: str = "",
        attempts: int = ATTEMPTS,
        retry_seconds: tuple[float, float] = RETRY_SECONDS,
        poll_seconds: float = POLL_SECONDS,
        metrics: Metrics | None = None,
    ) -> None:
        self._name = name
        self._service = service
        self._handler = handler
        self._checkpoint = checkpoint
        self._read_log = read_log
        self._dead_letter = dead_letter
        self._batch = batch
        self._attempts = attempts
        self._retry_seconds = retry_seconds
        self._poll_seconds = poll_seconds
        self._poll_due = 0.0
        self._pull = PullLoop(bus, name, message.stream_name(service))
        self.epoch = epoch
        self.position = 0
        """The last position applied or put aside."""
        shown = metrics or Metrics()
        self._lag = Lag(self._pull, service, lambda: self.position, shown)
        self._dead_letters = shown.dead_letters.labels(service)

    async def run(self) -> None:
        """Follow until cancelled. Raises `EpochChanged` or `LogGap` when going on would do harm."""
        pulling = asyncio.create_task(self._pull.run(), name=f"pull-{self._name}")
        try:
            await self._reload()
            await self._poll()
            while True:
                await self._next(pulling)
        finally:
            pulling.cancel()
            await asyncio.gather(pulling, return_exceptions=True)

    async def _next(self, pulling: asyncio.Task[None]) -> None:
        """Take the next message, or look into the log if the bus has been silent."""
        heed_cancellation()
        try:
            async with asyncio.timeout_at(self._poll_due):
                received = await self._pull.messages.get()
        except TimeoutError:
            if pulling.done():
                pulling.result()
            await self._poll()
            return
        waiting = [received]
        while self._batch is not None and not self._pull.messages.empty():
            waiting.append(self._pull.messages.get_nowait())
        if len(waiting) > 1:
            before, since = self.position, time.time_ns()
            await self._apply_together(_run(self._entries_in(waiting), before))
            if telemetry.tracing():
                self._trace(waiting, before, since)
        for received in waiting:
            await self._receive(received)
        self._lag.applied(waiting[-1])

    def _entries_in(self, waiting: Sequence[Msg]) -> list[LogEntry]:
        """What the waiting messages carry, up to the first that is damaged."""
        found: list[LogEntry] = []
        for received in waiting:
            try:
                epoch, entry = message.read(self._service, received.headers, received.data)
            except message.DamagedMessage:
                break
            self._check_epoch(epoch)
            found.append(entry)
        return found

    def _trace(self, waiting: Sequence[Msg], before: int, since: int) -> None:
        """Note in the trace of each entry that it was applied, together with others."""
        for received in waiting:
            headers = received.headers or {}
            if before < int(headers.get(message.POSITION, 0)) <= self.position:
                telemetry.followed(self._name, headers, since)

    async def _receive(self, received: Msg) -> None:
        try:
            epoch, entry = message.read(self._service, received.headers, received.data)
        except message.DamagedMessage as error:
            log.warning("damaged message; reading the log", consumer=self._name, problem=str(error))
            await self._poll()
        else:
            self._check_epoch(epoch)
            if entry.position > self.position + 1:
                await self._fill_gap(entry.position)
            if entry.position == self.position + 1:
                with telemetry.follow(self._name, received.headers):
                    await self._apply(entry)
            if entry.position > self.position:
                return  # not applied: the broker brings it again, or the log does
        crashpoint("before-ack")
        await _acknowledge(received)

    def _check_epoch(self, epoch: str) -> None:
        if self.epoch and epoch != self.epoch:
            raise EpochChanged(self._name, self._service, self.epoch, epoch)
        self.epoch = epoch

    # -- reading the owner's log -----------------------------------------------------------

    async def _fill_gap(self, found: int) -> None:
        """Read what the bus did not bring, as long as it takes."""
        log.info("gap on the bus", consumer=self._name, after=self.position, found=found)
        failures = 0
        while self.position + 1 < found:
            if await self._poll(until=found - 1):
                failures = 0
            else:
                failures += 1
                await self._pause(failures)

    async def _poll(self, until: int | None = None) -> bool:
        """Apply what the log has beyond the checkpoint; whether there was anything."""
        before = self.position
        try:
            while until is None or self.position < until:
                limit = PAGE if until is None else min(PAGE, until - self.position)
                page = await self._read_log(self.position, limit)
                if not page:
                    self._lag.level()
                    break
                await self._apply_page(page)
        except (EpochChanged, LogGap):
            raise
        except Exception as error:  # the owner is away, or its network: it comes back
            log.warning(
                "cannot read the log",
                consumer=self._name,
                service=self._service,
                after=self.position,
                problem=f"{type(error).__name__}: {error}",
            )
        self._poll_later()
        return self.position > before

    async def _apply_page(self, page: Sequence[LogEntry]) -> None:
        before = self.position
        await self._apply_together(_run(page, before))
        for entry in page[max(0, self.position - before) :]:
            if entry.position != self.position + 1:
                raise LogGap(self._service, self.position + 1, entry.position)
            await self._apply(entry)

    def _poll_later(self) -> None:
        spread = random.uniform(0.8, 1.2)
        self._poll_due = asyncio.get_running_loop().time() + self._poll_seconds * spread

    # -- applying --------------------------------------------------------------------------

    async def _apply_together(self, entries: Sequence[LogEntry]) -> None:
        """Apply entries that follow our position at once, or leave it to the one-by-one road."""
        if self._batch is None or len(entries) < 2:
            return
        try:
            await self._batch(entries)
            self.position = entries[-1].position
            self._poll_later()
        except Exception as error:
            log.warning(
                "could not apply entries together; going one by one", consumer=self._name,
                after=self.position, count=len(entries),
                problem=f"{type(error).__name__}: {error}",
            )  # fmt: skip
            await self._reload()

    async def _apply(self, entry: LogEntry) -> None:
        """Apply the entry that follows, or put it aside after enough attempts."""
        attempts = 0
        while self.position + 1 == entry.position:
            attempts += 1
            try:
                await self._handler(entry)
                self.position = entry.position
            except Exception as error:
                await self._failed(entry, error, attempts)
        self._poll_later()

    async def _failed(self, entry: LogEntry, error: Exception, attempts: int) -> None:
        """After a failure: the checkpoint says what really happened."""
        log.warning(
            "could not apply an entry", consumer=self._name, position=entry.position,
            type=entry.type, attempt=attempts, problem=f"{type(error).__name__}: {error}",
        )  # fmt: skip
        if attempts >= self._attempts and await self._put_aside(entry, error, attempts):
            return
        await self._pause(attempts)
        await self._reload()

    async def _put_aside(self, entry: LogEntry, error: Exception, attempts: int) -> bool:
        """Make it a dead letter. If even that fails the database is away: then try all again."""
        try:
            await self._dead_letter(entry, error, attempts)
        except Exception as trouble:
            log.error(
                "could not put an entry aside; trying again", consumer=self._name,
                position=entry.position, problem=f"{type(trouble).__name__}: {trouble}",
            )  # fmt: skip
            return False
        log.error(
            "entry put aside as a dead letter; repair and replay it", consumer=self._name,
            position=entry.position, stream=entry.stream, version=entry.version,
            attempts=attempts, problem=f"{type(error).__name__}: {error}",
        )  # fmt: skip
        self._dead_letters.inc()
        self.position = entry.position
        return True

    async def _reload(self) -> None:
        """Ask our own database where we stand, as long as it takes."""
        failures = 0
        while True:
            try:
                self.position = await self._checkpoint()
                return
            except Exception as error:
                failures += 1
                log.warning(
                    "cannot read the checkpoint", consumer=self._name,
                    problem=f"{type(error).__name__}: {error}",
                )  # fmt: skip
                await self._pause(failures)

    async def _pause(self, failures: int) -> None:
        shortest, longest = self._retry_seconds
        pause = min(longest, shortest * 2 ** min(failures - 1, 10))
        await asyncio.sleep(pause * random.uniform(0.75, 1.0))


def _run(entries: Sequence[LogEntry], position: int) -> list[LogEntry]:
    """Those of some entries that follow a position, up to the first hole."""
    found: list[LogEntry] = []
    for entry in entries:
        if entry.position == position + len(found) + 1:
            found.append(entry)
        elif entry.position > position:
            break
    return found


async def _acknowledge(received: Msg) -> None:
    """Tell the broker; if it cannot be told it repeats the message, which is then dropped."""
    try:
        await received.ack()
    except nats.errors.Error as error:
        log.debug("could not acknowledge", problem=str(error))
