"""A lobby whose database goes away for a while, and comes back."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from services.lobby.app import Lobby
from shared.platform.store import StoreUnavailable, open_store
from tests.services.lobby.world import OFFER, lobby_world
from tests.services.outage import database_away


async def test_a_lobby_outlives_an_outage_of_its_database(
    tmp_path: Path, postgres_server: str, postgres_url: str
) -> None:
    """It goes on hearing of what another process appends."""
    async with open_store(postgres_url) as store, lobby_world(postgres_url, tmp_path) as other:
        lobby = Lobby(store, OFFER)
        await lobby.load()
        following = asyncio.create_task(lobby.keeper.follow())
        with database_away(postgres_server, postgres_url):
            with pytest.raises(StoreUnavailable):
                await store.last_position()
            await asyncio.wait([following], timeout=1.5)
            assert not following.done()
        table = await other.table("ada")
        async with asyncio.timeout(30):
            while lobby.directory.find(table.table_id) is None:
                await asyncio.sleep(0.05)
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)
