"""Matches stay on the edition that they began with, and one that is not here is in nobody's way.

A real process, restarted as releases with other editions of Harbour would be.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from grpc import StatusCode

from protos.tallystick.match.v1 import match_pb2
from protos.tallystick.rules.v1 import rules_pb2 as pb
from shared.engine.errors import NotInstalled
from shared.engine.verify import verify
from shared.platform.embedded.nats import EmbeddedNats
from tests.engine.harbour import HARBOUR
from tests.engine.harbour_2 import BOTH, HARBOUR_2
from tests.services.refusals import refused
from tests.services.rules.world import ROOT, Player, World, open_world

FIRST, SECOND, TOGETHER = ({"HARBOUR_EDITIONS": have} for have in ("1", "2", "2,1"))
WAITING = pb.WatchTurnsRequest()


@pytest.fixture
async def world(
    request: pytest.FixtureRequest, tmp_path: Path, nats: EmbeddedNats
) -> AsyncIterator[World]:
    """A release that has the first edition only; on SQLite unless a test asks for both."""
    url = f"sqlite:///{tmp_path / 'rules.sqlite3'}"
    if getattr(request, "param", "sqlite") == "postgres":
        url = str(request.getfixturevalue("postgres_url"))
    async with open_world(tmp_path, url, nats.url, start=False) as made:
        await started(made, FIRST)
        yield made


@pytest.fixture
def nats(tmp_path: Path) -> Iterator[EmbeddedNats]:
    """A bus for each test: its log is a new one."""
    with EmbeddedNats(tmp_path / "nats") as server:
        yield server


async def started(world: World, editions: dict[str, str]) -> None:
    world.rules.start(TALLY_DELIVERY_ATTEMPTS="2", **editions)
    await world.rules.ready()


async def updated(world: World, editions: dict[str, str]) -> None:
    """Stop the release, start another on the same data."""
    world.rules.terminate()
    assert await world.rules.died() == 0
    await started(world, editions)


async def lines(player: Player, match_id: str) -> list[bytes]:
    stream = player.rules.ExportMatch(pb.ExportMatchRequest(match_id=match_id))
    return [line.encode() async for piece in stream for line in piece.lines]


async def all_of(stream: AsyncIterator[Any]) -> list[Any]:
    return [message async for message in stream]


async def first_of(stream: Any) -> Any:
    async for message in stream:
        stream.cancel()
        return message
    raise AssertionError("nothing came")


async def play_to_the_end(match_id: str, *players: Player) -> None:
    for number in range(400):
        moved = [await player.answer(match_id, number) for player in players]
        if not any(moved):
            return
    raise AssertionError("the match does not end")


def everything(player: Player, match_id: str) -> dict[str, Callable[[], Awaitable[Any]]]:
    """Every call that needs a match's rules."""
    rules = player.rules
    return {
        "view": lambda: player.view(match_id),
        "decisions": lambda: rules.ListDecisions(pb.ListDecisionsRequest(match_id=match_id)),
        "history": lambda: rules.GetHistory(pb.GetHistoryRequest(match_id=match_id)),
        "watch": lambda: all_of(rules.WatchMatch(pb.WatchMatchRequest(match_id=match_id))),
        "move": lambda: player.play(match_id, "1.0", "bid 0"),
        "undo": lambda: rules.UndoMove(
            pb.UndoMoveRequest(match_id=match_id, to_version=1, command_id="undo")
        ),
        "resign": lambda: rules.ResignMatch(
            pb.ResignMatchRequest(match_id=match_id, command_id="resign")
        ),
    }


