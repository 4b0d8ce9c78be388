"""What is hidden stays hidden until the match is over, on every way out of the service."""

from __future__ import annotations

import asyncio
import base64
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import nats
import pytest
from google.protobuf.message import Message

from protos.tallystick.rules.v1 import rules_pb2 as pb
from protos.tallystick.stream.v1 import stream_pb2
from services.rules.index import MatchIndex
from services.rules.service import RulesService
from services.rules.turns import Turns
from shared.engine.acts import create
from shared.engine.chance import hkdf, match_seed
from shared.engine.match import Seat
from shared.platform.rpc.call import Call, enter
from shared.platform.rpc.errors import Refusal
from shared.platform.rpc.table import refusal_of, status_of
from shared.platform.store import open_store
from tests.engine.harbour import HARBOUR
from tests.services.rules.desk import Desk, open_desk, who
from tests.services.rules.test_service import finish
from tests.services.rules.world import World

NAMES = ["ann", "ben", "cas"]


# -- twin worlds -------------------------------------------------------------------------------


def twin_seeds() -> tuple[bytes, bytes]:
    """Two seeds that deal Ann the same two cards, and Ben others."""
    dealt: dict[tuple[str, ...], list[tuple[bytes, Any]]] = {}
    seats = [Seat(name, name.capitalize()) for name in NAMES]
    for number in range(4_000):
        seed = hkdf(number.to_bytes(4, "big"), b"twin")
        match = create(HARBOUR, "twin", seats, {}, "", seed, [""] * 3, 0).match
        ann, ben = match.state.players[0].hand, match.state.players[1].hand
        for other, hand in dealt.get(ann, []):
            if hand != ben and "harbour-master" in hand and "harbour-master" in ben:
                return other, seed
        dealt.setdefault(ann, []).append((seed, ben))
    raise AssertionError("no twins found")


class Served:
    """The RPCs of one desk, called without a wire."""

    def __init__(self, desk: Desk, service: RulesService) -> None:
        self.desk = desk
        self.service = service

    async def ask(self, account: str, method: str, request: Message) -> list[Message]:
        """All that a caller gets back: messages, or the status of a refusal."""
        return await asyncio.create_task(self._ask(account, method, request))

    async def _ask(self, account: str, method: str, request: Message) -> list[Message]:
        call = Call(method, who(account))
        enter(call)
        answer = getattr(self.service, method)(request, None)
        try:
            if not hasattr(answer, "__aiter__"):
                return [await answer]
            call.open(60, stream_pb2.END_REASON_MAX_AGE, 10)
            asyncio.get_running_loop().call_later(0.3, call.end, stream_pb2.END_REASON_MAX_AGE)
            return [message async for message in answer]
        except Exception as error:
            refusal = refusal_of(error)
            assert isinstance(refusal, Refusal)
            return [status_of(refusal)]
        finally:
            call.close()


@asynccontextmanager
async def served(folder: Path, seed: bytes) -> AsyncIterator[Served]:
    """A desk with one match whose seed is given."""
    folder.mkdir()
    url = f"sqlite:///{folder / 'rules.sqlite3'}"
    async with open_desk(url) as desk:
        await desk.store.put_private("seed/twin", seed)
        await desk.start(NAMES, match_id="twin")
        index = MatchIndex(url)
        await index.open()
        turns = Turns(desk.store, index, desk.book.heard)
        following = asyncio.create_task(turns.run())
        try:
            yield Served(
                desk,
                RulesService(desk.store, desk.book, desk.commands, index, turns, 10.0),
            )
        finally:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)
            await index.close()


def _move(decision_id: str, move: str) -> pb.PlayMoveRequest:
    return pb.PlayMoveRequest(
        match_id="twin", decision_id=decision_id, move=move, command_id=f"{decision_id} {move}"
    )


QUESTIONS: list[tuple[str, Message]] = [
    ("GetView", pb.GetViewRequest(match_id="twin")),
    ("GetView", pb.GetViewRequest(match_id="twin", seat=1)),
    ("ListDecisions", pb.ListDecisionsRequest(match_id="twin")),
    ("GetHistory", pb.GetHistoryRequest(match_id="twin")),
    ("WatchMatch", pb.WatchMatchRequest(match_id="twin")),
    ("WatchMatch", pb.WatchMatchRequest(match_id="twin", after_version=99)),
    ("ExportMatch", pb.ExportMatchRequest(match_id="twin")),
    ("ListMatches", pb.ListMatchesRequest()),
    ("WatchTurns", pb.WatchTurnsRequest()),
    ("PlayMove", _move("1.1", "bid 0")),
    ("PlayMove", _move("1.0", "keep rope")),
    ("PlayMove", _move("7.0", "play harbour-master")),
    ("UndoMove", pb.UndoMoveRequest(match_id="twin", to_version=1, command_id="d")),
    ("UndoMove", pb.UndoMoveRequest(match_id="twin", to_version=1, command_id="e", seat=1)),
]

_HASH = re.compile(rb"[0-9a-f]{64}")
_TIME = re.compile(rb'"at":\d{13}')


def plain(messages: list[Message]) -> bytes:
    """The bytes, less what differs between any two matches: hashes and times, of equal length."""
    text = b"\n".join(str(message).encode() for message in messages)
    text = re.sub(rb"(seconds|nanos): \d+", rb"\1", text)
    text = re.sub(rb'\\"at\\":\d{13}', b"at", _TIME.sub(b"at", text))
    return _HASH.sub(b"#" * 64, text)


