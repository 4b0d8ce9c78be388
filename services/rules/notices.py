"""What rules says of a table besides its match: once, in a stream of one record.

The lobby reads these by the types below. They are a contract: add, never change.
"""

from __future__ import annotations

import time

import msgspec

from shared.engine.data import Fact, encode
from shared.engine.hidden import SPECTATOR
from shared.engine.match import SYSTEM
from shared.engine.record import GENESIS, SCHEMA, Record, seal
from shared.platform.store import Append, Store, VersionConflict

COMMITTED = "committed"
"""The type of the record that commits to a seed."""

REFUSED = "refused"
"""The type of the record that says why there is no match."""

UNLISTED = "unlisted"
"""The type of the record that keeps a match out of everybody's lists but its players'."""

STREAMS = {COMMITTED: "seed", REFUSED: "refusal", UNLISTED: "unlisted"}


class SeedCommitted(Fact, frozen=True, gc=False):
    """The SHA-256 by which the seed of a table's match is known until the match is over."""

    commitment: str


class OrderRefused(Fact, frozen=True, gc=False):
    """The match that the table ordered cannot be set up; the reason in words for its people."""

    reason: str


class MatchUnlisted(Fact, frozen=True, gc=False):
    """The table was an unlisted one, and so is its match."""


def _stream(type_: str, table_id: str) -> str:
    """Where a notice of that type stands for a table."""
    return f"{STREAMS[type_]}-{table_id}"


async def notify(store: Store, type_: str, table_id: str, fact: Fact) -> bool:
    """Write a notice; False if one of that type stands there already, which then counts."""
    record = Record(
        stream=_stream(type_, table_id),
        version=1,
        type=type_,
        schema=SCHEMA,
        edition="",
        actor=SYSTEM,
        seat=SPECTATOR,
        move="",
        facts=msgspec.Raw(encode((fact,))),
        secrets=(),
        barrier=False,
        state="",
        at=int(time.time() * 1000),
        prev=GENESIS,
    )
    try:
        await store.append(Append(record.stream, 0, (seal(record),)))
    except VersionConflict:
        return False
    return True


async def notified(store: Store, type_: str, table_id: str) -> bool:
    """Whether a notice of that type stands there."""
    return bool(await store.load(_stream(type_, table_id), limit=1))
