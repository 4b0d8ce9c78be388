"""Tables that nobody touches are closed in the end, and only those."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from grpc import StatusCode

from protos.tallystick.lobby.v1 import lobby_pb2 as pb
from services.lobby.app import Lobby
from services.lobby.starting import Patience, begin
from services.lobby.timing import keep_time, look_at_the_clock
from shared.platform.settings import TableSettings
from tests.services.lobby.test_once import caught_up, restarted
from tests.services.lobby.world import OFFER, World, fresh, lobby_world
from tests.services.refusals import refused

DAY = 24 * 3_600_000
PATIENCE = Patience(entropy=10_000, idle=DAY)
BOTS = [pb.SeatPlan(kind=pb.SEAT_KIND_BOT, bot="random")] * 2


@pytest.fixture
def now() -> list[int]:
    return [1_000_000]


@pytest.fixture
async def timed(database_url: str, tmp_path: Path, now: list[int]) -> AsyncIterator[World]:
    """A lobby whose clock is `now`, over each kind of database."""
    async with lobby_world(database_url, tmp_path, clock=lambda: now[0]) as made:
        yield made


async def shown(world: World, table_id: str) -> pb.Table:
    client = await world.client("ada")
    return (await client.GetTable(pb.GetTableRequest(table_id=table_id))).table


async def test_a_table_that_nobody_changes_for_a_day_is_closed(
    timed: World, now: list[int]
) -> None:
    assert TableSettings().idle_table_hours * 3_600_000 == DAY
    opened = now[0]
    idle, used = await timed.table("ada", 3), await timed.table("ada", 3)
    bob = await timed.client("bob")
    now[0] += DAY - 1
    await bob.JoinTable(pb.JoinTableRequest(table_id=used.table_id, command_id=fresh()))
    await look_at_the_clock(timed.lobby, PATIENCE)
    assert (await shown(timed, idle.table_id)).status == pb.TABLE_STATUS_OPEN
    now[0] += 1
    await look_at_the_clock(timed.lobby, PATIENCE)

    closed = await shown(timed, idle.table_id)
    assert (closed.status, closed.closed_reason) == (pb.TABLE_STATUS_CLOSED, "expired")
    assert closed.changed_at.ToMilliseconds() == opened + DAY
    assert await timed.types(idle.table_id) == ["opened", "closed"]
    listed = (await bob.ListTables(pb.ListTablesRequest())).tables
    assert [(t.table_id, t.changed_at.ToMilliseconds()) for t in listed] == [
        (used.table_id, opened + DAY - 1)
    ]
    ada = await timed.client("ada")
    mine = (await ada.ListTables(pb.ListTablesRequest(filter=pb.TABLE_FILTER_MINE))).tables
    assert {t.table_id: t.closed_reason for t in mine} == {
        idle.table_id: "expired", used.table_id: "",
    }  # fmt: skip
    with refused(StatusCode.FAILED_PRECONDITION, "TABLE_NOT_OPEN", "closed"):
        await bob.JoinTable(pb.JoinTableRequest(table_id=idle.table_id, command_id=fresh()))
    again = await restarted(timed)
    assert again.directory.find(idle.table_id) == timed.lobby.directory.find(idle.table_id)


async def test_a_match_is_never_too_old_and_a_waiting_quick_table_is(
    timed: World, now: list[int]
) -> None:
    playing = await timed.committed("ada", 2, seats=BOTS)
    ada, bob = await timed.client("ada"), await timed.client("bob")
    start = pb.StartTableRequest(table_id=playing.table_id, command_id=fresh())
    await ada.StartTable(start)
    ordered = await timed.committed("ada", 2, seats=BOTS)
    start = pb.StartTableRequest(table_id=ordered.table_id, command_id=fresh())
    await ada.StartTable(start)
    await timed.lobby.note(playing.table_id, begin)
    quick = pb.QuickMatchRequest(game="harbour", players=2, command_id=fresh())
    waiting = (await bob.QuickMatch(quick)).table
    now[0] += 30 * DAY
    await look_at_the_clock(timed.lobby, PATIENCE)
    assert (await shown(timed, playing.table_id)).status == pb.TABLE_STATUS_PLAYING
    assert (await shown(timed, ordered.table_id)).status == pb.TABLE_STATUS_STARTING
    assert (await shown(timed, waiting.table_id)).closed_reason == "expired"
    quick.command_id = fresh()
    assert (await bob.QuickMatch(quick)).table.table_id != waiting.table_id


async def test_two_processes_close_a_table_once(timed: World, now: list[int]) -> None:
    table = await timed.table("ada", 2)
    other = Lobby(timed.store, OFFER, clock=lambda: now[0])
    await other.load()
    await caught_up(timed, other)
    now[0] += DAY
    lobbies = (timed.lobby, other)
    await asyncio.gather(*(look_at_the_clock(lobby, PATIENCE) for lobby in lobbies * 3))
    assert await timed.types(table.table_id) == ["opened", "closed"]


async def test_the_clock_is_looked_at_by_itself(timed: World) -> None:
    table = await timed.table("ada", 2)
    keeping = asyncio.create_task(keep_time(timed.lobby, Patience(entropy=0, idle=0)))
    try:
        async with asyncio.timeout(30):
            while (await shown(timed, table.table_id)).closed_reason != "expired":
                await asyncio.sleep(0.05)
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
