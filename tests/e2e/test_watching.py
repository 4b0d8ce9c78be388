"""Several who look at one match agree on it, whatever happens to their connections."""

from __future__ import annotations

import asyncio
import json

from protos.tallystick.rules.v1.rules_pb2 import GetViewRequest
from tests.e2e.checker import check
from tests.e2e.playing import Hand, new_match, play_on
from tests.e2e.watching import Watcher, watching
from tests.e2e.world import World


async def test_all_viewers_come_to_the_same_hash_with_every_record_once(world: World) -> None:
    async with world.caller("ann") as ann, world.caller("eve") as eve:
        match_id = await new_match(ann, ["me", "random", "random"])
        hand = Hand(ann, match_id, 3)
        steady = [Watcher(ann, match_id), Watcher(eve, match_id)]
        fickle = [Watcher(ann, match_id, 9, 1), *(Watcher(eve, match_id, 5, n) for n in range(3))]
        async with watching([*steady, *fickle]):
            await play_on([hand], 5000)
            checked = await check(world, match_id, hand.told)
            assert checked.match.closed is not None
            for watcher in (*steady, *fickle):
                await watcher.reached(len(checked.records))
        for watcher in (*steady, *fickle):
            assert watcher.hashes == checked.hashes
        for watcher in fickle:
            assert watcher.begun > 10, "it came back often"
            assert watcher.sentences in (steady[0].sentences, steady[1].sentences)


async def test_seat_and_spectator_see_one_position_in_their_own_way(world: World) -> None:
    async with world.caller("ann") as ann, world.caller("eve") as eve:
        match_id = await new_match(ann, ["me", "random"])
        hand = Hand(ann, match_id, 4)
        for _ in range(6):
            await play_on([hand], 4)
            assert await hand.asked() is not None
            request = GetViewRequest(match_id=match_id)
            mine, theirs = (
                answer.view
                for answer in await asyncio.gather(
                    ann.rules.GetView(request), eve.rules.GetView(request)
                )
            )
            assert (mine.version, mine.hash) == (theirs.version, theirs.hash)
            assert (mine.viewer_seat, theirs.viewer_seat) == (0, -1)
            assert list(mine.scores) == list(theirs.scores)
            assert mine.decisions[0].options and not theirs.decisions[0].options
            assert json.loads(mine.board_json).keys() == json.loads(theirs.board_json).keys()
