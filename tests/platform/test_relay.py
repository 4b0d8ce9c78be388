"""The relay against a real broker that is killed, emptied, set back and doubled."""

from __future__ import annotations

import asyncio
import shutil
import signal
import sys
from pathlib import Path

import pytest

from shared.engine.record import open_record
from shared.platform.bus import Bus, BusDown, ForeignStream, Relay, stream_name, subject
from shared.platform.embedded.nats import EmbeddedNats
from tests.platform.bus_world import FileLog, eventually, looking, on_the_bus, running, up_to


@pytest.fixture
def log(tmp_path: Path) -> FileLog:
    return FileLog(tmp_path / "log.sqlite3")


async def _published(relay: Relay, position: int, seconds: float = 10.0) -> None:
    await eventually(lambda: relay.position >= position, seconds, f"relay at {position}")


async def test_it_publishes_everything_in_order(nats_url: str, service: str, log: FileLog) -> None:
    log.append(700)
    async with await Bus.connect(nats_url, service) as bus:
        relay = Relay(bus, log, service)
        async with running(relay):
            await _published(relay, 700)
            log.append(5)
            await _published(relay, 705)
        assert relay.lag == 0
    assert await on_the_bus(nats_url, service) == up_to(705)


async def test_a_message_is_a_cloud_event_with_the_stored_bytes(
    nats_url: str, service: str, log: FileLog
) -> None:
    log.append(2, at=1_700_000_000_123)
    async with await Bus.connect(nats_url, service) as bus:
        relay = Relay(bus, log, service)
        async with running(relay):
            await _published(relay, 2)
    async with looking(nats_url) as js:
        message = await js.get_msg(stream_name(service), 2)
    (entry,) = await log.read_log(1, 1)
    assert message.subject == f"tally.v1.{service}.match.2.move" == subject(service, entry)
    assert message.data == entry.body
    assert open_record(message.data).version == 1
    expected = {
        "ce-specversion": "1.0",
        "ce-id": f"{log.epoch}:2",
        "ce-source": f"urn:tallystick:{service}",
        "ce-type": f"tally.v1.{service}.move",
        "ce-subject": "match-2",
        "ce-time": "2023-11-14T22:13:20.123Z",
        "Tally-Position": "2",
        "Tally-Version": "1",
        "Tally-Hash": entry.hash,
        "Nats-Msg-Id": f"{log.epoch}:2",
        "Nats-Expected-Last-Sequence": "1",
    }
    assert {name: message.headers[name] for name in expected} == expected


async def test_a_crashed_broker_gets_the_rest_when_it_is_back(
    nats_server: EmbeddedNats, service: str, log: FileLog
) -> None:
    async with await Bus.connect(nats_server.url, service) as bus:
        relay = Relay(bus, log, service)
        async with running(relay):
            for _ in range(3):
                log.append(300)
                await eventually(lambda: relay.position > 0)
                nats_server.kill()
                log.append(50)
                nats_server.start()
            await _published(relay, 1050)
    assert await on_the_bus(nats_server.url, service) == up_to(1050)


async def test_a_broker_set_back_to_older_files_is_filled_again(
    nats_server: EmbeddedNats, service: str, log: FileLog, tmp_path: Path
) -> None:
    async with await Bus.connect(nats_server.url, service) as bus:
        relay = Relay(bus, log, service)
        async with running(relay):
            log.append(10)
            await _published(relay, 10)
            nats_server.stop()
            shutil.copytree(nats_server.folder / "jetstream", tmp_path / "older")
            nats_server.start()
            log.append(10)
            await _published(relay, 20)
            nats_server.kill()
            shutil.rmtree(nats_server.folder / "jetstream")
            shutil.copytree(tmp_path / "older", nats_server.folder / "jetstream")
            nats_server.start()
            await eventually(lambda: _is_on_the_bus(nats_server.url, service, 20))
    assert await on_the_bus(nats_server.url, service) == up_to(20)


async def test_a_broker_that_lost_everything_is_filled_again(
    nats_server: EmbeddedNats, service: str, log: FileLog
) -> None:
    async with await Bus.connect(nats_server.url, service) as bus:
        relay = Relay(bus, log, service)
        async with running(relay):
            log.append(20)
            await _published(relay, 20)
            nats_server.kill()
            shutil.rmtree(nats_server.folder / "jetstream")
            nats_server.start()
            await eventually(lambda: _is_on_the_bus(nats_server.url, service, 20))
    assert await on_the_bus(nats_server.url, service) == up_to(20)


