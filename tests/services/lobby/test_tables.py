"""Tables: opened as the game allows, filled, started; and what is refused changes nothing."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest
from grpc import StatusCode
from jsonschema import Draft202012Validator

from protos.tallystick.lobby.v1 import lobby_pb2 as pb
from protos.tallystick.log.v1.log_pb2 import ReadLogRequest
from services.lobby.facts import TableStarted
from services.lobby.table import follow, stream_of, unopened
from shared.engine.acts import create
from shared.engine.data import decode, encode
from shared.engine.match import Seat
from shared.engine.record import check_chain, open_record
from tests.engine.harbour import HARBOUR
from tests.services.lobby.world import COMMITMENT, SEED, World, entropy, fresh
from tests.services.refusals import refused

OPEN, PLAYER = pb.SEAT_KIND_OPEN, pb.SEAT_KIND_PLAYER
BOT, INVITED = pb.SEAT_KIND_BOT, pb.SEAT_KIND_INVITED

INVALID = StatusCode.INVALID_ARGUMENT
UNFIT = StatusCode.FAILED_PRECONDITION


def kinds(table: pb.Table) -> list[int]:
    return [seat.kind for seat in table.seats]


async def test_games_are_listed_for_anyone(world: World) -> None:
    from protos.tallystick.lobby.v1.lobby_pb2_grpc import LobbyServiceStub
    from shared.platform.rpc.client import open_channel

    async with open_channel(f"127.0.0.1:{world.port}") as channel:
        games = (await LobbyServiceStub(channel).ListGames(pb.ListGamesRequest())).games
    assert [(g.game, list(g.players)) for g in games] == [("harbour", [2, 3, 4])]


async def test_a_game_describes_itself_by_schemas_that_its_positions_satisfy(world: World) -> None:
    client = await world.client("ada")
    told = await client.DescribeGame(pb.DescribeGameRequest(game="harbour"))
    assert [(o.name, list(o.choices), o.default_choice) for o in told.options] == [
        ("rounds", ["2", "3"], "3")
    ]
    assert told.rules_text == "1. Be brave.\n" and len(told.rules_digest) == 64
    assert list(told.bots) == ["planner", "random"]
    assert set(told.choice_schemas_json) == {
        "Bid", "Build", "PlayCard", "Gamble", "Keep", "TakeCoins", "TakeCards", "Pass",
    }  # fmt: skip
    seats = [Seat("a", "A"), Seat("b", "B")]
    match, record = create(HARBOUR, "m", seats, {}, "", b"s" * 32, ("", ""), 1)[:2]
    board = msgspec.json.decode(encode(match.state))
    Draft202012Validator(msgspec.json.decode(told.board_schema_json)).validate(board)
    facts = msgspec.json.decode(open_record(record.body).facts)[1:]
    assert facts
    for fact in facts:
        schema = msgspec.json.decode(told.fact_schemas_json[fact["@type"]])
        Draft202012Validator(schema).validate(fact)
    with refused(StatusCode.NOT_FOUND, "GAME_NOT_FOUND", "harbour"):
        await client.DescribeGame(pb.DescribeGameRequest(game="chess"))


async def test_a_table_opens_with_its_owner_on_the_first_seat(world: World) -> None:
    table = await world.table("ada", 3)
    assert table.status == pb.TABLE_STATUS_OPEN and table.owner == "ada"
    assert kinds(table) == [PLAYER, OPEN, OPEN] and table.seats[0].account == "ada"
    assert dict(table.options) == {"rounds": "3"} and table.edition == HARBOUR.edition
    assert table.version == 1 and table.match_id == "" and len(table.content_digest) == 64


async def test_a_plan_says_how_every_seat_begins(world: World) -> None:
    plan = [
        pb.SeatPlan(kind=BOT, bot="planner"),
        pb.SeatPlan(kind=PLAYER),
        pb.SeatPlan(kind=INVITED, account="bob"),
        pb.SeatPlan(kind=OPEN),
    ]
    table = await world.table("ada", 4, seats=plan, options={"rounds": "2"})
    assert kinds(table) == [BOT, PLAYER, INVITED, OPEN]
    assert [seat.account for seat in table.seats] == ["bot-planner", "ada", "bob", ""]
    assert table.options["rounds"] == "2"


@pytest.mark.parametrize(
    ("fields", "field", "says"),
    [
        ({"players": 5}, "players", "2 or 3 or 4"),
        ({"players": 0}, "players", "2 or 3 or 4"),
        ({"options": {"speed": "9"}}, "options['speed']", "rounds"),
        ({"options": {"rounds": "9"}}, "options['rounds']", "2 or 3"),
        ({"content_override": "plot_costs = ["}, "content_override", "not TOML"),
        ({"content_override": "plot_costs = [1]"}, "content_override", "4 whole numbers"),
        ({"content_override": "#" * 65_537}, "content_override", "65536"),
        ({"seats": [pb.SeatPlan(kind=PLAYER)]}, "seats", "all 2"),
        ({"seats": [pb.SeatPlan(kind=PLAYER)] * 2}, "seats", "at most once"),
        ({"seats": [pb.SeatPlan(), pb.SeatPlan(kind=OPEN)]}, "seats[0].kind", "OPEN"),
        (
            {"seats": [pb.SeatPlan(kind=OPEN), pb.SeatPlan(kind=BOT, bot="x")]},
            "seats[1].bot",
            "planner",
        ),
        ({"command_id": ""}, "command_id", "UUID"),
        ({"command_id": "x" * 65}, "command_id", "64"),
    ],
)
async def test_a_wrong_table_is_refused_by_field(
    world: World, fields: dict[str, object], field: str, says: str
) -> None:
    request = {"game": "harbour", "players": 2, "command_id": fresh(), **fields}
    with refused(INVALID, "INVALID_FIELD", says) as found:
        await (await world.client("ada")).OpenTable(pb.OpenTableRequest(**request))
    assert list(found[0].fields) == [field]
    assert await world.store.last_position() == 0


async def test_reading_an_override_holds_up_nobody(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sixty kilobytes of content can take half a second."""
    others = asyncio.Event()
    loop, read = asyncio.get_running_loop(), world.lobby.offer.terms

    def reading(*asked: Any) -> Any:
        go_on = asyncio.run_coroutine_threadsafe(others.wait(), loop)
        assert go_on.result(timeout=30)
        return read(*asked)

    monkeypatch.setattr(world.lobby.offer, "terms", reading)
    opening = asyncio.create_task(
        world.table("ada", 2, content_override="plot_costs = [2, 2, 2, 2]")
    )
    await (await world.client("bob")).ListTables(pb.ListTablesRequest())
    assert not opening.done()
    others.set()
    assert (await opening).table_id


