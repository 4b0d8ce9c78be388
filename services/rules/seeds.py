"""The seed of a match: made and committed to when its table opens, before any seat adds entropy.

Whatever comes twice, to two processes, or after a crash gives one seed and one commitment: the
seed is kept under a key that is never overwritten, the commitment in a stream of one record.
"""

from __future__ import annotations

import os
import time

import msgspec

from services.rules.book import seed_key
from shared.engine.chance import seed_commitment
from shared.engine.data import Fact, encode
from shared.engine.errors import BadOption
from shared.engine.hidden import SPECTATOR
from shared.engine.match import SYSTEM
from shared.engine.record import GENESIS, SCHEMA, Record, seal
from shared.platform.crashpoint import crashpoint
from shared.platform.store import Append, Store, VersionConflict

COMMITTED = "committed"
"""The type of the record that commits to a seed."""

SEED_BYTES = 32


class SeedCommitted(Fact, frozen=True, gc=False):
    """The SHA-256 by which the seed of a table's match is known until the match is over."""

    commitment: str


def stream_of(table_id: str) -> str:
    """Where the commitment for a table is written."""
    return f"seed-{table_id}"


async def commit_to_seed(store: Store, table_id: str) -> None:
    """Make the seed of a table's match and say what it is known by, unless that is done."""
    seed = await store.put_private(seed_key(table_id), os.urandom(SEED_BYTES))
    crashpoint("after-seed")
    fact = SeedCommitted(seed_commitment(seed))
    record = Record(
        stream=stream_of(table_id),
        version=1,
        type=COMMITTED,
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
        return
    crashpoint("after-commitment")


async def committed_seed(store: Store, table_id: str, commitment: str) -> bytes:
    """The seed behind the commitment that a table showed. Raises `BadOption` for any other."""
    seed = await store.get_private(seed_key(table_id))
    if seed is None or seed_commitment(seed) != commitment:
        raise BadOption(
            "the seed kept here is not the one that the table showed a commitment to: "
            "its match cannot be fair and does not begin"
        )
    return seed
