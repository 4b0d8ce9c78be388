"""Two rules processes on one PostgreSQL: both play, both publish, one may die."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.checker import check
from tests.e2e.playing import Hand, new_match, play_on, told, whose_turn
from tests.e2e.watching import Watcher, watching
from tests.e2e.world import SERVICES, World, open_world


@pytest.fixture
def pair(tmp_path: Path, postgres_url: str) -> Iterator[World]:
    """A system whose rules service is two processes."""
    with open_world(tmp_path, (), {"rules": postgres_url}) as world:
        world.add("rules", "rules-2")
        world.start([*SERVICES, "rules-2"])
        yield world


async def test_two_rules_processes_play_and_publish_as_one(pair: World) -> None:
    async with pair.caller("ann") as ann, pair.caller("ben", rules="rules-2") as ben:
        match_id = await new_match(ann, ["me", "open", "random"], [ben])
        hands = [Hand(ann, match_id, 1), Hand(ben, match_id, 2)]
        watchers = [Watcher(ann, match_id), Watcher(ben, match_id)]
        async with watching(watchers):
            await play_on(hands, 20)
            await _the_same_command_at_both(pair, hands)
            pair.nats.kill()
            await play_on(hands, 6)
            pair.nats.start()  # now both want to publish what is missing

            pair["rules-2"].kill()
            playing = asyncio.create_task(play_on(hands, 30))
            await asyncio.sleep(0.5)
            await pair["rules-2"].restart()
            await playing
            await play_on(hands, 5000)
            checked = await check(pair, match_id, told(hands))
            assert checked.match.closed is not None
            for watcher in watchers:
                await watcher.reached(len(checked.records))
                assert watcher.hashes == checked.hashes


async def _the_same_command_at_both(pair: World, hands: list[Hand]) -> None:
    """One command sent to both processes at once is one move with one answer."""
    hand, decision = await whose_turn(hands)
    command = hand.command(decision)
    async with (
        pair.caller(hand.caller.account) as one,
        pair.caller(hand.caller.account, rules="rules-2") as other,
    ):
        answers = await asyncio.gather(
            *(caller.rules.PlayMove(command) for caller in (one, other) for _ in range(5))
        )
    assert len({answer.SerializeToString(deterministic=True) for answer in answers}) == 1
    hand.note(command, answers[0])
