"""Rules without a process around it: a real store, the book of matches, commands."""

from __future__ import annotations

import time
import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TypeVar

from google.protobuf.message import Message

from protos.tallystick.rules.v1 import rules_pb2 as pb
from services.rules.acts import Decide, moving, request_hash, resigning, undoing
from services.rules.book import MatchBook, seed_key
from services.rules.commands import Command, Commands
from services.rules.live import Live
from services.rules.starting import MatchStarter, Order
from shared.engine.chance import seed_commitment
from shared.engine.game import Game
from shared.engine.match import Match, Seat
from shared.platform.rpc.auth import Principal
from shared.platform.store import Store, open_store
from shared.platform.telemetry import Metrics
from tests.engine.harbour import HARBOUR

GAMES: Mapping[str, Game] = {"harbour": HARBOUR}
M = TypeVar("M", bound=Message)


class Desk:
    """One process's worth of rules over a store."""

    def __init__(self, store: Store, capacity: int = 100) -> None:
        self.store = store
        self.book = MatchBook(store, GAMES, capacity)
        self.commands = Commands(store, self.book, Metrics())
        self.starter = MatchStarter(store, self.book, GAMES)

    async def start(
        self,
        accounts: Sequence[str],
        kinds: Sequence[str] = (),
        match_id: str = "",
        unlisted: bool = False,
    ) -> str:
        """A new match of Harbour."""
        match_id = match_id or uuid.uuid4().hex[:12]
        seats = tuple(
            Seat(account, account.capitalize(), kind)
            for account, kind in zip(accounts, kinds or ["player"] * len(accounts), strict=True)
        )
        await self.starter.prepare(match_id)
        seed = await self.store.get_private(seed_key(match_id))
        assert seed is not None
        order = Order(
            "harbour", "1", {}, "", seats, tuple("" for _ in seats), seed_commitment(seed),
            unlisted,
        )  # fmt: skip
        await self.starter.start(match_id, order)
        return match_id

    async def match(self, match_id: str) -> Match:
        """The match as it stands."""
        return (await self.book.current(match_id)).match

    async def play(
        self, account: str, match_id: str, decision_id: str, move: str, command_id: str = ""
    ) -> pb.PlayMoveResponse:
        """Answer a decision."""
        request = pb.PlayMoveRequest(
            match_id=match_id,
            decision_id=decision_id,
            move=move,
            command_id=command_id or uuid.uuid4().hex,
        )
        return await self.act(account, request, moving, pb.PlayMoveResponse)

    async def undo(
        self, account: str, match_id: str, to: int, seat: int | None = None
    ) -> pb.UndoMoveResponse:
        """Take steps back."""
        request = pb.UndoMoveRequest(
            match_id=match_id, to_version=to, command_id=uuid.uuid4().hex, seat=seat
        )
        return await self.act(account, request, undoing, pb.UndoMoveResponse)

    async def resign(
        self, account: str, match_id: str, seat: int | None = None, command_id: str = ""
    ) -> pb.ResignMatchResponse:
        """Give up."""
        request = pb.ResignMatchRequest(
            match_id=match_id, command_id=command_id or uuid.uuid4().hex, seat=seat
        )
        return await self.act(account, request, resigning, pb.ResignMatchResponse)

    async def act(self, account: str, request: object, how: object, answer: type[M]) -> M:
        """Carry out a request as the service would."""
        assert isinstance(request, Message) and callable(how)
        decide: Decide = how(who(account), request, int(time.time() * 1000))
        command = Command(
            request.match_id,  # type: ignore[attr-defined]
            account,
            request.command_id,  # type: ignore[attr-defined]
            request_hash(request),
            decide,
            answer,
        )
        answered = await self.commands.run(command)
        assert isinstance(answered, answer)
        return answered

    async def undo_if_possible(self, match_id: str) -> bool:
        """Take the latest step back if anybody may."""
        match = await self.match(match_id)
        if not match.trail:
            return False
        account = match.created.seats[match.trail_seat].account
        await self.undo(account, match_id, match.trail[-1].version, match.trail_seat)
        return True

    async def play_on(self, match_id: str, choose: int = 0, moves: int = 1000) -> int:
        """Let whoever is asked answer, the option of that number in turn; the moves made."""
        made = 0
        while made < moves:
            live = await self.book.current(match_id)
            asked = [one for one in live.asked if one.seat not in live.match.resigned]
            if not asked:
                break
            decision = asked[0]
            option = decision.options[(choose + made) % len(decision.options)]
            account = live.match.created.seats[decision.seat].account
            await self.play(account, match_id, decision.id, option.notation)
            made += 1
        return made


def who(account: str, *roles: str) -> Principal:
    """A caller."""
    return Principal(account, frozenset(roles), float("inf"))


@asynccontextmanager
async def open_desk(url: str, capacity: int = 100) -> AsyncIterator[Desk]:
    """A desk over a store of its own."""
    async with open_store(url) as store:
        desk = Desk(store, capacity)
        try:
            yield desk
        finally:
            await desk.commands.finish()


def asked_of(live: Live, seat: int) -> str:
    """The id of a seat's open decision."""
    return next(decision.id for decision in live.asked if decision.seat == seat)
