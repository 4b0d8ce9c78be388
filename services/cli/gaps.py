"""Bad connections: a call or a stream that was lost is tried again, and the person is told."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

import grpc
from grpc import aio

from services.cli.show import errors

T = TypeVar("T")

PATIENCE_SECONDS = 600.0
PAUSE_SECONDS = 1.0

LOST = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)
"""Nobody answers. Trying again is safe: commands carry their id, watches where they stopped."""


class Gap:
    """A time without an answer: told once, and at most so long."""

    def __init__(self) -> None:
        self._since: float | None = None

    def over(self) -> None:
        """There is an answer again."""
        self._since = None

    async def wait(self, error: aio.AioRpcError) -> None:
        """Wait for the next try. Raises the error if it is another one, or after all patience."""
        if error.code() not in LOST:
            raise error
        now = time.monotonic()
        if self._since is None:
            self._since = now
            errors.print("The connection is lost; trying again. Ctrl-C leaves.")
        if now - self._since > PATIENCE_SECONDS:
            raise error
        await asyncio.sleep(PAUSE_SECONDS)


async def patiently(call: Callable[[], Awaitable[T]]) -> T:
    """The answer of a call that is made again, the same, while nobody answers."""
    gap = Gap()
    while True:
        try:
            return await call()
        except aio.AioRpcError as error:
            await gap.wait(error)
