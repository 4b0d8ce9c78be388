"""Moves, undos and resignations over a real store: once, in order, never by a stranger."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from google.protobuf.message import Message

from protos.tallystick.rules.v1 import rules_pb2 as pb
from services.rules.rights import rights
from shared.engine.errors import RuleViolation
from shared.engine.match import CLOSED, MatchClosed, stream_of
from shared.engine.record import check_chain
from shared.engine.verify import export_lines, verify
from shared.platform.rpc.errors import (
    AlreadyExists,
    FailedPrecondition,
    NotFound,
    PermissionDenied,
    Stale,
    TooMuch,
)
from shared.platform.store import Append, StoreUnavailable, VersionConflict, open_store
from tests.services.rules.desk import GAMES, Desk, asked_of, open_desk, who


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with open_desk(f"sqlite:///{tmp_path / 'rules.sqlite3'}") as desk:
        yield desk


async def test_a_match_plays_to_its_end_and_its_export_is_proved(desk: Desk) -> None:
    match_id = await desk.start(["ann", "ben", "cas"])
    await desk.play_on(match_id, choose=3)
    match = await desk.match(match_id)
    assert match.closed is not None and match.closed.reason == "played"
    stored = await desk.store.load(stream_of(match_id))
    assert stored[-1].type == CLOSED
    lines = export_lines(stream_of(match_id), ((one.body, one.hash) for one in stored))
    proof = verify(lines, GAMES)
    assert len(proof.proved) == 4 and not proof.open


async def test_the_last_move_and_the_closing_record_are_one_append(desk: Desk) -> None:
    match_id = await desk.start(["ann", "ben"])
    appended: list[Append] = []
    original = desk.store.append

    async def note(append: Append) -> None:
        appended.append(append)
        await original(append)

    desk.store.append = note  # type: ignore[method-assign]
    await desk.play_on(match_id)
    assert [len(one.records) for one in appended] == [1] * (len(appended) - 1) + [2]
    last = appended[-1]
    assert last.receipt is not None
    assert pb.PlayMoveResponse.FromString(last.receipt.response).over


async def test_fifty_times_the_same_command_moves_once(desk: Desk) -> None:
    match_id = await desk.start(["ann", "ben"])
    answers = await asyncio.gather(
        *(desk.play("ann", match_id, "1.0", "bid 1", "same") for _ in range(50))
    )
    assert {answer.SerializeToString(deterministic=True) for answer in answers} == {
        answers[0].SerializeToString(deterministic=True)
    }
    assert len(await desk.store.load(stream_of(match_id))) == 2


async def test_a_late_retry_gets_the_first_answer_byte_for_byte(desk: Desk) -> None:
    match_id = await desk.start(["ann", "ben"])
    first = await desk.play("ann", match_id, "1.0", "bid 1", "first")
    await desk.play_on(match_id, moves=5)
    again = await desk.play("ann", match_id, "1.0", "bid 1", "first")
    assert again.SerializeToString() == first.SerializeToString()
    await desk.play_on(match_id)
    after_the_end = await desk.play("ann", match_id, "1.0", "bid 1", "first")
    assert after_the_end.SerializeToString() == first.SerializeToString()


async def test_a_command_id_with_another_body_is_refused(desk: Desk) -> None:
    match_id = await desk.start(["ann", "ben"])
    await desk.play("ann", match_id, "1.0", "bid 1", "one")
    for move in ("bid 0", "bid 7"):
        with pytest.raises(AlreadyExists) as refusal:
            await desk.play("ann", match_id, "1.0", move, "one")
        assert refusal.value.reason == "COMMAND_ID_REUSED"
    with pytest.raises(AlreadyExists):
        await desk.resign("ann", match_id, command_id="one")
    # Another account may use the same id: ids belong to who chose them.
    await desk.play("ben", match_id, "1.1", "bid 0", "one")


async def test_a_legal_move_under_a_used_command_id_changes_nothing(desk: Desk) -> None:
    match_id = await desk.start(["ann", "ann"])
    await desk.play("ann", match_id, "1.0", "bid 1", "one")
    with pytest.raises(AlreadyExists):
        await desk.play("ann", match_id, "1.1", "bid 1", "one")
    assert (await desk.match(match_id)).version == 2


async def test_what_is_stale_illegal_or_foreign_is_refused(desk: Desk) -> None:
    match_id = await desk.start(["ann", "ben"])
    with pytest.raises(Stale) as stale:
        await desk.play("ann", match_id, "9.0", "bid 1")
    assert stale.value.reason == "STALE_DECISION"
    assert stale.value.metadata == {"current_version": "1"}
    with pytest.raises(RuleViolation) as illegal:
        await desk.play("ann", match_id, "1.0", "bid 99")
    assert illegal.value.code == "not-offered"
    with pytest.raises(PermissionDenied) as foreign:
        await desk.play("ben", match_id, "1.0", "bid 1")
    assert foreign.value.reason == "NOT_YOUR_SEAT"
    for decision in ("1.0", "9.9"):
        with pytest.raises(PermissionDenied) as stranger:
            await desk.play("eve", match_id, decision, "bid 1")
        assert stranger.value.reason == "NOT_YOUR_SEAT"
    with pytest.raises(NotFound):
        await desk.play("ann", "nowhere", "1.0", "bid 1")
    assert (await desk.match(match_id)).version == 1


async def test_bots_play_their_own_seats_and_those_that_were_given_up(desk: Desk) -> None:
    match_id = await desk.start(["ann", "bot-random", "cas"], ["player", "random", "player"])
    match = await desk.match(match_id)
    assert rights(who("keeper", "bots"), match).plays == (1,)
    assert rights(who("bot-random"), match).plays == (), "a person of that name owns no bot's seat"
    await desk.resign("cas", match_id)
    match = await desk.match(match_id)
    assert rights(who("keeper", "bots"), match).plays == (1, 2)
    assert rights(who("cas"), match).plays == ()
    assert rights(who("cas"), match).sees == (2,)
    with pytest.raises(PermissionDenied):
        rights(who("keeper", "bots"), match).viewer(0)
    with pytest.raises(PermissionDenied):
        await desk.play("cas", match_id, "1.2", "bid 0")


async def test_undo_reaches_every_version_it_may_and_no_other(desk: Desk) -> None:
    match_id = await desk.start(["ann", "ben"])
    for account, decision in (("ann", "1.0"), ("ben", "1.1")):
        await desk.play(account, match_id, decision, "bid 0")
    states = {}
    while (await desk.match(match_id)).trail_seat != 0 or not (await desk.match(match_id)).trail:
        live = await desk.book.current(match_id)
        decision = live.asked[0]
        moves = [option.notation for option in decision.options]
        move = next((m for m in moves if m.startswith(("build", "take coins"))), moves[-1])
        account = live.match.created.seats[decision.seat].account
        await desk.play(account, match_id, decision.id, move)
    match = await desk.match(match_id)
    lowest = match.undo_to(0)
    assert lowest is not None
    states = {step.version: step.state for step in match.trail}
    for to in (0, lowest - 1, match.version, match.version + 5):
        with pytest.raises(FailedPrecondition) as refusal:
            await desk.undo("ann", match_id, to)
        assert refusal.value.reason == "UNDO_BARRIER"
    with pytest.raises(FailedPrecondition):
        await desk.undo("ben", match_id, lowest)
    for to in sorted(states, reverse=True):
        answer = await desk.undo("ann", match_id, to)
        undone = await desk.match(match_id)
        assert undone.state == states[to] and undone.version == answer.version
    desk.book._live.clear()
    assert (await desk.match(match_id)).state == states[lowest]
    assert await desk.play_on(match_id) > 0


async def test_resigning_ends_a_match_of_two_and_ranks_last(desk: Desk) -> None:
    match_id = await desk.start(["ann", "ben"])
    answer = await desk.resign("ann", match_id)
    assert answer.over
    match = await desk.match(match_id)
    assert isinstance(match.closed, MatchClosed) and match.closed.reason == "resigned"
    assert [one.seat for one in match.closed.standings] == [1, 0]
    for act in (desk.resign("ben", match_id), desk.play("ben", match_id, "1.1", "bid 0")):
        with pytest.raises(FailedPrecondition) as refusal:
            await act
        assert refusal.value.reason == "MATCH_OVER"
    stored = await desk.store.load(stream_of(match_id))
    lines = export_lines(stream_of(match_id), ((one.body, one.hash) for one in stored))
    assert verify(lines, GAMES).records == 3


async def test_a_match_takes_a_short_line_of_commands(desk: Desk) -> None:
    match_id = await desk.start(["ann"] * 4)
    live = await desk.book.current(match_id)
    async with live.lock:
        waiting = [
            asyncio.create_task(desk.play("ann", match_id, f"1.{n % 4}", "bid 0")) for n in range(9)
        ]
        done, _ = await asyncio.wait(waiting, timeout=30, return_when=asyncio.FIRST_COMPLETED)
        (turned_away,) = done
        with pytest.raises(TooMuch) as refusal:
            turned_away.result()
        assert refusal.value.retry_after > 0
    outcomes = await asyncio.gather(*waiting, return_exceptions=True)
    assert sum(isinstance(one, Message) for one in outcomes) == 4


async def test_a_caller_that_goes_away_leaves_whole_moves_behind(desk: Desk) -> None:
    choose = random.Random(5)
    match_id = await desk.start(["ann", "ben"])
    for round_ in range(60):
        live = await desk.book.current(match_id)
        if not live.asked:
            break
        decision = live.asked[0]
        account = live.match.created.seats[decision.seat].account
        option = choose.choice(decision.options)
        task = asyncio.create_task(
            desk.play(account, match_id, decision.id, option.notation, f"c{round_}")
        )
        await asyncio.sleep(choose.random() * 0.004)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        answer = await desk.play(account, match_id, decision.id, option.notation, f"c{round_}")
        assert answer.version == (await desk.match(match_id)).version - answer.over
    stored = await desk.store.load(stream_of(match_id))
    check_chain((one.body, one.hash) for one in stored)
    cached = await desk.match(match_id)
    desk.book._live.clear()
    assert (await desk.match(match_id)).state == cached.state


async def test_two_processes_on_one_database_never_fork_a_match(
    tmp_path: Path, postgres_url: str
) -> None:
    async with open_desk(postgres_url) as one, open_desk(postgres_url) as two:
        match_id = await one.start(["ann", "ben"])
        await two.match(match_id)
        desks = [one, two]
        for round_ in range(200):
            live = await desks[0].book.current(match_id)
            if not live.asked:
                break
            decision = live.asked[0]
            account = live.match.created.seats[decision.seat].account
            move = decision.options[round_ % len(decision.options)].notation
            outcomes = await asyncio.gather(
                *(d.play(account, match_id, decision.id, move, f"c{round_}") for d in desks),
                return_exceptions=True,
            )
            assert [repr(o) for o in outcomes if isinstance(o, BaseException)] == []
            assert outcomes[0] == outcomes[1]
            desks.reverse()
        stored = await one.store.load(stream_of(match_id))
        assert stored[-1].type == CLOSED
        lines = export_lines(stream_of(match_id), ((each.body, each.hash) for each in stored))
        assert not verify(lines, GAMES).open


async def test_who_was_overtaken_decides_anew_on_what_is_there(
    tmp_path: Path, postgres_url: str
) -> None:
    async with open_desk(postgres_url) as one, open_desk(postgres_url) as two:
        match_id = await one.start(["ann", "ben"])
        await two.match(match_id)
        await one.play("ann", match_id, "1.0", "bid 0")
        answer = await two.play("ben", match_id, "1.1", "bid 1")
        assert answer.version == 3
        with pytest.raises(Stale) as stale:
            await one.play("ben", match_id, "1.1", "bid 2")
        assert stale.value.metadata == {"current_version": "3"}


async def test_a_write_in_doubt_is_looked_up_before_anything_else(desk: Desk) -> None:
    match_id = await desk.start(["ann", "ben"])
    original = desk.store.append

    async def lost_after(append: Append) -> None:
        await original(append)
        raise StoreUnavailable("the connection was lost")

    async def lost_before(append: Append) -> None:
        raise StoreUnavailable("the connection was lost")

    for fails, move, command in ((lost_before, "bid 0", "a"), (lost_after, "bid 2", "b")):
        desk.store.append = fails  # type: ignore[method-assign]
        with pytest.raises(StoreUnavailable):
            await desk.play("ann", match_id, "1.0", move, command)
        desk.store.append = original  # type: ignore[method-assign]
    live = desk.book.cached(match_id)
    assert live is not None and live.behind and live.match.version == 1
    again = await desk.play("ann", match_id, "1.0", "bid 2", "b")
    assert again.version == 2 and live.match.version == 2
    assert await desk.store.receipt("ann", "a") is None


async def test_after_too_many_conflicts_the_caller_is_told_to_look_again(desk: Desk) -> None:
    match_id = await desk.start(["ann", "ben"])

    async def always_late(append: Append) -> None:
        raise VersionConflict(append.stream, append.expected, append.expected + 1)

    desk.store.append = always_late  # type: ignore[method-assign]
    with pytest.raises(Stale) as stale:
        await desk.play("ann", match_id, "1.0", "bid 2")
    assert stale.value.reason == "STALE_VERSION"


async def test_creating_a_match_twice_makes_one_and_keeps_its_seed(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'rules.sqlite3'}"
    async with open_store(url) as store:
        kept = await store.put_private("seed/m1", bytes(range(32)))
        desk = Desk(store)
        await asyncio.gather(*(desk.start(["ann", "ben"], match_id="m1") for _ in range(5)))
        assert len(await store.load("match-m1")) == 1
        assert (await desk.match("m1")).server_seed == kept
        assert asked_of(await desk.book.current("m1"), 1) == "1.1"
