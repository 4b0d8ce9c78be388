"""The options of every decision: a notation and its typed meaning, each made once."""

from __future__ import annotations

from functools import lru_cache

from shared.engine.data import Choice
from shared.engine.game import Option
from shared.games.airship_city.pieces import NEIGHBOURS, RESOURCES, SLIDES, STEPS


class Move(Choice, frozen=True, gc=False):
    """A face-up crew leaves a tile in a direction."""

    tile: str
    direction: str


class LeapOn(Choice, frozen=True, gc=False):
    """The leaping crew goes on in a direction."""

    direction: str


class Fly(Choice, frozen=True, gc=False):
    """Long Distance Flight: one space more in a direction."""

    direction: str


class Slide(Choice, frozen=True, gc=False):
    """Slide a row or column."""

    line: str
    number: int
    direction: str


class Complete(Choice, frozen=True, gc=False):
    """Complete a contract of the term track."""

    contract: str


class Exchange(Choice, frozen=True, gc=False):
    """Barter: exchange 1 of a resource for 1 of another."""

    gave: str
    got: str


class Use(Choice, frozen=True, gc=False):
    """Perform the location's action."""


class TakeContract(Choice, frozen=True, gc=False):
    """Take a contract of the offer."""

    contract: str


class BuildShip(Choice, frozen=True, gc=False):
    """Build an airship and `donate` or `sell` it."""

    ship: str
    purpose: str


class Construct(Choice, frozen=True, gc=False):
    """Build a public utility."""

    utility: str


class Renovate(Choice, frozen=True, gc=False):
    """Unlock the renovation of a resource."""

    resource: str


class DevelopTile(Choice, frozen=True, gc=False):
    """Turn a basic tile to its developed side."""

    tile: str


class Take(Choice, frozen=True, gc=False):
    """Take a bonus in a resource."""

    resource: str


class Negotiate(Choice, frozen=True, gc=False):
    """Take a piggybacking bonus and, by Skilled Negotiator, 1 resource more."""

    resource: str
    more: str


class Pass(Choice, frozen=True, gc=False):
    """Do not use the location."""


class Done(Choice, frozen=True, gc=False):
    """No more slides."""


class EndTurn(Choice, frozen=True, gc=False):
    """End the turn."""


USE = Option("use", Use())
PASS = Option("pass", Pass())
DONE = Option("done", Done())
END_TURN = Option("end turn", EndTurn())

SLIDE_OPTIONS = tuple(
    Option(f"slide {line} {number} {direction}", Slide(line, number, direction))
    for line, number, direction in SLIDES
)
"""Every slide (4.1)."""

EXCHANGES = {
    (gave, got): Option(f"barter {gave} {got}", Exchange(gave, got))
    for gave in RESOURCES
    for got in RESOURCES
    if gave != got
}
LEAPS = {direction: Option(f"leap {direction}", LeapOn(direction)) for direction in STEPS}
FLIGHTS = {
    place: tuple(Option(f"fly {direction}", Fly(direction)) for direction, _ in steps)
    for place, steps in enumerate(NEIGHBOURS)
}
"""For each place the ways to fly on."""
TAKES = {resource: Option(f"take {resource}", Take(resource)) for resource in RESOURCES}
RENOVATIONS = {
    resource: Option(f"renovate {resource}", Renovate(resource)) for resource in RESOURCES
}


@lru_cache(maxsize=1024)
def moves(tile: str, place: int) -> tuple[Option, ...]:
    """3.1 The ways of a crew off a tile that lies at a place."""
    return tuple(
        Option(f"move {tile} {direction}", Move(tile, direction))
        for direction, _ in NEIGHBOURS[place]
    )


@lru_cache(maxsize=1024)
def complete(contract: str) -> Option:
    """Complete a contract."""
    return Option(f"complete {contract}", Complete(contract))


@lru_cache(maxsize=1024)
def take_contract(contract: str) -> Option:
    """Take a contract."""
    return Option(f"take {contract}", TakeContract(contract))


@lru_cache(maxsize=1024)
def donate(ship: str) -> Option:
    """Build an airship to donate it."""
    return Option(f"ship {ship} donate", BuildShip(ship, "donate"))


@lru_cache(maxsize=1024)
def sell(ship: str) -> Option:
    """Build an airship to sell it."""
    return Option(f"ship {ship} sell", BuildShip(ship, "sell"))


@lru_cache(maxsize=1024)
def build(utility: str) -> Option:
    """Build a public utility."""
    return Option(f"build {utility}", Construct(utility))


@lru_cache(maxsize=1024)
def develop(tile: str) -> Option:
    """Develop a tile."""
    return Option(f"develop {tile}", DevelopTile(tile))


@lru_cache(maxsize=1024)
def negotiate(resource: str, more: str) -> Option:
    """Take a piggybacking bonus and 1 resource more."""
    return Option(f"negotiate {resource} {more}", Negotiate(resource, more))