async def _is_on_the_bus(url: str, service: str, position: int) -> bool:
    found = await on_the_bus(url, service)
    return bool(found) and found[-1] == position


@pytest.mark.parametrize("more", [2, 100], ids=["single messages", "a batch"])
async def test_messages_that_vanish_from_the_end_do_not_stop_it(
    nats_url: str, service: str, log: FileLog, more: int
) -> None:
    """The broker refuses to take a known id again: those stay holes, later entries flow."""
    log.append(6)
    async with await Bus.connect(nats_url, service) as bus:
        relay = Relay(bus, log, service, permanent=False)
        async with running(relay):
            await _published(relay, 6)
        async with looking(nats_url) as js:
            for sequence in (5, 6):
                await js.delete_msg(stream_name(service), sequence)
        last = log.append(more)
        again = Relay(bus, log, service, permanent=False)
        async with running(again):
            await _published(again, last)
    assert await on_the_bus(nats_url, service) == [p for p in up_to(last) if p not in (5, 6)]


async def test_an_emptied_stream_is_not_filled_with_old_entries(
    nats_url: str, service: str, log: FileLog
) -> None:
    """A week of silence empties the stream by age; that is no loss."""
    log.append(6)
    async with await Bus.connect(nats_url, service) as bus:
        relay = Relay(bus, log, service, permanent=False)
        async with running(relay):
            await _published(relay, 6)
        async with looking(nats_url) as js:
            await js.purge_stream(stream_name(service))
        log.append(2)
        again = Relay(bus, log, service, permanent=False)
        async with running(again):
            await _published(again, 8)
    assert await on_the_bus(nats_url, service) == [7, 8]


async def test_a_permanent_stream_refuses_deletion(
    nats_url: str, service: str, log: FileLog
) -> None:
    log.append(2)
    async with await Bus.connect(nats_url, service) as bus:
        relay = Relay(bus, log, service)
        async with running(relay):
            await _published(relay, 2)
    async with looking(nats_url) as js:
        with pytest.raises(Exception, match="delete not permitted"):
            await js.delete_msg(stream_name(service), 1)
        with pytest.raises(Exception, match="purge not permitted"):
            await js.purge_stream(stream_name(service))


@pytest.mark.parametrize("count", [15, 60], ids=["single messages", "batches"])
async def test_two_relays_at_once_are_harmless(
    nats_url: str, service: str, log: FileLog, count: int
) -> None:
    last = 20 * count
    async with (
        await Bus.connect(nats_url, service) as one,
        await Bus.connect(nats_url, service) as two,
    ):
        first = Relay(one, log, service, standby_seconds=0.05)
        second = Relay(two, log, service, standby_seconds=0.05)
        async with running(first, second):
            for _ in range(20):
                log.append(count)
                await asyncio.sleep(0.02)
            await _published(first, last)
            await _published(second, last)
    assert await on_the_bus(nats_url, service) == up_to(last)


_RELAY_PROCESS = """
import asyncio, sys
from pathlib import Path
from shared.platform.bus import Bus, Relay
from tests.platform.bus_world import FileLog

async def main(url, service, file, window):
    bus = await Bus.connect(url, service)
    await Relay(bus, FileLog(Path(file)), service, window=int(window)).run()

asyncio.run(main(*sys.argv[1:]))
"""


async def test_a_relay_killed_while_publishing_loses_and_doubles_nothing(
    nats_url: str, service: str, log: FileLog, tmp_path: Path
) -> None:
    """Killed at any point between sending and knowing: the stream itself is the cursor."""
    last = log.append(1200)
    for window in ("20", "60"):  # single messages, then batches
        arguments = (nats_url, service, str(tmp_path / "log.sqlite3"), window)
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", _RELAY_PROCESS, *arguments
        )
        before = await _stream_length(nats_url, service)
        await eventually(lambda b=before: _grew(nats_url, service, b), 20)  # type: ignore[misc]
        process.send_signal(signal.SIGKILL)
        await process.wait()
    assert await _stream_length(nats_url, service) < last, "killed too late to prove anything"
    async with await Bus.connect(nats_url, service) as bus:
        relay = Relay(bus, log, service)
        async with running(relay):
            await _published(relay, last)
    assert await on_the_bus(nats_url, service) == up_to(last)


