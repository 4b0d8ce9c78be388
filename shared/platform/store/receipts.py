"""Forgets the receipts of streams that were closed long ago, so that they do not grow for ever.

A receipt is what makes a repeated command harmless. At a closed stream the command is refused
anyhow, because all is over there, so after some weeks its receipts have done their duty.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

from shared.engine.errors import BadPayload
from shared.engine.record import open_record
from shared.platform.logging import get_logger
from shared.platform.store.entries import LogEntry
from shared.platform.store.errors import StoreError
from shared.platform.store.store import Store

CURSOR: Final = "receipts-forgotten"
"""The position up to which the receipts of all closed streams are gone."""

PAGE: Final = 500
BATCH: Final = 200
"""Receipts deleted at once: an append that comes meanwhile waits for no more than these."""

BREATH_SECONDS: Final = 0.05
ROUND_SECONDS: Final = 600.0

log = get_logger("receipts")


def now_ms() -> int:
    """The time in milliseconds since the Unix epoch."""
    return time.time_ns() // 1_000_000


class ReceiptKeeper:
    """Keeps receipts for a time after their stream was closed by a record of type `closing`.

    Walks the log once, by age. Several processes may do so beside each other.
    """

    def __init__(
        self, store: Store, closing: str, keep_ms: int, clock: Callable[[], int] = now_ms
    ) -> None:
        self._store = store
        self._closing = closing
        self._keep_ms = keep_ms
        self._clock = clock

    async def run(self, every: float = ROUND_SECONDS) -> None:
        """Forget what has become old enough, now and then, until cancelled."""
        while True:
            try:
                if gone := await self.forget():
                    log.info("receipts of closed streams forgotten", count=gone)
            except StoreError as error:
                log.warning("cannot forget receipts; trying again", reason=str(error))
            await asyncio.sleep(every)

    async def forget(self) -> int:
        """Forget the receipts of every stream that has been closed for long enough; how many."""
        before = self._clock() - self._keep_ms
        position, gone = await self._store.cursor(CURSOR), 0
        while page := await self._store.read_log(position, PAGE):
            reached = position
            for entry in page:
                at = written_at(entry)
                if at is not None and at >= before:
                    break
                if at is not None and entry.type == self._closing:
                    gone += await self._forget_all_of(entry.stream)
                reached = entry.position
            if reached > position:
                await self._store.move_cursor(CURSOR, reached)
            if reached < page[-1].position:
                break
            position = reached
            await asyncio.sleep(BREATH_SECONDS)
        return gone

    async def _forget_all_of(self, stream: str) -> int:
        gone = 0
        while deleted := await self._store.forget_receipts(stream, BATCH):
            gone += deleted
            await asyncio.sleep(BREATH_SECONDS)
        return gone


def written_at(entry: LogEntry) -> int | None:
    """When a record was made; None if it is damaged, which is not for us to judge."""
    try:
        return open_record(entry.body).at
    except BadPayload:
        return None
