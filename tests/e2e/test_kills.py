"""Services killed in the middle of play: nothing is lost, nothing happens twice."""

from __future__ import annotations

import asyncio

import pytest

from tests.e2e.checker import check
from tests.e2e.playing import Hand, new_match, play_on
from tests.e2e.world import KILLED, World


@pytest.mark.parametrize("place", ["before-commit", "after-commit", "after-publish"])
async def test_rules_dies_while_two_people_play(world: World, place: str) -> None:
    async with world.caller("ann") as ann, world.caller("ben") as ben:
        match_id = await new_match(ann, ["me", "open"], [ben])
        hands = [Hand(ann, match_id, 1), Hand(ben, match_id, 2)]
        await play_on(hands, 8)

        world["rules"].kill()
        await world["rules"].restart(crash_at=place)
        playing = asyncio.create_task(play_on(hands, 24))
        assert await world["rules"].died() == KILLED
        await world["rules"].restart()
        await playing

        told = [one for hand in hands for one in hand.told]
        assert len(told) >= 32
        checked = await check(world, match_id, told)
    assert len(checked.records) == 1 + len(told)
