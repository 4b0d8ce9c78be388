"""Plays bot seats through the public contract, seeing only what each seat's view shows."""

from __future__ import annotations

import asyncio
import random
import uuid
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

import grpc
from grpc import aio

from protos.tallystick.match.v1.match_pb2 import View
from protos.tallystick.rules.v1.rules_pb2 import (
    GetHistoryRequest,
    GetViewRequest,
    PlayMoveRequest,
    PlayMoveResponse,
    Turn,
    WatchTurnsRequest,
)
from protos.tallystick.rules.v1.rules_pb2_grpc import RulesServiceStub
from shared.bots import BOTS, SeatView
from shared.engine.data import decode
from shared.engine.errors import NotInstalled
from shared.engine.game import Game, installed, read_state
from shared.engine.match import MatchCreated
from shared.engine.replay import tables_of
from shared.engine.table import decisions
from shared.platform.logging import get_logger
from shared.platform.rpc.client import problem

log = get_logger("bots")

CARETAKER = "planner"
"""Plays on for a person who resigned."""

AT_ONCE = 4
"""Seats that think at the same time."""

TABLES_KEPT = 1_000
RETRY_SECONDS = (0.2, 0.5, 1.0, 2.0, 5.0)

HOPELESS = (grpc.StatusCode.NOT_FOUND, grpc.StatusCode.FAILED_PRECONDITION)
"""Refusals that do not pass by themselves: the match is gone, over, or of another edition."""

PASSING = (
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
)
"""Failures that pass by themselves, however long it takes: nobody tells us of that turn again."""

COMMANDS = uuid.UUID("6b1d6a2e-3f57-4d0e-9b1c-8a3f1f0f7a11")
"""Name space of the bots' command ids: the same decision always gets the same command id, so an
answer that is sent twice counts once."""


class BotPlayer:
    """Answers every decision that waits on a bot seat."""

    def __init__(self, rules: RulesServiceStub, games: Mapping[str, Game]) -> None:
        self._rules = rules
        self._games = games
        self._tables: OrderedDict[str, tuple[Game, Any]] = OrderedDict()
        self._busy: dict[tuple[str, int], asyncio.Task[None]] = {}
        self._told: dict[tuple[str, int], Turn] = {}
        self._slots = asyncio.Semaphore(AT_ONCE)

    async def run(self) -> None:
        """Follow the turns until cancelled, whatever happens to the connection."""
        failures = 0
        try:
            while True:
                try:
                    async for message in self._rules.WatchTurns(WatchTurnsRequest(bots=True)):
                        failures = 0
                        turns = message.snapshot.turns if message.HasField("snapshot") else ()
                        for turn in turns or (
                            [message.changed] if message.HasField("changed") else ()
                        ):
                            self._take_up(turn)
                except aio.AioRpcError as error:
                    log.warning("turns lost; watching again", reason=problem(error).message)
                await asyncio.sleep(RETRY_SECONDS[min(failures, len(RETRY_SECONDS) - 1)])
                failures += 1
        finally:
            for task in self._busy.values():
                task.cancel()
            await asyncio.gather(*self._busy.values(), return_exceptions=True)

    def _take_up(self, turn: Turn) -> None:
        """Answer for a seat; if somebody is at it already, it is looked at once more after that."""
        key = (turn.match_id, turn.seat)
        if not turn.decision_ids:
            return
        self._told[key] = turn
        if key not in self._busy:
            self._busy[key] = asyncio.create_task(self._attend(key))

    async def _attend(self, key: tuple[str, int]) -> None:
        """Answer for a seat as long as it is told to be asked something that was not seen yet."""
        seen = 0
        try:
            while (turn := self._told.pop(key, None)) is not None:
                if turn.version > seen:
                    seen = await self._answer(turn.match_id, turn.seat, turn.bot or CARETAKER)
        finally:
            del self._busy[key]

    async def _answer(self, match_id: str, seat: int, kind: str) -> int:
        """Answer for a seat until the match no longer waits on it; the version seen last."""
        failures = 0
        while failures <= len(RETRY_SECONDS):
            try:
                while not (seen := await self._answer_once(match_id, seat, kind)):
                    pass
                return seen
            except aio.AioRpcError as error:
                trouble = problem(error)
                failures += 1
                if trouble.code == grpc.StatusCode.ABORTED:
                    continue
                log.warning("bot move failed", match=match_id, seat=seat, reason=trouble.message)
                if trouble.code in PASSING:
                    failures = min(failures, len(RETRY_SECONDS))
                if trouble.code in HOPELESS or failures > len(RETRY_SECONDS):
                    break
                await asyncio.sleep(RETRY_SECONDS[failures - 1])
            except NotInstalled as error:
                log.error("no bot for this match", match=match_id, seat=seat, reason=str(error))
                break
        return 0

    async def _answer_once(self, match_id: str, seat: int, kind: str) -> int:
        """Answer the seat's open decision; the version after that, 0 if another is right behind."""
        answer = await self._rules.GetView(GetViewRequest(match_id=match_id, seat=seat))
        view: View = answer.view
        asked = next((each for each in view.decisions if each.seat == seat and each.options), None)
        if asked is None:
            return view.version
        game, content = await self._table(view)
        async with self._slots:
            move = await asyncio.to_thread(
                think, game, content, view.board_json, seat, asked.decision_id, kind
            )
        command = uuid.uuid5(COMMANDS, f"{match_id}/{asked.decision_id}")
        request = PlayMoveRequest(
            match_id=match_id, decision_id=asked.decision_id, move=move, command_id=str(command)
        )
        played: PlayMoveResponse = await self._rules.PlayMove(request)
        return 0 if any(each.seat == seat for each in played.decisions) else played.version

    async def _table(self, view: View) -> tuple[Game, Any]:
        """The game and content tables of a match, from the terms in its first record."""
        known = self._tables.get(view.match_id)
        if known is None:
            first = await self._rules.GetHistory(
                GetHistoryRequest(match_id=view.match_id, page_size=1)
            )
            created = decode(first.records[0].facts[0].fields_json, MatchCreated)
            game = installed(self._games, created.game, created.edition)
            known = game, tables_of(game, created)
            self._tables[view.match_id] = known
            while len(self._tables) > TABLES_KEPT:
                self._tables.popitem(last=False)
        return known


def think(game: Game, content: Any, board_json: str, seat: int, decision_id: str, kind: str) -> str:
    """The notation of the bot's answer, from the seat's own view of the board."""
    state = read_state(game, board_json.encode())
    (asked,) = (one for one in decisions(game, content, state) if one.id == decision_id)
    rng = random.Random(f"{board_json}/{decision_id}")
    return BOTS[kind](SeatView(game, content, state, seat), asked, rng).notation
