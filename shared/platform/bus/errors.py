"""What can go wrong between the log and the bus.

    BusError
      BusDown          no connection now; nothing was sent, try again when there is one
      ForeignStream    the stream on the bus does not belong to this log; a person must decide
      EpochChanged     a consumer hears another log than the one its projection was built from
      LogGap           the owner's log skips a position; it is damaged

The last three are raised out of `run()`: going on would spread the damage.
"""

from __future__ import annotations


class BusError(Exception):
    """Base of what the bus refuses or cannot do."""


class BusDown(BusError):
    """There is no connection to NATS at the moment."""


class ForeignStream(BusError):
    """The stream on the bus holds something that this log never said."""

    def __init__(self, stream: str, reason: str) -> None:
        self.stream = stream
        super().__init__(
            f"stream {stream} does not belong to this log: {reason}. Nothing was published."
            f" If the log is right, remove the stream (nats stream rm {stream}) and start again;"
            " if the log was restored from a backup, give it a new epoch first."
        )


class EpochChanged(BusError):
    """The owner's log was begun anew; what was built from the old one is void."""

    def __init__(self, consumer: str, service: str, built_from: str, heard: str) -> None:
        self.built_from = built_from
        self.heard = heard
        super().__init__(
            f"consumer {consumer} was built from log {built_from} of {service}, but the bus"
            f" carries log {heard}. Nothing of it was applied. Rebuild the projection from"
            " position 0, then start the consumer again."
        )


class LogGap(BusError):
    """The owner's log is not gapless, so it cannot be followed."""

    def __init__(self, service: str, expected: int, found: int) -> None:
        super().__init__(
            f"the log of {service} goes on with position {found} where {expected} must follow."
            " Nothing after it was applied. Check that log (tally verify) before going on."
        )
