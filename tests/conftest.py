"""Fixtures that every test folder shares: real servers, or a skip that says why."""

from __future__ import annotations

import os
import uuid
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.sql import SQL, Identifier
from sqlalchemy import make_url

from shared.platform.embedded.postgres import EmbeddedPostgres, EmbeddedPostgresError

# So that a failing assertion in a helper module shows its values too.
pytest.register_assert_rewrite(
    *(f"tests.{folder.name}" for folder in Path(__file__).parent.iterdir() if folder.is_dir())
)

pytest_plugins = ["tests.platform.nats_fixture"]

GIVEN_POSTGRES = "TALLY_TEST_POSTGRES_URL"


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind in turn: for whatever depends on it."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'database.sqlite3'}"
    return str(request.getfixturevalue("postgres_url"))


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a real PostgreSQL on which databases may be made.

    A given server first, then the wheel, then a container where a Docker engine answers.
    """
    given = os.environ.get(GIVEN_POSTGRES)
    if given:
        yield given
        return
    try:
        server = EmbeddedPostgres()
        server.start()
    except EmbeddedPostgresError as error:
        yield from _postgres_container(str(error))
        return
    try:
        yield server.url()
    finally:
        server.stop()


def _postgres_container(why_not_embedded: str) -> Iterator[str]:
    from docker.errors import DockerException
    from testcontainers.community.postgres import PostgresContainer

    try:
        container = PostgresContainer("postgres:18-alpine", driver=None).start()
    except DockerException as error:
        pytest.skip(
            f"no PostgreSQL: {GIVEN_POSTGRES} is not set; embedded: {why_not_embedded}; "
            f"Docker: {error}"
        )
    try:
        yield container.get_connection_url()
    finally:
        container.stop()


@pytest.fixture
def postgres_url(postgres_server: str) -> Iterator[str]:
    """The address of a fresh, empty database of its own for one test."""
    name = f"tally_{uuid.uuid4().hex}"
    with psycopg.connect(postgres_server, autocommit=True) as admin:
        admin.execute(SQL("CREATE DATABASE {}").format(Identifier(name)))
    yield make_url(postgres_server).set(database=name).render_as_string(hide_password=False)
    with psycopg.connect(postgres_server, autocommit=True) as admin:
        admin.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(Identifier(name)))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name every skipped group with its reason, so that no test is missing in silence."""
    groups: dict[tuple[str, str], int] = defaultdict(int)
    for report in terminalreporter.stats.get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        groups[report.nodeid.split("::")[0], reason.removeprefix("Skipped: ")] += 1
    if groups:
        terminalreporter.section("skipped groups")
        for (path, reason), count in sorted(groups.items()):
            terminalreporter.line(f"{path}: {count} skipped: {reason}")
