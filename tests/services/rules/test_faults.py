"""Processes that die, stop, start again or are two: no move is lost, doubled or told early."""

from __future__ import annotations

import asyncio
import signal
import uuid
from pathlib import Path

import grpc
import msgspec
import pytest
from grpc import aio

from protos.tallystick.rules.v1 import rules_pb2 as pb
from protos.tallystick.stream.v1 import stream_pb2
from shared.engine.chance import seed_commitment
from shared.engine.record import check_chain, open_record
from shared.engine.verify import verify
from shared.platform.embedded.nats import EmbeddedNats
from shared.platform.store import open_store
from tests.engine.harbour import HARBOUR
from tests.services.refusals import refused
from tests.services.rules.world import Player, World, open_world

pytestmark = pytest.mark.slow


@pytest.fixture
def nats(tmp_path: Path) -> EmbeddedNats:
    return EmbeddedNats(tmp_path / "nats")


async def chain_of(world: World, match_id: str) -> list[str]:
    """The types of a match's records, once its chain is proved."""
    async with open_store(world.database) as store:
        stored = await store.load(f"match-{match_id}")
        check_chain((one.body, one.hash) for one in stored)
        return [one.type for one in stored]


async def watch_versions(player: Player, match_id: str, heard: list[int]) -> None:
    """Note every version that a watcher hears of, until the stream breaks."""
    try:
        stream = player.rules.WatchMatch(pb.WatchMatchRequest(match_id=match_id))
        async for message in stream:
            if message.WhichOneof("event") == "record":
                heard.append(message.record.record.version)
    except aio.AioRpcError:
        pass


@pytest.mark.parametrize(
    ("point", "stored"), [("before-commit", 1), ("after-commit", 2)], ids=lambda v: str(v)
)
async def test_a_process_killed_around_the_commit_answers_the_retry_once(
    tmp_path: Path, nats: EmbeddedNats, postgres_url: str, point: str, stored: int
) -> None:
    with nats:
        async with open_world(tmp_path, postgres_url, nats.url) as world:
            match_id = await world.start_table(["ann", "ben"])
            world.rules.terminate()
            assert await world.rules.died() == 0
            world.rules.start(TALLY_TEST_CRASHPOINT=point)
            await world.rules.ready()
            heard: list[int] = []
            watching = asyncio.create_task(watch_versions(world.player("eve"), match_id, heard))
            ann = aio.insecure_channel(f"127.0.0.1:{world.rules.port}")  # without retries
            await asyncio.sleep(0.5)
            request = pb.PlayMoveRequest(
                match_id=match_id, decision_id="1.0", move="bid 2", command_id="once"
            )
            token = world.issuer.issue("ann")
            with pytest.raises(aio.AioRpcError):
                await Player(ann, "ann").rules.PlayMove(
                    request, metadata=(("authorization", f"Bearer {token}"),)
                )
            assert await world.rules.died() == -signal.SIGKILL
            await watching
            await ann.close()
            assert heard == [1], "nobody may hear of a move that was not answered for"
            assert len(await chain_of(world, match_id)) == stored
            world.rules.start()
            await world.rules.ready()
            retry = world.player("ann")
            answers = [await retry.rules.PlayMove(request) for _ in range(3)]
            assert {answer.version for answer in answers} == {2}
            assert len({answer.SerializeToString() for answer in answers}) == 1
            assert (await retry.view(match_id)).version == 2
            assert await chain_of(world, match_id) == ["created", "move"]


@pytest.mark.parametrize(("point", "said"), [("after-seed", 0), ("after-commitment", 1)])
async def test_a_seed_is_made_once_whatever_happens_in_between(
    tmp_path: Path, nats: EmbeddedNats, postgres_url: str, point: str, said: int
) -> None:
    with nats:
        async with open_world(tmp_path, postgres_url, nats.url, start=False) as world:
            world.rules.start(TALLY_TEST_CRASHPOINT=point)
            await world.rules.ready()
            table_id = await world.open_table()
            assert await world.rules.died() == -signal.SIGKILL
            async with open_store(postgres_url) as store:
                seed = await store.get_private(f"seed/{table_id}")
                assert seed is not None
                assert len(await store.load(f"seed-{table_id}")) == said
            world.rules.start()
            await world.rules.ready()
            assert await world.commitment(table_id) == seed_commitment(seed)
            match_id = await world.start_table(["ann", "ben"], match_id=table_id)
            async with open_store(postgres_url) as store:
                assert await store.get_private(f"seed/{match_id}") == seed
                assert len(await store.load(f"seed-{table_id}")) == 1
            assert await chain_of(world, match_id) == ["created"]
            assert await genesis_commitment(world, match_id) == seed_commitment(seed)


async def genesis_commitment(world: World, match_id: str) -> str:
    """What a match's first record commits to."""
    async with open_store(world.database) as store:
        (first,) = await store.load(f"match-{match_id}", limit=1)
        return str(msgspec.json.decode(open_record(first.body).facts)[0]["commitment"])


async def test_two_processes_commit_to_one_seed(
    tmp_path: Path, nats: EmbeddedNats, postgres_url: str
) -> None:
    """Both follow the lobby; whichever hears of a table first, or both at once, there is one."""
    with nats:
        async with open_world(tmp_path, postgres_url, nats.url) as world:
            second = world.process("second")
            second.start()
            await second.ready()
            tables = await asyncio.gather(*(world.open_table() for _ in range(12)))
            said = {table: await world.commitment(table) for table in tables}
            world.rules.kill()
            match_id = await world.start_table(
                ["ann", "ben"], match_id=tables[0], commitment=said[tables[0]], wait=False
            )
            await world.exists(match_id, world.player("ann", process=second))
            assert await genesis_commitment(world, match_id) == said[match_id]
            async with open_store(postgres_url) as store:
                for table in tables:
                    seed = await store.get_private(f"seed/{table}")
                    assert seed is not None and seed_commitment(seed) == said[table]
                    assert len(await store.load(f"seed-{table}")) == 1


