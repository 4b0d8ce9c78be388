"""The relay: tells the bus, in order and without holes, what the log already holds.

The stream on the bus is its own cursor: after every start, reconnect and doubt the relay asks
what the last message there is and goes on from it. So a broker that lost its tail, or all, is
filled again from SQL. Whatever it publishes names what it must follow, so two relays at once
cannot double, drop or reorder anything: one of them is refused and stands by.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from typing import Any, Protocol

import nats.js.errors
from nats.aio.client import Client
from nats.js import JetStreamContext, api

from shared.platform import telemetry
from shared.platform.bus import message
from shared.platform.bus.connection import REQUEST_SECONDS, Bus, heed_cancellation
from shared.platform.bus.errors import BusDown, ForeignStream
from shared.platform.bus.publish import BATCH_LIMIT, Fenced, Publisher
from shared.platform.crashpoint import crashpoint
from shared.platform.logging import get_logger
from shared.platform.store.entries import LogEntry

WINDOW = 500
PUBLISH_SECONDS = 5.0
STANDBY_SECONDS = 1.0
BREATH_SECONDS = 0.02
"""Between two runs, so that many entries a second share one; a lone entry goes out at once."""

IDLE_SECONDS = 1.0
HEADER_BYTES = 2048
RETRY_SECONDS = (0.05, 2.0)
MAX_AGE_SECONDS = 7 * 24 * 3600.0
DUPLICATE_SECONDS = 600.0

_OTHER_CONFIGURATION = 10058

log = get_logger("relay")


class Log(Protocol):
    """The part of an event store that a relay reads."""

    @property
    def epoch(self) -> str: ...
    @property
    def head(self) -> int: ...
    async def read_log(self, after: int, limit: int = 500) -> Sequence[LogEntry]: ...
    async def last_position(self) -> int: ...
    async def positions_after(self, after: int, timeout: float) -> int: ...


class Traces(Protocol):
    """Where the traces of records are kept until they are on the bus."""

    async def traces(self, hashes: Sequence[str]) -> Mapping[str, str]: ...
    async def forget_traces(self, hashes: Sequence[str]) -> None: ...


class Relay:
    """Publishes the log of one service. `run` until cancelled; any number may run at once.

    `permanent` makes the broker refuse to delete single messages or to purge. `replace_foreign`
    lets it throw away a stream of another log: for development machines only. `heard` is called
    with each entry published here: a line has no echo, so a `Follower` over it misses those.
    `traces` knows the traces of records, which go along as a header while this process traces.
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
        heard: Callable[[LogEntry], None] | None = None,
        traces: Traces | None = None,
    ) -> None:
        self._bus = bus
        self._store = store
        self._service = service
        self._stream = message.stream_name(service)
        self._replicas = replicas
        self._permanent = permanent
        self._publisher = Publisher(service, store.epoch, publish_seconds)
        self._replace_foreign = replace_foreign
        self._window = min(window, BATCH_LIMIT)
        self._standby_seconds = standby_seconds
        self._heard = heard
        self._traces = traces
        self._sequence = 0
        self._agreed = 0
        self._refilling = False
        self.position = 0
        """The last position known to be on the bus."""

    @property
    def lag(self) -> int:
        """How many entries of the log are not known to be on the bus, be it up or down."""
        return max(0, self._store.head - self.position)

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
            except Fenced:
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
        head = await self._store.positions_after(self.position, IDLE_SECONDS)
        if head > self.position:
            window = 1 if self._refilling else self._window
            await self._publish(await self._store.read_log(self.position, window))
            await asyncio.sleep(BREATH_SECONDS)

    # -- agreeing with the stream ----------------------------------------------------------

    async def _agree(self) -> None:
        """Find out where the stream stands and take that as the cursor."""
        generation = self._bus.generation
        async with self._bus.session() as (client, js):
            state = await self._declare(client)
            last = await _last_message(js, self._stream, message.subjects(self._service))
        head = await self._store.last_position()
        if last is None:
            # Emptied by age or by hand: those entries were there. A new stream ends at 0.
            position = min(state.last_seq, head)
        elif last.seq is None or last.seq > state.last_seq:
            raise Fenced  # published between the two questions: they do not fit together
        else:
            position = await self._check(last, head)
        if position != self.position or self._agreed == 0:
            log.info("publishing", stream=self._stream, after=position, head=head)
        self.position, self._sequence, self._agreed = position, state.last_seq, generation

    async def _declare(self, client: Client) -> api.StreamState:
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
        wish = json.dumps(config.as_dict() | {"allow_atomic": True}).encode()
        answer = await self._ask(client, "CREATE", wish)
        if answer.get("error", {}).get("err_code") == _OTHER_CONFIGURATION:
            log.warning("stream exists with other settings; updating them", stream=self._stream)
            answer = await self._ask(client, "UPDATE", wish)
        if "error" in answer:
            raise nats.js.errors.APIError.from_error(answer["error"])
        state: api.StreamState = api.StreamInfo.from_response(answer).state
        return state

    async def _ask(self, client: Client, verb: str, wish: bytes) -> dict[str, Any]:
        """A request that nats-py cannot make: its stream settings do not know atomic batches."""
        subject = f"$JS.API.STREAM.{verb}.{self._stream}"
        answer = await client.request(subject, wish, timeout=REQUEST_SECONDS)
        found: dict[str, Any] = json.loads(answer.data)
        return found

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
        """Publish entries that follow the cursor, and move it over those the broker has."""
        async with self._bus.session() as (client, js):
            room = client.max_payload - HEADER_BYTES
            fitting = list(takewhile(lambda entry: len(entry.body) <= room, entries))
            if not fitting:
                self._pass_over(entries[0], client.max_payload)
                return
            traces = await self._traces_of(fitting)
            sent = await self._publisher.publish(client, js, fitting, self._sequence, traces)
        crashpoint("after-publish")
        self.position += sent.taken
        self._sequence = sent.sequence
        # A hole that stays: consumers find it and read the log.
        self._refilling = sent.lost_before
        if self._traces is not None and traces:
            await self._traces.forget_traces([entry.hash for entry in fitting[: sent.taken]])
        if self._heard is not None:
            for entry in fitting[: sent.taken]:
                self._heard(entry)

    async def _traces_of(self, entries: Sequence[LogEntry]) -> Mapping[str, str]:
        if self._traces is None or not telemetry.tracing():
            return {}
        return await self._traces.traces([entry.hash for entry in entries])

    def _pass_over(self, entry: LogEntry, limit: int) -> None:
        """An entry that no message can carry: consumers see the hole and read it from the log."""
        log.error(
            "entry is too large for the bus; consumers will read it from the log",
            stream=self._stream, position=entry.position, bytes=len(entry.body), limit=limit,
        )  # fmt: skip
        self.position = entry.position


async def _last_message(
    js: JetStreamContext, stream: str, subjects: str
) -> api.RawStreamMsg | None:
    try:
        return await js.get_last_msg(stream, subjects)
    except nats.js.errors.NotFoundError:
        return None
