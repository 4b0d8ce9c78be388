"""Who may know of a table, lists in pages, and watching."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from google.protobuf.duration_pb2 import Duration
from grpc import StatusCode

from protos.tallystick.lobby.v1 import lobby_pb2 as pb
from protos.tallystick.stream.v1 import stream_pb2
from services.lobby.decisions import MAX_INVITATIONS
from services.lobby.starting import begin, finish
from services.lobby.table import stream_of
from tests.services.lobby.world import World, entropy, fresh, lobby_world
from tests.services.refusals import refused

HIDDEN = (StatusCode.NOT_FOUND, "TABLE_NOT_FOUND")


async def test_an_unlisted_table_is_known_to_its_people_and_to_who_holds_a_code(
    both: World,
) -> None:
    table = await both.table("ada", 3, unlisted=True)
    ada, eve, bob = [await both.client(name) for name in ("ada", "eve", "bob")]
    where = {"table_id": table.table_id}
    for call in (
        eve.GetTable(pb.GetTableRequest(**where)),
        eve.GetTable(pb.GetTableRequest(**where, invitation_code="guess")),
        eve.JoinTable(pb.JoinTableRequest(**where, command_id=fresh())),
        eve.StartTable(pb.StartTableRequest(**where, command_id=fresh())),
        eve.LeaveTable(pb.LeaveTableRequest(**where, command_id=fresh())),
    ):
        with refused(*HIDDEN):
            await call
    with refused(*HIDDEN):
        await anext(aiter(eve.WatchTable(pb.WatchTableRequest(**where))))
    listed = await eve.ListTables(pb.ListTablesRequest())
    assert not listed.tables

    ask = pb.CreateInvitationRequest(**where, seat=2, command_id=fresh())
    invitation = await ada.CreateInvitation(ask)
    assert await ada.CreateInvitation(ask) == invitation
    assert len(invitation.code) == 40
    seen = await bob.GetTable(pb.GetTableRequest(**where, invitation_code=invitation.code))
    assert seen.table.table_id == table.table_id
    with refused(StatusCode.PERMISSION_DENIED, "NOT_INVITED", "seat 2"):
        await bob.JoinTable(
            pb.JoinTableRequest(
                **where, seat=1, invitation_code=invitation.code, command_id=fresh()
            )
        )
    joined = await bob.JoinTable(
        pb.JoinTableRequest(**where, invitation_code=invitation.code, command_id=fresh())
    )
    assert joined.table.seats[2].account == "bob"
    assert (await bob.GetTable(pb.GetTableRequest(**where))).table.version == 3
    for body in [one.body for one in await both.store.load(stream_of(table.table_id))]:
        assert invitation.code.encode() not in body


async def test_an_invitation_ends(tmp_path: Path) -> None:
    now = [1_000_000]
    url = f"sqlite:///{tmp_path / 'lobby.db'}"
    async with lobby_world(url, tmp_path, clock=lambda: now[0]) as world:
        table = await world.table("ada", 2, unlisted=True)
        ada, bob = await world.client("ada"), await world.client("bob")
        invitation = await ada.CreateInvitation(
            pb.CreateInvitationRequest(
                table_id=table.table_id, valid_for=Duration(seconds=60), command_id=fresh()
            )
        )
        look = pb.GetTableRequest(table_id=table.table_id, invitation_code=invitation.code)
        assert invitation.expires_at.ToMilliseconds() == now[0] + 60_000
        now[0] += 59_999
        assert (await bob.GetTable(look)).table.version == 2
        now[0] += 1
        with refused(*HIDDEN):
            await bob.GetTable(look)
        with refused(StatusCode.INVALID_ARGUMENT, "INVALID_FIELD", "30 days"):
            await ada.CreateInvitation(
                pb.CreateInvitationRequest(
                    table_id=table.table_id, valid_for=Duration(seconds=31 * 86_400),
                    command_id=fresh(),
                )
            )  # fmt: skip


async def test_invitations_that_have_expired_make_room_for_others(tmp_path: Path) -> None:
    now = [1_000_000]
    async with lobby_world(
        f"sqlite:///{tmp_path / 'lobby.db'}", tmp_path, clock=lambda: now[0]
    ) as world:
        table = await world.table("ada", 2, unlisted=True)
        ada = await world.client("ada")

        async def invite() -> None:
            await ada.CreateInvitation(
                pb.CreateInvitationRequest(
                    table_id=table.table_id, valid_for=Duration(seconds=5), command_id=fresh()
                )
            )

        for _ in range(MAX_INVITATIONS):
            await invite()
        now[0] += 2_000
        with refused(StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_INVITATIONS", "expires") as found:
            await invite()
        assert found[0].retry_after == 3.0
        now[0] += 3_000
        for _ in range(5):
            await invite()
        known = world.lobby.directory.find(table.table_id)
        assert known is not None and len(known.invitations) <= 6


async def test_lists_come_in_pages_newest_first(world: World) -> None:
    made = [(await world.table("ada", 2)).table_id for _ in range(7)]
    hidden = (await world.table("ada", 2, unlisted=True)).table_id
    client = await world.client("bob")
    found: list[str] = []
    token = ""
    while True:
        page = await client.ListTables(pb.ListTablesRequest(page_size=3, page_token=token))
        found += [table.table_id for table in page.tables]
        token = page.next_page_token
        if not token:
            break
    assert sorted(found) == sorted(made) and len(found) == 7
    opened = [world.lobby.directory.find(one).opened_at for one in found]  # type: ignore[union-attr]
    assert opened == sorted(opened, reverse=True)
    mine = await (await world.client("ada")).ListTables(
        pb.ListTablesRequest(filter=pb.TABLE_FILTER_MINE)
    )
    assert hidden in {table.table_id for table in mine.tables} and len(mine.tables) == 8
    assert not (await client.ListTables(pb.ListTablesRequest(game="other"))).tables
    invalid = StatusCode.INVALID_ARGUMENT
    with refused(invalid, "INVALID_FIELD", "1 to 200"):
        await client.ListTables(pb.ListTablesRequest(page_size=201))
    for token in ("x", "9" * 5000 + ".x", f"{2**64}.x"):
        with refused(invalid, "INVALID_FIELD", "page before"):
            await client.ListTables(pb.ListTablesRequest(page_token=token))
    with refused(invalid, "INVALID_FIELD", "MINE or PLAYING"):
        await client.ListTables(pb.ListTablesRequest(filter=9))  # type: ignore[arg-type]


async def test_what_is_no_id_names_no_table(both: World) -> None:
    """PostgreSQL does not even look for a text with a zero byte in it."""
    client = await both.client("ada")
    for nothing in ("", "a\0b", "x" * 100_000):
        with refused(*HIDDEN):
            await client.GetTable(pb.GetTableRequest(table_id=nothing))
        with refused(*HIDDEN):
            await client.JoinTable(pb.JoinTableRequest(table_id=nothing, command_id=fresh()))


async def test_playing_tables_are_listed_apart(world: World) -> None:
    bots = [pb.SeatPlan(kind=pb.SEAT_KIND_BOT, bot="random")] * 2
    table = await world.committed("ada", 2, seats=bots)
    ada = await world.client("ada")
    await ada.StartTable(pb.StartTableRequest(table_id=table.table_id, command_id=fresh()))
    playing = pb.ListTablesRequest(filter=pb.TABLE_FILTER_PLAYING)
    assert not (await ada.ListTables(playing)).tables
    await world.lobby.note(table.table_id, begin)
    assert len((await ada.ListTables(playing)).tables) == 1
    assert not (await ada.ListTables(pb.ListTablesRequest())).tables
    await world.lobby.note(table.table_id, lambda t: finish(t, "played"))
    await world.lobby.note(table.table_id, lambda t: finish(t, "played"))
    assert not (await ada.ListTables(playing)).tables
    mine = await ada.ListTables(pb.ListTablesRequest(filter=pb.TABLE_FILTER_MINE))
    assert [t.status for t in mine.tables] == [pb.TABLE_STATUS_FINISHED]


async def steps(stream: Any) -> AsyncIterator[Any]:
    """The events of a watch, each within a bound of time."""
    reader = aiter(stream)
    while True:
        try:
            yield await asyncio.wait_for(anext(reader), 30)
        except StopAsyncIteration:
            return


async def test_a_watched_table_shows_every_change_to_its_end(world: World) -> None:
    table = await world.table("ada", 2)
    ada, bob = await world.client("ada"), await world.client("bob")
    watch = steps(bob.WatchTable(pb.WatchTableRequest(table_id=table.table_id)))
    assert (await anext(watch)).table.version == 1
    beat = await anext(watch)
    assert beat.heartbeat.reached == 1
    await world.commit(table.table_id)
    await bob.JoinTable(pb.JoinTableRequest(table_id=table.table_id, command_id=fresh()))
    await bob.AddEntropy(entropy(table.table_id))
    await ada.AddEntropy(entropy(table.table_id))
    await ada.StartTable(pb.StartTableRequest(table_id=table.table_id, command_id=fresh()))
    await world.lobby.note(table.table_id, begin)
    await world.lobby.note(table.table_id, lambda t: finish(t, "resigned"))
    seen = [event async for event in watch if not event.HasField("heartbeat")]
    assert [event.table.version for event in seen[:-1]] == [2, 3, 4, 5, 6, 7, 8]
    added = [[s.entropy_added for s in event.table.seats] for event in seen[2:5]]
    assert added == [[False, True], [True, True], [True, True]]
    assert seen[-2].table.status == pb.TABLE_STATUS_FINISHED
    assert seen[-1].ended.reason == stream_pb2.END_REASON_COMPLETE
    assert seen[-1].ended.resume_after == 8


async def test_who_is_kicked_from_an_unlisted_table_sees_no_more_of_it(world: World) -> None:
    table = await world.table("ada", 2, unlisted=True)
    ada, bob = await world.client("ada"), await world.client("bob")
    code = (await ada.CreateInvitation(
        pb.CreateInvitationRequest(table_id=table.table_id, command_id=fresh())
    )).code  # fmt: skip
    await bob.JoinTable(pb.JoinTableRequest(
        table_id=table.table_id, invitation_code=code, command_id=fresh()
    ))  # fmt: skip
    watch = steps(bob.WatchTable(pb.WatchTableRequest(table_id=table.table_id)))
    assert (await anext(watch)).table.version == 3
    await ada.KickSeat(pb.KickSeatRequest(table_id=table.table_id, seat=1, command_id=fresh()))
    seen = [event async for event in watch if not event.HasField("heartbeat")]
    assert [event.WhichOneof("event") for event in seen] == ["ended"]


async def test_a_watched_lobby_begins_with_what_is_open(world: World) -> None:
    first = await world.table("ada", 2)
    bob = await world.client("bob")
    watch = steps(bob.WatchLobby(pb.WatchLobbyRequest(game="harbour")))
    snapshot = (await anext(watch)).snapshot
    assert [table.table_id for table in snapshot.tables] == [first.table_id]
    await world.table("ada", 2, unlisted=True)
    second = await world.table("cyd", 2)
    await (await world.client("ada")).LeaveTable(
        pb.LeaveTableRequest(table_id=first.table_id, command_id=fresh())
    )
    seen = []
    async for event in watch:
        if event.HasField("table"):
            seen.append((event.table.table_id, event.table.status))
        if len(seen) == 2:
            break
    assert seen == [
        (second.table_id, pb.TABLE_STATUS_OPEN),
        (first.table_id, pb.TABLE_STATUS_CLOSED),
    ]
    draining = asyncio.create_task(world.server.drain())
    ended = [event.ended.reason async for event in watch if event.HasField("ended")]
    assert ended == [stream_pb2.END_REASON_DRAINING]
    await draining
