"""What can happen at the table, in the rulebook's words. NOTATION.md explains the fields."""

from __future__ import annotations

from typing import Annotated

from shared.engine.data import Fact
from shared.engine.hidden import REVEALED, SECRET
from shared.games.airship_city.pieces import Goods

# Setup --------------------------------------------------------------------------------------


class TilesLaid(Fact, frozen=True, gc=False):
    """The location tiles form the grid, row by row, basic side up."""

    grid: tuple[str, ...]


class PricesSet(Fact, frozen=True, gc=False):
    """The price markers are put that many steps from the top."""

    steps: tuple[int, ...]


class StageBonusesDrawn(Fact, frozen=True, gc=False):
    """The stage bonuses of stages 2 to 5."""

    tiles: tuple[str, ...]


class ContractsShuffled(Fact, frozen=True, gc=False):
    """The contract deck, top first."""

    deck: Annotated[tuple[str, ...], SECRET]


class ContractsRevealed(Fact, frozen=True, gc=False):
    """Contracts come from the top of the deck onto the offer."""

    contracts: Annotated[tuple[str, ...], REVEALED]


class FirstPlayerChosen(Fact, frozen=True, gc=False):
    """Who begins every round."""

    seat: int


class DepotPrepared(Fact, frozen=True, gc=False):
    """A seat's starting goods, and its first crews on the Harbor."""

    seat: int
    goods: Goods
    crews: int
    tile: str


# Rounds and turns ---------------------------------------------------------------------------


class StageBegan(Fact, frozen=True, gc=False):
    """Upkeep: a new stage, with its bonus."""

    stage: int
    tile: str


class RoundBegan(Fact, frozen=True, gc=False):
    """The round marker moves on."""

    round: int


class TurnBegan(Fact, frozen=True, gc=False):
    """A seat's turn begins."""

    seat: int


class TurnEnded(Fact, frozen=True, gc=False):
    """A seat's turn ends."""

    seat: int


class CrewsReadied(Fact, frozen=True, gc=False):
    """At the end of a round all crews are turned face up."""


# Crews and tiles ----------------------------------------------------------------------------


class CrewMoved(Fact, frozen=True, gc=False):
    """A face-up crew moves one space."""

    seat: int
    origin: str
    tile: str


class CrewUsed(Fact, frozen=True, gc=False):
    """A crew has completed its movement and is turned face down."""

    seat: int
    tile: str


class CrewHired(Fact, frozen=True, gc=False):
    """A new crew comes face down onto the Harbor."""

    seat: int
    tile: str


class CrewsRecalled(Fact, frozen=True, gc=False):
    """All crews of a seat return to the Harbor."""

    seat: int
    tile: str


class TilesSlid(Fact, frozen=True, gc=False):
    """A row or column moves one place; the tile pushed out comes back at the other end."""

    seat: int
    line: str
    number: int
    direction: str


class TileDeveloped(Fact, frozen=True, gc=False):
    """A basic tile is turned to its developed side."""

    seat: int
    tile: str


# Resources ----------------------------------------------------------------------------------


class Paid(Fact, frozen=True, gc=False):
    """A cost is paid."""

    seat: int
    goods: Goods
    reason: str


class GoodsGained(Fact, frozen=True, gc=False):
    """A seat stores goods; `lost` found no room."""

    seat: int
    goods: Goods
    lost: Goods
    reason: str


class GoodsBartered(Fact, frozen=True, gc=False):
    """1 of a resource is exchanged for 1 of another."""

    seat: int
    gave: str
    got: str


# Building -----------------------------------------------------------------------------------


class AirshipDonated(Fact, frozen=True, gc=False):
    """An airship is given to the city: a marker in its row."""

    seat: int
    ship: str
    points: int


class AirshipSold(Fact, frozen=True, gc=False):
    """An airship is sold; its price marker stands on `step` now."""

    seat: int
    ship: str
    price: int
    gold: int
    lost: int
    step: int


class UtilityBuilt(Fact, frozen=True, gc=False):
    """A public utility is built: a marker in its row."""

    seat: int
    utility: str
    points: int


class MajorityTaken(Fact, frozen=True, gc=False):
    """A seat alone has most markers in a row and puts one into its majority space."""

    seat: int
    row: str


class MajorityLost(Fact, frozen=True, gc=False):
    """A seat takes its marker out of a row's majority space."""

    seat: int
    row: str


class RenovationUnlocked(Fact, frozen=True, gc=False):
    """A renovation tile leaves the depot."""

    seat: int
    resource: str
    points: int


# Contracts ----------------------------------------------------------------------------------


class ContractTaken(Fact, frozen=True, gc=False):
    """A contract goes from the offer onto a term track."""

    seat: int
    contract: str
    term: int


class ContractCompleted(Fact, frozen=True, gc=False):
    """A contract is completed."""

    seat: int
    contract: str
    points: int


class ContractsMovedOn(Fact, frozen=True, gc=False):
    """Every contract of a seat has one term less."""

    seat: int


class ContractFailed(Fact, frozen=True, gc=False):
    """A contract has failed and cost that many points."""

    seat: int
    contract: str
    points: int


# Bonus effect tiles -------------------------------------------------------------------------


class BonusTileEarned(Fact, frozen=True, gc=False):
    """A bonus effect tile comes into play face up."""

    seat: int
    bonus: str


class BonusTileUsed(Fact, frozen=True, gc=False):
    """A bonus effect tile is turned face down."""

    seat: int
    bonus: str


class BonusTilesRefreshed(Fact, frozen=True, gc=False):
    """A seat's used bonus effect tiles are turned face up."""

    seat: int


# End ----------------------------------------------------------------------------------------


class GameEndReached(Fact, frozen=True, gc=False):
    """One of the three conditions for the end is met."""

    reason: str


class AwardGained(Fact, frozen=True, gc=False):
    """A contribution award at the end."""

    seat: int
    award: str
    points: int


class GameEnded(Fact, frozen=True, gc=False):
    """The last fact of the game."""
