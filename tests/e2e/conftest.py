"""The systems that these tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.product import Product, tally_up
from tests.e2e.world import World, open_world


@pytest.fixture(scope="session")
def shared_world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A whole system, started once because starting costs more than most tests."""
    with open_world(tmp_path_factory.mktemp("world")) as running:
        yield running


@pytest.fixture
def world(shared_world: World) -> World:
    """That system, with every part running, whatever the test before did to it."""
    shared_world.repair()
    return shared_world


@pytest.fixture(scope="session")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """The product started by hand, for tests that only use it."""
    with tally_up(tmp_path_factory.mktemp("product") / "data", "--no-welcome") as up:
        yield up
