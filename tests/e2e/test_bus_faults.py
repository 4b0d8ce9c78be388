"""The bus stopped, restored from an old copy, with holes: it costs time, never a move."""

from __future__ import annotations

import shutil
from pathlib import Path

import nats
from nats.js.api import StorageType, StreamConfig

from shared.platform.bus import stream_name
from shared.platform.bus.message import MESSAGE_ID, POSITION, subjects
from tests.e2e.checker import check, sheet_at
from tests.e2e.playing import Hand, new_match, play_on, told
from tests.e2e.world import World


async def test_without_the_bus_play_and_scoring_go_on(world: World) -> None:
    async with world.caller("ann") as ann, world.caller("ben") as ben:
        match_id = await new_match(ann, ["me", "open"], [ben])
        hands = [Hand(ann, match_id, 1), Hand(ben, match_id, 2)]
        await play_on(hands, 6)
        world.nats.kill()
        await play_on(hands, 15)
        assert not any(hand.doubts for hand in hands), "players notice nothing"
        version = max(one.version for hand in hands for one in hand.told)
        await sheet_at(ann, match_id, version)
        world.nats.start()
        await play_on(hands, 6)
        await check(world, match_id, told(hands))


async def test_a_match_ordered_without_the_bus_is_played_all_the_same(world: World) -> None:
    async with world.caller("ann") as ann:
        world.nats.stop()
        match_id = await new_match(ann, ["me", "random"])
        hand = Hand(ann, match_id)
        await play_on([hand], 3)
        world.nats.start()
        assert await hand.asked() is not None
        await check(world, match_id, hand.told)


async def test_the_bus_comes_back_from_an_older_copy(world: World, tmp_path: Path) -> None:
    async with world.caller("ann") as ann, world.caller("ben") as ben:
        match_id = await new_match(ann, ["me", "open"], [ben])
        hands = [Hand(ann, match_id, 1), Hand(ben, match_id, 2)]
        await play_on(hands, 6)
        world.nats.stop()
        shutil.copytree(world.nats.folder / "jetstream", tmp_path / "older")
        world.nats.start()
        await play_on(hands, 10)
        await check(world, match_id)

        world.nats.kill()
        shutil.rmtree(world.nats.folder / "jetstream")
        shutil.copytree(tmp_path / "older", world.nats.folder / "jetstream")
        await play_on(hands, 5)
        world.nats.start()
        await play_on(hands, 5)
        await check(world, match_id, told(hands))


async def test_messages_missing_in_the_middle_are_read_from_the_log(world: World) -> None:
    async with world.caller("ann") as ann, world.caller("ben") as ben:
        match_id = await new_match(ann, ["me", "open"], [ben])
        hands = [Hand(ann, match_id, 1), Hand(ben, match_id, 2)]
        await play_on(hands, 5)
        world["scoring"].kill()
        await play_on(hands, 20)
        world["rules"].kill()
        world.lost_on_bus |= await _make_holes(world.nats.url)
        await world["scoring"].restart()
        await world["rules"].restart()
        await play_on(hands, 5)
        await check(world, match_id, told(hands))


async def _make_holes(url: str) -> set[int]:
    """Lose some messages of rules, not the last ones; their positions.

    The broker refuses to delete single messages of our streams, so the stream is made once more
    without them, as a careless operator might who copies it.
    """
    client = await nats.connect(url)
    try:
        js = client.jetstream()
        name = stream_name("rules")
        last = (await js.stream_info(name)).state.last_seq
        messages = [await js.get_msg(name, number) for number in range(1, last + 1)]
        await js.delete_stream(name)
        await js.add_stream(
            StreamConfig(name=name, subjects=[subjects("rules")], storage=StorageType.FILE)
        )
        lost = set()
        for number, message in enumerate(messages):
            assert message.subject is not None and message.headers is not None
            headers = {
                key: value
                for key, value in message.headers.items()
                if not key.startswith("Nats-") or key == MESSAGE_ID
            }
            made = await js.publish(message.subject, message.data or b"", headers=headers)
            if number in range(len(messages) - 12, len(messages) - 5):
                await js.delete_msg(name, made.seq)
                lost.add(int(headers[POSITION]))
        return lost
    finally:
        await client.close()
