"""Rules as a client meets it: one process on PostgreSQL and NATS, everything over gRPC."""

from __future__ import annotations

import asyncio
import base64
import uuid
from collections.abc import Awaitable
from typing import Any

import pytest
from grpc import aio

from protos.tallystick.log.v1 import log_pb2
from protos.tallystick.match.v1 import match_pb2
from protos.tallystick.rules.v1 import rules_pb2 as pb
from protos.tallystick.stream.v1 import stream_pb2
from shared.engine.verify import verify
from shared.games import GAMES
from shared.platform.rpc.client import Problem, problem
from tests.engine.harbour import HARBOUR
from tests.services.rules.world import Player, World

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def refused(call: Awaitable[Any]) -> Problem:
    """Why a call is refused."""
    with pytest.raises(aio.AioRpcError) as error:
        await call
    return problem(error.value)


async def finish(match_id: str, *players: Player) -> None:
    """Play until the match is over."""
    for number in range(400):
        moved = [await player.answer(match_id, number) for player in players]
        if not any(moved):
            return
    raise AssertionError("the match does not end")


async def records_of(player: Player, match_id: str) -> list[match_pb2.MatchRecord]:
    """The whole watch of a match that is over."""
    stream = player.rules.WatchMatch(pb.WatchMatchRequest(match_id=match_id))
    return [m.record.record async for m in stream if m.WhichOneof("event") == "record"]


async def test_two_people_play_and_everybody_can_prove_it(world: World) -> None:
    ann, ben, eve = (world.player(name) for name in ("ann", "ben", "eve"))
    match_id = await world.start_table(["ann", "ben"])
    await finish(match_id, ann, ben)
    view = await eve.view(match_id)
    assert view.status == match_pb2.MATCH_STATUS_OVER and view.viewer_seat == -1
    assert view.result.reason == "finished" and len(view.result.ranking) == 2
    lines: list[bytes] = []
    async for piece in eve.rules.ExportMatch(pb.ExportMatchRequest(match_id=match_id)):
        lines += [line.encode() for line in piece.lines]
    proof = verify(lines, {**GAMES, "harbour": HARBOUR})
    assert proof.head == view.hash and not proof.open
    records = await records_of(eve, match_id)
    assert [record.version for record in records] == list(range(1, view.version + 1))
    assert records[-1].type == match_pb2.RECORD_TYPE_CLOSED


async def test_history_comes_in_pages_with_the_viewers_own_secrets(world: World) -> None:
    ann, ben = world.player("ann"), world.player("ben")
    match_id = await world.start_table(["ann", "ben"])
    await ann.play(match_id, "1.0", "bid 1")
    await ben.play(match_id, "1.1", "bid 0")
    after: int | None = 0
    pages: dict[str, list[match_pb2.MatchRecord]] = {"ann": [], "ben": []}
    while after is not None:
        for player in (ann, ben):
            page = await player.rules.GetHistory(
                pb.GetHistoryRequest(match_id=match_id, after_version=after, page_size=2)
            )
            pages[player.account] += page.records
            more = page.next_after_version if page.HasField("next_after_version") else None
        after = more
    assert [record.version for record in pages["ann"]] == [1, 2, 3]
    assert [record.move for record in pages["ann"]] == ["", "bid 1", "?"]
    assert [record.move for record in pages["ben"]] == ["", "?", "bid 0"]
    assert "Ann seals a bid of 1." in [fact.sentence for fact in pages["ann"][1].facts]
    assert "Ann seals a bid of a hidden one." in [fact.sentence for fact in pages["ben"][1].facts]


async def test_fifty_parallel_retries_of_one_command_are_one_move(world: World) -> None:
    ann = world.player("ann")
    match_id = await world.start_table(["ann", "ben"])
    again = [world.player("ann") for _ in range(4)] + [ann]
    answers = await asyncio.gather(
        *(again[n % 5].play(match_id, "1.0", "bid 1", "same-command") for n in range(50))
    )
    assert len({answer.SerializeToString(deterministic=True) for answer in answers}) == 1
    assert (await ann.view(match_id)).version == 2