async def test_a_match_of_an_edition_that_is_not_here_is_refused_and_in_nobodys_way(
    world: World,
) -> None:
    ann, ben = world.player("ann"), world.player("ben")
    running = await world.start_table(["ann", "ben"])
    over = await world.start_table(["ann", "ben"])
    await ann.play(running, "1.0", "bid 1")
    await play_to_the_end(over, ann, ben)
    await updated(world, SECOND)

    for match_id in (running, over):
        for call in everything(ann, match_id).values():
            with refused(StatusCode.FAILED_PRECONDITION, "EDITION_NOT_INSTALLED") as why:
                await call()
            (problem,) = why
            assert problem.metadata == {"game": "harbour", "edition": "1", "installed": "2"}
            assert "edition '1'" in problem.message and "install a release" in problem.message
    assert "damaged" not in world.rules.logged()

    listed = await ann.rules.ListMatches(pb.ListMatchesRequest())
    assert {(one.match_id, one.edition) for one in listed.matches} == {(running, "1"), (over, "1")}
    turns = (await first_of(ben.rules.WatchTurns(WAITING))).snapshot.turns
    assert [turn.match_id for turn in turns] == [running]
    exported = await lines(ann, over)
    assert not verify(exported, {"harbour": HARBOUR}).open
    with pytest.raises(NotInstalled):
        verify(exported, {"harbour": HARBOUR_2})

    # Ordered again, a running match goes on waiting for its edition.
    await world.start_table(["ann", "ben"], match_id=running, wait=False)
    dead = await world.start_table(["ann", "ben"], edition="1", wait=False)
    alive = await world.start_table(["ann", "ben"], edition="2")
    with refused(StatusCode.NOT_FOUND, "MATCH_NOT_FOUND"):
        await ann.view(dead)
    reason = await world.refusal(dead)
    assert "edition '1'" in reason and "install a release" in reason
    assert not await world.notices(f"refusal-{running}")
    await play_to_the_end(alive, ann, ben)
    assert (await ann.view(alive)).status == match_pb2.MATCH_STATUS_OVER


@pytest.mark.parametrize("world", ["sqlite", "postgres"], indirect=True)
async def test_the_index_is_made_again_with_matches_of_an_edition_that_is_not_here(
    world: World,
) -> None:
    ann, ben = world.player("ann"), world.player("ben")
    first = await world.start_table(["ann", "ben"])
    over = await world.start_table(["ann", "ben"])
    await play_to_the_end(over, ann, ben)
    await updated(world, SECOND)
    second = await world.start_table(["ann", "ben"], edition="2")
    async with asyncio.timeout(30):  # the index may lag behind the log
        while len((before := await ann.rules.ListMatches(pb.ListMatchesRequest())).matches) < 3:
            await asyncio.sleep(0.05)
    world.rules.terminate()
    assert await world.rules.died() == 0
    rebuild = [sys.executable, "-m", "services.rules", "rebuild"]
    environment = world.rules.environment
    await asyncio.to_thread(
        subprocess.run, rebuild, cwd=ROOT, env=environment, check=True, timeout=60
    )
    await started(world, SECOND)
    async with asyncio.timeout(30):
        while (found := await ann.rules.ListMatches(pb.ListMatchesRequest())) != before:
            await asyncio.sleep(0.05)
    assert {one.match_id for one in found.matches} == {first, over, second}


async def test_two_editions_are_played_side_by_side_across_a_restart(world: World) -> None:
    ann, ben = world.player("ann"), world.player("ben")
    old = await world.start_table(["ann", "ben"])
    await ann.play(old, "1.0", "bid 1")
    await updated(world, TOGETHER)
    new = await world.start_table(["ann", "ben"], edition="2")
    late = await world.start_table(["ann", "ben"], edition="1")  # its table was opened before
    for match_id in (old, new):
        await ben.play(match_id, "1.1", "bid 0")
    await ann.play(new, "1.0", "bid 1")
    await updated(world, TOGETHER)

    labels = {}
    for match_id, edition in ((old, "1"), (new, "2"), (late, "1")):
        view = await ann.view(match_id)
        assert view.edition == edition
        labels[match_id] = {o.notation: o.label for d in view.decisions for o in d.options}
    assert labels[old]["gamble"] == "Roll the die" and labels[new]["gamble"] == "Try your luck"
    for match_id, edition, rounds in ((old, HARBOUR, "3"), (new, HARBOUR_2, "2")):
        await play_to_the_end(match_id, ann, ben)
        view = await ann.view(match_id)
        assert view.status == match_pb2.MATCH_STATUS_OVER and view.options["rounds"] == rounds
        exported = await lines(ann, match_id)
        assert not verify(exported, {"harbour": BOTH}).open
        proof = verify(exported, {"harbour": edition})
        ranking = [(one.seat, one.rank, one.points) for one in view.result.ranking]
        assert ranking == [(one.seat, one.rank, one.points) for one in proof.standings]
