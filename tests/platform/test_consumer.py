"""The consumer against everything a broker and a database of its own can do to it."""

from __future__ import annotations

import asyncio
import shutil
import signal
import sys
from pathlib import Path

import pytest
from nats.js.errors import NotFoundError

from shared.platform.bus import Bus, Consumer, EpochChanged, Follower, LogGap, Relay
from shared.platform.bus.message import headers, stream_name, subject
from shared.platform.embedded.nats import EmbeddedNats
from shared.platform.store import LogEntry
from tests.platform.bus_world import (
    EPOCH,
    FileLog,
    Projection,
    eventually,
    looking,
    on_the_bus,
    running,
    up_to,
)

NEVER = 1000.0


@pytest.fixture
def log(tmp_path: Path) -> FileLog:
    return FileLog(tmp_path / "log.sqlite3")


@pytest.fixture
def projection(tmp_path: Path) -> Projection:
    return Projection(tmp_path / "projection.sqlite3")


def consumer_of(
    bus: Bus,
    service: str,
    log: FileLog,
    projection: Projection,
    *,
    handler: object = None,
    epoch: str = "",
    attempts: int = 5,
    poll_seconds: float = NEVER,
) -> Consumer:
    return Consumer(
        bus,
        name=f"test-{service}",
        service=service,
        handler=handler or projection.handle,  # type: ignore[arg-type]
        checkpoint=projection.checkpoint,
        read_log=log.read_log,
        dead_letter=projection.bury,
        epoch=epoch,
        attempts=attempts,
        retry_seconds=(0.01, 0.05),
        poll_seconds=poll_seconds,
    )


async def _applied(projection: Projection, last: int, seconds: float = 30.0) -> None:
    await eventually(lambda: len(projection.applied) >= last, seconds, f"{last} entries applied")


async def test_it_applies_every_entry_once_and_in_order(
    nats_url: str, service: str, log: FileLog, projection: Projection
) -> None:
    async with await Bus.connect(nats_url, service) as bus:
        consumer = consumer_of(bus, service, log, projection)
        async with running(Relay(bus, log, service), consumer):
            log.append(600)
            await _applied(projection, 600)
            log.append(3)
            await _applied(projection, 603)
        assert consumer.position == 603
        assert consumer.epoch == EPOCH
    assert projection.applied == up_to(603)


async def test_it_reads_messages_deleted_from_the_middle_from_the_log(
    nats_url: str, service: str, log: FileLog, projection: Projection
) -> None:
    async with await Bus.connect(nats_url, service) as bus:
        relay = Relay(bus, log, service, permanent=False)
        async with running(relay):
            log.append(20)
            await eventually(lambda: relay.position == 20)
        async with looking(nats_url) as js:
            for sequence in (1, 7, 8, 9, 15):
                await js.delete_msg(stream_name(service), sequence)
        blind = _BlindAtFirst(log)
        consumer = consumer_of(bus, service, blind, projection)
        async with running(consumer):
            await _applied(projection, 20)
    assert projection.applied == up_to(20)
    assert blind.asked == [0, 0, 6, 8, 14], "only what the bus did not bring"


class _BlindAtFirst:
    """A log that shows nothing to the look at the start, so that the bus has to bring it."""

    def __init__(self, log: FileLog) -> None:
        self._log = log
        self.asked: list[int] = []

    async def read_log(self, after: int, limit: int = 500) -> list[LogEntry]:
        self.asked.append(after)
        if len(self.asked) == 1:
            return []
        return await self._log.read_log(after, min(limit, 2))


