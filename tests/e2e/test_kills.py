"""Services killed, stopped and started in the middle of play: nothing is lost or done twice."""

from __future__ import annotations

import asyncio
import random
import uuid
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from grpc import aio

from protos.tallystick.lobby.v1.lobby_pb2 import (
    TABLE_STATUS_FINISHED,
    TABLE_STATUS_PLAYING,
    TABLE_STATUS_STARTING,
    GetTableRequest,
    StartTableRequest,
    Table,
)
from protos.tallystick.rules.v1.rules_pb2 import GetViewRequest, PlayMoveRequest, PlayMoveResponse
from services.cli.fairness import add_entropy
from services.cli.fairness import check as agreed
from services.cli.tables import open_table
from tests.e2e.checker import check
from tests.e2e.playing import IN_DOUBT, Hand, new_match, play_on, told, whose_turn
from tests.e2e.watching import Watcher, watching
from tests.e2e.world import KILLED, Caller, World, eventually


@asynccontextmanager
async def two_people(world: World) -> AsyncIterator[tuple[str, list[Hand]]]:
    """A match of two people, each with a connection of its own."""
    async with world.caller("ann") as ann, world.caller("ben") as ben:
        match_id = await new_match(ann, ["me", "open"], [ben])
        yield match_id, [Hand(ann, match_id, 1), Hand(ben, match_id, 2)]


async def test_rules_dies_around_its_commit_and_its_publishing(world: World) -> None:
    async with two_people(world) as (match_id, hands):
        await play_on(hands, 6)
        world["rules"].kill()
        playing = asyncio.create_task(play_on(hands, 30))
        for place in ("before-commit", "after-commit", "after-publish"):
            world["rules"].start(crash_at=place)
            assert await world["rules"].died() == KILLED, place
        await world["rules"].restart()
        await playing
        checked = await check(world, match_id, told(hands))
        assert len(checked.records) == 1 + len(told(hands))
        assert any(hand.doubts for hand in hands), "nobody noticed: nothing was tested"


async def test_scoring_dies_between_its_commit_and_its_acknowledgement(world: World) -> None:
    async with two_people(world) as (match_id, hands):
        await play_on(hands, 4)
        world["scoring"].kill()
        world["scoring"].start(crash_at="before-ack")  # a message may wait for it already
        await play_on(hands, 10)
        assert await world["scoring"].died() == KILLED
        await play_on(hands, 10)
        await world["scoring"].restart()
        await play_on(hands, 4)
        await check(world, match_id, told(hands))


async def test_bots_die_in_the_middle_of_a_match_and_finish_it_later(world: World) -> None:
    async with world.caller("ann") as ann:
        match_id = await new_match(ann, ["me", "random"])
        hand = Hand(ann, match_id)
        await play_on([hand], 10)
        world["bots"].kill()
        playing = asyncio.create_task(play_on([hand], 5000))
        await asyncio.sleep(1.0)
        await world["bots"].restart()
        await playing
        checked = await check(world, match_id, hand.told)
        assert checked.match.closed is not None, "the match was played to its end"

        async def finished() -> bool:
            return (await _table(ann, match_id)).status == TABLE_STATUS_FINISHED

        await eventually(finished, "the lobby hears that the match is over")


async def test_lobby_dies_between_a_start_and_the_birth_of_the_match(world: World) -> None:
    async with world.caller("ann") as ann:
        table = await open_table(ann.connection, "dwergar", ["me", "random"])
        request = StartTableRequest(table_id=table.table_id, command_id=str(uuid.uuid4()))
        share = await add_entropy(ann.connection, table.table_id)
        world["rules"].kill()
        starting = asyncio.create_task(_start(ann, request))

        async def ordered() -> bool:
            return (await _table(ann, table.table_id)).status == TABLE_STATUS_STARTING

        await eventually(ordered, "the order is in the lobby's log")
        world["lobby"].kill()
        await world["lobby"].restart()
        await world["rules"].restart()
        assert (await starting).match_id == table.table_id

        async def plays() -> bool:
            return (await _table(ann, table.table_id)).status == TABLE_STATUS_PLAYING

        await eventually(plays, "the lobby hears that the match exists")
        again = await _start(ann, request)
        assert again.match_id == table.table_id, "the same command has the same outcome"
        await agreed(ann.connection, table.table_id, share)
        hand = Hand(ann, table.table_id)
        await play_on([hand], 5)
        assert await hand.asked() is not None
        await check(world, table.table_id, hand.told)


