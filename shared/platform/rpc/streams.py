"""Serving a watcher: what it has still to be sent, signs of life, and a reason at the end.

    box: Mailbox[Record] = Mailbox()
    ...                                    # elsewhere, on the same loop: box.put(record)
    async for step in box.steps():
        match step:
            case Beat():    yield Response(heartbeat=heartbeat(version))
            case End():     yield Response(ended=ended(step.reason, version))
            case record:    yield Response(record=record)

Whoever puts never waits for whoever reads.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from google.protobuf.timestamp_pb2 import Timestamp

from protos.tallystick.stream.v1 import stream_pb2
from protos.tallystick.stream.v1.stream_pb2 import Ended, EndReason, Heartbeat
from shared.platform.rpc.call import current_call

T = TypeVar("T")

HEARTBEAT = 15.0

_DETAIL = {
    stream_pb2.END_REASON_COMPLETE: "There is nothing more to come.",
    stream_pb2.END_REASON_TOKEN_EXPIRED: "The token has expired: get a new one and resume.",
    stream_pb2.END_REASON_DRAINING: "The server is shutting down: resume in a moment.",
    stream_pb2.END_REASON_TOO_SLOW: "The messages were not read fast enough: resume.",
    stream_pb2.END_REASON_MAX_AGE: "The stream reached its maximum age: resume at once.",
}


@dataclass(frozen=True, slots=True)
class Beat:
    """Nothing happened for a while: send a sign of life."""


@dataclass(frozen=True, slots=True)
class End:
    """The stream is over: say why, and stop."""

    reason: EndReason


class Mailbox(Generic[T]):
    """What one watcher has still to be sent. Bounded, and never waits for a slow reader.

    Made inside a stream's handler, it ends by itself when the server wants the stream to end.
    What was put before the end is still delivered, without a gap.
    """

    def __init__(self, capacity: int = 1024) -> None:
        self._capacity = capacity
        self._items: deque[T] = deque()
        self._end: EndReason | None = None
        self._wake: asyncio.Future[None] | None = None
        self._ending = current_call().ending
        if self._ending is not None:
            self._ending.add_done_callback(self._stream_ends)

    def put(self, item: T) -> None:
        """Hand over one more item; a reader that lags `capacity` behind is sent away."""
        if self._end is not None:
            return
        if len(self._items) >= self._capacity:
            self.close(stream_pb2.END_REASON_TOO_SLOW)
            if self._ending is not None and not self._ending.done():
                self._ending.set_result(stream_pb2.END_REASON_TOO_SLOW)
            return
        self._items.append(item)
        self._rouse()

    def close(self, reason: EndReason = stream_pb2.END_REASON_COMPLETE) -> None:
        """Nothing more will be put; the first reason counts."""
        if self._end is None:
            self._end = reason
            self._rouse()

    def _stream_ends(self, ending: asyncio.Future[EndReason]) -> None:
        if not ending.cancelled():  # it is when nobody reads any more
            self.close(ending.result())

    def _rouse(self) -> None:
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    async def steps(self, heartbeat: float = HEARTBEAT) -> AsyncIterator[T | Beat | End]:
        """Each item as it comes, a `Beat` after each silence, and one `End` at last."""
        while True:
            while self._items:
                yield self._items.popleft()
            if self._end is not None:
                yield End(self._end)
                return
            self._wake = asyncio.get_running_loop().create_future()
            try:
                async with asyncio.timeout(heartbeat):
                    await self._wake
            except TimeoutError:
                yield Beat()


def heartbeat(reached: int) -> Heartbeat:
    """A sign of life on a stream that has reached a version or position."""
    now = Timestamp()
    now.GetCurrentTime()
    return Heartbeat(at=now, reached=reached)


def ended(reason: EndReason, resume_after: int) -> Ended:
    """The last message of a stream."""
    return Ended(reason=reason, detail=_DETAIL.get(reason, ""), resume_after=resume_after)
