"""Bad input over the wire: a clear refusal, and nothing changed."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

import grpc
import pytest
from grpc import aio

from protos.tallystick.lobby.v1.lobby_pb2 import (
    GetTableRequest,
    JoinTableRequest,
    OpenTableRequest,
    SeatBotRequest,
    StartTableRequest,
)
from protos.tallystick.log.v1.log_pb2 import ReadLogRequest
from protos.tallystick.match.v1.match_pb2 import Decision
from protos.tallystick.rules.v1.rules_pb2 import (
    GetViewRequest,
    PlayMoveRequest,
    ResignMatchRequest,
    UndoMoveRequest,
    WatchMatchRequest,
    WatchTurnsRequest,
)
from protos.tallystick.rules.v1.rules_pb2_grpc import RulesServiceStub
from protos.tallystick.scoring.v1.scoring_pb2 import GetScoreSheetRequest
from shared.platform.rpc.client import bearer, open_channel, problem
from shared.platform.rpc.issuer import LocalIssuer
from tests.e2e.checker import check
from tests.e2e.playing import Hand, new_match, play_on
from tests.e2e.world import ROOT, Caller, World, clean_environment


class Scene(NamedTuple):
    """A match in which ann is asked something, and others who are near."""

    world: World
    match_id: str
    decision: Decision
    ann: Caller
    ben: Caller
    eve: Caller

    def move(self, **changes: str) -> PlayMoveRequest:
        """A good move of ann's, with something changed."""
        good = {
            "match_id": self.match_id,
            "decision_id": self.decision.decision_id,
            "move": self.decision.options[0].notation,
            "command_id": uuid.uuid4().hex,
        }
        return PlayMoveRequest(**{**good, **changes})


@pytest.fixture
async def scene(world: World) -> AsyncIterator[Scene]:
    async with (
        world.caller("ann") as ann,
        world.caller("ben") as ben,
        world.caller("eve") as eve,
    ):
        match_id = await new_match(ann, ["me", "open"], [ben])
        hand = Hand(ann, match_id)
        decision = await hand.asked()
        assert decision is not None
        yield Scene(world, match_id, decision, ann, ben, eve)


Attempt = Callable[[Scene], Awaitable[object]]


async def _first(call: object) -> object:
    return await call.read()  # type: ignore[attr-defined]


def _open(**changes: object) -> Callable[[Scene], Awaitable[object]]:
    good = {"game": "dwergar", "players": 2, "command_id": uuid.uuid4().hex}
    return lambda s: s.ann.lobby.OpenTable(OpenTableRequest(**{**good, **changes}))  # type: ignore[arg-type]


