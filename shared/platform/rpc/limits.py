"""How much one caller may ask: a bucket of tokens each, refilled steadily."""

from __future__ import annotations

import time
from collections.abc import Callable

MAX_BUCKETS = 20_000


class Buckets:
    """One bucket for each key; a full bucket is forgotten."""

    def __init__(
        self,
        per_second: float,
        burst: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._per_second, self._burst, self._clock = per_second, burst, clock
        self._buckets: dict[str, tuple[float, float]] = {}

    def take(self, key: str) -> float:
        """Take one token; 0 if there was one, else the seconds until there is."""
        now = self._clock()
        bucket = self._buckets.get(key)
        if bucket is None:
            if len(self._buckets) >= MAX_BUCKETS:
                self._forget_full(now)
            left = self._burst
        else:
            left = min(self._burst, bucket[0] + (now - bucket[1]) * self._per_second)
        if left < 1.0:
            return (1.0 - left) / self._per_second
        self._buckets[key] = (left - 1.0, now)
        return 0.0

    def _forget_full(self, now: float) -> None:
        refill = self._burst / self._per_second
        self._buckets = {k: b for k, b in self._buckets.items() if now - b[1] < refill}
        if len(self._buckets) >= MAX_BUCKETS:
            self._buckets.clear()
