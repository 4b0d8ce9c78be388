"""Commands take effect once, whoever repeats them, races them or gives up on them."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

from grpc import StatusCode, aio

from protos.tallystick.lobby.v1 import lobby_pb2 as pb
from services.lobby import decisions
from services.lobby.app import Lobby
from services.lobby.commands import command_of
from services.lobby.messages import table_message
from services.lobby.table import stream_of
from shared.engine.record import check_chain
from shared.platform.rpc.client import problem
from tests.services.lobby.world import OFFER, World, fresh, lobby_world
from tests.services.refusals import refused


async def outcome(call: Any) -> str:
    """`ok`, or the reason of the refusal."""
    try:
        await call
    except aio.AioRpcError as error:
        return problem(error).reason
    return "ok"


async def caught_up(world: World, *others: Lobby) -> None:
    """Every lobby has taken note of everything that was appended."""
    head = 0
    while head < await world.store.positions_after(head, 0.5):
        head = await world.store.last_position()
    for lobby in (world.lobby, *others):
        while await lobby.keeper.take_page():
            pass


async def restarted(world: World) -> Lobby:
    """Another lobby that folds the same store from its start."""
    await caught_up(world)
    again = Lobby(world.store, OFFER)
    await again.load()
    return again


async def test_a_hundred_join_four_seats(both: World) -> None:
    """D03: parallel joins must not overwrite each other."""
    none = [pb.SeatPlan(kind=pb.SEAT_KIND_OPEN)] * 4
    table = await both.table("owner", 4, seats=none)
    clients = [await both.client(f"p{n}") for n in range(100)]
    requests = [
        pb.JoinTableRequest(table_id=table.table_id, command_id=fresh()) for _ in range(100)
    ]
    found = await asyncio.gather(
        *(outcome(c.JoinTable(r)) for c, r in zip(clients, requests, strict=True))
    )
    assert Counter(found) == {"ok": 4, "TABLE_FULL": 96}
    seated = both.lobby.directory.find(table.table_id)
    assert seated is not None
    winners = {f"p{n}" for n, what in enumerate(found) if what == "ok"}
    assert {chair.account for chair in seated.chairs} == winners
    stored = await both.store.load(stream_of(table.table_id))
    check_chain((one.body, one.hash) for one in stored)
    assert len(stored) == 5


async def test_the_same_command_fifty_times_is_one_command(both: World) -> None:
    client = await both.client("ada")
    request = pb.OpenTableRequest(game="harbour", players=2, command_id="once")
    tables = await asyncio.gather(*(client.OpenTable(request) for _ in range(50)))
    assert len({answer.SerializeToString(deterministic=True) for answer in tables}) == 1
    assert await both.store.last_position() == 1

    bob = await both.client("bob")
    join = pb.JoinTableRequest(table_id=tables[0].table.table_id, command_id="join")
    answers = await asyncio.gather(*(bob.JoinTable(join) for _ in range(50)))
    assert {answer.table.version for answer in answers} == {2}
    other = pb.JoinTableRequest(table_id=tables[0].table.table_id, seat=1, command_id="join")
    with refused(StatusCode.ALREADY_EXISTS, "COMMAND_ID_REUSED"):
        await bob.JoinTable(other)
    with refused(StatusCode.ALREADY_EXISTS, "COMMAND_ID_REUSED"):
        await bob.LeaveTable(
            pb.LeaveTableRequest(table_id=tables[0].table.table_id, command_id="join")
        )
    # Another account may use the same id for a command of its own.
    assert await outcome((await both.client("cyd")).OpenTable(request)) == "ok"


async def test_a_retry_gets_the_first_answer_after_everything_changed(world: World) -> None:
    table = await world.table("ada", 2)
    bob, ada = await world.client("bob"), await world.client("ada")
    join = pb.JoinTableRequest(table_id=table.table_id, command_id=fresh())
    first = await bob.JoinTable(join)
    await ada.LeaveTable(pb.LeaveTableRequest(table_id=table.table_id, command_id=fresh()))
    again = await bob.JoinTable(join)
    assert again == first and again.table.status == pb.TABLE_STATUS_OPEN


async def test_a_refused_command_can_be_sent_again_when_it_fits(world: World) -> None:
    table = await world.table("ada", 2)
    ada = await world.client("ada")
    start = pb.StartTableRequest(table_id=table.table_id, command_id="start")
    assert await outcome(ada.StartTable(start)) == "SEATS_OPEN"
    await ada.SeatBot(pb.SeatBotRequest(table_id=table.table_id, bot="random", command_id=fresh()))
    await world.commit(table.table_id)
    assert await outcome(ada.StartTable(start)) == "ok"


async def test_two_lobbies_over_one_store_agree(both: World) -> None:
    """The store decides between processes; whoever is behind looks again."""
    other = Lobby(both.store, OFFER)
    await other.load()
    table = await both.table("ada", 4)
    assert other.directory.find(table.table_id) is None

    def join(lobby: Lobby, account: str) -> Any:
        request = pb.JoinTableRequest(table_id=table.table_id, command_id=fresh())
        return lobby.change(
            command_of(account, request, request.command_id), table.table_id,
            lambda t: decisions.join(t, account, None, "", 0),
            lambda t: pb.JoinTableResponse(table=table_message(t)),
        )  # fmt: skip

    await asyncio.gather(
        join(both.lobby, "bob"), join(other, "cyd"), join(both.lobby, "dan"),
    )  # fmt: skip
    stored = await both.store.load(stream_of(table.table_id))
    check_chain((one.body, one.hash) for one in stored)
    await caught_up(both, other)
    mine = both.lobby.directory.find(table.table_id)
    assert mine == other.directory.find(table.table_id) and mine is not None
    assert sorted(chair.account for chair in mine.chairs) == ["ada", "bob", "cyd", "dan"]


async def test_calls_cancelled_anywhere_leave_a_whole_table(both: World) -> None:
    dice = random.Random(7)
    table = await both.table("ada", 4)
    clients = [await both.client(f"p{n}") for n in range(6)]

    async def fickle(client: Any) -> None:
        for _ in range(8):
            where = {"table_id": table.table_id, "command_id": fresh()}
            for call in (
                client.JoinTable(pb.JoinTableRequest(**where)),
                client.LeaveTable(pb.LeaveTableRequest(table_id=where["table_id"],
                                                       command_id=fresh())),
            ):  # fmt: skip
                await asyncio.sleep(dice.uniform(0, 0.004))
                if dice.random() < 0.5:
                    call.cancel()
                try:
                    await call
                except (asyncio.CancelledError, aio.AioRpcError):
                    continue

    await asyncio.gather(*map(fickle, clients))
    stored = await both.store.load(stream_of(table.table_id))
    check_chain((one.body, one.hash) for one in stored)
    again = await restarted(both)
    live = both.lobby.directory.find(table.table_id)
    assert live == again.directory.find(table.table_id) and live is not None
    held = [chair.account for chair in live.chairs if chair.account]
    assert len(held) == len(set(held))
    # The table is still of use.
    for account in set(held) - {"ada"}:
        leave = pb.LeaveTableRequest(table_id=table.table_id, command_id=fresh())
        assert await outcome((await both.client(account)).LeaveTable(leave)) == "ok"


async def test_a_restart_finds_everything_again(both: World) -> None:
    table = await both.table("ada", 2, unlisted=True)
    quick = await (await both.client("bob")).QuickMatch(
        pb.QuickMatchRequest(game="harbour", players=2, command_id=fresh())
    )
    again = await restarted(both)
    for one in (table, quick.table):
        assert again.directory.find(one.table_id) == both.lobby.directory.find(one.table_id)
    newest = again.directory.newest_quick(("harbour", 2))
    assert newest is not None and newest.id == quick.table.table_id


async def test_a_flipped_byte_in_one_table_keeps_no_other_from_opening(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'lobby.db'}"
    async with lobby_world(url, tmp_path) as world:
        damaged, sound = await world.table("ada", 2), await world.table("bob", 2)
    with sqlite3.connect(tmp_path / "lobby.db") as database:
        database.execute("DROP TRIGGER records_no_update")
        database.execute(
            "UPDATE records SET body = CAST(replace(CAST(body AS TEXT), 'ada', 'eve') AS BLOB)"
            " WHERE stream = ?",
            (stream_of(damaged.table_id),),
        )
    database.close()
    async with lobby_world(url, tmp_path) as world:
        client = await world.client("cyd")
        found = await client.ListTables(pb.ListTablesRequest())
        assert [table.table_id for table in found.tables] == [sound.table_id]
        join = pb.JoinTableRequest(table_id=damaged.table_id, command_id=fresh())
        assert await outcome(client.JoinTable(join)) == "LOG_DAMAGED"
        join.table_id = sound.table_id
        assert await outcome(client.JoinTable(join)) == "ok"