async def test_a_damaged_message_is_replaced_by_the_log(
    nats_url: str, service: str, log: FileLog, projection: Projection
) -> None:
    """A bit flips on the broker's disk; and someone publishes what is not an entry at all."""
    log.append(3)
    entries = await log.read_log(0)
    async with await Bus.connect(nats_url, service) as bus:
        relay = Relay(bus, log, service)
        async with running(relay):
            await eventually(lambda: relay.position == 3)
        async with bus.session() as (_, js):
            log.append(2)
            (fourth, fifth) = await log.read_log(3)
            flipped = bytes([fourth.body[0] ^ 1]) + fourth.body[1:]
            name = subject(service, fourth)
            await js.publish(name, flipped, headers=headers(service, EPOCH, fourth))
            await js.publish(name, b"nonsense")
            await js.publish(name, fifth.body, headers=headers(service, EPOCH, fifth))
        async with running(consumer_of(bus, service, _BlindAtFirst(log), projection)):
            await _applied(projection, 5)
    assert len(entries) == 3
    assert projection.applied == up_to(5)


async def test_a_broker_set_back_to_older_files_repeats_nothing(
    nats_server: EmbeddedNats,
    service: str,
    log: FileLog,
    projection: Projection,
    tmp_path: Path,
) -> None:
    async with await Bus.connect(nats_server.url, service) as bus:
        consumer = consumer_of(bus, service, log, projection)
        async with running(Relay(bus, log, service), consumer):
            log.append(10)
            await _applied(projection, 10)
            nats_server.stop()
            shutil.copytree(nats_server.folder / "jetstream", tmp_path / "older")
            nats_server.start()
            log.append(10)
            await _applied(projection, 20)
            nats_server.kill()
            shutil.rmtree(nats_server.folder / "jetstream")
            shutil.copytree(tmp_path / "older", nats_server.folder / "jetstream")
            nats_server.start()
            log.append(5)
            await _applied(projection, 25)
    assert projection.applied == up_to(25)
    assert await on_the_bus(nats_server.url, service) == up_to(25)


async def test_a_poison_entry_is_put_aside_and_the_rest_flows(
    nats_url: str, service: str, log: FileLog, projection: Projection
) -> None:
    async def handle(entry: LogEntry) -> None:
        if entry.position in (4, 5):
            raise ValueError("indigestible")
        await projection.handle(entry)

    async with await Bus.connect(nats_url, service) as bus:
        consumer = consumer_of(bus, service, log, projection, handler=handle, attempts=3)
        async with running(Relay(bus, log, service), consumer):
            log.append(30)
            await _applied(projection, 28)
            log.append(1)
            await _applied(projection, 29)
    assert projection.applied == [p for p in up_to(31) if p not in (4, 5)]
    assert projection.dead == [(4, 3, "indigestible"), (5, 3, "indigestible")]


async def test_a_handler_that_fails_three_times_succeeds_at_the_fourth(
    nats_url: str, service: str, log: FileLog, projection: Projection
) -> None:
    failures = 0

    async def handle(entry: LogEntry) -> None:
        nonlocal failures
        if entry.position == 4 and failures < 3:
            failures += 1
            raise ConnectionError("the database blinks")
        await projection.handle(entry)

    async with await Bus.connect(nats_url, service) as bus:
        consumer = consumer_of(bus, service, log, projection, handler=handle)
        async with running(Relay(bus, log, service), consumer):
            log.append(10)
            await _applied(projection, 10)
    assert failures == 3
    assert projection.applied == up_to(10)
    assert projection.dead == []


async def test_a_failure_after_the_commit_does_not_apply_twice(
    nats_url: str, service: str, log: FileLog, projection: Projection
) -> None:
    """The commit went through and only its answer was lost: the checkpoint knows."""

    async def handle(entry: LogEntry) -> None:
        await projection.handle(entry)
        if entry.position == 4:
            raise ConnectionError("the answer to the commit was lost")

    async with await Bus.connect(nats_url, service) as bus:
        consumer = consumer_of(bus, service, log, projection, handler=handle)
        async with running(Relay(bus, log, service), consumer):
            log.append(10)
            await _applied(projection, 10)
    assert projection.applied == up_to(10)
    assert projection.dead == []


