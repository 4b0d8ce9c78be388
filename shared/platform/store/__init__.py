"""The event store: append-only, hash-chained streams in SQL, and one gapless log of them all.

    async with open_store("sqlite:///tally.db") as store:
        await store.append(Append("match-1", 0, (sealed,), receipt))

SQL is the truth. Everything else (bus, projections, views) can be made again from it.
"""

from shared.platform.store.entries import Append, LogEntry, Receipt, Stored
from shared.platform.store.errors import (
    AlreadyDone,
    AppendRefused,
    CannotOpen,
    OutOfOrder,
    StoreBusy,
    StoreError,
    StoreUnavailable,
    UnsafeSettings,
    VersionConflict,
)
from shared.platform.store.receipts import ReceiptKeeper
from shared.platform.store.store import Store, open_store

__all__ = [
    "AlreadyDone",
    "Append",
    "AppendRefused",
    "CannotOpen",
    "LogEntry",
    "OutOfOrder",
    "Receipt",
    "ReceiptKeeper",
    "Store",
    "StoreBusy",
    "StoreError",
    "StoreUnavailable",
    "Stored",
    "UnsafeSettings",
    "VersionConflict",
    "open_store",
]