async def test_the_same_command_fifty_times_while_rules_dies(world: World) -> None:
    async with two_people(world) as (match_id, hands):
        await play_on(hands, 5)
        world["rules"].kill()
        await world["rules"].restart(crash_at="after-commit")
        hand, decision = await whose_turn(hands)
        command = hand.command(decision)
        async with _connections(world, hand.caller.account, 5) as callers:
            asking = [
                asyncio.create_task(_answer_at_last(callers[number % 5], command))
                for number in range(50)
            ]
            assert await world["rules"].died() == KILLED
            await world["rules"].restart()
            answers = await asyncio.gather(*asking)
        assert len({answer.SerializeToString(deterministic=True) for answer in answers}) == 1
        hand.note(command, answers[0])
        await play_on(hands, 4)
        await check(world, match_id, told(hands))


async def test_callers_that_hang_up_at_any_moment(world: World) -> None:
    rng = random.Random(5)
    async with two_people(world) as (match_id, hands):
        await play_on(hands, 2)
        hung_up = 0
        for _ in range(60):
            hand, decision = await whose_turn(hands)
            command = hand.command(decision)
            looking = hand.caller.rules.GetView(GetViewRequest(match_id=match_id))
            moving = hand.caller.rules.PlayMove(command)
            await asyncio.sleep(rng.random() * 0.012)
            looking.cancel()
            hung_up += moving.cancel()
            assert await hand.send(command) is not None
        assert hung_up > 5, "hardly any call was cut short: nothing was tested"
        await check(world, match_id, told(hands))


async def test_rules_is_told_to_stop_while_people_play_and_watch(world: World) -> None:
    async with two_people(world) as (match_id, hands), world.caller("eve") as eve:
        watchers = [Watcher(hands[0].caller, match_id), *(Watcher(eve, match_id) for _ in range(3))]
        async with watching(watchers):
            await play_on(hands, 10)
            playing = asyncio.create_task(play_on(hands, 30))
            await asyncio.sleep(0.2)
            world["rules"].ask_to_stop()
            assert await world["rules"].died() == 0, "it stops in order"
            await world["rules"].restart()
            await playing
            checked = await check(world, match_id, told(hands))
            for watcher in watchers:
                await watcher.reached(len(checked.records))
                assert watcher.hashes == checked.hashes
                assert watcher.sent_away >= 1, "the server said goodbye"


async def _table(caller: Caller, table_id: str) -> Table:
    try:
        return (await caller.lobby.GetTable(GetTableRequest(table_id=table_id))).table
    except aio.AioRpcError as error:
        if error.code() not in IN_DOUBT:
            raise
        return Table()


async def _start(caller: Caller, request: StartTableRequest) -> Table:
    """Start a table, asking again with the same command after every doubt."""
    async with asyncio.timeout(60):
        while True:
            try:
                return (await caller.lobby.StartTable(request)).table
            except aio.AioRpcError as error:
                if error.code() not in IN_DOUBT:
                    raise
                await asyncio.sleep(0.2)


@asynccontextmanager
async def _connections(world: World, account: str, count: int) -> AsyncIterator[list[Caller]]:
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(world.caller(account)) for _ in range(count)]


async def _answer_at_last(caller: Caller, command: PlayMoveRequest) -> PlayMoveResponse:
    async with asyncio.timeout(60):
        while True:
            try:
                answer: PlayMoveResponse = await caller.rules.PlayMove(command)
                return answer
            except aio.AioRpcError as error:
                if error.code() not in IN_DOUBT:
                    raise
                await asyncio.sleep(0.1)