async def test_an_override_changes_the_digest_and_goes_to_rules_unchanged(world: World) -> None:
    plain = await world.table("ada", 2)
    override = "plot_costs = [2, 2, 2, 2]"
    bots = [pb.SeatPlan(kind=BOT, bot="random")] * 2
    table = await world.committed("ada", 2, content_override=override, seats=bots)
    assert table.content_digest != plain.content_digest
    ada = await world.client("ada")
    await ada.StartTable(pb.StartTableRequest(table_id=table.table_id, command_id=fresh()))
    order = (await world.store.load(stream_of(table.table_id)))[-1]
    assert order.type == "started"
    (fact,) = decode(open_record(order.body).facts, tuple[TableStarted])
    assert (fact.content, fact.digest) == (override, table.content_digest)
    seats = [Seat(one.account, one.name, one.kind) for one in fact.seats]
    made = create(HARBOUR, table.table_id, seats, fact.options, fact.content, SEED, fact.entropy, 1)
    assert made.match.created.digest == fact.digest
    assert made.match.created.commitment == fact.commitment


async def test_sitting_down_and_standing_up(world: World) -> None:
    table = await world.table("ada", 3)
    bob, cyd = await world.client("bob"), await world.client("cyd")

    def join(seat: int | None = None) -> pb.JoinTableRequest:
        return pb.JoinTableRequest(table_id=table.table_id, seat=seat, command_id=fresh())

    assert (await bob.JoinTable(join(2))).table.seats[2].account == "bob"
    with refused(UNFIT, "ALREADY_SEATED"):
        await bob.JoinTable(join(1))
    with refused(UNFIT, "SEAT_TAKEN"):
        await cyd.JoinTable(join(2))
    with refused(INVALID, "INVALID_FIELD", "0 to 2"):
        await cyd.JoinTable(join(3))
    assert (await cyd.JoinTable(join())).table.seats[1].account == "cyd"
    with refused(UNFIT, "TABLE_FULL"):
        await (await world.client("dan")).JoinTable(join())
    leave = pb.LeaveTableRequest(table_id=table.table_id, command_id=fresh())
    left = (await bob.LeaveTable(leave)).table
    assert kinds(left) == [PLAYER, PLAYER, OPEN]
    with refused(UNFIT, "NOT_SEATED"):
        await bob.LeaveTable(pb.LeaveTableRequest(table_id=table.table_id, command_id=fresh()))
    closed = await (await world.client("ada")).LeaveTable(
        pb.LeaveTableRequest(table_id=table.table_id, command_id=fresh())
    )
    assert closed.table.status == pb.TABLE_STATUS_CLOSED
    assert closed.table.closed_reason == "owner-left"
    with refused(UNFIT, "TABLE_NOT_OPEN"):
        await bob.JoinTable(join())


@pytest.mark.parametrize("unlisted", [True, False])
async def test_the_order_says_whether_the_match_is_for_lists(world: World, unlisted: bool) -> None:
    bots = [pb.SeatPlan(kind=BOT, bot="random")] * 2
    table = await world.committed("ada", 2, unlisted=unlisted, seats=bots)
    ada = await world.client("ada")
    await ada.StartTable(pb.StartTableRequest(table_id=table.table_id, command_id=fresh()))
    started = (await world.store.load(stream_of(table.table_id)))[-1]
    (order,) = decode(open_record(started.body).facts, tuple[TableStarted])
    assert order.unlisted == unlisted