async def test_every_refusal_says_what_and_why(world: World) -> None:
    ann, ben, eve = (world.player(name) for name in ("ann", "ben", "eve"))
    match_id = await world.start_table(["ann", "ben"])
    await ann.play(match_id, "1.0", "bid 1", "used")

    found = await refused(ann.play(match_id, "1.0", "bid 0"))
    assert (found.code.name, found.reason, found.current_version) == (
        "ABORTED",
        "STALE_DECISION",
        2,
    )
    found = await refused(ann.play(match_id, "1.0", "bid 0", "used"))
    assert (found.code.name, found.reason) == ("ALREADY_EXISTS", "COMMAND_ID_REUSED")
    found = await refused(ben.play(match_id, "1.1", "bid 17"))
    assert (found.code.name, found.reason) == ("FAILED_PRECONDITION", "ILLEGAL_MOVE")
    assert found.metadata["code"] == "not-offered"
    for player in (ann, eve):
        found = await refused(player.play(match_id, "1.1", "bid 0"))
        assert (found.code.name, found.reason) == ("PERMISSION_DENIED", "NOT_YOUR_SEAT")
    for call in (
        eve.rules.UndoMove(pb.UndoMoveRequest(match_id=match_id, to_version=1, command_id="u")),
        eve.rules.ResignMatch(pb.ResignMatchRequest(match_id=match_id, command_id="r")),
        eve.view(match_id, seat=0),
        ann.view(match_id, seat=1),
        ann.rules.GetHistory(pb.GetHistoryRequest(match_id=match_id, seat=1)),
    ):
        found = await refused(call)
        assert (found.code.name, found.reason) == ("PERMISSION_DENIED", "NOT_YOUR_SEAT")
    found = await refused(ann.view("no-such-match"))
    assert (found.code.name, found.reason) == ("NOT_FOUND", "MATCH_NOT_FOUND")
    for request, field in (
        (pb.PlayMoveRequest(match_id=match_id, decision_id="1.1", move="x"), "command_id"),
        (pb.PlayMoveRequest(match_id=match_id, move="x", command_id="c"), "decision_id"),
        (pb.PlayMoveRequest(match_id=match_id, decision_id="1.1", command_id="c"), "move"),
        (
            pb.PlayMoveRequest(match_id="m" * 65, decision_id="1", move="x", command_id="c"),
            "match_id",
        ),
    ):
        found = await refused(ben.rules.PlayMove(request))
        assert (found.code.name, found.reason) == ("INVALID_ARGUMENT", "INVALID_FIELD")
        assert list(found.fields) == [field]
    found = await refused(ben.rules.PlayMove(pb.PlayMoveRequest(move="m" * 2_000_000)))
    assert found.code.name == "RESOURCE_EXHAUSTED"
    assert (await ann.view(match_id)).version == 2


async def test_undo_and_resignation_over_grpc(world: World) -> None:
    ann, ben = world.player("ann"), world.player("ben")
    match_id = await world.start_table(["ann", "ben"])
    await ann.play(match_id, "1.0", "bid 0")
    await ben.play(match_id, "1.1", "bid 0")
    before = await ann.view(match_id)
    (decision,) = [one for one in before.decisions if one.options]
    played = await ann.play(match_id, decision.decision_id, "build quay")
    assert "Ann builds a house on the quay." in played.sentences
    after = await ann.view(match_id)
    assert after.undo_to == 3
    assert not (await ben.view(match_id)).HasField("undo_to")
    request = pb.UndoMoveRequest(match_id=match_id, to_version=3, command_id=uuid.uuid4().hex)
    undone = await ann.rules.UndoMove(request)
    assert undone == await ann.rules.UndoMove(request)
    again = await ann.view(match_id)
    assert (again.version, again.board_json) == (5, before.board_json)
    assert undone.decisions == [one for one in again.decisions if one.options]
    resigned = await ben.rules.ResignMatch(
        pb.ResignMatchRequest(match_id=match_id, command_id=uuid.uuid4().hex)
    )
    assert resigned.over
    view = await ann.view(match_id)
    assert view.result.reason == "resigned" and list(view.result.winners) == [0]
    assert [seat.resigned for seat in view.seats] == [False, True]


