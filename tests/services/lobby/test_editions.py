"""Tables that were opened for an edition: it may have a newer beside it, or be gone."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest
from grpc import StatusCode

from protos.tallystick.lobby.v1 import lobby_pb2 as pb
from services.lobby.offer import Offer
from services.lobby.starting import Patience
from services.lobby.timing import look_at_the_clock
from shared.engine.game import Game
from tests.engine.harbour import HARBOUR
from tests.engine.harbour_2 import BOTH, HARBOUR_2
from tests.services.lobby.world import World, fresh, lobby_world
from tests.services.refusals import refused

Release = Callable[[Game], AbstractAsyncContextManager[World]]

GONE = StatusCode.FAILED_PRECONDITION, "EDITION_NOT_INSTALLED"


@pytest.fixture
async def release(database_url: str, tmp_path: Path) -> AsyncIterator[Release]:
    """The lobby as a release with that Harbour, always on the same database."""
    yield lambda game: lobby_world(
        database_url,
        tmp_path,
        offer=Offer({"harbour": game}, {"random": "Random"}, lambda _: "Rules.\n"),
    )


async def listed(world: World) -> set[str]:
    client = await world.client("anyone")
    return {table.table_id for table in (await client.ListTables(pb.ListTablesRequest())).tables}


async def test_a_table_of_an_edition_that_is_gone_is_not_offered_and_cannot_start(
    release: Release,
) -> None:
    async with release(HARBOUR) as world:
        table = await world.table(owner="ada", players=2)
        quick = pb.QuickMatchRequest(game="harbour", players=2, command_id=fresh())
        waiting = (await (await world.client("ada")).QuickMatch(quick)).table
        assert await listed(world) == {table.table_id, waiting.table_id}
    async with release(HARBOUR_2) as world:
        ada, bob = await world.client("ada"), await world.client("bob")
        assert await listed(world) == set()
        join = pb.JoinTableRequest(table_id=table.table_id, command_id=fresh())
        with refused(*GONE, "edition 1 of 'harbour'") as why:
            await bob.JoinTable(join)
        assert why[0].metadata == {"game": "harbour", "edition": "1", "installed": "2"}
        with refused(*GONE, "Open a new table"):
            await ada.SeatBot(
                pb.SeatBotRequest(table_id=table.table_id, bot="random", command_id=fresh())
            )
        seen = (await ada.GetTable(pb.GetTableRequest(table_id=table.table_id))).table
        assert seen.edition == "1" and seen.version == table.version
        request = pb.QuickMatchRequest(game="harbour", players=2, command_id=fresh())
        other = (await bob.QuickMatch(request)).table
        assert other.table_id != waiting.table_id and other.edition == "2"
        leave = pb.LeaveTableRequest(table_id=table.table_id, command_id=fresh())
        assert (await ada.LeaveTable(leave)).table.status == pb.TABLE_STATUS_CLOSED
        full = await world.table(owner="ada", players=2)
        assert full.edition == "2" and await listed(world) == {full.table_id, other.table_id}


async def test_a_full_table_of_an_edition_that_is_gone_does_not_start(release: Release) -> None:
    plan = [pb.SeatPlan(kind=pb.SEAT_KIND_PLAYER), pb.SeatPlan(kind=pb.SEAT_KIND_BOT, bot="random")]
    async with release(HARBOUR) as world:
        table = await world.committed("ada", 2, seats=plan)
    start = pb.StartTableRequest(table_id=table.table_id, command_id=fresh())
    async with release(HARBOUR_2) as world:
        with refused(*GONE, "installed here are: 2"):
            await (await world.client("ada")).StartTable(start)
    async with release(BOTH) as world:
        ada = await world.client("ada")
        assert await listed(world) == {table.table_id}
        started = (await ada.StartTable(start)).table
        assert started.edition == "1" and started.status != pb.TABLE_STATUS_OPEN
        assert (await world.table(owner="ada")).edition == "2"


async def test_who_waits_for_an_earlier_edition_that_is_still_here_is_joined(
    release: Release,
) -> None:
    async with release(HARBOUR) as world:
        quick = pb.QuickMatchRequest(game="harbour", players=2, command_id=fresh())
        waiting = (await (await world.client("ada")).QuickMatch(quick)).table
    async with release(BOTH) as world:
        quick = pb.QuickMatchRequest(game="harbour", players=2, command_id=fresh())
        found = (await (await world.client("bob")).QuickMatch(quick)).table
        assert (found.table_id, found.edition) == (waiting.table_id, "1")
        games = (await (await world.client("bob")).ListGames(pb.ListGamesRequest())).games
        assert [(one.game, one.edition) for one in games] == [("harbour", "2")]


async def test_a_game_is_described_in_the_edition_of_the_match_that_is_shown(
    release: Release,
) -> None:
    async with release(BOTH) as world:
        client = await world.client("anyone")
        for edition, label, rounds in (("1", "Roll the die", "3"), ("2", "Try your luck", "2")):
            asked = pb.DescribeGameRequest(game="harbour", edition=edition)
            told = await client.DescribeGame(asked)
            assert told.game.edition == edition and told.messages["Gamble"] == label
            assert [one.default_choice for one in told.options] == [rounds]
        assert (
            await client.DescribeGame(pb.DescribeGameRequest(game="harbour"))
        ).game.edition == "2"
        with refused(*GONE, "here are: 2, 1"):
            await client.DescribeGame(pb.DescribeGameRequest(game="harbour", edition="3"))


async def test_time_orders_no_match_of_an_edition_that_is_gone(release: Release) -> None:
    patience = Patience(entropy=0, idle=3_600_000)
    async with release(HARBOUR) as world:
        table = await world.committed("ada", 2)
        join = pb.JoinTableRequest(table_id=table.table_id, command_id=fresh())
        await (await world.client("bob")).JoinTable(join)
        start = pb.StartTableRequest(table_id=table.table_id, command_id=fresh())
        await (await world.client("ada")).StartTable(start)
        assert (await world.types(table.table_id))[-1] == "called"
    async with release(HARBOUR_2) as world:
        await look_at_the_clock(world.lobby, patience)
        assert (await world.types(table.table_id))[-1] == "called"
    async with release(BOTH) as world:
        await look_at_the_clock(world.lobby, patience)
        assert (await world.types(table.table_id))[-1] == "started"
    async with release(HARBOUR) as world:
        forgotten = await world.table("ada", 2)
    async with release(HARBOUR_2) as world:
        await look_at_the_clock(world.lobby, Patience(entropy=0, idle=0))
        assert (await world.types(forgotten.table_id))[-1] == "closed"
