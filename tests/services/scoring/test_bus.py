"""Following rules over a real bus: doubles, holes, restarts and sudden death leave no mark."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from nats.js.errors import NotFoundError

from services.scoring.projection import Projection
from shared.platform.bus import Bus, EpochChanged, Relay, stream_name
from shared.platform.embedded.nats import EmbeddedNats
from shared.platform.embedded.postgres import free_port
from shared.platform.store import Store
from shared.platform.telemetry import Metrics
from tests.platform.bus_world import looking
from tests.services.scoring.matches import Play, interleaved, played
from tests.services.scoring.test_fold import season
from tests.services.scoring.world import (
    Rows,
    Scoring,
    Served,
    all_rows,
    append,
    scoring_over,
    served,
    until,
)

ROOT = Path(__file__).resolve().parents[3]


@asynccontextmanager
async def relaying(url: str, store: Store) -> AsyncIterator[None]:
    """The relay of rules, for a while."""
    async with await Bus.connect(url, "rules") as bus:
        task = asyncio.create_task(Relay(bus, store, "rules", permanent=False).run())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


@asynccontextmanager
async def following(url: str, world: Served, projection: Projection) -> AsyncIterator[Any]:
    """Scoring's follower, for a while; gives its task."""
    follower = await world.follower(projection)
    async with await Bus.connect(url, "scoring") as bus:
        task = asyncio.create_task(follower.run(bus, Metrics()))
        try:
            yield task
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def expected(tmp_path: Path, store: Store) -> Rows:
    """The rows that the log gives when it is simply folded."""
    async with scoring_over(f"sqlite:///{tmp_path / 'expected.db'}") as plain:
        entries = await store.read_log(0, 10_000)
        plain.projection.apply(entries, "")
        return plain.rows()


async def reached(scoring: Scoring, store: Store) -> None:
    head = await store.last_position()
    await until(lambda: scoring.projection.progress()[1] == head, what=f"position {head}")


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[Served]:
    async with served(tmp_path) as made:
        yield made


async def test_what_is_appended_is_counted_at_once(
    scoring: Scoring, world: Served, nats_server: EmbeddedNats, tmp_path: Path
) -> None:
    records = interleaved(season())
    half = len(records) // 2
    await append(world.store, records[:half])
    async with (
        relaying(nats_server.url, world.store),
        following(nats_server.url, world, scoring.projection),
    ):
        await append(world.store, records[half:])
        await reached(scoring, world.store)
        async with looking(nats_server.url) as js:
            await _declared(js, stream_name("rules"))
        for number in range(20):  # a record may come by the log before the bus brings it
            await append(world.store, played(f"heard{number}", "ada", "bob").records)
            await reached(scoring, world.store)
            if scoring.projection.progress()[0]:
                break
    assert scoring.rows() == await expected(tmp_path, world.store)
    assert scoring.projection.progress()[0] == world.store.epoch


async def test_messages_lost_and_brought_twice_change_nothing(
    light: Scoring, world: Served, nats_server: EmbeddedNats, tmp_path: Path
) -> None:
    records = interleaved(season())
    await append(world.store, records)
    follower = await world.follower(light.projection)
    read, away = follower._read_log, True

    async def sometimes(after: int, limit: int) -> Any:
        if away:
            raise ConnectionError("rules is away")
        return await read(after, limit)

    follower._read_log = sometimes
    async with (
        relaying(nats_server.url, world.store),
        looking(nats_server.url) as js,
        await Bus.connect(nats_server.url, "scoring") as bus,
    ):
        name = stream_name("rules")
        async with asyncio.timeout(30):
            while not await _has_messages(js, name, len(records)):
                await asyncio.sleep(0.02)
        for sequence in (8, 9, 20, 41):
            await js.delete_msg(name, sequence)
        task = asyncio.create_task(follower.run(bus, Metrics()))
        await until(lambda: light.projection.progress()[1] == 7, what="the first hole")
        away = False
        await reached(light, world.store)
        # The broker forgets who has read what, and brings everything once more.
        await js.delete_consumer(name, "scoring-rules")
        await append(world.store, played("late", "ada", "bob").records)
        await reached(light, world.store)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    assert light.rows() == await expected(tmp_path, world.store)


async def test_without_a_bus_scoring_is_late_but_complete(
    light: Scoring, world: Served, tmp_path: Path
) -> None:
    await append(world.store, played("m1", "ada", "bob").records)
    async with following("nats://127.0.0.1:1", world, light.projection):
        await reached(light, world.store)
        await append(world.store, played("m2", "ada", "bob").records)
        await reached(light, world.store)
    assert light.rows() == await expected(tmp_path, world.store)


async def test_a_restart_goes_on_where_it_stood(
    scoring: Scoring, world: Served, nats_server: EmbeddedNats, tmp_path: Path
) -> None:
    play = Play("m", ("ada", "bob", "cyd")).steps(5)
    await append(world.store, play.records)
    async with relaying(nats_server.url, world.store):
        async with following(nats_server.url, world, scoring.projection):
            await reached(scoring, world.store)
        await append(world.store, play.to_the_end().records[6:])
        async with following(nats_server.url, world, scoring.projection):
            await reached(scoring, world.store)
    assert scoring.rows() == await expected(tmp_path, world.store)


