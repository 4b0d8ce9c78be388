"""The call being served: who calls, what, and when it must end."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar

from protos.tallystick.stream.v1.stream_pb2 import EndReason
from shared.platform.rpc.auth import ANONYMOUS, Principal


class Call:
    """One RPC in progress.

    `ending` is there for streams only: it gets the reason when the server wants the stream to
    end. A handler that has not ended `grace` seconds later is cut off.
    """

    __slots__ = ("_timer", "cut", "ending", "method", "principal")

    def __init__(self, method: str, principal: Principal) -> None:
        self.method = method
        self.principal = principal
        self.ending: asyncio.Future[EndReason] | None = None
        self.cut = False
        self._timer: asyncio.TimerHandle | None = None

    def open(self, lifetime: float, reason: EndReason, grace: float) -> None:
        """Begin a stream of the running task that ends for `reason` after `lifetime` seconds."""
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None

        def cut_off() -> None:
            self.cut = True
            task.cancel()

        def count_down(ending: asyncio.Future[EndReason]) -> None:
            self._stop_timer()
            if not ending.cancelled():
                self._timer = loop.call_later(grace, cut_off)

        self.ending = loop.create_future()
        self.ending.add_done_callback(count_down)
        self._timer = loop.call_later(max(0.0, lifetime), self.end, reason)

    def end(self, reason: EndReason) -> None:
        """Ask the stream to end; the first reason counts."""
        if self.ending is not None and not self.ending.done():
            self.ending.set_result(reason)

    def close(self) -> None:
        """The stream has ended: nothing of it may fire later, or keep it in memory."""
        self._stop_timer()
        if self.ending is not None:
            self.ending.cancel()  # lets go of whoever waits for it, who knows this call

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


_current: ContextVar[Call] = ContextVar("call")


def enter(call: Call) -> None:
    """Make it the current call of this task; each RPC is served in a task of its own."""
    _current.set(call)


def current_call() -> Call:
    """The call being served; raises LookupError outside of one."""
    return _current.get()


def entered() -> Call | None:
    """The call being served, if there is one."""
    return _current.get(None)


def caller() -> Principal:
    """Who makes the call being served; `ANONYMOUS` outside of one."""
    call = entered()
    return ANONYMOUS if call is None else call.principal
