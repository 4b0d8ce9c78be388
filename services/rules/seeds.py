"""The seed of a match: made and committed to when its table opens, before any seat adds entropy.

Whatever comes twice, to two processes, or after a crash gives one seed and one commitment: the
seed is kept under a key that is never overwritten, the commitment in a notice written once.
"""

from __future__ import annotations

import os

from services.rules.book import seed_key
from services.rules.notices import COMMITTED, SeedCommitted, notify
from shared.engine.chance import seed_commitment
from shared.engine.errors import BadOption
from shared.platform.crashpoint import crashpoint
from shared.platform.store import Store

SEED_BYTES = 32


async def commit_to_seed(store: Store, table_id: str) -> None:
    """Make the seed of a table's match and say what it is known by, unless that is done."""
    seed = await store.put_private(seed_key(table_id), os.urandom(SEED_BYTES))
    crashpoint("after-seed")
    if await notify(store, COMMITTED, table_id, SeedCommitted(seed_commitment(seed))):
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
