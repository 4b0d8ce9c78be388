"""What time alone does to tables: it orders a match that waits, and ends what nobody uses."""

from __future__ import annotations

import asyncio
from functools import partial

from services.lobby.app import Lobby
from services.lobby.keeping import Damaged
from services.lobby.starting import Patience, overdue
from shared.platform.logging import get_logger
from shared.platform.rpc.errors import Unavailable
from shared.platform.store import StoreError

LOOK_SECONDS = 0.5
NEVER = 2**62

log = get_logger("lobby")


async def keep_time(lobby: Lobby, patience: Patience) -> None:
    """Look at the waiting tables now and then, until cancelled."""
    while True:
        await look_at_the_clock(lobby, patience)
        await asyncio.sleep(LOOK_SECONDS)


async def look_at_the_clock(lobby: Lobby, patience: Patience) -> None:
    """Do what is due. Whatever cannot be done now is due the next time, too."""
    now, closing_only = lobby.clock(), patience._replace(entropy=NEVER)
    for table in lobby.directory.waiting_tables():
        # A match whose edition is not installed would not begin, so it is not ordered.
        here = lobby.offer.plays(table.game, table.edition)
        decide = partial(overdue, now=now, patience=patience if here else closing_only)
        if decide(table):
            try:
                await lobby.note(table.id, decide)
            except (Damaged, StoreError, Unavailable) as error:
                log.warning("a table is overdue", table=table.id, problem=str(error))
