"""Quick match: one ticket for each account and mode, and never a match against oneself."""

from __future__ import annotations

import asyncio
import random
from collections import Counter

from grpc import StatusCode, aio

from protos.tallystick.lobby.v1 import lobby_pb2 as pb
from services.lobby.table import GATHERING
from shared.platform.rpc.client import problem
from tests.services.lobby.test_once import caught_up
from tests.services.lobby.world import World, entropy, fresh
from tests.services.refusals import refused


def quick(players: int = 2) -> pb.QuickMatchRequest:
    return pb.QuickMatchRequest(game="harbour", players=players, command_id=fresh())


async def test_two_who_look_for_opponents_find_each_other(both: World) -> None:
    ada, bob = await both.client("ada"), await both.client("bob")
    first = (await ada.QuickMatch(quick())).table
    assert first.status == pb.TABLE_STATUS_OPEN and first.quick and first.owner == ""
    second = (await bob.QuickMatch(quick())).table
    assert second.table_id == first.table_id
    assert second.status == pb.TABLE_STATUS_STARTING and second.match_id == first.table_id
    third = (await ada.QuickMatch(quick())).table
    assert third.table_id != first.table_id

    await both.commit(first.table_id)
    for client in (ada, bob):
        assert (await both.types(first.table_id))[-1] != "started"
        await client.AddEntropy(entropy(first.table_id))
    assert (await both.types(first.table_id))[-2:] == ["entropy-added", "started"]


async def test_nobody_waits_twice_for_the_same(world: World) -> None:
    ada = await world.client("ada")
    table = (await ada.QuickMatch(quick())).table
    with refused(StatusCode.FAILED_PRECONDITION, "ALREADY_QUEUED") as found:
        await ada.QuickMatch(quick())
    assert found[0].metadata["table_id"] == table.table_id
    other = (await ada.QuickMatch(quick(3))).table
    assert other.table_id != table.table_id
    for refusal in ({"players": 9}, {"game": "chess"}):
        request = pb.QuickMatchRequest(**{"game": "harbour", "players": 2, **refusal})
        request.command_id = fresh()
        try:
            await ada.QuickMatch(request)
            raise AssertionError("accepted")
        except aio.AioRpcError as error:
            assert problem(error).reason in ("INVALID_FIELD", "GAME_NOT_FOUND")


async def test_who_stops_waiting_is_not_matched(world: World) -> None:
    ada, bob = await world.client("ada"), await world.client("bob")
    table = (await ada.QuickMatch(quick())).table
    stop = pb.CancelQuickMatchRequest(table_id=table.table_id, command_id=fresh())
    await ada.CancelQuickMatch(stop)
    await ada.CancelQuickMatch(stop)  # the retry of a command that is done
    found = await ada.GetTable(pb.GetTableRequest(table_id=table.table_id))
    assert found.table.closed_reason == "everyone-left"
    theirs = (await bob.QuickMatch(quick())).table
    assert theirs.table_id != table.table_id and theirs.status == pb.TABLE_STATUS_OPEN
    await ada.QuickMatch(quick())
    with refused(StatusCode.FAILED_PRECONDITION, "TABLE_NOT_OPEN"):
        await ada.CancelQuickMatch(
            pb.CancelQuickMatchRequest(table_id=theirs.table_id, command_id=fresh())
        )
    own = await world.table("ada", 2)
    with refused(StatusCode.INVALID_ARGUMENT, "INVALID_FIELD", "LeaveTable"):
        await ada.CancelQuickMatch(
            pb.CancelQuickMatchRequest(table_id=own.table_id, command_id=fresh())
        )


async def test_a_storm_of_queueing_and_leaving_never_seats_anyone_twice(both: World) -> None:
    """D57: no self-match, no double seat, no second live ticket."""

    async def restless(number: int) -> None:
        dice = random.Random(number)
        client = await both.client(f"p{number}")
        for _ in range(6):
            calls = [client.QuickMatch(quick(3)) for _ in range(dice.randint(1, 3))]
            await asyncio.sleep(dice.uniform(0, 0.01))
            if dice.random() < 0.3:
                calls[0].cancel()
            results = await asyncio.gather(*calls, return_exceptions=True)
            for result in results:
                if isinstance(result, pb.QuickMatchResponse) and dice.random() < 0.6:
                    stop = pb.CancelQuickMatchRequest(
                        table_id=result.table.table_id, command_id=fresh()
                    )
                    try:
                        await client.CancelQuickMatch(stop)
                    except aio.AioRpcError as error:
                        assert problem(error).reason in ("TABLE_NOT_OPEN", "NOT_SEATED")

    await asyncio.gather(*(restless(number) for number in range(12)))
    await caught_up(both)
    tables = list(both.lobby.directory._tables.values())
    assert sum(table.status == GATHERING for table in tables) >= 2
    for table in tables:
        seated = Counter(chair.account for chair in table.chairs if chair.account)
        assert not seated or max(seated.values()) == 1, table
        if table.status == GATHERING:
            assert len(seated) == 3
    assert sum(table.status == "open" for table in tables) <= 1
