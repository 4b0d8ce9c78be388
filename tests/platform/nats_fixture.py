"""A real NATS for the tests: a given one, the wheel's, or a container, in that order."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from shared.platform.embedded.nats import EmbeddedNats, EmbeddedNatsError


@pytest.fixture(scope="session")
def nats_url() -> Iterator[str]:
    """The address of a NATS server with JetStream, shared by the session."""
    given = os.environ.get("TALLY_TEST_NATS_URL")
    if given:
        yield given
        return
    try:
        server = EmbeddedNats()
    except EmbeddedNatsError as error:
        yield from _container_url(str(error))
        return
    with server:
        yield server.url


@pytest.fixture
def nats_server(tmp_path: Path) -> Iterator[EmbeddedNats]:
    """A server of the test's own, which it may kill."""
    try:
        server = EmbeddedNats(tmp_path / "nats")
    except EmbeddedNatsError as error:
        pytest.skip(str(error))
    with server:
        yield server


@pytest.fixture
def service() -> str:
    """A service name that no other test uses, so that streams do not meet."""
    return f"t{uuid.uuid4().hex[:12]}"


def _container_url(why: str) -> Iterator[str]:
    try:
        from testcontainers.core.container import DockerContainer
        from testcontainers.core.wait_strategies import LogMessageWaitStrategy

        container = (
            DockerContainer("nats:2.15-alpine")
            .with_command("-js")
            .with_exposed_ports(4222)
            .waiting_for(LogMessageWaitStrategy("Server is ready"))
        )
        container.start()
    except Exception as error:
        pytest.skip(f"no NATS to test with: {why}; and no container: {error}")
    try:
        yield f"nats://{container.get_container_host_ip()}:{container.get_exposed_port(4222)}"
    finally:
        container.stop()