async def test_a_database_that_is_away_makes_no_dead_letters(
    nats_url: str, service: str, log: FileLog, projection: Projection
) -> None:
    away = False
    tries = 0

    async def handle(entry: LogEntry) -> None:
        nonlocal tries
        if away:
            tries += 1
            raise ConnectionError("no database")
        await projection.handle(entry)

    async def bury(entry: LogEntry, error: Exception, attempts: int) -> None:
        if away:
            raise ConnectionError("no database")
        await projection.bury(entry, error, attempts)

    async with await Bus.connect(nats_url, service) as bus:
        consumer = consumer_of(bus, service, log, projection, handler=handle, attempts=2)
        consumer._dead_letter = bury
        async with running(Relay(bus, log, service), consumer):
            log.append(3)
            await _applied(projection, 3)
            away = True
            log.append(3)
            await eventually(lambda: tries >= 6)
            away = False
            await _applied(projection, 6)
    assert projection.applied == up_to(6)
    assert projection.dead == []


_CONSUMER_PROCESS = """
import asyncio, os, signal, sys
from pathlib import Path
from shared.platform.bus import Bus, Consumer
from tests.platform.bus_world import FileLog, Projection

async def main(url, service, folder, fatal):
    log = FileLog(Path(folder) / "log.sqlite3")
    projection = Projection(Path(folder) / "projection.sqlite3")

    async def handle(entry):
        await projection.handle(entry)
        if entry.position == int(fatal):
            os.kill(os.getpid(), signal.SIGKILL)

    async def blind(after, limit):
        return []

    bus = await Bus.connect(url, service)
    await Consumer(
        bus, name=f"test-{service}", service=service, handler=handle,
        checkpoint=projection.checkpoint, read_log=blind, dead_letter=projection.bury,
    ).run()

asyncio.run(main(*sys.argv[1:]))
"""


async def test_killed_between_commit_and_acknowledgement_it_applies_nothing_twice(
    nats_url: str, service: str, log: FileLog, projection: Projection, tmp_path: Path
) -> None:
    log.append(40)
    async with await Bus.connect(nats_url, service) as bus:
        relay = Relay(bus, log, service)
        async with running(relay):
            await eventually(lambda: relay.position == 40)
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-c", _CONSUMER_PROCESS, nats_url, service, str(tmp_path), "17"
            )
            assert await asyncio.wait_for(process.wait(), 30) == -signal.SIGKILL
            assert projection.applied == up_to(17)
            log.append(3)
            async with running(consumer_of(bus, service, log, projection)):
                await _applied(projection, 43)
                await asyncio.sleep(0.2)
    assert projection.applied == up_to(43)


async def test_without_any_bus_it_follows_by_looking(
    nats_server: EmbeddedNats, service: str, log: FileLog, projection: Projection
) -> None:
    """The broker is down for the whole run: all that is lost is time."""
    nats_server.kill()
    log.append(700)
    async with await Bus.connect(nats_server.url, service, patience=0.05) as bus:
        consumer = consumer_of(bus, service, log, projection, poll_seconds=0.1)
        async with running(Relay(bus, log, service), consumer):
            await _applied(projection, 700)
            log.append(20)
            await _applied(projection, 720)
            log.away = True
            log.append(5)
            await asyncio.sleep(0.3)
            assert projection.applied == up_to(720)
            log.away = False
            await _applied(projection, 725)
    assert projection.applied == up_to(725)


async def test_it_comes_back_after_every_one_of_twenty_restarts(
    nats_server: EmbeddedNats, service: str, log: FileLog, projection: Projection
) -> None:
    """Under load, half of them crashes, and without the regular look into the log."""

    async def load() -> None:
        while True:
            log.append(5)
            await asyncio.sleep(0.02)

    async with await Bus.connect(nats_server.url, service) as bus:
        relay = Relay(bus, log, service)
        consumer = consumer_of(bus, service, log, projection)
        async with running(relay, consumer):
            loading = asyncio.create_task(load())
            try:
                for restart in range(20):
                    (nats_server.kill if restart % 2 else nats_server.stop)()
                    nats_server.start()
                    due = log.append()
                    await eventually(
                        lambda due=due: consumer.position >= due, 30, f"lag 0 after {restart}"
                    )  # type: ignore[misc]
            finally:
                loading.cancel()
            await _applied(projection, await log.last_position())
        assert bus.generation >= 20
    assert projection.applied == up_to(await log.last_position())


