"""Ends calls that take too long.

All calls of a server have the same limit, so they become due in the order in which they began:
one look now and then at the oldest is enough. A timer for each would cost more than all else
that is done for a call.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

CHECKS = 20
"""Looks within one limit: a call may be late by a twentieth of it."""


class Deadlines:
    """The calls in progress, oldest first; those over the limit are cancelled."""

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self._running: dict[asyncio.Task[Any], float] = {}
        self._overdue: set[asyncio.Task[Any]] = set()
        self._looking = False

    def begin(self, started: float) -> asyncio.Task[Any]:
        """Watch the running task, which began at `started` (`time.perf_counter`)."""
        task = asyncio.current_task()
        assert task is not None
        self._running[task] = started
        if not self._looking:
            self._look()
        return task

    def finish(self, task: asyncio.Task[Any]) -> None:
        """Watch it no longer."""
        self._running.pop(task, None)
        self._overdue.discard(task)

    def is_overdue(self, task: asyncio.Task[Any]) -> bool:
        """Whether it was cancelled because it took too long, and not by its client."""
        return task in self._overdue

    def _look(self) -> None:
        due = time.perf_counter() - self.limit
        for task, started in tuple(self._running.items()):
            if started > due:
                break
            del self._running[task]
            self._overdue.add(task)
            task.cancel()
        self._looking = bool(self._running)
        if self._looking:
            asyncio.get_running_loop().call_later(self.limit / CHECKS, self._look)
