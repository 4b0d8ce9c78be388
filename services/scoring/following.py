"""Following the rules' log, and folding it anew from its start."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from services.scoring.projection import Projection
from shared.engine.errors import BadPayload
from shared.platform.bus import Bus, Consumer
from shared.platform.store import LogEntry
from shared.platform.telemetry import Metrics

PAGE = 500

ReadLog = Callable[[int, int], Awaitable[Sequence[LogEntry]]]


class LogFollower:
    """Feeds the projection, one call at a time."""

    def __init__(self, projection: Projection, read_log: ReadLog) -> None:
        self._projection = projection
        self._read_log = read_log
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="scoring-writer")

    async def close(self) -> None:
        """Finish what is being written."""
        await asyncio.to_thread(self._thread.shutdown)

    async def rebuild(self) -> int:
        """Empty every table and fold the whole log again; the position reached."""
        await self._read_log(0, 1)  # raises while there is nothing to fill them from
        await self._write(self._projection.forget_all)
        return await self.catch_up()

    async def catch_up(self) -> int:
        """Fold all that the log holds now, many records a transaction; the position reached."""
        epoch, position = await self._write(self._projection.progress)
        while page := await self._read_log(position, PAGE):
            await self._fold(page, epoch)
            position = page[-1].position
        return int(position)

    async def _fold(self, page: Sequence[LogEntry], epoch: str) -> None:
        """Fold a page in one transaction; if an entry cannot be read, one by one and without it."""
        try:
            await self._write(self._projection.apply, page, epoch)
        except BadPayload:
            for entry in page:
                try:
                    await self._write(self._projection.apply, (entry,), epoch)
                except BadPayload as error:
                    await self._write(self._projection.put_aside, entry, error, epoch)

    async def run(self, bus: Bus, metrics: Metrics, attempts: int = 5) -> None:
        """Follow until cancelled. Raises `EpochChanged` or `LogGap` when a person must decide."""
        epoch, _ = await self._write(self._projection.progress)

        async def apply(entries: Sequence[LogEntry]) -> None:
            await self._write(self._projection.apply, entries, consumer.epoch)

        async def put_aside(entry: LogEntry, error: Exception, _: int) -> None:
            await self._write(self._projection.put_aside, entry, error, consumer.epoch)

        async def position() -> int:
            _, reached = await self._write(self._projection.progress)
            return int(reached)

        consumer = Consumer(
            bus,
            name="scoring-rules",
            service="rules",
            handler=lambda entry: apply((entry,)),
            batch=apply,
            checkpoint=position,
            read_log=self._read_log,
            dead_letter=put_aside,
            epoch=epoch,
            attempts=attempts,
            metrics=metrics,
        )
        await consumer.run()

    async def _write(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Do it on the writer's thread, to its end even if nobody waits for it any more."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, work, *arguments)