async def test_a_consumer_that_the_broker_forgot_is_declared_again(
    nats_url: str, service: str, log: FileLog, projection: Projection
) -> None:
    async with await Bus.connect(nats_url, service) as bus:
        consumer = consumer_of(bus, service, log, projection)
        async with running(Relay(bus, log, service), consumer):
            log.append(5)
            await eventually(lambda: _forgotten(nats_url, service))
            log.append(5)
            await _applied(projection, 10)
    assert projection.applied == up_to(10)


async def _forgotten(url: str, service: str) -> bool:
    async with looking(url) as js:
        try:
            return bool(await js.delete_consumer(stream_name(service), f"test-{service}"))
        except NotFoundError:
            return False  # not declared yet


async def test_it_refuses_entries_of_another_log(
    nats_url: str, service: str, log: FileLog, projection: Projection
) -> None:
    async with await Bus.connect(nats_url, service) as bus:
        async with running(Relay(bus, log, service)):
            log.append(3)
            await eventually(lambda: _count(nats_url, service, 3))
        consumer = consumer_of(bus, service, _BlindAtFirst(log), projection, epoch="the-old-log")
        with pytest.raises(EpochChanged, match=r"the-old-log.*Rebuild the projection"):
            await asyncio.wait_for(consumer.run(), 30)
    assert projection.applied == []


async def _count(url: str, service: str, count: int) -> bool:
    return len(await on_the_bus(url, service)) == count


async def test_it_refuses_a_log_with_a_hole(
    nats_url: str, service: str, log: FileLog, projection: Projection
) -> None:
    log.append(5)

    async def holey(after: int, limit: int) -> list[LogEntry]:
        return [entry for entry in await log.read_log(after, limit) if entry.position != 3]

    async with await Bus.connect(nats_url, service) as bus:
        consumer = consumer_of(bus, service, log, projection)
        consumer._read_log = holey
        with pytest.raises(LogGap, match="position 4 where 3 must follow"):
            await asyncio.wait_for(consumer.run(), 30)
    assert projection.applied == up_to(2)


async def test_a_follower_hears_of_new_entries_only(
    nats_server: EmbeddedNats, service: str, log: FileLog
) -> None:
    heard: list[int] = []
    told: list[int] = []
    log.append(5)
    async with (
        await Bus.connect(nats_server.url, service) as own,
        await Bus.connect(nats_server.url, f"{service}-other") as other,
    ):
        relay = Relay(own, log, service, heard=lambda entry: told.append(entry.position))
        follower = Follower(other, service, lambda entry: heard.append(entry.position))
        async with running(relay):
            await eventually(lambda: relay.position == 5)
            async with running(follower):
                await follower.ready.wait()
                log.append(3)
                await eventually(lambda: heard == [6, 7, 8] and relay.position == 8)
                nats_server.kill()
                await eventually(lambda: not follower.ready.is_set())
                nats_server.start()
                await eventually(follower.ready.is_set)
                log.append(40)
                await eventually(lambda: heard[-40:] == list(range(9, 49)))
                await eventually(lambda: told == up_to(48))


async def test_a_line_has_no_echo(nats_url: str, service: str, log: FileLog) -> None:
    """A service is not told over the bus what it said itself: that would cost it for nothing."""
    heard: list[int] = []
    async with await Bus.connect(nats_url, service) as bus:
        relay = Relay(bus, log, service)
        follower = Follower(bus, service, lambda entry: heard.append(entry.position))
        async with running(relay, follower):
            await follower.ready.wait()
            log.append(3)
            await eventually(lambda: relay.position == 3)
            async with bus.session() as (client, _):
                await client.flush()
    assert heard == []
