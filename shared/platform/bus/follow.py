"""Following: hear of a service's new entries the moment they are published.

A wake-up, not a delivery: entries may be missed (when the line drops), come twice, or be heard
just before the broker has stored them. They are committed in the owner's log in any case.
Whoever needs all of them reads the log from the last position it has.
A line has no echo: what a relay publishes over the same line is told to the relay's `heard`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import nats.errors
from nats.aio.msg import Msg

from shared.platform.bus import message
from shared.platform.bus.connection import Bus, heed_cancellation
from shared.platform.bus.errors import BusDown
from shared.platform.logging import get_logger
from shared.platform.store.entries import LogEntry

RETRY_SECONDS = 0.5

log = get_logger("follow")


class Follower:
    """Calls `heard(entry)` for each new entry of a service, from now on, in order."""

    def __init__(self, bus: Bus, service: str, heard: Callable[[LogEntry], None]) -> None:
        self._bus = bus
        self._service = service
        self._heard = heard
        self.ready = asyncio.Event()
        """Set while entries are being heard."""

    async def run(self) -> None:
        """Listen until cancelled."""
        while True:
            heed_cancellation()
            try:
                async with self._bus.session() as (client, _):
                    subscription = await client.subscribe(
                        message.subjects(self._service), cb=self._take
                    )
                    try:
                        await client.flush()
                        heed_cancellation()
                        self.ready.set()
                        await asyncio.Event().wait()  # the session ends it
                    finally:
                        self.ready.clear()
                        if not client.is_closed:
                            await subscription.unsubscribe()
            except BusDown:
                await self._bus.wait_connected()
            except (nats.errors.Error, TimeoutError, OSError) as error:
                log.warning("cannot listen", service=self._service, problem=str(error))
                await asyncio.sleep(RETRY_SECONDS)

    async def _take(self, received: Msg) -> None:
        try:
            _, entry = message.read(self._service, received.headers, received.data)
        except message.DamagedMessage as error:
            log.warning("damaged message", service=self._service, problem=str(error))
            return
        self._heard(entry)
