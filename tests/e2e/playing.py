"""Playing on a system that may fail at any moment: hands that keep what they were told."""

from __future__ import annotations

import asyncio
import random
import time
import uuid
from collections.abc import Callable, Sequence
from typing import NamedTuple

import grpc
from grpc import aio

from protos.tallystick.lobby.v1.lobby_pb2 import JoinTableRequest
from protos.tallystick.match.v1.match_pb2 import Decision
from protos.tallystick.rules.v1.rules_pb2 import (
    ListDecisionsRequest,
    PlayMoveRequest,
    PlayMoveResponse,
)
from services.cli.fairness import add_entropy, check
from services.cli.tables import open_table
from services.cli.waiting import started
from tests.e2e.world import Caller

PATIENCE_SECONDS = 90.0
IN_DOUBT = {
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.UNKNOWN,
}
"""After these nobody knows whether the move was made; the same command asks again."""


class Told(NamedTuple):
    """A move that was answered with OK, and what the answer said."""

    account: str
    request: PlayMoveRequest
    version: int
    hash: str


class Hand:
    """Plays the seat of one account; asks again with the same command after every doubt."""

    def __init__(self, caller: Caller, match_id: str, seed: int = 1) -> None:
        self.caller = caller
        self.match_id = match_id
        self.told: list[Told] = []
        self.doubts = 0
        self.over = False
        self._rng = random.Random(seed)

    async def play(self, enough: Callable[[], bool]) -> None:
        """Answer whatever the seat is asked until it is enough, or the match is over."""
        while not enough():
            decision = await self.asked(enough)
            if decision is None:
                return
            await self.answer(decision)

    async def asked(self, enough: Callable[[], bool] = lambda: False) -> Decision | None:
        """Wait until the seat is asked; None once it is enough or the match is over."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        request = ListDecisionsRequest(match_id=self.match_id)
        while time.monotonic() < deadline and not enough():
            try:
                answer = await self.caller.rules.ListDecisions(request)
            except aio.AioRpcError as error:
                if error.code() not in IN_DOUBT:
                    raise
                await asyncio.sleep(0.1)
                continue
            own = [one for one in answer.decisions if one.options]
            if own:
                return own[0]
            if not answer.decisions:
                self.over = True
                return None
            await asyncio.sleep(0.03)
        assert enough(), f"{self.caller.account} was not asked anything any more"
        return None

    def command(self, decision: Decision) -> PlayMoveRequest:
        """A new command with any of the options."""
        return PlayMoveRequest(
            match_id=self.match_id,
            decision_id=decision.decision_id,
            move=self._rng.choice(decision.options).notation,
            command_id=str(uuid.uuid4()),
        )

    async def answer(self, decision: Decision) -> Told | None:
        """Answer a decision; None if somebody else's answer counted."""
        return await self.send(self.command(decision))

    async def send(self, request: PlayMoveRequest) -> Told | None:
        """Send a command until it is known what became of it."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            try:
                answer = await self.caller.rules.PlayMove(request)
            except aio.AioRpcError as error:
                if error.code() in IN_DOUBT:
                    self.doubts += 1
                    await asyncio.sleep(0.1)
                    continue
                if error.code() == grpc.StatusCode.ABORTED:
                    return None
                raise
            return self.note(request, answer)
        raise AssertionError(f"what became of {request.command_id} cannot be found out")

    def note(self, request: PlayMoveRequest, answer: PlayMoveResponse) -> Told:
        """Keep what an answer said."""
        told = Told(self.caller.account, request, answer.version, answer.hash)
        self.told.append(told)
        self.over = self.over or answer.over
        return told


def told(hands: Sequence[Hand]) -> list[Told]:
    """All that was answered with OK."""
    return [one for hand in hands for one in hand.told]


async def play_on(hands: Sequence[Hand], moves: int) -> None:
    """Let the hands make so many moves between them, fewer if the match ends."""
    goal = sum(len(hand.told) for hand in hands) + moves

    def enough() -> bool:
        return sum(len(hand.told) for hand in hands) >= goal

    await asyncio.gather(*(hand.play(enough) for hand in hands))


async def whose_turn(hands: Sequence[Hand]) -> tuple[Hand, Decision]:
    """The hand that is asked, and what."""
    waiting = {asyncio.create_task(hand.asked()): hand for hand in hands}
    done, rest = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    for task in rest:
        task.cancel()
    await asyncio.gather(*rest, return_exceptions=True)
    task = done.pop()
    decision = task.result()
    assert decision is not None
    return waiting[task], decision


async def new_match(caller: Caller, seats: Sequence[str], others: Sequence[Caller] = ()) -> str:
    """A match at a table of the caller's; `open` seats are taken by the others in turn.

    Everybody adds entropy, and sees that the match has it.
    """
    table = await open_table(caller.connection, "dwergar", seats)
    shares = {}
    for other in others:
        join = JoinTableRequest(table_id=table.table_id, command_id=str(uuid.uuid4()))
        table = (await other.lobby.JoinTable(join)).table
        shares[other.connection] = await add_entropy(other.connection, table.table_id)
    match_id = await started(caller.connection, table, quiet=True)
    for connection, share in shares.items():
        assert share.entropy
        await check(connection, match_id, share)
    return match_id
