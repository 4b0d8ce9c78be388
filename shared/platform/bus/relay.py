"""The relay: tells the bus, in order and without holes, what the log already holds.

The stream on the bus is its own cursor: after every start, reconnect and doubt the relay asks
what the last message there is and goes on from it. So a broker that lost its tail, or all, is
filled again from SQL. Every message names the sequence number and, within a batch, the message
that it must follow, so two relays at once cannot double, drop or reorder anything: one of them is
refused and stands by.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from itertools import takewhile
from typing import Protocol

import nats.js.errors
from nats.js import JetStreamContext, api

from shared.platform.bus import message
from shared.platform.bus.connection import Bus, heed_cancellation
from shared.platform.bus.errors import BusDown, ForeignStream
from shared.platform.logging import get_logger
from shared.platform.store.entries import LogEntry

WINDOW = 256
PUBLISH_SECONDS = 5.0
STANDBY_SECONDS = 1.0
IDLE_SECONDS = 1.0
HEADER_BYTES = 2048
RETRY_SECONDS = (0.05, 2.0)
MAX_AGE_SECONDS = 7 * 24 * 3600.0
DUPLICATE_SECONDS = 600.0

_NOT_BEHIND = (10070, 10071)  # wrong last message id, wrong last sequence
_OTHER_CONFIGURATION = 10058

log = get_logger("relay")


class Log(Protocol):
    """The part of an event store that a relay reads."""

    @property
    def epoch(self) -> str: ...
    async def read_log(self, after: int, limit: int = 500) -> Sequence[LogEntry]: ...
    async def last_position(self) -> int: ...
    async def positions_after(self, after: int, timeout: float) -> int: ...


class _Fenced(Exception):
    """Another relay published in between."""


class Relay:
    """Publishes the log of one service. `run` until cancelled; any number may run at once.

    `permanent` makes the broker refuse to delete single messages or to purge. `replace_foreign`
    lets it throw away a stream of another log: for development machines only.
    """

    def __init__(
        self,
        bus: Bus,
        store: Log,
        service: str,
        *,
        replicas: int = 1,
        permanent: bool = True,
        replace_foreign: bool = False,
        window: int = WINDOW,
        publish_seconds: float = PUBLISH_SECONDS,
        standby_seconds: float = STANDBY_SECONDS,
    ) -> None:
        self._bus = bus
        self._store = store
        self._service = service
        self._stream = message.stream_name(service)
        self._replicas = replicas
        self._permanent = permanent
        self._replace_foreign = replace_foreign
        self._window = window
        self._publish_seconds = publish_seconds
        self._standby_seconds = standby_seconds
        self._sequence = 0
        self._agreed = 0
        self._head = 0
        self._refilling = False
        self.position = 0
        """The last position known to be on the bus."""

    @property
    def lag(self) -> int:
        """How many entries of the log are not known to be on the bus."""
        return max(0, self._head - self.position)

    async def run(self) -> None:
        """Publish until cancelled. Raises `ForeignStream` if the stream is not this log's."""
        failures = 0
        while True:
            heed_cancellation()
            try:
                await self._step()
                failures = 0
                continue
            except ForeignStream:
                raise
            except _Fenced:
                log.info("another relay is publishing; standing by", stream=self._stream)
                await asyncio.sleep(self._standby_seconds * random.uniform(0.5, 1.5))
            except BusDown:
                await self._bus.wait_connected()
            except Exception as error:  # the broker's, or the database's: neither lasts for ever
                failures += 1
                await self._back_off(failures, error)
            self._agreed = 0

    async def _back_off(self, failures: int, error: Exception) -> None:
        shortest, longest = RETRY_SECONDS
        pause = min(longest, shortest * 2 ** min(failures - 1, 10)) * random.uniform(0.5, 1.0)
        log.warning(
            "could not publish; trying again", stream=self._stream, after=self.position,
            problem=f"{type(error).__name__}: {error}", seconds=round(pause, 3),
        )  # fmt: skip
        await asyncio.sleep(pause)

    async def _step(self) -> None:
        """Publish what is due, or wait a moment for something to become due."""
        if self._agreed != self._bus.generation:
            await self._agree()
        self._head = await self._store.positions_after(self.position, IDLE_SECONDS)
        if self._head > self.position:
            window = 1 if self._refilling else self._window
            await self._publish(await self._store.read_log(self.position, window))

    # -- agreeing with the stream ----------------------------------------------------------

    async def _agree(self) -> None:
        """Find out where the stream stands and take that as the cursor."""
        generation = self._bus.generation
        async with self._bus.session() as (_, js):
            state = await self._declare(js)
            last = await _last_message(js, self._stream, message.subjects(self._service))
        head = await self._store.last_position()
        if last is None:
            # Emptied by age or by hand: those entries were there. A new stream ends at 0.
            position = min(state.last_seq, head)
        elif last.seq is None or last.seq > state.last_seq:
            raise _Fenced  # published between the two questions: they do not fit together
        else:
            position = await self._check(last, head)
        if position != self.position or self._agreed == 0:
            log.info("publishing", stream=self._stream, after=position, head=head)
        self.position, self._sequence, self._agreed = position, state.last_seq, generation

    async def _declare(self, js: JetStreamContext) -> api.StreamState:
        """Create the stream as it should be; the same call tells where an existing one stands."""
        config = api.StreamConfig(
            name=self._stream,
            description=f"the log of {self._service}",
            subjects=[message.subjects(self._service)],
            retention=api.RetentionPolicy.LIMITS,
            storage=api.StorageType.FILE,
            discard=api.DiscardPolicy.OLD,
            max_age=MAX_AGE_SECONDS,
            duplicate_window=DUPLICATE_SECONDS,
            num_replicas=self._replicas,
            deny_delete=self._permanent,
            deny_purge=self._permanent,
        )
        try:
            return (await js.add_stream(config)).state
        except nats.js.errors.BadRequestError as error:
            if error.err_code != _OTHER_CONFIGURATION:
                raise
        log.warning("stream exists with other settings; updating them", stream=self._stream)
        return (await js.update_stream(config)).state

    async def _check(self, last: api.RawStreamMsg, head: int) -> int:
        """The position of the stream's last message, which must be a message of this log."""
        reason = ""
        try:
            epoch, found = message.read(self._service, last.headers, last.data or b"")
        except message.DamagedMessage as error:
            reason = f"its last message is not ours: {error}"
        else:
            if epoch != self._store.epoch:
                reason = f"it carries log {epoch}, this is log {self._store.epoch}"
            elif found.position > head:
                reason = f"it ends at position {found.position}, this log already at {head}"
            else:
                (own,) = await self._store.read_log(found.position - 1, 1)
                if own.hash == found.hash:
                    return found.position
                reason = f"position {found.position} has another hash there than in this log"
        if not self._replace_foreign:
            raise ForeignStream(self._stream, reason)
        log.error("throwing away a stream of another log", stream=self._stream, reason=reason)
        async with self._bus.session() as (_, js):
            await js.delete_stream(self._stream)
        raise BusDown(f"{self._stream} is created anew")

    # -- publishing ------------------------------------------------------------------------

    async def _publish(self, entries: Sequence[LogEntry]) -> None:
        """Send entries one behind the other, each fenced by the one before, then take the acks.

        The tasks of a `gather` start in order, so the messages leave in order; if they did not,
        the fence would refuse them. The sequence number alone would not do as a fence within a
        batch: when the first is refused because another relay is ahead, a later number may fit.
        The message id alone would not do for the first: a broker forgets the last id when it
        restarts after a long silence.
        """
        async with self._bus.session() as (client, js):
            room = client.max_payload - HEADER_BYTES
            fitting = list(takewhile(lambda entry: len(entry.body) <= room, entries))
            if not fitting:
                self._pass_over(entries[0], client.max_payload)
                return
            answers = await asyncio.gather(
                *(self._send(js, entry, number) for number, entry in enumerate(fitting)),
                return_exceptions=True,
            )
        self._take(fitting, answers)

    async def _send(self, js: JetStreamContext, entry: LogEntry, number: int) -> api.PubAck:
        epoch = self._store.epoch
        headers = message.headers(self._service, epoch, entry)
        headers[message.EXPECTED_SEQUENCE] = str(self._sequence + number)
        if number:
            headers[message.EXPECTED_ID] = message.identity(epoch, entry.position - 1)
        subject = message.subject(self._service, entry)
        return await js.publish(subject, entry.body, timeout=self._publish_seconds, headers=headers)

    def _pass_over(self, entry: LogEntry, limit: int) -> None:
        """An entry that no message can carry: consumers see the hole and read it from the log."""
        log.error(
            "entry is too large for the bus; consumers will read it from the log",
            stream=self._stream, position=entry.position, bytes=len(entry.body), limit=limit,
        )  # fmt: skip
        self.position = entry.position

    def _take(
        self, entries: Sequence[LogEntry], answers: Sequence[api.PubAck | BaseException]
    ) -> None:
        """Move the cursor over the acknowledged entries, up to the first that was refused."""
        for entry, answer in zip(entries, answers, strict=True):
            if isinstance(answer, nats.js.errors.APIError):
                if answer.err_code in _NOT_BEHIND:
                    raise _Fenced from answer
                raise answer
            if isinstance(answer, BaseException):
                raise answer
            self.position = entry.position
            self._refilling = bool(answer.duplicate)
            if self._refilling:
                # The broker lost the message but still knows its id and will not take it again.
                # Consumers find the hole and read the log; what was sent behind it was refused.
                return
            self._sequence = answer.seq


async def _last_message(
    js: JetStreamContext, stream: str, subjects: str
) -> api.RawStreamMsg | None:
    try:
        return await js.get_last_msg(stream, subjects)
    except nats.js.errors.NotFoundError:
        return None
