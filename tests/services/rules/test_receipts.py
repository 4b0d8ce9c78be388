"""What a command that is repeated after weeks is told: the first answer, or that all is over."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from grpc import StatusCode

from protos.tallystick.match.v1 import match_pb2
from protos.tallystick.rules.v1 import rules_pb2 as pb
from shared.platform.embedded.nats import EmbeddedNats
from shared.platform.store import open_store
from tests.services.refusals import refused
from tests.services.rules.desk import Desk, asked_of, open_desk
from tests.services.rules.world import World, open_world

DAY = 24 * 3600


@pytest.fixture
async def world(database_url: str, tmp_path: Path) -> AsyncIterator[World]:
    """Rules that are not started yet."""
    with EmbeddedNats(tmp_path / "nats") as nats:
        async with open_world(tmp_path, database_url, nats.url, start=False) as made:
            yield made


async def played(desk: Desk, command_id: str, over: bool) -> tuple[str, str, pb.PlayMoveResponse]:
    """A match in which ann has answered her first decision: its id, the decision, the answer."""
    match_id = await desk.start(["ann", "ben"])
    decision_id = asked_of(await desk.book.current(match_id), 0)
    answer = await desk.play("ann", match_id, decision_id, "bid 1", command_id)
    if over:
        await desk.play_on(match_id)
        assert (await desk.match(match_id)).closed is not None
    return match_id, decision_id, answer


async def test_a_process_forgets_receipts_in_time_and_never_carries_out_twice(
    world: World, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_desk(database_url) as desk:
        now = time.time
        monkeypatch.setattr(time, "time", lambda: now() - 31 * DAY)
        old = await played(desk, "c-old", over=True)
        running = await played(desk, "c-running", over=False)
        monkeypatch.setattr(time, "time", lambda: now() - 29 * DAY)
        young = await played(desk, "c-young", over=True)
        monkeypatch.undo()
        before = (await desk.match(old[0])).version
    world.rules.start()
    await world.rules.ready()
    async with open_store(database_url) as store, asyncio.timeout(60):
        while await store.receipt("ann", "c-old") is not None:
            await asyncio.sleep(0.05)
    ann = world.player("ann")
    for (match_id, decision_id, first), command_id in ((running, "c-running"), (young, "c-young")):
        assert await ann.play(match_id, decision_id, "bid 1", command_id) == first
    match_id, decision_id, _ = old
    for _ in range(2):
        with refused(StatusCode.FAILED_PRECONDITION, "MATCH_OVER"):
            await ann.play(match_id, decision_id, "bid 1", "c-old")
    view = await ann.view(match_id)
    assert view.version == before and view.status == match_pb2.MATCH_STATUS_OVER
