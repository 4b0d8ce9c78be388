"""What can happen at the table, in the rulebook's words. NOTATION.md explains the fields."""

from __future__ import annotations

from typing import Annotated

from shared.engine.data import Fact
from shared.engine.hidden import REVEALED, SECRET
from shared.games.dwergar.pieces import Goods

# Setup --------------------------------------------------------------------------------------


class MatchSetUp(Fact, frozen=True, gc=False):
    """The table is laid out with these decks, for that many rounds."""

    decks: tuple[str, ...]
    rounds: int


class ProjectsShuffled(Fact, frozen=True, gc=False):
    """The project pile, top first."""

    pile: Annotated[tuple[str, ...], SECRET]


class EventsShuffled(Fact, frozen=True, gc=False):
    """The event pile, top first."""

    pile: Annotated[tuple[str, ...], SECRET]


class WorkersDrawn(Fact, frozen=True, gc=False):
    """A worker for each seat, and one for each location of the board (`""` for none)."""

    pools: tuple[str, ...]
    board: tuple[str, ...]


class GoodsDealt(Fact, frozen=True, gc=False):
    """A seat's starting goods, on hand and in its cart on one level."""

    seat: int
    goods: Goods
    level: str
    cart: Goods


# Rounds and turns ---------------------------------------------------------------------------


class RoundBegan(Fact, frozen=True, gc=False):
    """The round marker moves on."""

    round: int


class TurnBegan(Fact, frozen=True, gc=False):
    """A seat's turn begins."""

    seat: int


class TurnEnded(Fact, frozen=True, gc=False):
    """A seat's turn ends; its heat level falls to what it may keep."""

    seat: int
    heat: int


class ProjectsRevealed(Fact, frozen=True, gc=False):
    """Projects come from the top of the pile onto the order track."""

    projects: Annotated[tuple[str, ...], REVEALED]


class ProjectsDiscarded(Fact, frozen=True, gc=False):
    """Projects leave the game from the order track."""

    projects: tuple[str, ...]


class EventRevealed(Fact, frozen=True, gc=False):
    """An event is drawn and lies open."""

    event: Annotated[str, REVEALED]


class EventDiscarded(Fact, frozen=True, gc=False):
    """The lying event is over."""

    event: str


class SilverbeardTaken(Fact, frozen=True, gc=False):
    """The leader in the Old Shaft takes the Silverbeard token."""

    seat: int


class SilverbeardReturned(Fact, frozen=True, gc=False):
    """The token goes back to the supply unused."""

    seat: int


class SilverbeardSpent(Fact, frozen=True, gc=False):
    """The token is discarded for a specialist's bonus."""

    seat: int
    worker: str


class ExtraActionEarned(Fact, frozen=True, gc=False):
    """A seat may do one more action."""

    seat: int


class ExtraActionBegan(Fact, frozen=True, gc=False):
    """A seat begins its extra action."""

    seat: int


# Dwarves ------------------------------------------------------------------------------------


class ForemanReturned(Fact, frozen=True, gc=False):
    """A displaced foreman goes home to his owner."""

    seat: int
    location: str


class ForemanBoarded(Fact, frozen=True, gc=False):
    """A foreman in the mine steps into his owner's cart on that level."""

    seat: int
    level: str


class DwarfPlaced(Fact, frozen=True, gc=False):
    """A dwarf is placed; `took` is the worker found there, who joins the pool."""

    seat: int
    dwarf: str
    location: str
    took: str


class BreakTaken(Fact, frozen=True, gc=False):
    """A Work Break: the foreman comes home, and a worker with him."""

    seat: int
    worker: str
    location: str


class SpecialtyChanged(Fact, frozen=True, gc=False):
    """The dwarf in use has another specialty for this action."""

    seat: int
    worker: str


# Mine and lift ------------------------------------------------------------------------------


class CartLoaded(Fact, frozen=True, gc=False):
    """Goods from a mine level go into the seat's cart there."""

    seat: int
    level: str
    goods: Goods


class StonePutInCarts(Fact, frozen=True, gc=False):
    """1 stone goes into every cart on these levels."""

    levels: tuple[str, ...]
    reason: str


class LiftMoved(Fact, frozen=True, gc=False):
    """Every cart tile rises one level; the unloaded one returns to the bottom."""


class CartUnloaded(Fact, frozen=True, gc=False):
    """A cart's goods, and the foreman if he rode in it, reach their owner."""

    seat: int
    goods: Goods
    foreman: bool


# Goods, heat, furnaces ----------------------------------------------------------------------


class Paid(Fact, frozen=True, gc=False):
    """A cost is paid: heat from the track, hot furnaces extinguished, goods."""

    seat: int
    heat: int
    furnaces: int
    goods: Goods


class GoodsGained(Fact, frozen=True, gc=False):
    """A seat gets goods onto its board."""

    seat: int
    goods: Goods
    reason: str


class GoodsExchanged(Fact, frozen=True, gc=False):
    """1 of a resource becomes several of another at the laboratory."""

    seat: int
    gave: str
    got: str
    count: int


class HeatGained(Fact, frozen=True, gc=False):
    """A heat level rises by what the track can still take."""

    seat: int
    heat: int
    reason: str


class FurnaceBuilt(Fact, frozen=True, gc=False):
    """A new furnace comes onto the player board."""

    seat: int
    side: str


class FurnacesLit(Fact, frozen=True, gc=False):
    """Cool furnaces are turned to their hot side."""

    seat: int
    count: int


class FurnaceInstalled(Fact, frozen=True, gc=False):
    """A furnace moves from the player board onto a location."""

    seat: int
    location: str
    side: str
    points: int


# Projects and points ------------------------------------------------------------------------


class ProjectCompleted(Fact, frozen=True, gc=False):
    """A project goes from the order track to the player."""

    seat: int
    project: str
    points: int


class ProjectUpgraded(Fact, frozen=True, gc=False):
    """A completed project is upgraded."""

    seat: int
    project: str
    points: int


class PointsGained(Fact, frozen=True, gc=False):
    """Other points, entered on one line of the score sheet."""

    seat: int
    points: int
    line: str
    reason: str


# The end ------------------------------------------------------------------------------------


class BonusActionsAwarded(Fact, frozen=True, gc=False):
    """A leader in the Western District may do more actions after the last round."""

    seat: int
    actions: int


class FreeUpgradeAwarded(Fact, frozen=True, gc=False):
    """A leader in the Golden Terraces may upgrade a project for free."""

    seat: int


class GameEnded(Fact, frozen=True, gc=False):
    """The game is over."""
