"""Scoring over each kind of database."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.services.scoring.world import Scoring, scoring_over


@pytest.fixture
async def scoring(database_url: str) -> AsyncIterator[Scoring]:
    async with scoring_over(database_url) as made:
        yield made


@pytest.fixture
async def light(tmp_path: Path) -> AsyncIterator[Scoring]:
    """Over SQLite only: quick to make, for what does not depend on the database."""
    async with scoring_over(f"sqlite:///{tmp_path / 'scoring.db'}") as made:
        yield made