async def _stream_length(url: str, service: str) -> int:
    async with looking(url) as js:
        try:
            return int((await js.stream_info(stream_name(service))).state.messages)
        except Exception:
            return 0


async def _grew(url: str, service: str, before: int) -> bool:
    return await _stream_length(url, service) > before


async def test_it_refuses_the_stream_of_another_log(
    nats_url: str, service: str, log: FileLog, tmp_path: Path
) -> None:
    log.append(3)
    other = FileLog(tmp_path / "other.sqlite3", epoch="another-epoch")
    other.append(5)
    async with await Bus.connect(nats_url, service) as bus:
        relay = Relay(bus, log, service)
        async with running(relay):
            await _published(relay, 3)
        with pytest.raises(ForeignStream, match=r"another-epoch.*nats stream rm TALLY_"):
            await asyncio.wait_for(Relay(bus, other, service).run(), 30)
        assert await on_the_bus(nats_url, service) == up_to(3)

        newcomer = Relay(bus, other, service, replace_foreign=True)
        async with running(newcomer):
            await _published(newcomer, 5)
    assert await on_the_bus(nats_url, service) == up_to(5)


async def test_it_refuses_to_publish_a_log_that_went_back(
    nats_url: str, service: str, log: FileLog
) -> None:
    log.append(9)
    async with await Bus.connect(nats_url, service) as bus:
        relay = Relay(bus, log, service)
        async with running(relay):
            await _published(relay, 9)
        log.cut(after=6)
        with pytest.raises(ForeignStream, match="ends at position 9, this log already at 6"):
            await asyncio.wait_for(Relay(bus, log, service).run(), 30)
        log.append(5, move="something else")
        with pytest.raises(ForeignStream, match="position 9 has another hash"):
            await asyncio.wait_for(Relay(bus, log, service).run(), 30)
    assert await on_the_bus(nats_url, service) == up_to(9)


async def test_an_entry_too_large_for_the_bus_does_not_stop_it(
    nats_url: str, service: str, log: FileLog
) -> None:
    log.append(2)
    log.append(1, move="x" * 1_100_000)
    log.append(2)
    async with await Bus.connect(nats_url, service) as bus:
        relay = Relay(bus, log, service)
        async with running(relay):
            await _published(relay, 5)
    assert await on_the_bus(nats_url, service) == [1, 2, 4, 5]


async def test_it_survives_a_database_that_is_away(
    nats_url: str, service: str, log: FileLog
) -> None:
    log.away = True
    log.append(3)
    async with await Bus.connect(nats_url, service) as bus:
        relay = Relay(bus, log, service)
        async with running(relay):
            await eventually(lambda: log.reads >= 2)
            assert relay.position == 0
            log.away = False
            await _published(relay, 3)
    assert await on_the_bus(nats_url, service) == up_to(3)


async def test_nothing_is_kept_for_later_while_the_line_is_down(
    nats_server: EmbeddedNats, service: str
) -> None:
    async with await Bus.connect(nats_server.url, service) as bus:
        async with bus.session() as (client, _):
            await client.flush()
        nats_server.kill()
        await eventually(lambda: not bus.connected)
        with pytest.raises(BusDown):
            async with bus.session():
                pass
        with pytest.raises(Exception, match="connection closed"):
            await client.publish("anything", b"")
        nats_server.start()
        assert await bus.wait_connected(5)
        assert bus.generation == 2


async def test_a_session_ends_when_the_line_drops(nats_server: EmbeddedNats, service: str) -> None:
    async with await Bus.connect(nats_server.url, service) as bus:

        async def wait_for_ever() -> None:
            async with bus.session():
                nats_server.kill()
                await asyncio.Event().wait()

        with pytest.raises(BusDown):
            await asyncio.wait_for(wait_for_ever(), 30)


async def test_a_service_starts_without_its_bus(
    nats_server: EmbeddedNats, service: str, log: FileLog
) -> None:
    nats_server.kill()
    log.append(3)
    async with await Bus.connect(nats_server.url, service, patience=0.1) as bus:
        assert not bus.connected
        relay = Relay(bus, log, service)
        async with running(relay):
            await asyncio.sleep(0.2)
            nats_server.start()
            await _published(relay, 3)
    assert await on_the_bus(nats_server.url, service) == up_to(3)
