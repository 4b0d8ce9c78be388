"""The options of every decision: a notation and its typed meaning, each made once.

The meaning tells what the option costs and gives as things stand, so that its label can say so.
"""

from __future__ import annotations

from functools import lru_cache

from shared.engine.data import Choice
from shared.engine.game import Option
from shared.games.airship_city.pieces import NEIGHBOURS, RESOURCES, SLIDES, Goods, Grid
from shared.games.airship_city.tables import Bonus, Tile


class Move(Choice, frozen=True, gc=False):
    """A face-up crew leaves a tile in a direction, to another tile."""

    tile: str
    direction: str
    target: str


class LeapOn(Choice, frozen=True, gc=False):
    """The leaping crew goes on in a direction."""

    direction: str
    target: str


class Fly(Choice, frozen=True, gc=False):
    """Long Distance Flight: one space more in a direction."""

    direction: str
    target: str


class Slide(Choice, frozen=True, gc=False):
    """Slide a row or column, for that many gears."""

    line: str
    number: int
    direction: str
    gears: int


class Complete(Choice, frozen=True, gc=False):
    """Complete a contract of the term track."""

    contract: str
    cost: Goods
    points: int
    gold: int


class Exchange(Choice, frozen=True, gc=False):
    """Barter: exchange 1 of a resource for 1 of another."""

    gave: str
    got: str


class Produce(Choice, frozen=True, gc=False):
    """Perform the action of a resource tile."""

    goods: Goods


class Hire(Choice, frozen=True, gc=False):
    """Hire a crew at the Guild Hall."""

    cost: Goods


class Recall(Choice, frozen=True, gc=False):
    """Return all own crews to the Harbor."""


class Shift(Choice, frozen=True, gc=False):
    """Slide rows or columns by the Lighthouse, up to so many times."""

    slides: int


class TakeContract(Choice, frozen=True, gc=False):
    """Take a contract of the offer."""

    contract: str
    term: int
    cost: Goods
    points: int
    gold: int


class DonateShip(Choice, frozen=True, gc=False):
    """Build an airship and donate it."""

    ship: str
    cost: Goods
    points: int


class SellShip(Choice, frozen=True, gc=False):
    """Build an airship and sell it."""

    ship: str
    cost: Goods
    price: int


class Construct(Choice, frozen=True, gc=False):
    """Build a public utility."""

    utility: str
    cost: Goods
    points: int


class Renovate(Choice, frozen=True, gc=False):
    """Unlock the renovation of a resource."""

    resource: str
    cost: Goods
    points: int


class DevelopTile(Choice, frozen=True, gc=False):
    """Turn a basic tile to its developed side, which has these bonuses."""

    tile: str
    crest: Bonus
    piggyback: Bonus | None


class Take(Choice, frozen=True, gc=False):
    """Take a bonus: that many of a resource."""

    count: int
    resource: str


class Negotiate(Choice, frozen=True, gc=False):
    """Take a piggybacking bonus and, by Skilled Negotiator, 1 resource more."""

    count: int
    resource: str
    more: str


class Pass(Choice, frozen=True, gc=False):
    """Do not use the location."""


class Done(Choice, frozen=True, gc=False):
    """No more slides."""


class EndTurn(Choice, frozen=True, gc=False):
    """End the turn."""


RECALL = Option("use", Recall())
PASS = Option("pass", Pass())
DONE = Option("done", Done())
END_TURN = Option("end turn", EndTurn())


def _slides(gears: int) -> tuple[Option, ...]:
    return tuple(
        Option(f"slide {line} {number} {direction}", Slide(line, number, direction, gears))
        for line, number, direction in SLIDES
    )


PAID_SLIDES, FREE_SLIDES = _slides(1), _slides(0)
"""Every slide, for a gear (4.1) and by the Lighthouse (6.5)."""

EXCHANGES = {
    (gave, got): Option(f"barter {gave} {got}", Exchange(gave, got))
    for gave in RESOURCES
    for got in RESOURCES
    if gave != got
}


@lru_cache(maxsize=4096)
def _move(tile: str, direction: str, target: str) -> Option:
    return Option(f"move {tile} {direction}", Move(tile, direction, target))


def moves(tile: str, grid: Grid) -> tuple[Option, ...]:
    """3.1 The ways of a crew off a tile."""
    around = NEIGHBOURS[grid.index(tile)]
    return tuple(_move(tile, direction, grid[place]) for direction, place in around)


@lru_cache(maxsize=1024)
def leap(direction: str, target: str) -> Option:
    """Leap on to a tile."""
    return Option(f"leap {direction}", LeapOn(direction, target))


@lru_cache(maxsize=1024)
def _fly(direction: str, target: str) -> Option:
    return Option(f"fly {direction}", Fly(direction, target))


def flights(tile: str, grid: Grid) -> tuple[Option, ...]:
    """12.2 The ways to fly on from a tile."""
    around = NEIGHBOURS[grid.index(tile)]
    return tuple(_fly(direction, grid[place]) for direction, place in around)


@lru_cache(maxsize=1024)
def complete(contract: str, cost: Goods, points: int, gold: int) -> Option:
    """Complete a contract."""
    return Option(f"complete {contract}", Complete(contract, cost, points, gold))


@lru_cache(maxsize=1024)
def produce(goods: Goods) -> Option:
    """Use a resource tile."""
    return Option("use", Produce(goods))


@lru_cache(maxsize=1024)
def hire(cost: Goods) -> Option:
    """Use the Guild Hall."""
    return Option("use", Hire(cost))


@lru_cache(maxsize=1024)
def shift(slides: int) -> Option:
    """Use the Lighthouse."""
    return Option("use", Shift(slides))


@lru_cache(maxsize=1024)
def take_contract(contract: str, term: int, cost: Goods, points: int, gold: int) -> Option:
    """Take a contract."""
    return Option(f"take {contract}", TakeContract(contract, term, cost, points, gold))


@lru_cache(maxsize=1024)
def donate(ship: str, cost: Goods, points: int) -> Option:
    """Build an airship to donate it."""
    return Option(f"ship {ship} donate", DonateShip(ship, cost, points))


@lru_cache(maxsize=1024)
def sell(ship: str, cost: Goods, price: int) -> Option:
    """Build an airship to sell it."""
    return Option(f"ship {ship} sell", SellShip(ship, cost, price))


@lru_cache(maxsize=1024)
def build(utility: str, cost: Goods, points: int) -> Option:
    """Build a public utility."""
    return Option(f"build {utility}", Construct(utility, cost, points))


@lru_cache(maxsize=1024)
def renovate(resource: str, cost: Goods, points: int) -> Option:
    """Unlock a renovation."""
    return Option(f"renovate {resource}", Renovate(resource, cost, points))


def develop(tile: str, sides: Tile) -> Option:
    """Develop a tile."""
    return Option(f"develop {tile}", DevelopTile(tile, sides.bonus, sides.piggyback))


@lru_cache(maxsize=1024)
def take(count: int, resource: str) -> Option:
    """Take a bonus."""
    return Option(f"take {resource}", Take(count, resource))


@lru_cache(maxsize=1024)
def negotiate(count: int, resource: str, more: str) -> Option:
    """Take a piggybacking bonus and 1 resource more."""
    return Option(f"negotiate {resource} {more}", Negotiate(count, resource, more))
