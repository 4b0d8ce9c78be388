"""What the store needs from a kind of database; one class each for SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from sqlalchemy import Engine

from shared.platform.store.entries import Append
from shared.platform.store.errors import AlreadyDone, AppendRefused, VersionConflict

Outcome = AlreadyDone | AppendRefused | VersionConflict | None
"""What became of one append of a batch: written (`None`), or why not."""


class Written(NamedTuple):
    """A committed batch: what became of each append, and the log's last position if it moved.

    The position is `None` where positions are given out later.
    """

    outcomes: list[Outcome]
    position: int | None


class Database(Protocol):
    """One database: a way to connect for writing, and the engine that readers share."""

    readers: Engine

    def connect(self) -> Any:
        """A driver connection for a writer, set up to be durable. Raises the driver's error."""

    def open(self) -> None:
        """Check the settings and migrate the schema. Raises `UnsafeSettings`."""

    def write(self, connection: Any, appends: Sequence[Append]) -> Written:
        """Commit a batch in one transaction. No two appends share a stream or a receipt.

        A loser leaves nothing behind. On any error nothing of the batch is written, unless
        `lost` says that the connection is gone: then nobody knows.
        """

    def lost(self, connection: Any, error: Exception) -> bool:
        """Whether the error leaves a commit in doubt and the connection useless."""

    def forget_traces(self, connection: Any, hashes: Sequence[str]) -> None:
        """Forget the traces of some records, by hash."""

    def put_private(self, connection: Any, key: str, value: bytes) -> bytes:
        """Keep a value under a new key; the value that is kept there now."""

    def move_cursor(self, connection: Any, name: str, position: int) -> None:
        """Move a reader's place in the log forward, never back."""

    def forget_receipts(self, connection: Any, stream: str, limit: int) -> int:
        """Delete some receipts of a stream; how many. Appends of others are not waited for."""
