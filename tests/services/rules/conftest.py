"""One rules process on PostgreSQL and NATS, shared by the tests of a module."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import psycopg
import pytest
import pytest_asyncio
from psycopg.sql import SQL, Identifier
from sqlalchemy import make_url

from shared.platform.embedded.nats import EmbeddedNats
from tests.services.rules.world import World, open_world


@pytest.fixture(scope="module")
def module_postgres(postgres_server: str) -> Iterator[str]:
    """A database of the module's own."""
    name = f"tally_{uuid.uuid4().hex}"
    with psycopg.connect(postgres_server, autocommit=True) as admin:
        admin.execute(SQL("CREATE DATABASE {}").format(Identifier(name)))
    yield make_url(postgres_server).set(database=name).render_as_string(hide_password=False)
    with psycopg.connect(postgres_server, autocommit=True) as admin:
        admin.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(Identifier(name)))


@pytest.fixture(scope="module")
def module_nats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedNats]:
    """A bus of the module's own: streams of another log must not be on it."""
    with EmbeddedNats(tmp_path_factory.mktemp("nats")) as nats:
        yield nats


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def world(
    module_postgres: str, module_nats: EmbeddedNats, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[World]:
    """Rules, ready to be called."""
    folder: Path = tmp_path_factory.mktemp("world")
    async with open_world(folder, module_postgres, module_nats.url) as world:
        yield world
