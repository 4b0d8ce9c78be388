"""A bot's seat is never left waiting, however the news of its turns comes in."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from grpc import StatusCode, aio

from protos.tallystick.rules.v1.rules_pb2 import Turn
from services.bots.__main__ import wire
from services.bots.player import BotPlayer
from shared.engine.game import installed
from shared.platform.settings import ServiceSettings
from tests.engine.harbour_2 import HARBOUR_2


class Rules:
    """What rules would tell: the next turn comes while the answer to the last is on its way."""

    def __init__(self, player: BotPlayer, versions: list[int]) -> None:
        self._player = player
        self._versions = versions
        self.looked = 0

    async def answer_once(self, match_id: str, seat: int, kind: str) -> int:
        self.looked += 1
        seen = self._versions[0]
        if len(self._versions) > 1:
            del self._versions[0]
            self._player._take_up(turn(self._versions[0]))
        return seen


def turn(version: int) -> Turn:
    """The news that seat 1 is asked something."""
    return Turn(match_id="m", version=version, seat=1, decision_ids=[f"{version}.1"], bot="random")


@pytest.mark.parametrize(
    ("versions", "looked"),
    [([3], 1), ([3, 5], 2), ([3, 5, 8, 9], 4), ([5, 5], 1), ([5, 4], 1)],
    ids=["one turn", "one more meanwhile", "many more", "the same again", "old news"],
)
async def test_a_turn_told_meanwhile_is_looked_at_once_if_it_is_new(
    monkeypatch: pytest.MonkeyPatch, versions: list[int], looked: int
) -> None:
    nobody: Any = None
    player = BotPlayer(nobody, {})
    rules = Rules(player, versions)
    monkeypatch.setattr(player, "_answer_once", rules.answer_once)
    player._take_up(turn(versions[0]))
    async with asyncio.timeout(30):
        while player._busy:
            await asyncio.sleep(0)
    assert rules.looked == looked


async def test_a_match_of_an_edition_that_is_not_here_is_left_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And the player goes on with the next match."""
    answered: list[str] = []

    async def answer_once(match_id: str, seat: int, kind: str) -> int:
        answered.append(match_id)
        if match_id == "old":
            installed({"harbour": HARBOUR_2}, "harbour", "1")
        return 3

    nobody: Any = None
    player = BotPlayer(nobody, {})
    monkeypatch.setattr(player, "_answer_once", answer_once)
    for match_id in ("old", "new"):
        player._take_up(Turn(match_id=match_id, version=3, seat=1, decision_ids=["3.1"]))
    tasks = list(player._busy.values())
    async with asyncio.timeout(30):
        await asyncio.gather(*tasks)
    assert answered == ["old", "new"] and not player._busy


@pytest.mark.parametrize(
    ("code", "looked"),
    [(StatusCode.UNAVAILABLE, 31), (StatusCode.INTERNAL, 6), (StatusCode.NOT_FOUND, 1)],
    ids=lambda value: str(value),
)
async def test_a_seat_is_attended_until_an_outage_is_over(
    monkeypatch: pytest.MonkeyPatch, code: StatusCode, looked: int
) -> None:
    """Rules tells of a turn once: who gives up on it leaves the match waiting."""
    looks = 0

    async def answer_once(match_id: str, seat: int, kind: str) -> int:
        nonlocal looks
        looks += 1
        if looks > 30:
            return 3
        raise aio.AioRpcError(code, aio.Metadata(), aio.Metadata(), "not now")

    monkeypatch.setattr("services.bots.player.RETRY_SECONDS", (0.001,) * 5)
    nobody: Any = None
    player = BotPlayer(nobody, {})
    monkeypatch.setattr(player, "_answer_once", answer_once)
    player._take_up(turn(3))
    async with asyncio.timeout(30):
        await asyncio.gather(*player._busy.values())
    assert looks == looked


async def test_a_process_without_its_player_stops(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It would say that it is well, and no bot would move."""
    stopped = asyncio.Event()

    async def run(player: BotPlayer) -> None:
        raise RuntimeError("a bug of ours")

    monkeypatch.setattr(BotPlayer, "run", run)
    monkeypatch.setattr("signal.raise_signal", lambda _: stopped.set())
    monkeypatch.setenv("TALLY_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("TALLY_DEV_AUTH", "true")
    nothing: Any = None
    async with AsyncExitStack() as stack, asyncio.timeout(30):
        await wire(ServiceSettings.load("bots"), nothing, nothing, stack)
        await stopped.wait()
