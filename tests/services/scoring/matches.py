"""Matches of Harbour played at random, and their logs as rules would append them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import msgspec

from shared.engine.acts import Made, close, create, play, resign
from shared.engine.data import decode, encode, replace
from shared.engine.game import Game
from shared.engine.match import Match, MatchClosed, Seat
from shared.engine.record import Record, Sealed, Secret, open_record, seal
from tests.engine.harbour import HARBOUR

GAMES = {"harbour": HARBOUR}


def people(*accounts: str) -> tuple[Seat, ...]:
    return tuple(
        Seat(account, account.capitalize(), account.removeprefix("bot-") if "bot-" in account
             else "player")
        for account in accounts
    )  # fmt: skip


class Play:
    """One match in progress and all that was recorded of it."""

    def __init__(
        self, match_id: str, accounts: Sequence[str], seed: int = 0, game: Game = HARBOUR
    ) -> None:
        self.dice = random.Random(f"{match_id}/{seed}")
        self.at = 1_700_000_000_000
        self.records: list[Sealed] = []
        made = create(
            game, match_id, people(*accounts), {}, "", self.dice.randbytes(32),
            ("",) * len(accounts), self.at,
        )  # fmt: skip
        self.match: Match = made.match
        self._add(made)

    def _add(self, made: Made) -> None:
        self.match = made.match
        self.at += 1000
        self.records.append(made.record)

    def step(self) -> bool:
        """One random move, or the closing record; False if there is nothing more."""
        if self.match.closed is not None:
            return False
        if self.match.ended is not None:
            secrets: dict[int, tuple[Secret, ...]] = {r.version: r.secrets for r in self.records}
            self._add(close(self.match, secrets, self.at))
            return True
        decision = self.dice.choice(self.match.decisions())
        option = self.dice.choice(decision.options)
        account = self.match.created.seats[decision.seat].account
        self._add(play(self.match, decision.seat, account, option.notation, self.at))
        return True

    def resign(self, seat: int) -> None:
        self._add(resign(self.match, seat, "somebody", self.at))

    def steps(self, count: int) -> Play:
        for _ in range(count):
            assert self.step()
        return self

    def to_the_end(self) -> Play:
        while self.step():
            pass
        return self


def played(match_id: str, *accounts: str, seed: int = 0) -> Play:
    """A whole match."""
    return Play(match_id, accounts, seed).to_the_end()


def with_other_standings(
    records: Sequence[Sealed], change: Callable[[MatchClosed], MatchClosed]
) -> list[Sealed]:
    """The log of a match whose closing record says something else."""
    last = open_record(records[-1].body)
    (closed,) = decode(last.facts, tuple[MatchClosed])
    facts = msgspec.Raw(encode([change(closed)]))
    other: Record = replace(last, facts=facts)
    return [*records[:-1], seal(other)]


def interleaved(plays: Sequence[Play], seed: int = 1) -> list[Sealed]:
    """The records of several matches in a mixed order, each match's own order kept."""
    dice = random.Random(seed)
    queues = [list(one.records) for one in plays]
    mixed = []
    while queues:
        queue = dice.choice(queues)
        mixed.append(queue.pop(0))
        queues = [one for one in queues if one]
    return mixed
