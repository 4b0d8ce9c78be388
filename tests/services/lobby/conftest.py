"""A lobby over each kind of database."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.services.lobby.world import World, lobby_world


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """A lobby over SQLite: quick to make."""
    async with lobby_world(f"sqlite:///{tmp_path / 'lobby.db'}", tmp_path) as made:
        yield made


@pytest.fixture
async def both(database_url: str, tmp_path: Path) -> AsyncIterator[World]:
    """A lobby over SQLite, and one over PostgreSQL: for whatever depends on the store."""
    async with lobby_world(database_url, tmp_path) as made:
        yield made
