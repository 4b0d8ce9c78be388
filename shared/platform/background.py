"""Work that goes on beside the RPCs of a service: relays, consumers, followers."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from typing import Any

from shared.platform.logging import get_logger

log = get_logger("background")


def run_beside(stack: AsyncExitStack, name: str, work: Coroutine[Any, Any, None]) -> None:
    """Run until the stack closes. If it fails the service stops: half a service misleads."""
    task = asyncio.create_task(work, name=name)

    def look(done: asyncio.Task[None]) -> None:
        error = None if done.cancelled() else done.exception()
        if error is not None:
            log.critical("cannot go on; stopping", work=name, reason=str(error), exc_info=error)
            signal.raise_signal(signal.SIGTERM)

    async def stop() -> None:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    task.add_done_callback(look)
    stack.push_async_callback(stop)
