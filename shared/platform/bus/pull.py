"""The pull loop: fetches a service's messages for one durable consumer, whatever happens to NATS.

It never gives up and never fails: on any trouble it drops the subscription, waits a moment,
declares the consumer anew and goes on. What it hands over may repeat and may have holes.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js import JetStreamContext, api

from shared.platform.bus.connection import Bus, heed_cancellation
from shared.platform.bus.errors import BusDown
from shared.platform.logging import get_logger

BATCH = 256
EXPIRES_SECONDS = 20.0
HEARTBEAT_SECONDS = 1.0
SILENCE_SECONDS = 2.5
ACK_WAIT_SECONDS = 30.0
RETRY_SECONDS = (0.1, 2.0)

_HEARTBEAT = "100"
_REQUEST_ENDED = ("404", "408")

log = get_logger("pull")


class _Stale(Exception):
    """The pull request or the consumer behind it is gone."""


class PullLoop:
    """Fetches for the durable consumer `name` of a stream into a bounded queue."""

    def __init__(self, bus: Bus, name: str, stream: str) -> None:
        self._bus = bus
        self._name = name
        self._stream = stream
        self.messages: asyncio.Queue[Msg] = asyncio.Queue(BATCH)
        self.last: Msg | None = None
        """The last one that came, waiting or taken."""

    async def run(self) -> None:
        """Fetch until cancelled."""
        pause, longest = RETRY_SECONDS
        while True:
            heed_cancellation()
            try:
                async with self._bus.session() as (client, js):
                    await self._declare(js)
                    pause, _ = RETRY_SECONDS
                    await self._fetch(client)
            except BusDown:
                await self._bus.wait_connected()
            except _Stale as reason:
                log.info("pulling anew", consumer=self._name, reason=str(reason))
            except (nats.errors.Error, TimeoutError, OSError) as error:
                # Most often the owner has not created its stream yet.
                log.info("cannot pull yet", consumer=self._name, problem=str(error))
                await asyncio.sleep(pause)
                pause = min(longest, pause * 2)

    async def _declare(self, js: JetStreamContext) -> None:
        config = api.ConsumerConfig(
            name=self._name,
            durable_name=self._name,
            deliver_policy=api.DeliverPolicy.ALL,
            ack_policy=api.AckPolicy.EXPLICIT,
            ack_wait=ACK_WAIT_SECONDS,
            max_ack_pending=4 * BATCH,
        )
        await js.add_consumer(self._stream, config)

    async def _fetch(self, client: Client) -> None:
        request = f"$JS.API.CONSUMER.MSG.NEXT.{self._stream}.{self._name}"
        wish = {
            "batch": BATCH,
            "expires": int(EXPIRES_SECONDS * 1e9),
            "idle_heartbeat": int(HEARTBEAT_SECONDS * 1e9),
        }
        async with _inbox(client) as (inbox, arrived):
            while True:
                await client.publish(request, json.dumps(wish).encode(), reply=inbox)
                heed_cancellation()
                async for message in _answers(arrived):
                    self.last = message
                    await self.messages.put(message)


@asynccontextmanager
async def _inbox(client: Client) -> AsyncIterator[tuple[str, asyncio.Queue[Msg]]]:
    inbox = client.new_inbox()
    arrived: asyncio.Queue[Msg] = asyncio.Queue()
    subscription = await client.subscribe(inbox, cb=arrived.put)
    try:
        yield inbox, arrived
    finally:
        if not client.is_closed:
            await subscription.unsubscribe()


async def _answers(arrived: asyncio.Queue[Msg]) -> AsyncIterator[Msg]:
    """The messages of one pull request; raises `_Stale` if nobody answers it any more."""
    left = BATCH
    while left:
        try:
            async with asyncio.timeout(SILENCE_SECONDS):
                message = await arrived.get()
        except TimeoutError as error:
            raise _Stale("no heartbeat from the consumer") from error
        status = (message.headers or {}).get("Status")
        if status is None:
            left -= 1
            yield message
        elif status in _REQUEST_ENDED:
            return
        elif status != _HEARTBEAT:
            raise _Stale(f"status {status}")
