"""The vocabulary of cards: what an upgraded project or an event does, as data.

A power has one place in the code that carries it out or asks for it; a card is a tuple of them.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from shared.engine.data import Data
from shared.games.dwergar.pieces import Goods, Level, Place, Resource, Worker

Count = Annotated[int, msgspec.Meta(ge=0, le=99)]


class Stock(Data, frozen=True, gc=False, forbid_unknown_fields=True):
    """An amount of each resource."""

    stone: Count = 0
    iron: Count = 0
    gold: Count = 0
    crystal: Count = 0

    def goods(self) -> Goods:
        """The same as four counts."""
        return (self.stone, self.iron, self.gold, self.crystal)


class Power(Data, frozen=True, gc=False, tag_field="type", tag=True, forbid_unknown_fields=True):
    """One thing that a card does."""


# At once when a project is upgraded ---------------------------------------------------------


class Take(Power, frozen=True, gc=False):
    """The owner gets goods."""

    goods: Stock


class OthersTake(Power, frozen=True, gc=False):
    """Every other player gets goods."""

    goods: Stock


class GainHeat(Power, frozen=True, gc=False):
    """The owner's heat level rises."""

    heat: Count


class OthersGainHeat(Power, frozen=True, gc=False):
    """Every other player's heat level rises."""

    heat: Count


class LightAll(Power, frozen=True, gc=False):
    """All furnaces on the owner's board are lit."""


class BuildHotFurnace(Power, frozen=True, gc=False):
    """The owner gets a new furnace, already lit."""


class ExtraAction(Power, frozen=True, gc=False):
    """The owner may do one more action after this one."""


class BurnHeat(Power, frozen=True, gc=False):
    """The owner may pay any amount of heat for a point each."""


class ShaftPoints(Power, frozen=True, gc=False):
    """Points for each of the owner's upgraded projects of this deck."""


Immediate = (
    Take
    | OthersTake
    | GainHeat
    | OthersGainHeat
    | LightAll
    | BuildHotFurnace
    | ExtraAction
    | BurnHeat
    | ShaftPoints
)

# From the upgrade on ------------------------------------------------------------------------


class PayLess(Power, frozen=True, gc=False):
    """Completing a project costs 1 less of one of these resources."""

    of: tuple[Resource, ...]


class Skilled(Power, frozen=True, gc=False):
    """The foreman has this specialty, and such dwarves mine a level's extra goods."""

    worker: Worker


class PlacingPoints(Power, frozen=True, gc=False):
    """Points for a worker placed on an empty space or one with an opponent's foreman."""

    points: Count


class GoldPoints(Power, frozen=True, gc=False):
    """Points for completing or upgrading another project whose cost has gold in it."""

    points: Count


class EachTurn(Power, frozen=True, gc=False):
    """Goods and heat at the start of each of the owner's turns."""

    goods: Stock = Stock()
    heat: Count = 0


class Pipeline(Power, frozen=True, gc=False):
    """Heat can be turned into one resource, any number of times."""

    heat: Annotated[int, msgspec.Meta(ge=1, le=99)]
    into: Resource


class FurnaceHeat(Power, frozen=True, gc=False):
    """More heat whenever an opponent uses a space with the owner's furnace."""

    heat: Count


class ChangeSpecialty(Power, frozen=True, gc=False):
    """For this much heat a dwarf has another specialty for one action."""

    heat: Count


Lasting = (
    PayLess
    | Skilled
    | PlacingPoints
    | GoldPoints
    | EachTurn
    | Pipeline
    | FurnaceHeat
    | ChangeSpecialty
)


class EndPoints(Data, frozen=True, gc=False, forbid_unknown_fields=True):
    """Points at the end of the game for every `per` of something the owner has."""

    points: Count
    of: Literal[
        "stone", "iron", "gold", "crystal", "upgraded", "crystal-projects", "furnaces", "installed"
    ]
    per: Annotated[int, msgspec.Meta(ge=1, le=99)] = 1


# Events: at once ----------------------------------------------------------------------------


class EachGainsHeat(Power, frozen=True, gc=False):
    """Every player's heat level rises."""

    heat: Count


class LiftRises(Power, frozen=True, gc=False):
    """The lift moves by itself."""

    levels: Count


class StoneInCarts(Power, frozen=True, gc=False):
    """1 stone into every cart on these levels, empty or not."""

    levels: tuple[Level, ...]


class ChangePlans(Power, frozen=True, gc=False):
    """That many random projects leave the order track and are replaced."""

    projects: Count


Happening = EachGainsHeat | LiftRises | StoneInCarts | ChangePlans

# Events: while they lie there ---------------------------------------------------------------


class LiftCostsHeat(Power, frozen=True, gc=False):
    """Every level of the lift costs this much heat, the first included."""

    heat: Annotated[int, msgspec.Meta(ge=1, le=99)]


class InstallPoints(Power, frozen=True, gc=False):
    """More points for a furnace installed outside the mine."""

    points: Count


class Actions(Power, frozen=True, gc=False):
    """A turn has this many actions."""

    number: Count


class MinePoints(Power, frozen=True, gc=False):
    """Points for a dwarf placed in the mine."""

    points: Count


class NoBonuses(Power, frozen=True, gc=False):
    """The specialists of this place have no bonus."""

    location: Place


class ForemanMines(Power, frozen=True, gc=False):
    """Foremen mine a level's extra goods."""


class ActionHeat(Power, frozen=True, gc=False):
    """Heat for every action at these places."""

    locations: tuple[Place, ...]
    heat: Count


class EmptySpacePoints(Power, frozen=True, gc=False):
    """Points for a blacksmith, engineer or ironworker placed on an empty space."""

    points: Count


Standing = (
    LiftCostsHeat
    | InstallPoints
    | Actions
    | MinePoints
    | NoBonuses
    | ForemanMines
    | ActionHeat
    | EmptySpacePoints
)
