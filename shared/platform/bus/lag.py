"""How far a consumer is behind its source, for the operator's graphs."""

from __future__ import annotations

import time
from collections.abc import Callable

from nats.aio.msg import Msg

from shared.platform.bus import message
from shared.platform.bus.pull import PullLoop
from shared.platform.telemetry import Metrics


class Lag:
    """Kept by one consumer of `service`; asked whenever the figures are read."""

    def __init__(
        self, pull: PullLoop, service: str, position: Callable[[], int], metrics: Metrics
    ) -> None:
        self._pull = pull
        self._position = position
        self._level_at = time.time()
        metrics.consumer_lag.labels(service).set_function(lambda: self.records)
        metrics.consumer_seconds.labels(service).set_function(lambda: self.seconds)

    @property
    def records(self) -> int:
        """How many entries are known to be on the bus and are not applied."""
        last = self._pull.last
        if last is None:
            return 0
        return max(0, _position(last) + last.metadata.num_pending - self._position())

    @property
    def seconds(self) -> float:
        """How long ago the source was as it is known here.

        Nobody tells us that nothing happens: while the source is idle, this is the time since its
        log was looked at.
        """
        return max(0.0, time.time() - self._level_at)

    def applied(self, received: Msg) -> None:
        """A message was dealt with: all up to it is known, or all up to now if nothing waits."""
        if self._position() < _position(received):
            return
        told = received.metadata
        more = told.num_pending or not self._pull.messages.empty()
        self._level_at = max(self._level_at, told.timestamp.timestamp() if more else time.time())

    def level(self) -> None:
        """The source's log holds nothing beyond our position."""
        self._level_at = time.time()


def _position(received: Msg) -> int:
    return int((received.headers or {}).get(message.POSITION, 0))
