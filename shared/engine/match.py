"""A match as a pure value at one version: its terms, its position, what may be undone, its end.

A `Match` never changes; each `after_...` returns the next one. How a record comes to be is in
`acts`, how a log gives a match in `replay`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from shared.engine.data import Data, Fact, replace
from shared.engine.errors import BadRecord
from shared.engine.game import Game, Standing
from shared.engine.hidden import SPECTATOR
from shared.engine.record import Secret
from shared.engine.table import Decision, decisions

CREATED, MOVE, UNDO, RESIGNED, CLOSED = "created", "move", "undo", "resigned", "closed"
SYSTEM = "system"
"""The actor of records that no player caused."""

UNDO_TRAIL = 64
"""How many steps back an undo may reach at most."""


class Seat(Data, frozen=True, gc=False):
    """Who sits where: the account (a pseudonym), the name shown, and `player` or a bot's kind."""

    account: str
    name: str
    kind: str = "player"


class MatchCreated(Fact, frozen=True, gc=False):
    """The match's terms: the first fact of every log, fixed for ever.

    `commitment` is the SHA-256 of the server's seed, opened by `MatchClosed`; `entropy` what the
    seats added once they had seen it; `content` an override of the game's tables as text, `digest`
    the SHA-256 of the tables in force.
    """

    game: str
    edition: str
    options: dict[str, str]
    content: str
    digest: str
    seats: tuple[Seat, ...]
    commitment: str
    entropy: tuple[str, ...]


class MovesUndone(Fact, frozen=True, gc=False):
    """A seat took its latest steps back: the position is that of record `to` again."""

    seat: int
    to: int


class SeatResigned(Fact, frozen=True, gc=False):
    """A seat gave up. It ranks behind all who did not; a caretaker may play on for it."""

    seat: int


class Opening(Data, frozen=True, gc=False):
    """A hidden part of an earlier record, opened after the match."""

    version: int
    secret: Secret


class MatchClosed(Fact, frozen=True, gc=False):
    """The end: final standings, the server's seed (hex) and everything that was hidden."""

    reason: str
    standings: tuple[Standing, ...]
    seed: str
    openings: tuple[Opening, ...]


SYSTEM_FACTS: dict[str, type[Fact]] = {
    CREATED: MatchCreated,
    UNDO: MovesUndone,
    RESIGNED: SeatResigned,
    CLOSED: MatchClosed,
}


class Step(NamedTuple):
    """A position one may undo to: the version it stood at, and its state."""

    version: int
    state: Any


class Match(msgspec.Struct, frozen=True):
    """One match at one version.

    `trail` holds the steps that the seat `trail_seat` may still take back, oldest first; `seed`
    is the match seed, empty when only the public log is known.
    """

    id: str
    game: Game
    content: Any
    created: MatchCreated
    state: Any
    version: int
    head: str
    server_seed: bytes
    seed: bytes
    resigned: tuple[int, ...]
    trail_seat: int
    trail: tuple[Step, ...]
    closed: MatchClosed | None

    @property
    def ended(self) -> str | None:
        """Why the match has ended (`played`, `resigned`), or None while it goes on."""
        if len(self.created.seats) - len(self.resigned) < 2:
            return "resigned"
        return None if self.state.agenda else "played"

    def decisions(self) -> tuple[Decision, ...]:
        """The open decisions with their options; none once the match is closed."""
        return () if self.ended else decisions(self.game, self.content, self.state)

    def standings(self) -> tuple[Standing, ...]:
        """The seats in order as they stand now, those who resigned last."""
        return rank_with_resigned(self.game.rank(self.content, self.state), self.resigned)

    def undo_to(self, seat: int) -> int | None:
        """The lowest version the seat may undo to, or None."""
        if self.ended or not self.trail or self.trail_seat != seat:
            return None
        return self.trail[0].version

    def after_move(self, seat: int, state: Any, barrier: bool, head: str) -> Match:
        """The match after a seat's move; a barrier ends what may be taken back."""
        step = Step(self.version, self.state)
        if barrier:
            trail: tuple[Step, ...] = ()
        elif seat == self.trail_seat:
            trail = (*self.trail[1 - UNDO_TRAIL :], step)
        else:
            trail = (step,)
        return replace(
            self, state=state, version=self.version + 1, head=head, trail_seat=seat, trail=trail
        )

    def after_undo(self, to: int, head: str) -> Match:
        """The match back at version `to`. Raises `BadRecord` if that is out of reach."""
        kept = next((i for i, step in enumerate(self.trail) if step.version == to), None)
        if kept is None:
            raise BadRecord(self.version + 1, f"it undoes to version {to}, which is out of reach")
        return replace(
            self,
            state=self.trail[kept].state,
            version=self.version + 1,
            head=head,
            trail=self.trail[:kept],
        )

    def after_resignation(self, seat: int, head: str) -> Match:
        """The match with one seat fewer in the running."""
        return replace(
            self,
            version=self.version + 1,
            head=head,
            resigned=(*self.resigned, seat),
            trail_seat=SPECTATOR,
            trail=(),
        )

    def after_close(self, fact: MatchClosed, head: str) -> Match:
        """The match with its last record."""
        return replace(
            self,
            version=self.version + 1,
            head=head,
            trail_seat=SPECTATOR,
            trail=(),
            closed=fact,
        )


def rank_with_resigned(
    standings: Sequence[Standing], resigned: tuple[int, ...]
) -> tuple[Standing, ...]:
    """Final places when some seats resigned: those rank behind the rest, last to resign first."""
    stayed = [one for one in standings if one.seat not in resigned]
    ranks = {one.seat: 1 + sum(o.rank < one.rank for o in stayed) for one in stayed}
    for place, seat in enumerate(reversed(resigned)):
        ranks[seat] = len(stayed) + 1 + place
    ordered = sorted(standings, key=lambda one: (ranks[one.seat], one.seat))
    return tuple(replace(one, rank=ranks[one.seat]) for one in ordered)


def stream_of(match_id: str) -> str:
    """The name of a match's log."""
    return f"match-{match_id}"