async def test_another_commitment_or_none_begins_no_match(
    tmp_path: Path, nats: EmbeddedNats
) -> None:
    database = f"sqlite:///{tmp_path / 'rules.sqlite3'}"
    with nats:
        async with open_world(tmp_path, database, nats.url, start=False) as world:
            world.rules.start(TALLY_DELIVERY_ATTEMPTS="2")
            await world.rules.ready()
            ann = world.player("ann")
            wrong = await world.start_table(["ann", "ben"], commitment="0" * 64, wait=False)
            unknown = await world.start_table(
                ["ann", "ben"], match_id="never-opened", commitment="0" * 64, wait=False
            )
            await world.start_table(["ann", "ben"])  # it comes after them
            for match_id in (wrong, unknown):
                with refused(grpc.StatusCode.NOT_FOUND, "MATCH_NOT_FOUND"):
                    await ann.view(match_id)
                assert await chain_of(world, match_id) == []
                assert "not the one that the table showed" in await world.refusal(match_id)


async def test_a_stopped_process_says_so_finishes_and_goes_on_later(
    tmp_path: Path, nats: EmbeddedNats
) -> None:
    database = f"sqlite:///{tmp_path / 'rules.sqlite3'}"
    with nats:
        async with open_world(tmp_path, database, nats.url) as world:
            ann, ben = world.player("ann"), world.player("ben")
            match_id = await world.start_table(["ann", "ben"])
            stream = aiter(ann.rules.WatchMatch(pb.WatchMatchRequest(match_id=match_id)))
            assert (await anext(stream)).record.record.version == 1
            await ann.play(match_id, "1.0", "bid 0")
            world.rules.terminate()
            rest = [message async for message in stream]
            assert rest[0].record.record.version == 2
            assert rest[-1].ended.reason == stream_pb2.END_REASON_DRAINING
            assert rest[-1].ended.resume_after == 2
            assert await world.rules.died() == 0
            world.rules.start()
            await world.rules.ready()
            await ben.play(match_id, "1.1", "bid 0")
            view = await ann.view(match_id)
            assert view.version == 3
            answer = await ann.rules.ListMatches(pb.ListMatchesRequest())
            assert [one.match_id for one in answer.matches] == [match_id]


async def test_two_processes_serve_one_database(
    tmp_path: Path, nats: EmbeddedNats, postgres_url: str
) -> None:
    with nats:
        async with open_world(tmp_path, postgres_url, nats.url) as world:
            second = world.process("second")
            second.start()
            await second.ready()
            ann, ben = world.player("ann"), world.player("ben", process=second)
            eves = [world.player("eve"), world.player("eve", process=second)]
            match_id = await world.start_table(["ann", "ben"])
            heard: list[list[int]] = [[], []]
            watching = [
                asyncio.create_task(watch_versions(eve, match_id, versions))
                for eve, versions in zip(eves, heard, strict=True)
            ]
            moved = 0
            async with asyncio.timeout(60):
                while (await ann.view(match_id)).status == 1:
                    for player in (ann, ben):
                        try:
                            moved += await player.answer(match_id, moved) is not None
                        except aio.AioRpcError as error:
                            assert error.code() in (
                                grpc.StatusCode.ABORTED, grpc.StatusCode.FAILED_PRECONDITION,
                            )  # fmt: skip
                await asyncio.wait(watching)
            last = (await ann.view(match_id)).version
            assert heard == [list(range(1, last + 1))] * 2
            lines: list[bytes] = []
            async for piece in ben.rules.ExportMatch(pb.ExportMatchRequest(match_id=match_id)):
                lines += [line.encode() for line in piece.lines]
            assert not verify(lines, {"harbour": HARBOUR}).open


async def test_killed_again_and_again_a_match_still_ends_whole(
    tmp_path: Path, nats: EmbeddedNats
) -> None:
    """The player retries every command until it is answered, and counts its own moves."""
    database = f"sqlite:///{tmp_path / 'rules.sqlite3'}"
    with nats:
        async with open_world(tmp_path, database, nats.url) as world:
            both = world.player("both")
            match_id = await world.start_table(["both", "both"])
            playing = asyncio.create_task(_play_through(both, match_id))
            for pause in (0.02, 0.1, 0.3):
                await asyncio.sleep(pause)
                world.rules.kill()
                await world.rules.died()
                world.rules.start()
                await world.rules.ready()
            moves = await asyncio.wait_for(playing, 60)
            types = await chain_of(world, match_id)
            assert types == ["created", *["move"] * moves, "closed"]


async def _play_through(player: Player, match_id: str) -> int:
    moves = 0
    while True:
        try:
            view = await player.view(match_id, seat=0)
            if not any(one.options for one in view.decisions):
                view = await player.view(match_id, seat=1)
        except aio.AioRpcError:
            await asyncio.sleep(0.05)
            continue
        asked = [one for one in view.decisions if one.options]
        if not asked:
            if view.status == 2:
                return moves
            continue
        command, answered = uuid.uuid4().hex, False
        while not answered:
            try:
                options = asked[0].options
                move = options[moves % len(options)].notation
                await player.play(match_id, asked[0].decision_id, move, command)
                answered = True
                moves += 1
            except aio.AioRpcError as error:
                assert error.code() == grpc.StatusCode.UNAVAILABLE, error
                await asyncio.sleep(0.05)