async def test_a_kept_seat_is_for_its_account_only(world: World) -> None:
    plan = [pb.SeatPlan(kind=PLAYER), pb.SeatPlan(kind=INVITED, account="bob")]
    table = await world.table("ada", 2, seats=plan, unlisted=True)
    eve, bob = await world.client("eve"), await world.client("bob")
    request = pb.JoinTableRequest(table_id=table.table_id, command_id=fresh())
    with refused(StatusCode.NOT_FOUND, "TABLE_NOT_FOUND"):
        await eve.JoinTable(request)
    assert (await bob.JoinTable(request)).table.seats[1].kind == PLAYER
    listed = await world.table("ada", 2, seats=plan)
    with refused(StatusCode.PERMISSION_DENIED, "NOT_INVITED"):
        await eve.JoinTable(
            pb.JoinTableRequest(table_id=listed.table_id, seat=1, command_id=fresh())
        )


async def test_only_the_owner_runs_the_table(world: World) -> None:
    table = await world.table("ada", 3)
    ada, bob = await world.client("ada"), await world.client("bob")
    where = {"table_id": table.table_id}
    await bob.JoinTable(pb.JoinTableRequest(**where, command_id=fresh()))
    denied = StatusCode.PERMISSION_DENIED
    with refused(denied, "NOT_THE_OWNER"):
        await bob.SeatBot(pb.SeatBotRequest(**where, bot="random", command_id=fresh()))
    with refused(denied, "NOT_THE_OWNER"):
        await bob.KickSeat(pb.KickSeatRequest(**where, seat=0, command_id=fresh()))
    with refused(denied, "NOT_THE_OWNER"):
        await bob.StartTable(pb.StartTableRequest(**where, command_id=fresh()))
    with refused(denied, "NOT_THE_OWNER"):
        await bob.CreateInvitation(pb.CreateInvitationRequest(**where, command_id=fresh()))
    with refused(UNFIT, "SEATS_OPEN", "2"):
        await ada.StartTable(pb.StartTableRequest(**where, command_id=fresh()))
    with refused(INVALID, "INVALID_FIELD", "LeaveTable"):
        await ada.KickSeat(pb.KickSeatRequest(**where, seat=0, command_id=fresh()))
    with refused(INVALID, "INVALID_FIELD", "which seat"):
        await ada.KickSeat(pb.KickSeatRequest(**where, command_id=fresh()))
    kicked = await ada.KickSeat(pb.KickSeatRequest(**where, seat=1, command_id=fresh()))
    assert kinds(kicked.table) == [PLAYER, OPEN, OPEN]
    for _ in range(2):
        full = await ada.SeatBot(pb.SeatBotRequest(**where, bot="random", command_id=fresh()))
    assert [seat.name for seat in full.table.seats] == ["ada", "Random 2", "Random 3"]
    await world.commit(table.table_id)
    started = await ada.StartTable(pb.StartTableRequest(**where, command_id=fresh()))
    assert started.table.status == pb.TABLE_STATUS_STARTING
    assert started.table.match_id == table.table_id
    with refused(UNFIT, "TABLE_NOT_OPEN"):
        await ada.StartTable(pb.StartTableRequest(**where, command_id=fresh()))


async def test_the_log_of_a_table_is_one_chain_that_folds_to_it(both: World) -> None:
    table = await both.committed("ada", 2)
    ada, bob = await both.client("ada"), await both.client("bob")
    await ada.AddEntropy(entropy(table.table_id, b"\xff" * 16))
    await bob.JoinTable(pb.JoinTableRequest(table_id=table.table_id, command_id=fresh()))
    await ada.StartTable(pb.StartTableRequest(table_id=table.table_id, command_id=fresh()))
    await bob.AddEntropy(entropy(table.table_id, b"\x0a" * 64))
    stored = await both.store.load(stream_of(table.table_id))
    check_chain((one.body, one.hash) for one in stored)
    folded = unopened(table.table_id)
    for one in stored:
        folded = follow(folded, one.body, one.hash)
    assert folded == both.lobby.directory.find(table.table_id)
    assert [one.type for one in stored] == [
        "opened", "committed", "entropy-added", "seated", "called", "entropy-added", "started"
    ]  # fmt: skip
    (order,) = decode(open_record(stored[-1].body).facts, tuple[TableStarted])
    assert order.entropy == ("ff" * 16, "0a" * 64) and order.commitment == COMMITMENT


async def test_services_read_the_log_and_others_do_not(world: World) -> None:
    await world.table("ada", 2)
    reader = await world.log("service:rules", "service")
    answers = [answer async for answer in reader.ReadLog(ReadLogRequest())]
    assert [entry.type for answer in answers for entry in answer.batch.entries] == ["opened"]
    with refused(StatusCode.PERMISSION_DENIED, "ROLE_MISSING"):
        async for _ in (await world.log("ada")).ReadLog(ReadLogRequest()):
            raise AssertionError("the log was served to a player")


async def test_a_bots_account_is_no_persons(world: World) -> None:
    with refused(StatusCode.PERMISSION_DENIED, "RESERVED_ACCOUNT"):
        await world.table("bot-random", 2)