REFUSED: dict[str, tuple[Attempt, str, str]] = {
    "unknown game": (_open(game="chess"), "NOT_FOUND", "GAME_NOT_FOUND"),
    "unknown option": (_open(options={"evnts": "7"}), "INVALID_ARGUMENT", ""),
    "unknown choice": (_open(options={"events": "8"}), "INVALID_ARGUMENT", ""),
    "too many players": (_open(players=9), "INVALID_ARGUMENT", ""),
    "content that is no TOML": (_open(content_override="["), "INVALID_ARGUMENT", ""),
    "content that is wrong": (_open(content_override="[x]\na = 1\n"), "INVALID_ARGUMENT", ""),
    "no command id": (_open(command_id=""), "INVALID_ARGUMENT", "INVALID_FIELD"),
    "endless command id": (_open(command_id="x" * 99), "INVALID_ARGUMENT", "INVALID_FIELD"),
    "unknown table": (
        lambda s: s.eve.lobby.GetTable(GetTableRequest(table_id="nowhere")),
        "NOT_FOUND", "TABLE_NOT_FOUND",
    ),
    "a seat at a started table": (
        lambda s: s.eve.lobby.JoinTable(
            JoinTableRequest(table_id=s.match_id, command_id="eve-joins")
        ),
        "FAILED_PRECONDITION", "TABLE_NOT_OPEN",
    ),
    "a bot at another's table": (
        lambda s: s.eve.lobby.SeatBot(
            SeatBotRequest(table_id=s.match_id, bot="random", command_id="eve-seats")
        ),
        "PERMISSION_DENIED", "",
    ),
    "a start of another's table": (
        lambda s: s.eve.lobby.StartTable(
            StartTableRequest(table_id=s.match_id, command_id="eve-starts")
        ),
        "PERMISSION_DENIED", "",
    ),
    "garbage notation": (
        lambda s: s.ann.rules.PlayMove(s.move(move="plaec ironworker \N{SNOWMAN}\x00';--")),
        "FAILED_PRECONDITION", "ILLEGAL_MOVE",
    ),
    "endless notation": (
        lambda s: s.ann.rules.PlayMove(s.move(move="x" * 5000)),
        "INVALID_ARGUMENT", "INVALID_FIELD",
    ),
    "no notation": (
        lambda s: s.ann.rules.PlayMove(s.move(move="")), "INVALID_ARGUMENT", "INVALID_FIELD",
    ),
    "oversized message": (
        lambda s: s.ann.rules.PlayMove(s.move(move="x" * 1_000_000)), "RESOURCE_EXHAUSTED", "",
    ),
    "unknown decision": (
        lambda s: s.ann.rules.PlayMove(s.move(decision_id="99.0")), "ABORTED", "STALE_DECISION",
    ),
    "unknown match": (
        lambda s: s.ann.rules.PlayMove(s.move(match_id="nowhere")), "NOT_FOUND", "MATCH_NOT_FOUND",
    ),
    "foreign seat": (
        lambda s: s.ben.rules.PlayMove(s.move()), "PERMISSION_DENIED", "NOT_YOUR_SEAT",
    ),
    "spectator moving": (
        lambda s: s.eve.rules.PlayMove(s.move()), "PERMISSION_DENIED", "NOT_YOUR_SEAT",
    ),
    "spectator undoing": (
        lambda s: s.eve.rules.UndoMove(
            UndoMoveRequest(match_id=s.match_id, to_version=1, command_id="eve-undoes")
        ),
        "PERMISSION_DENIED", "NOT_YOUR_SEAT",
    ),
    "spectator giving up": (
        lambda s: s.eve.rules.ResignMatch(
            ResignMatchRequest(match_id=s.match_id, command_id="eve-resigns")
        ),
        "PERMISSION_DENIED", "NOT_YOUR_SEAT",
    ),
    "looking from another's seat": (
        lambda s: s.ben.rules.GetView(GetViewRequest(match_id=s.match_id, seat=0)),
        "PERMISSION_DENIED", "NOT_YOUR_SEAT",
    ),
    "undo of nothing": (
        lambda s: s.ann.rules.UndoMove(
            UndoMoveRequest(match_id=s.match_id, to_version=1, command_id="ann-undoes")
        ),
        "FAILED_PRECONDITION", "UNDO_BARRIER",
    ),
    "watching from the future": (
        lambda s: _first(
            s.ann.rules.WatchMatch(WatchMatchRequest(match_id=s.match_id, after_version=99))
        ),
        "INVALID_ARGUMENT", "INVALID_FIELD",
    ),
    "all bots' turns": (
        lambda s: _first(s.ann.rules.WatchTurns(WatchTurnsRequest(bots=True))),
        "PERMISSION_DENIED", "ROLE_MISSING",
    ),
    "the log of everybody": (
        lambda s: _first(s.ann.rules_log.ReadLog(ReadLogRequest(with_secrets=True))),
        "PERMISSION_DENIED", "ROLE_MISSING",
    ),
    "sheet of no match": (
        lambda s: s.ann.scoring.GetScoreSheet(GetScoreSheetRequest(match_id="nowhere")),
        "NOT_FOUND", "MATCH_NOT_FOUND",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
async def test_bad_requests_are_refused_and_change_nothing(scene: Scene, what: str) -> None:
    attempt, code, reason = REFUSED[what]
    before = await _heads(scene)
    with pytest.raises(aio.AioRpcError) as failed:
        await attempt(scene)
    trouble = problem(failed.value)
    assert trouble.code.name == code, trouble
    assert not reason or trouble.reason == reason
    assert trouble.message and "Traceback" not in trouble.message
    assert await _heads(scene) == before


async def _heads(scene: Scene) -> tuple[int, int]:
    """How long the logs of rules and of lobby are."""
    ends = []
    async with scene.world.caller("auditor", ["auditor"]) as auditor:
        for stub in (auditor.rules_log, auditor.lobby_log):
            last = 0
            async for answer in stub.ReadLog(ReadLogRequest()):
                last = max(last, answer.batch.head)
            ends.append(last)
    return ends[0], ends[1]


async def test_after_all_that_the_match_goes_on(scene: Scene) -> None:
    hand = Hand(scene.ann, scene.match_id)
    for attempt, _, _ in REFUSED.values():
        with pytest.raises(aio.AioRpcError):
            await attempt(scene)
    await play_on([hand], 1)
    await check(scene.world, scene.match_id, hand.told)


# -- who somebody says to be ---------------------------------------------------------------------


def _forged(good: str, **header: str) -> str:
    """The token with another header, and no signature."""
    _, claims, _ = good.split(".")
    packed = base64.urlsafe_b64encode(json.dumps(header).encode()).rstrip(b"=").decode()
    return f"{packed}.{claims}."


def _tokens(world: World, folder: Path) -> dict[str, str]:
    good = world.issuer.issue("ann")
    head, claims, signature = good.split(".")
    other = base64.urlsafe_b64decode(claims + "==").replace(b'"ann"', b'"eve"')
    edited = base64.urlsafe_b64encode(other).rstrip(b"=").decode()
    return {
        "expired": world.issuer.issue("ann", ttl=-60.0),
        "foreign issuer": LocalIssuer(folder / "foreign").issue("ann"),
        "foreign audience": LocalIssuer(world.folder / "issuer", audience="chess").issue("ann"),
        "alg none": _forged(good, alg="none", typ="JWT"),
        "alg HS256": _forged(good, alg="HS256", typ="JWT"),
        "edited": f"{head}.{edited}.{signature}",
        "garbage": "x",
    }


async def test_tokens_that_nobody_should_believe(scene: Scene, tmp_path: Path) -> None:
    before = await _heads(scene)
    for what, token in _tokens(scene.world, tmp_path).items():
        async with open_channel(scene.world["rules"].address, bearer(token)) as channel:
            with pytest.raises(aio.AioRpcError) as failed:
                await RulesServiceStub(channel).PlayMove(scene.move())
        trouble = problem(failed.value)
        assert trouble.code == grpc.StatusCode.UNAUTHENTICATED, (what, trouble)
        assert trouble.message
        assert token not in trouble.message or what == "garbage"
    async with open_channel(scene.world["rules"].address) as channel:
        with pytest.raises(aio.AioRpcError) as failed:
            await RulesServiceStub(channel).PlayMove(scene.move())
    assert failed.value.code() == grpc.StatusCode.UNAUTHENTICATED
    assert await _heads(scene) == before


# -- what an operator sets -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("service", "variable", "value"),
    [
        ("rules", "TALLY_LISTEN", "nowhere"),
        ("rules", "TALLY_DATABASE_URL", "mysql://root@localhost/tally"),
        ("lobby", "TALLY_NATS_URL", "localhost:4222"),
        ("scoring", "TALLY_LOG_LEVEL", "loud"),
        ("bots", "TALLY_DEV_AUTH", "false"),
        ("lobby", "TALLY_RATE_PER_SECONDS", "5"),
    ],
)
def test_a_wrong_setting_stops_the_start_by_name(
    tmp_path: Path, service: str, variable: str, value: str
) -> None:
    environment = {"TALLY_DEV_AUTH": "true", "TALLY_DATA_DIR": str(tmp_path), variable: value}
    done = subprocess.run(
        [sys.executable, "-m", f"services.{service}"],
        cwd=ROOT,
        env=clean_environment(**environment),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode != 0
    complaint = done.stdout + done.stderr
    named = "TALLY_JWKS_FILE" if variable == "TALLY_DEV_AUTH" else variable
    assert named in complaint
    assert "Traceback" not in complaint
    assert not list(tmp_path.iterdir()), "nothing was made"