async def test_who_gave_up_is_asked_nothing_more_and_the_bots_are(world: World) -> None:
    ann, ben, bots = world.player("ann"), world.player("ben"), world.player("keeper", ["bots"])
    match_id = await world.start_table(["ann", "ben", "cas"])
    request = pb.ResignMatchRequest(match_id=match_id, command_id=uuid.uuid4().hex)
    assert not (await ann.rules.ResignMatch(request)).over
    records = []
    async for message in ann.rules.WatchMatch(pb.WatchMatchRequest(match_id=match_id)):
        if message.HasField("record"):
            records.append(message.record)
        if len(records) == 2:
            break
    assert [one.record.version for one in records] == [1, 2]
    assert not any(decision.options for one in records for decision in one.decisions)
    listed = await ann.rules.ListDecisions(pb.ListDecisionsRequest(match_id=match_id))
    view = await ann.view(match_id)
    for asked in (view.decisions, listed.decisions):
        assert [one.seat for one in asked] == [0, 1, 2]
        assert all(one.options_hidden and not one.options for one in asked)
    asked = (await bots.rules.GetView(pb.GetViewRequest(match_id=match_id, seat=0))).view.decisions
    assert [bool(one.options) for one in asked] == [True, False, False]
    assert [bool(one.options) for one in (await ben.view(match_id)).decisions] == [
        False, True, False,
    ]  # fmt: skip


async def test_lists_show_mine_running_and_over_in_pages(world: World) -> None:
    account = f"lister-{uuid.uuid4().hex[:6]}"
    me, other = world.player(account), world.player("other")
    ids = [await world.start_table([account, "other"]) for _ in range(5)]
    await me.rules.ResignMatch(pb.ResignMatchRequest(match_id=ids[2], command_id="gone"))

    async def listed(filter_: pb.MatchFilter, size: int = 2) -> list[pb.MatchSummary]:
        found: list[pb.MatchSummary] = []
        token = ""
        while True:
            answer = await me.rules.ListMatches(
                pb.ListMatchesRequest(filter=filter_, page_size=size, page_token=token)
            )
            found += answer.matches
            token = answer.next_page_token
            if not token:
                return found

    async with asyncio.timeout(30):
        while True:
            mine = await listed(pb.MATCH_FILTER_MINE)
            if len(mine) == 5 and mine[0].status == match_pb2.MATCH_STATUS_OVER:
                break
            await asyncio.sleep(0.05)
    assert [one.match_id for one in mine] == [ids[2], ids[4], ids[3], ids[1], ids[0]]
    assert list(mine[0].waiting_on) == [] and list(mine[1].waiting_on) == [0, 1]
    over = {one.match_id for one in await listed(pb.MATCH_FILTER_OVER, 200)}
    running = {one.match_id for one in await listed(pb.MATCH_FILTER_RUNNING, 200)}
    assert ids[2] in over and not set(ids) & over - {ids[2]}
    assert set(ids) - {ids[2]} <= running and ids[2] not in running
    page = await other.rules.ListMatches(pb.ListMatchesRequest(game="no-such-game"))
    assert not page.matches
    tokens = [base64.urlsafe_b64encode(text).decode() for text in (b"%d/x" % 2**64, b"1/a\0b")]
    for wrong in (
        *(pb.ListMatchesRequest(page_token=token) for token in ("!", *tokens)),
        pb.ListMatchesRequest(game="a\0b"),
        pb.ListMatchesRequest(filter=9),  # type: ignore[arg-type]
    ):
        assert (await refused(me.rules.ListMatches(wrong))).reason == "INVALID_FIELD"


async def test_turn_watchers_hear_when_it_is_their_turn(world: World) -> None:
    account = f"turner-{uuid.uuid4().hex[:6]}"
    me, ben = world.player(account), world.player("ben")
    first = await world.start_table([account, "ben"])
    await asyncio.sleep(0.3)
    stream = me.rules.WatchTurns(pb.WatchTurnsRequest())
    snapshot = (await stream.read()).snapshot
    assert [(turn.match_id, list(turn.decision_ids)) for turn in snapshot.turns] == [
        (first, ["1.0"])
    ]
    second = await world.start_table(["ben", account])
    heard: list[pb.Turn] = []

    async def until(match_id: str, decisions: list[str], over: bool = False) -> None:
        async with asyncio.timeout(30):
            while True:
                message = await stream.read()
                if message.WhichOneof("event") != "changed":
                    continue
                heard.append(message.changed)
                turn = message.changed
                if (turn.match_id, list(turn.decision_ids), turn.over) == (
                    match_id, decisions, over,
                ):  # fmt: skip
                    return

    await until(second, ["1.1"])
    await me.play(first, "1.0", "bid 0")
    await until(first, [])
    await ben.play(first, "1.1", "bid 0")
    await until(first, ["3.0"])
    await ben.rules.ResignMatch(pb.ResignMatchRequest(match_id=first, command_id="bye-bye"))
    await until(first, [], over=True)
    assert {turn.bot for turn in heard} == {""}
    stream.cancel()


