"""Pending work and open questions: what may stand on the agenda. NOTATION.md names the fields."""

from __future__ import annotations

from shared.engine.data import Effect

# Questions ----------------------------------------------------------------------------------


class Activate(Effect, frozen=True, gc=False):
    """Which face-up crew moves, and where to."""

    seat: int


class Leap(Effect, frozen=True, gc=False):
    """Where a crew goes on from a tile with another own crew; `passed` are such tiles so far."""

    seat: int
    tile: str
    passed: tuple[str, ...]


class UseTile(Effect, frozen=True, gc=False):
    """Whether and how the crew that stopped on a tile uses it."""

    seat: int
    tile: str


class SlideByLighthouse(Effect, frozen=True, gc=False):
    """Which row or column the Lighthouse slides; `bonus` are the crest resources to choose from."""

    seat: int
    tile: str
    left: int
    bonus: tuple[str, ...]


class Develop(Effect, frozen=True, gc=False):
    """Which basic tile with that crest colour is developed."""

    seat: int
    resource: str


class ChooseCrest(Effect, frozen=True, gc=False):
    """Which of the unlocked resources the crest bonus of a tile gives."""

    seat: int
    tile: str
    resources: tuple[str, ...]


class ChoosePiggyback(Effect, frozen=True, gc=False):
    """What a seat takes as the piggybacking bonus of a tile."""

    seat: int
    tile: str


class FinishTurn(Effect, frozen=True, gc=False):
    """Whether the seat does anything more before its turn ends."""

    seat: int


# Work ---------------------------------------------------------------------------------------


class BeginRound(Effect, frozen=True, gc=False):
    """A round begins, with upkeep first if it opens a stage."""

    round: int


class TakeTurn(Effect, frozen=True, gc=False):
    """A seat begins its turn."""

    seat: int


class NextCrew(Effect, frozen=True, gc=False):
    """The seat activates its next crew, or may end its turn."""

    seat: int


class Arrive(Effect, frozen=True, gc=False):
    """A crew has come to a tile: it leaps on, or may use it."""

    seat: int
    tile: str
    passed: tuple[str, ...]


class OfferTile(Effect, frozen=True, gc=False):
    """Ask about the tile if there is anything to ask."""

    seat: int
    tile: str


class GainCrest(Effect, frozen=True, gc=False):
    """The crest bonus of a tile is due, in one of these resources."""

    seat: int
    tile: str
    resources: tuple[str, ...]


class GivePiggyback(Effect, frozen=True, gc=False):
    """The others with a crew on the tile are due its piggybacking bonus."""

    seat: int
    tile: str


class EndRound(Effect, frozen=True, gc=False):
    """All turns of the round are over."""
