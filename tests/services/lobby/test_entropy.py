"""Entropy is added against a commitment, once for a seat, and the match waits for it a little."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from grpc import StatusCode

from protos.tallystick.lobby.v1 import lobby_pb2 as pb
from services.lobby import starting
from services.lobby.app import Lobby
from services.lobby.facts import TableStarted
from services.lobby.starting import Patience
from services.lobby.table import GATHERING, stream_of
from services.lobby.timing import look_at_the_clock
from shared.engine.data import decode
from shared.engine.record import open_record
from tests.services.lobby.test_once import caught_up, outcome, restarted
from tests.services.lobby.world import COMMITMENT, OFFER, World, entropy, fresh, lobby_world
from tests.services.refusals import refused

UNFIT = StatusCode.FAILED_PRECONDITION
OTHER = "0" * 64
PATIENCE = Patience(entropy=10_000, idle=3_600_000)
BOTS = [pb.SeatPlan(kind=pb.SEAT_KIND_BOT, bot="random")] * 2


def where(table: pb.Table) -> dict[str, Any]:
    return {"table_id": table.table_id, "command_id": fresh()}


async def order_of(world: World, table_id: str) -> TableStarted:
    """What rules was asked to set up."""
    (last,) = [x for x in await world.store.load(stream_of(table_id)) if x.type == "started"]
    (order,) = decode(open_record(last.body).facts, tuple[TableStarted])
    return order


@pytest.fixture
def now() -> list[int]:
    """The time of the lobby, in milliseconds; a test moves it."""
    return [1_000_000]


@pytest.fixture
async def timed(tmp_path: Path, now: list[int]) -> AsyncIterator[World]:
    """A lobby whose clock is `now`."""
    url = f"sqlite:///{tmp_path / 'lobby.db'}"
    async with lobby_world(url, tmp_path, clock=lambda: now[0]) as made:
        yield made


# -- against a commitment ----------------------------------------------------------------------


async def test_nobody_adds_entropy_before_rules_has_committed(both: World) -> None:
    table = await both.table("ada", 2)
    ada = await both.client("ada")
    assert table.seed_commitment == ""
    for named in ("", COMMITMENT):
        with refused(UNFIT, "SEED_NOT_COMMITTED", "watch the table"):
            await ada.AddEntropy(entropy(table.table_id, seed_commitment=named))
    assert await both.types(table.table_id) == ["opened"]
    await both.commit(table.table_id)
    with refused(UNFIT, "OTHER_COMMITMENT", "another"):
        await ada.AddEntropy(entropy(table.table_id, seed_commitment=OTHER))
    added = (await ada.AddEntropy(entropy(table.table_id))).table
    assert added.seed_commitment == COMMITMENT
    assert [seat.entropy_added for seat in added.seats] == [True, False]
    assert await both.types(table.table_id) == ["opened", "committed", "entropy-added"]


async def test_a_seat_adds_entropy_once_and_only_its_own(world: World) -> None:
    table = await world.committed("ada", 3)
    ada, bob = await world.client("ada"), await world.client("bob")
    with refused(UNFIT, "NOT_SEATED"):
        await bob.AddEntropy(entropy(table.table_id))
    once = entropy(table.table_id)
    first = await ada.AddEntropy(once)
    assert await ada.AddEntropy(once) == first, "the retry of a command that is done"
    with refused(UNFIT, "ENTROPY_GIVEN"):
        await ada.AddEntropy(entropy(table.table_id, b"y" * 16))
    for wrong in (b"", b"x" * 15, b"x" * 65):
        with refused(StatusCode.INVALID_ARGUMENT, "INVALID_FIELD", "16 to 64"):
            await ada.AddEntropy(entropy(table.table_id, wrong))
    await bob.JoinTable(pb.JoinTableRequest(**where(table)))
    await bob.AddEntropy(entropy(table.table_id))
    left = (await bob.LeaveTable(pb.LeaveTableRequest(**where(table)))).table
    assert not left.seats[1].entropy_added, "what somebody added goes with them"


async def test_entropy_is_nobodys_to_see_before_the_match(world: World) -> None:
    table = await world.committed("ada", 2)
    secret = b"\xa5" * 32
    await (await world.client("ada")).AddEntropy(entropy(table.table_id, secret))
    bob = await world.client("bob")
    shown = await bob.GetTable(pb.GetTableRequest(table_id=table.table_id))
    assert secret not in shown.SerializeToString() and secret.hex() not in str(shown)


async def test_a_commitment_comes_twice_or_over_two_processes_and_is_noted_once(
    both: World,
) -> None:
    other = Lobby(both.store, OFFER)
    await other.load()
    table = await both.table("ada", 2)
    assert other.directory.find(table.table_id) is None, "it has not heard of the table yet"

    def note(lobby: Lobby) -> Any:
        return lobby.note(table.table_id, lambda t: starting.commit(t, COMMITMENT))

    await asyncio.gather(*(note(lobby) for lobby in (both.lobby, other) * 3))
    assert await both.types(table.table_id) == ["opened", "committed"]
    await caught_up(both, other)
    assert both.lobby.directory.find(table.table_id) == other.directory.find(table.table_id)


async def test_another_commitment_ends_the_table(world: World) -> None:
    """Rules lost its seeds: what was added against the first commitment proves nothing now."""
    open_, full = await world.committed("ada", 2), await world.committed("ada", 2, seats=BOTS)
    ada = await world.client("ada")
    await ada.StartTable(pb.StartTableRequest(**where(full)))
    for table in (open_, full):
        await world.commit(table.table_id, OTHER)
        seen = (await ada.GetTable(pb.GetTableRequest(table_id=table.table_id))).table
        assert seen.status == pb.TABLE_STATUS_CLOSED
        assert (seen.closed_reason, seen.seed_commitment) == ("seed-changed", COMMITMENT)
    running = await world.committed("ada", 2, seats=BOTS)
    await ada.StartTable(pb.StartTableRequest(**where(running)))
    await world.lobby.note(running.table_id, starting.begin)
    await world.commit(running.table_id, OTHER)
    seen = (await ada.GetTable(pb.GetTableRequest(table_id=running.table_id))).table
    assert seen.status == pb.TABLE_STATUS_PLAYING


# -- the order ---------------------------------------------------------------------------------


async def test_a_started_table_waits_for_everybodys_entropy(both: World) -> None:
    table = await both.committed("ada", 3)
    ada, bob = await both.client("ada"), await both.client("bob")
    await bob.JoinTable(pb.JoinTableRequest(**where(table)))
    await ada.SeatBot(pb.SeatBotRequest(**where(table), bot="random"))
    await ada.AddEntropy(entropy(table.table_id, b"a" * 16))
    called = (await ada.StartTable(pb.StartTableRequest(**where(table)))).table
    assert called.status == pb.TABLE_STATUS_STARTING and called.match_id == table.table_id
    assert (await both.types(table.table_id))[-1] == "called"
    for refusal in (
        bob.LeaveTable(pb.LeaveTableRequest(**where(table))),
        ada.StartTable(pb.StartTableRequest(**where(table))),
        ada.KickSeat(pb.KickSeatRequest(**where(table), seat=1)),
    ):
        with refused(UNFIT, "TABLE_NOT_OPEN"):
            await refusal
    await bob.AddEntropy(entropy(table.table_id, b"b" * 16))
    order = await order_of(both, table.table_id)
    assert order.entropy == ((b"a" * 16).hex(), (b"b" * 16).hex(), "")
    assert order.commitment == COMMITMENT
    with refused(UNFIT, "TABLE_NOT_OPEN", "too late"):
        await bob.AddEntropy(entropy(table.table_id))
    again = await restarted(both)
    assert again.directory.find(table.table_id) == both.lobby.directory.find(table.table_id)


async def test_a_table_of_bots_waits_for_nobody(world: World) -> None:
    table = await world.committed("ada", 2, seats=BOTS)
    await (await world.client("ada")).StartTable(pb.StartTableRequest(**where(table)))
    assert await world.types(table.table_id) == ["opened", "committed", "started"]
    assert (await order_of(world, table.table_id)).entropy == ("", "")


async def test_who_adds_nothing_holds_the_match_up_only_so_long(
    timed: World, now: list[int]
) -> None:
    table = await timed.committed("ada", 2)
    ada, bob = await timed.client("ada"), await timed.client("bob")
    await bob.JoinTable(pb.JoinTableRequest(**where(table)))
    await ada.StartTable(pb.StartTableRequest(**where(table)))
    now[0] += 9_999
    await look_at_the_clock(timed.lobby, PATIENCE)
    assert (await timed.types(table.table_id))[-1] == "called"
    await ada.AddEntropy(entropy(table.table_id, b"a" * 16))
    now[0] += 9_999
    await look_at_the_clock(timed.lobby, PATIENCE)
    assert (await timed.types(table.table_id))[-1] == "entropy-added"
    now[0] += 1
    await look_at_the_clock(timed.lobby, PATIENCE)
    order = await order_of(timed, table.table_id)
    assert order.entropy == ((b"a" * 16).hex(), "")
    await look_at_the_clock(timed.lobby, PATIENCE)
    assert (await timed.types(table.table_id)).count("started") == 1


async def test_a_full_quick_table_without_a_commitment_waits_for_it(
    timed: World, now: list[int]
) -> None:
    ada, bob = await timed.client("ada"), await timed.client("bob")
    request = {"game": "harbour", "players": 2}
    table = (await ada.QuickMatch(pb.QuickMatchRequest(**request, command_id=fresh()))).table
    await bob.QuickMatch(pb.QuickMatchRequest(**request, command_id=fresh()))
    now[0] += 60_000
    await look_at_the_clock(timed.lobby, PATIENCE)
    known = timed.lobby.directory.find(table.table_id)
    assert known is not None and known.status == GATHERING
    await timed.commit(table.table_id)
    await look_at_the_clock(timed.lobby, PATIENCE)
    assert (await timed.types(table.table_id))[-1] == "committed", "time to add entropy begins now"
    now[0] += 10_000
    await look_at_the_clock(timed.lobby, PATIENCE)
    assert (await order_of(timed, table.table_id)).entropy == ("", "")


async def test_a_storm_of_entropy_orders_one_match(both: World) -> None:
    table = await both.committed("ada", 4)
    clients = [await both.client(name) for name in ("ada", "bob", "cyd", "dan")]
    for client in clients[1:]:
        await client.JoinTable(pb.JoinTableRequest(**where(table)))
    calls = [
        client.AddEntropy(entropy(table.table_id, bytes([number] * 16)))
        for number, client in enumerate(clients * 5)
    ]
    start = clients[0].StartTable(pb.StartTableRequest(**where(table)))
    found = await asyncio.gather(*map(outcome, [*calls[:4], start, *calls[4:]]))
    assert found.count("ok") == 5
    assert set(found) <= {"ok", "ENTROPY_GIVEN", "TABLE_NOT_OPEN"}
    assert (await both.types(table.table_id)).count("started") == 1
    assert all((await order_of(both, table.table_id)).entropy)