async def test_bots_hear_of_their_seats_and_of_those_given_up(world: World) -> None:
    bots = world.player("keeper", ["bots"])
    found = await refused(
        _first(world.player("ann").rules.WatchTurns(pb.WatchTurnsRequest(bots=True)))
    )
    assert found.reason == "ROLE_MISSING"
    stream = bots.rules.WatchTurns(pb.WatchTurnsRequest(bots=True))
    assert (await stream.read()).WhichOneof("event") == "snapshot"
    match_id = await world.start_table(
        ["ann", "bot-random", "cas"], kinds=["player", "random", "player"]
    )
    cas = world.player("cas")
    await cas.rules.ResignMatch(pb.ResignMatchRequest(match_id=match_id, command_id="tired"))
    asked: dict[int, pb.Turn] = {}
    async with asyncio.timeout(30):
        while set(asked) != {1, 2}:
            message = await stream.read()
            turn = message.changed
            if turn.match_id == match_id and turn.decision_ids:
                asked[turn.seat] = turn
    assert (asked[1].bot, asked[2].bot) == ("random", "")
    for seat, turn in asked.items():
        view = await bots.view(match_id, seat)
        assert view.viewer_seat == seat
        assert [bool(one.options) for one in view.decisions] == [
            one.seat == seat for one in view.decisions
        ]
        await bots.play(match_id, turn.decision_ids[0], "bid 0")
    for call in (bots.view(match_id, 0), bots.play(match_id, "1.0", "bid 0")):
        assert (await refused(call)).reason == "NOT_YOUR_SEAT"
    stream.cancel()


async def _first(stream: Any) -> Any:
    async for message in stream:
        return message
    return None


async def test_the_log_is_for_services_and_what_is_hidden_for_them_alone(world: World) -> None:
    match_id = await world.start_table(["ann", "ben"])
    await world.player("ann").play(match_id, "1.0", "bid 1")
    stranger, auditor, service = (
        world.player("eve"), world.player("aud", ["auditor"]), world.player("svc", ["service"]),
    )  # fmt: skip
    whole = log_pb2.ReadLogRequest(stream=f"match-{match_id}")
    hidden = log_pb2.ReadLogRequest(stream=f"match-{match_id}", with_secrets=True)
    assert (await refused(_first(stranger.log.ReadLog(whole)))).reason == "ROLE_MISSING"
    assert (await refused(_first(auditor.log.ReadLog(hidden)))).reason == "ROLE_MISSING"

    async def read(player: Player, request: log_pb2.ReadLogRequest) -> list[log_pb2.LogEntry]:
        found: list[log_pb2.LogEntry] = []
        async for answer in player.log.ReadLog(request):
            found += answer.batch.entries
        return found

    async with asyncio.timeout(30):
        while len(public := await read(auditor, whole)) < 2:
            await asyncio.sleep(0.05)
    assert [entry.version for entry in public] == [1, 2]
    assert not any(entry.secrets for entry in public)
    full = await read(service, hidden)
    assert [entry.body for entry in full] == [entry.body for entry in public]
    assert b'"1"' in [secret.value for secret in full[1].secrets]
    positions = [entry.position for entry in await read(service, log_pb2.ReadLogRequest())]
    assert positions == list(range(1, len(positions) + 1))


async def test_a_watch_ends_when_the_token_does(world: World) -> None:
    match_id = await world.start_table(["ann", "ben"])
    short = world.player("ann", ttl=3.0)
    stream = short.rules.WatchMatch(pb.WatchMatchRequest(match_id=match_id))
    messages = []
    async with asyncio.timeout(30):
        async for message in stream:
            messages.append(message)
    assert messages[-1].ended.reason == stream_pb2.END_REASON_TOKEN_EXPIRED
    assert messages[-1].ended.resume_after == 1
    assert any(message.WhichOneof("event") == "heartbeat" for message in messages)


async def test_a_watch_cannot_begin_in_the_future(world: World) -> None:
    match_id = await world.start_table(["ann", "ben"])
    ann = world.player("ann")
    request = pb.WatchMatchRequest(match_id=match_id, after_version=7)
    assert (await refused(_first(ann.rules.WatchMatch(request)))).reason == "INVALID_FIELD"
