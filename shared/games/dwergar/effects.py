"""Pending work and open questions: what may stand on the agenda. NOTATION.md names the fields."""

from __future__ import annotations

from shared.engine.data import Effect
from shared.games.dwergar.pieces import Goods

# Questions ----------------------------------------------------------------------------------


class ChooseAction(Effect, frozen=True, gc=False, omit_defaults=True):
    """A seat is to place a dwarf or take a Work Break; `left` counts this action too.

    `optional`: an extra or bonus action, which may be left out.
    """

    seat: int
    left: int
    optional: bool = False


class UseSpace(Effect, frozen=True, gc=False, omit_defaults=True):
    """A dwarf stands at a location and may use what is left to use there."""

    seat: int
    location: str
    dwarf: str
    skills: tuple[str, ...]
    used: tuple[str, ...] = ()
    beard: str = ""
    exchanges: int = 0


class PayHeat(Effect, frozen=True, gc=False):
    """How much of the heat of a cost comes from the track, how much from furnaces."""

    seat: int
    heat: int
    goods: Goods


class ChooseSaving(Effect, frozen=True, gc=False):
    """Which resource of a project's cost the seat's discount saves."""

    seat: int
    project: str
    bonuses: tuple[str, ...]


class TakeBack(Effect, frozen=True, gc=False):
    """The Studio engineer: `goods` has a 1 for each resource that may be taken back."""

    seat: int
    goods: Goods


class UpgradeNow(Effect, frozen=True, gc=False):
    """Whether to upgrade the project just completed, for `less` heat than it costs."""

    seat: int
    project: str
    less: int


class BurnHeat(Effect, frozen=True, gc=False):
    """How much more heat to pay for points."""

    seat: int
    project: str


class FreeUpgrade(Effect, frozen=True, gc=False):
    """Which project to upgrade for free at the end of the game."""

    seat: int


class SpendLastHeat(Effect, frozen=True, gc=False):
    """Whether to turn heat into goods before it is lost."""

    seat: int


class LightAtRoundEnd(Effect, frozen=True, gc=False):
    """Whether to light a furnace from a hot one at the end of the round."""

    seat: int


# Work ---------------------------------------------------------------------------------------


class BeginRound(Effect, frozen=True, gc=False):
    """Start a round."""

    round: int


class TakeTurn(Effect, frozen=True, gc=False):
    """Start a seat's turn."""

    seat: int


class NextAction(Effect, frozen=True, gc=False):
    """Go on with an extra action, or the next of the `left` actions."""

    seat: int
    left: int


class EndTurn(Effect, frozen=True, gc=False):
    """A last use for the heat, then reset it and pass the turn on."""

    seat: int


class ResetHeat(Effect, frozen=True, gc=False):
    """Reset the heat and pass the turn on."""

    seat: int


class EndRound(Effect, frozen=True, gc=False):
    """Discard, draw and carry out the event, then let furnaces be lit."""


class FinishRound(Effect, frozen=True, gc=False):
    """Start the next round, or end the game."""


class OfferSpace(Effect, frozen=True, gc=False):
    """Ask how to use the space, unless nothing is left to use."""

    space: UseSpace


class OfferUpgrade(Effect, frozen=True, gc=False):
    """Ask for the upgrade, unless it is out of reach."""

    question: UpgradeNow


class OfferLastHeat(Effect, frozen=True, gc=False):
    """Ask for heat to be turned into goods, unless none can be."""

    seat: int


class OfferFreeUpgrade(Effect, frozen=True, gc=False):
    """Ask for the free upgrade, unless there is nothing to upgrade."""

    seat: int


class RaiseLift(Effect, frozen=True, gc=False):
    """Move the lift, with `points` for each level."""

    seat: int
    levels: int
    points: int


class GainGoods(Effect, frozen=True, gc=False):
    """Hand out goods that were paid for."""

    seat: int
    goods: Goods
    reason: str


class PutFurnace(Effect, frozen=True, gc=False):
    """Put a new cool furnace, paid for, onto the player board."""

    seat: int


class PlaceInstalled(Effect, frozen=True, gc=False):
    """Put a furnace, paid for, onto a location."""

    seat: int
    location: str
    side: str


class NameSpecialty(Effect, frozen=True, gc=False):
    """Give the dwarf in use the specialty that was paid for."""

    seat: int
    worker: str


class FinishProject(Effect, frozen=True, gc=False):
    """Hand over a project that was paid for with these goods."""

    seat: int
    project: str
    paid: Goods
    bonuses: tuple[str, ...]


class FinishUpgrade(Effect, frozen=True, gc=False):
    """Upgrade a project that was paid for with these goods."""

    seat: int
    project: str
    paid: Goods


class CarryOut(Effect, frozen=True, gc=False):
    """Carry out one effect of an upgraded project."""

    seat: int
    project: str
    step: int


class ScoreHeat(Effect, frozen=True, gc=False):
    """Points for extra heat that was paid."""

    seat: int
    points: int
    reason: str


class EndGame(Effect, frozen=True, gc=False):
    """After the last round."""


class AwardFreeUpgrades(Effect, frozen=True, gc=False):
    """The Golden Terraces' leaders."""


class ScoreEnd(Effect, frozen=True, gc=False):
    """End-of-game points and the winners."""
