"""How far behind a relay and a consumer are, as an operator's graphs show it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from shared.platform.bus import Bus, Consumer, Relay
from shared.platform.embedded.nats import EmbeddedNats
from shared.platform.store import LogEntry, StoreUnavailable, open_store
from shared.platform.telemetry import Metrics
from tests.platform.bus_world import FileLog, Projection, eventually, running
from tests.platform.store_samples import append


@pytest.fixture
def log(tmp_path: Path) -> FileLog:
    return FileLog(tmp_path / "log.sqlite3")


@pytest.fixture
def projection(tmp_path: Path) -> Projection:
    return Projection(tmp_path / "projection.sqlite3")


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'store.sqlite3'}"
    else:
        yield request.getfixturevalue("postgres_url")


class Slow:
    """A handler that waits for leave before every entry, and cannot apply some."""

    def __init__(self, projection: Projection, broken: int = 0) -> None:
        self._projection, self._broken = projection, broken
        self.gate = asyncio.Event()

    async def handle(self, entry: LogEntry) -> None:
        await self.gate.wait()
        if entry.position == self._broken:
            raise ValueError("cannot be applied")
        await self._projection.handle(entry)


def shown(metrics: Metrics, name: str, **labels: str) -> float:
    """What a figure stands at; it must be there."""
    value = metrics.registry.get_sample_value(name, labels)
    assert value is not None, f"{name} is not counted"
    return value


def consumer_of(
    bus: Bus, service: str, log: FileLog, projection: Projection, slow: Slow, metrics: Metrics
) -> Consumer:
    return Consumer(
        bus,
        name=f"hearer-{service}",
        service=service,
        handler=slow.handle,
        checkpoint=projection.checkpoint,
        read_log=log.read_log,
        dead_letter=projection.bury,
        attempts=2,
        retry_seconds=(0.01, 0.02),
        poll_seconds=0.3,
        metrics=metrics,
    )


async def test_a_consumer_that_is_stuck_falls_behind_and_catches_up(
    nats_url: str, service: str, log: FileLog, projection: Projection
) -> None:
    metrics, slow = Metrics(), Slow(projection)

    def records() -> float:
        return shown(metrics, "tally_consumer_lag_records", source=service)

    def seconds() -> float:
        return shown(metrics, "tally_consumer_lag_seconds", source=service)

    async with (
        await Bus.connect(nats_url, service) as own,
        await Bus.connect(nats_url, f"{service}-hearer") as other,
    ):
        consumer = consumer_of(other, service, log, projection, slow, metrics)
        async with running(Relay(own, log, service), consumer):
            log.append(12)
            await eventually(lambda: records() == 12)
            await eventually(lambda: seconds() > 1.0)
            slow.gate.set()
            await eventually(lambda: records() == 0)
            await eventually(lambda: seconds() < 0.9)
            await asyncio.sleep(1.0)
            assert seconds() < 0.9, "an idle consumer looks as if it were behind"


async def test_a_consumer_that_reaches_nobody_does_not_look_well(
    service: str, log: FileLog, projection: Projection
) -> None:
    metrics, slow = Metrics(), Slow(projection)
    slow.gate.set()
    log.append(3)
    log.away = True

    def seconds() -> float:
        return shown(metrics, "tally_consumer_lag_seconds", source=service)

    async with (
        await Bus.connect("nats://127.0.0.1:1", service, patience=0.05) as bus,
        running(consumer_of(bus, service, log, projection, slow, metrics)),
    ):
        await asyncio.sleep(1.2)
        assert seconds() > 1.0
        log.away = False
        await eventually(lambda: len(projection.applied) == 3)
        await eventually(lambda: seconds() < 0.9)


async def test_a_dead_letter_is_counted(
    nats_url: str, service: str, log: FileLog, projection: Projection
) -> None:
    metrics, slow = Metrics(), Slow(projection, broken=2)
    slow.gate.set()
    async with (
        await Bus.connect(nats_url, service) as own,
        await Bus.connect(nats_url, f"{service}-hearer") as other,
    ):
        consumer = consumer_of(other, service, log, projection, slow, metrics)
        assert shown(metrics, "tally_dead_letters_total", source=service) == 0
        async with running(Relay(own, log, service), consumer):
            log.append(3)
            await eventually(lambda: 3 in projection.applied)
    assert shown(metrics, "tally_dead_letters_total", source=service) == 1


async def test_a_relay_without_its_broker_falls_behind(
    nats_server: EmbeddedNats, service: str, log: FileLog
) -> None:
    async with await Bus.connect(nats_server.url, service) as bus:
        relay = Relay(bus, log, service)
        async with running(relay):
            log.append(5)
            await eventually(lambda: relay.position == 5)
            assert relay.lag == 0
            nats_server.kill()
            log.append(7)
            await eventually(lambda: relay.lag == 7)


async def test_commits_and_how_many_share_one_are_measured(database: str) -> None:
    metrics = Metrics()
    async with open_store(database, metrics) as store:
        await asyncio.gather(*(store.append(append(f"match-{n}", 0)) for n in range(40)))
    commits = shown(metrics, "tally_append_seconds_count")
    assert 1 <= commits <= 40
    assert shown(metrics, "tally_append_seconds_sum") > 0
    assert shown(metrics, "tally_append_batch_size_count") == commits
    assert shown(metrics, "tally_append_batch_size_sum") == 40


async def test_a_lost_database_is_counted(postgres_url: str) -> None:
    metrics = Metrics()
    async with open_store(postgres_url, metrics) as store:
        await store.append(append("match-1", 0))
        assert shown(metrics, "tally_store_failures_total") == 0
        with psycopg.connect(postgres_url, autocommit=True) as admin:
            admin.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        with pytest.raises(StoreUnavailable):
            await store.append(append("match-1", 1))
        assert shown(metrics, "tally_store_failures_total") == 1
