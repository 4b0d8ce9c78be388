"""Workers end when they are told to, though libraries below them may swallow the news."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import pytest

from shared.platform.bus import Bus, BusDown, Consumer, Relay
from shared.platform.embedded.nats import EmbeddedNats
from shared.platform.store import LogEntry
from tests.platform.bus_world import FileLog, Projection, eventually


async def _deaf() -> None:
    """What `asyncio.wait_for` of Python 3.11 does at times."""
    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.sleep(30)


async def test_a_session_ends_its_task_after_a_swallowed_cancellation(
    nats_url: str, service: str
) -> None:
    async with await Bus.connect(nats_url, service) as bus:

        async def work() -> None:
            async with bus.session():
                await _deaf()
            raise AssertionError("went on after the session")

        task = asyncio.create_task(work())
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(task, 30)


async def test_a_dropped_line_is_not_swallowed_either(
    nats_server: EmbeddedNats, service: str
) -> None:
    async with await Bus.connect(nats_server.url, service) as bus:

        async def work() -> None:
            async with bus.session():
                await _deaf()

        task = asyncio.create_task(work())
        await asyncio.sleep(0.05)
        nats_server.kill()
        with pytest.raises(BusDown):
            await asyncio.wait_for(task, 30)


async def test_a_relay_over_a_deaf_store_ends(
    nats_url: str, service: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = FileLog(tmp_path / "log.sqlite3")
    waiting = asyncio.Event()

    async def positions_after(after: int, timeout: float) -> int:
        waiting.set()
        await _deaf()
        return after

    monkeypatch.setattr(log, "positions_after", positions_after)
    async with await Bus.connect(nats_url, service) as bus:
        task = asyncio.create_task(Relay(bus, log, service).run())
        await asyncio.wait_for(waiting.wait(), 30)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(task, 30)


async def test_a_consumer_with_a_deaf_handler_ends(
    nats_url: str, service: str, tmp_path: Path
) -> None:
    log = FileLog(tmp_path / "log.sqlite3")
    projection = Projection(tmp_path / "projection.sqlite3")
    handling = asyncio.Event()

    async def handle(entry: LogEntry) -> None:
        handling.set()
        await _deaf()
        await projection.handle(entry)

    log.append(1)
    async with await Bus.connect(nats_url, service) as bus:
        consumer = Consumer(
            bus,
            name=f"test-{service}",
            service=service,
            handler=handle,
            checkpoint=projection.checkpoint,
            read_log=log.read_log,
            dead_letter=projection.bury,
        )
        task = asyncio.create_task(consumer.run())
        await asyncio.wait_for(handling.wait(), 30)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(task, 30)
    assert projection.applied == [1], "what was begun was finished"


async def test_hanging_up_does_not_wait_for_a_broker_that_is_away(
    nats_server: EmbeddedNats, service: str
) -> None:
    bus = await Bus.connect(nats_server.url, service)
    nats_server.kill()
    await eventually(lambda: not bus.connected)
    await asyncio.wait_for(bus.close(), 30)
    never = await Bus.connect(nats_server.url, service, patience=0.01)
    await asyncio.wait_for(never.close(), 30)
