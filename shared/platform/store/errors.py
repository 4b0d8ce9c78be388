"""Why the store did not do what was asked.

StoreError
  VersionConflict    somebody appended first: load the stream again and decide anew
  AlreadyDone        the command was carried out before: give its first answer
  AppendRefused      the database refused the rows; nothing was written
  StoreBusy          too many appends are waiting; nothing was written
  StoreUnavailable   the database went away: the append may or may not have happened
  CannotOpen         the database is not there or not readable: the store does not open
  UnsafeSettings     the database would lose acknowledged records: the store does not open
  OutOfOrder         the log would put a stream out of order: no more positions are given out
"""

from __future__ import annotations

from shared.platform.store.entries import Receipt


class StoreError(Exception):
    """The store did not do what was asked."""


class VersionConflict(StoreError):
    """The stream does not end where the append expected it to end."""

    def __init__(self, stream: str, expected: int, actual: int) -> None:
        super().__init__(f"{stream} is at version {actual}, not {expected}")
        self.stream = stream
        self.expected = expected
        self.actual = actual


class AlreadyDone(StoreError):
    """This command of this principal already has an answer."""

    def __init__(self, receipt: Receipt) -> None:
        super().__init__(f"command {receipt.command_id} was carried out before")
        self.receipt = receipt


class AppendRefused(StoreError):
    """The database refused this append and wrote nothing of it."""


class StoreBusy(StoreError):
    """More appends are waiting than the store is allowed to hold."""


class StoreUnavailable(StoreError):
    """The connection to the database was lost; whether an append was written is unknown."""


class CannotOpen(StoreError):
    """The database cannot be reached, or what is there is not a database of ours."""


class UnsafeSettings(StoreError):
    """The database is set up so that it could lose records it said it had."""


class OutOfOrder(StoreError):
    """A stream's records do not reach the log in the order of their versions."""
