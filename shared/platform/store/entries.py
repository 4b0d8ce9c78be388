"""What goes into the store and what comes out of it."""

from __future__ import annotations

from shared.engine.data import Data
from shared.engine.record import Sealed


class Receipt(Data, frozen=True, gc=False):
    """The answer that a command got, kept so that a repeated command gets the same one."""

    principal: str
    command_id: str
    request_hash: str
    stream: str
    response: bytes


class Append(Data, frozen=True):
    """Records to add to a stream that now ends at `expected` (0: the stream is new)."""

    stream: str
    expected: int
    records: tuple[Sealed, ...]
    receipt: Receipt | None = None
    trace: str = ""
    """The traced command behind it, for the bus: beside the records, never in them."""

    def check(self) -> None:
        """Refuse an append that no store could carry out. Raises `ValueError`."""
        if not self.records:
            raise ValueError(f"an append to {self.stream} needs at least one record")
        if self.expected < 0:
            raise ValueError(f"{self.stream}: a version to append after is never negative")
        for version, record in enumerate(self.records, self.expected + 1):
            if record.version != version or record.stream != self.stream:
                raise ValueError(
                    f"{self.stream}: version {version} is next, not "
                    f"version {record.version} of {record.stream}"
                )


class Stored(Data, frozen=True, gc=False):
    """One record of a stream, as it lies in the store."""

    version: int
    type: str
    body: bytes
    hash: str


class LogEntry(Data, frozen=True, gc=False):
    """One record of the service's whole log, at its gapless position."""

    position: int
    stream: str
    version: int
    type: str
    body: bytes
    hash: str