async def same_answers(*worlds: Served) -> None:
    """Ann and a spectator ask everything, and cannot tell the worlds apart."""
    for account in ("ann", "eve"):
        for method, request in QUESTIONS:
            one, other = [plain(await world.ask(account, method, request)) for world in worlds]
            assert one == other, (account, method)


async def test_worlds_that_differ_in_what_is_hidden_look_the_same(tmp_path: Path) -> None:
    """Ben is dealt other cards and bids otherwise."""
    one, two = twin_seeds()
    async with served(tmp_path / "one", one) as first, served(tmp_path / "two", two) as second:
        await same_answers(first, second)
        for world, bid in ((first, "bid 0"), (second, "bid 1")):
            await world.desk.play("ben", "twin", "1.1", bid)
        await same_answers(first, second)
        for world in (first, second):
            await world.desk.play("cas", "twin", "1.2", "bid 2")
        await same_answers(first, second)


async def test_worlds_look_the_same_through_a_whole_round(tmp_path: Path) -> None:
    """Ben wins a hidden card and draws two more; nobody else can tell which."""
    one, two = twin_seeds()
    async with served(tmp_path / "one", one) as first, served(tmp_path / "two", two) as second:
        for account, move in [
            ("ann", "bid 0"), ("cas", "bid 0"), ("ben", "bid 1"),
            ("ann", "build quay"), ("ben", "play harbour-master"), ("ben", "take cards"),
            ("cas", "pass"),
        ]:  # fmt: skip
            answers = []
            for world in (first, second):
                live = await world.desk.book.current("twin")
                seat = NAMES.index(account)
                (decision,) = [one for one in live.asked if one.seat == seat]
                request = pb.PlayMoveRequest(
                    match_id="twin", decision_id=decision.id, move=move,
                    command_id=f"{account}-{decision.id}",
                )  # fmt: skip
                answers.append(plain(await world.ask(account, "PlayMove", request)))
            if account != "ben":
                assert answers[0] == answers[1]
            await same_answers(first, second)
        hands = [
            (await world.desk.match("twin")).state.players[1].hand for world in (first, second)
        ]
        assert hands[0] != hands[1], "the worlds must differ, or the test proves nothing"


# -- everything that leaves a process ----------------------------------------------------------


def spellings(secret: bytes) -> Iterator[bytes]:
    """How a secret might be written down."""
    yield secret
    yield secret.hex().encode()
    yield secret.hex().upper().encode()
    yield base64.b64encode(secret).rstrip(b"=")
    yield base64.urlsafe_b64encode(secret).rstrip(b"=")


@pytest.mark.asyncio(loop_scope="module")
async def test_seed_and_salts_leave_the_process_only_after_the_end(world: World) -> None:
    bus: list[bytes] = []

    async def take(message: Any) -> None:
        bus.append(str(message.headers).encode() + message.data)

    async with await nats.connect(world.nats_url) as listener:
        await listener.subscribe("tally.>", cb=take)
        await _look_for_secrets(world, bus)


async def _look_for_secrets(world: World, bus: list[bytes]) -> None:
    players = [world.player(name) for name in (*NAMES[:2], "eve")]
    match_id = await world.start_table(NAMES[:2])
    said: list[bytes] = []
    watching = [asyncio.create_task(_watch(player, match_id, said)) for player in players]
    for number in range(4):  # a match takes at least six rounds of answers
        for player in players[:2]:
            answer = await player.answer(match_id, number)
            if answer is not None:
                said.append(answer.SerializeToString())
    for player in players:
        said += await _everything(player, match_id)
    await asyncio.sleep(0.5)

    secrets = await _secrets_of(world, match_id)
    assert len(secrets) > 8
    out = [*said, *bus, world.rules.logged().encode()]
    assert len(bus) >= 5 and len(said) > 30
    for name, secret in secrets.items():
        for spelling in spellings(secret):
            assert not any(spelling in piece for piece in out), name

    await finish(match_id, *players[:2])
    async with asyncio.timeout(30):
        await asyncio.wait(watching)
    export = b"".join(await _everything(players[2], match_id))
    for name, secret in secrets.items():
        assert name == "match seed" or secret.hex().encode() in export, name
    assert not any(
        s in world.rules.logged().encode() for x in secrets.values() for s in spellings(x)
    )


async def _watch(player: Any, match_id: str, said: list[bytes]) -> None:
    async for message in player.rules.WatchMatch(pb.WatchMatchRequest(match_id=match_id)):
        if not message.record.over:
            said.append(message.SerializeToString())


async def _everything(player: Any, match_id: str) -> list[bytes]:
    rules = player.rules
    found: list[Message] = [
        await rules.GetView(pb.GetViewRequest(match_id=match_id)),
        await rules.ListDecisions(pb.ListDecisionsRequest(match_id=match_id)),
        await rules.GetHistory(pb.GetHistoryRequest(match_id=match_id)),
        await rules.ListMatches(pb.ListMatchesRequest()),
    ]
    async for piece in rules.ExportMatch(pb.ExportMatchRequest(match_id=match_id)):
        found.append(piece)
    return [message.SerializeToString() for message in found]


async def _secrets_of(world: World, match_id: str) -> dict[str, bytes]:
    async with open_store(world.database) as store:
        seed = await store.get_private(f"seed/{match_id}")
        assert seed is not None
        found = {
            "seed": seed,
            "match seed": match_seed(seed, match_id, ("00", "01")),
        }
        hidden = await store.secrets(f"match-{match_id}")
        for version, some in hidden.items():
            for secret in some:
                found[f"salt {secret.index} of {version}"] = bytes.fromhex(secret.salt)
        return found
