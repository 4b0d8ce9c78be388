"""From a durable append in the real store to another service's handler, over the real bus."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from shared.platform.bus import Bus, Consumer, Relay
from shared.platform.store import LogEntry, Store, open_store
from tests.platform.bus_world import Projection, eventually, on_the_bus, running, up_to
from tests.platform.store_samples import append


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'store.sqlite3'}"
    else:
        yield request.getfixturevalue("postgres_url")


async def _play(store: Store, match: int, moves: int) -> None:
    for version in range(moves):
        await store.append(append(f"match-{match}", version))


async def test_every_append_reaches_the_other_service_once_in_the_order_of_the_log(
    nats_url: str, service: str, database: str, tmp_path: Path
) -> None:
    projection = Projection(tmp_path / "projection.sqlite3")
    handled: list[LogEntry] = []

    async def handle(entry: LogEntry) -> None:
        await projection.handle(entry)
        handled.append(entry)

    async with (
        open_store(database) as store,
        await Bus.connect(nats_url, service) as own,
        await Bus.connect(nats_url, f"{service}-hearer") as other,
    ):
        consumer = Consumer(
            other,
            name=f"hearer-{service}",
            service=service,
            handler=handle,
            checkpoint=projection.checkpoint,
            read_log=store.read_log,
            dead_letter=projection.bury,
        )
        async with running(Relay(own, store, service), consumer):
            await asyncio.gather(*(_play(store, match, 25) for match in range(8)))
            await eventually(lambda: len(handled) >= 200)
        assert consumer.epoch == store.epoch
        assert handled == await store.read_log(0, 1000)
    assert projection.applied == up_to(200)
    assert await on_the_bus(nats_url, service) == up_to(200)