async def test_two_followers_at_once_count_everything_once(
    database_url: str, scoring: Scoring, world: Served, nats_server: EmbeddedNats, tmp_path: Path
) -> None:
    async with (
        scoring_over(database_url) as second,
        relaying(nats_server.url, world.store),
        following(nats_server.url, world, scoring.projection),
        following(nats_server.url, world, second.projection),
    ):
        await append(world.store, interleaved(season())[:60])
        await reached(scoring, world.store)
    assert scoring.rows() == await expected(tmp_path, world.store)


async def test_the_log_of_another_server_is_not_mixed_in(
    light: Scoring, world: Served, nats_server: EmbeddedNats, tmp_path: Path
) -> None:
    await append(world.store, played("m", "ada", "bob").records)
    light.projection.apply(await world.store.read_log(0, 5), "another-log")
    before = light.rows()
    async with relaying(nats_server.url, world.store):
        follower = await world.follower(light.projection)
        follower._read_log = _nothing  # type: ignore[assignment]
        async with await Bus.connect(nats_server.url, "scoring") as bus:
            with pytest.raises(EpochChanged, match="Rebuild"):
                await asyncio.wait_for(follower.run(bus, Metrics()), 30)
    assert light.rows() == before


async def _has_messages(js: Any, stream: str, count: int) -> bool:
    try:
        return bool((await js.stream_info(stream)).state.messages == count)
    except NotFoundError:
        return False


async def _declared(js: Any, stream: str) -> None:
    """Wait until the broker knows scoring."""
    for _ in range(100):
        if [one.name for one in await js.consumers_info(stream)] == ["scoring-rules"]:
            return
        await asyncio.sleep(0.05)
    raise AssertionError("scoring does not listen to the bus")


async def _nothing(after: int, limit: int) -> list[Any]:
    return []


async def test_a_rebuild_from_the_served_log_gives_every_row_again(
    scoring: Scoring, world: Served
) -> None:
    await append(world.store, interleaved(season()))
    follower = await world.follower(scoring.projection)
    await follower.catch_up()
    before = scoring.rows()
    with scoring.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE ratings SET mu = 99, ordinal = 99")
        connection.exec_driver_sql("UPDATE sheets SET final = NOT final")
    assert scoring.rows() != before
    assert await follower.rebuild() == await world.store.last_position()
    assert scoring.rows() == before


class Process:
    """One scoring process over this test's data."""

    def __init__(self, folder: Path, database: str, nats_url: str, world: Served) -> None:
        self.log = folder / "scoring.log"
        self.environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("TALLY_")},
            "TALLY_DATA_DIR": str(folder),
            "TALLY_DATABASE_URL": database,
            "TALLY_NATS_URL": nats_url,
            "TALLY_LISTEN": f"127.0.0.1:{free_port()}",
            "TALLY_RULES_ADDRESS": f"127.0.0.1:{world.port}",
            "TALLY_DEV_AUTH": "true",
        }

    @property
    def starts(self) -> int:
        """How often it has come up."""
        return self.log.read_text().count('"listening"')

    async def run(self, *arguments: str, **environment: str) -> asyncio.subprocess.Process:
        with self.log.open("ab") as log:
            return await asyncio.create_subprocess_exec(
                sys.executable, "-m", "tests.services.scoring.process", *arguments,
                cwd=ROOT, env={**self.environment, **environment},
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip


async def test_kill_9_between_commit_and_ack_has_no_double_effect(
    database_url: str, scoring: Scoring, world: Served, nats_server: EmbeddedNats, tmp_path: Path
) -> None:
    made = Process(tmp_path, database_url, nats_server.url, world)
    play = played("m1", "ada", "bob")
    async with relaying(nats_server.url, world.store):
        first = await made.run(TALLY_TEST_CRASHPOINT="before-ack")
        try:
            await until(lambda: made.starts == 1, 60, "the first start")
            await append(world.store, play.records)
            assert await asyncio.wait_for(first.wait(), 30) == -9
        finally:
            if first.returncode is None:
                first.kill()
        _, position = scoring.projection.progress()
        assert position > 0
        second = await made.run()
        try:
            await until(lambda: made.starts == 2, 60, "the second start")
            await reached(scoring, world.store)
            await append(world.store, played("m2", "ada", "bob").records)
            await reached(scoring, world.store)
        finally:
            second.terminate()
            await asyncio.wait_for(second.wait(), 30)
    assert second.returncode == 0, made.log.read_text()
    assert scoring.rows() == await expected(tmp_path, world.store)
    board = await scoring.queries.leaderboard("harbour", 0, 10)
    assert [one.matches for one in board] == [2, 2]

    before = all_rows(scoring.engine)
    again = await made.run("rebuild")
    assert await asyncio.wait_for(again.wait(), 60) == 0, made.log.read_text()
    head = await world.store.last_position()
    assert f"rebuilt up to position {head}" in made.log.read_text()
    assert all_rows(scoring.engine) == before
