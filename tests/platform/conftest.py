"""A store over each kind of database."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from shared.platform.store import Store, open_store


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[Store]:
    async with open_store(database_url) as opened:
        yield opened
