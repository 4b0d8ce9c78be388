"""The options of every decision: a notation and its typed meaning, each made once."""

from __future__ import annotations

from functools import cache

from shared.engine.data import Choice
from shared.engine.game import Option
from shared.games.dwergar.pieces import BASIC, DWARVES, LOCATIONS, RESOURCES, Cost, Goods, Pool


class Place(Choice, frozen=True, gc=False):
    """Place a dwarf onto a location."""

    dwarf: str
    location: str


class TakeBreak(Choice, frozen=True, gc=False):
    """Take a Work Break with a worker of the board (`""`: there is none)."""

    worker: str
    location: str


class LeaveOut(Choice, frozen=True, gc=False):
    """Leave an extra or bonus action out."""


class UsePipeline(Choice, frozen=True, gc=False):
    """Turn that much heat into a resource."""

    resource: str
    heat: int


class LoadCart(Choice, frozen=True, gc=False):
    """Load the empty cart: the basic action in the mine."""

    goods: Goods


class UseBasic(Choice, frozen=True, gc=False):
    """Use the location's basic action; `does` is what it does (`DOES`)."""

    does: str


class UseBonus(Choice, frozen=True, gc=False):
    """Use a specialist's bonus; `does` is what it does (`DOES`)."""

    worker: str
    does: str


class SpendSilverbeard(Choice, frozen=True, gc=False):
    """Discard the Silverbeard token for a specialist's bonus, which `does` (`DOES`)."""

    worker: str
    does: str


class ChangeTo(Choice, frozen=True, gc=False):
    """Pay that much heat for another specialty."""

    worker: str
    heat: int


class Install(Choice, frozen=True, gc=False):
    """Install a furnace, hot or cool, at the foreman's location for that price."""

    side: str
    goods: Goods


class Exchange(Choice, frozen=True, gc=False):
    """Exchange 1 of a resource for so many of another at the laboratory."""

    gave: str
    got: str
    count: int


class UseLift(Choice, frozen=True, gc=False):
    """Move the lift that many levels for that much heat."""

    levels: int
    heat: int


class PutStone(Choice, frozen=True, gc=False):
    """Put 1 stone into every cart on a level."""

    level: str


class Forge(Choice, frozen=True, gc=False):
    """Forge a resource at that cost (heat, then goods)."""

    resource: str
    cost: Cost


class Complete(Choice, frozen=True, gc=False):
    """Complete a project of the order track at that cost (heat, then goods)."""

    project: str
    cost: Cost


class Upgrade(Choice, frozen=True, gc=False):
    """Upgrade a completed project at that cost (heat, then goods)."""

    project: str
    cost: Cost


class Keep(Choice, frozen=True, gc=False):
    """Upgrade nothing."""


class Done(Choice, frozen=True, gc=False):
    """Use no more."""


class PayWith(Choice, frozen=True, gc=False):
    """Pay that much heat from the track and by extinguishing that many furnaces."""

    heat: int
    furnaces: int


class Save(Choice, frozen=True, gc=False):
    """Pay 1 less of each of these resources."""

    resources: tuple[str, ...]


class Regain(Choice, frozen=True, gc=False):
    """Take back 1 of a resource (`nothing`: none)."""

    resource: str


class Burn(Choice, frozen=True, gc=False):
    """Pay that much more heat."""

    heat: int


class LightOne(Choice, frozen=True, gc=False):
    """Light one furnace."""


class LightNone(Choice, frozen=True, gc=False):
    """Light no furnace."""


SKIP = Option("pass", LeaveOut())
BREAK_ALONE = Option("break foreman", TakeBreak("", ""))
KEEP = Option("keep", Keep())
DONE = Option("done", Done())
LIGHT = Option("light", LightOne())
PASS = Option("pass", LightNone())

DOES = {
    ("bellows", BASIC): "light-one",
    ("workshop", BASIC): "build",
    ("laboratory", "ironworker"): "light-and-heat",
    ("laboratory", "blacksmith"): "more-exchanges",
    ("bellows", "ironworker"): "light-all",
    ("bellows", "blacksmith"): "heat",
    ("lift", "ironworker"): "points-for-levels",
    ("lift", "engineer"): "stone-in-carts",
    ("workshop", "ironworker"): "light-one",
    ("workshop", "engineer"): "build-for-stone",
    ("forge", "blacksmith"): "upgrade-completed",
    ("forge", "engineer"): "heat",
    ("studio", "blacksmith"): "cheaper-upgrade",
    ("studio", "engineer"): "take-back",
}
"""What the basic actions and the specialists' bonuses do, in a word."""
USE_BASIC = {
    place: Option("use basic", UseBasic(does))
    for (place, half), does in DOES.items()
    if half == BASIC
}
USE = {
    (place, half): Option(f"use {half}", UseBonus(half, does))
    for (place, half), does in DOES.items()
    if half != BASIC
}
SILVERBEARD = {
    (place, half): Option(f"silverbeard {half}", SpendSilverbeard(half, does))
    for (place, half), does in DOES.items()
    if half != BASIC
}
REGAIN = {
    resource: Option(f"take-back {resource}", Regain(resource))
    for resource in (*RESOURCES, "nothing")
}


@cache
def placements(pool: Pool) -> tuple[Option, ...]:
    """Every placement of the kinds of dwarves that a pool holds."""
    return tuple(
        Option(f"place {dwarf} {location}", Place(dwarf, location))
        for dwarf, count in zip(DWARVES, pool, strict=True)
        if count
        for location in LOCATIONS
    )


@cache
def work_break(worker: str, location: str) -> Option:
    """A Work Break that takes the worker of that location."""
    return Option(f"break {worker} {location}", TakeBreak(worker, location))


@cache
def pipeline(resource: str, heat: int) -> Option:
    """Heat into a resource."""
    return Option(f"pipeline {resource}", UsePipeline(resource, heat))


@cache
def load(goods: Goods) -> Option:
    """Goods into the empty cart."""
    return Option("use basic", LoadCart(goods))


@cache
def change_to(worker: str, heat: int) -> Option:
    """Another specialty for this action."""
    return Option(f"as {worker}", ChangeTo(worker, heat))


@cache
def install(side: str, goods: Goods) -> Option:
    """A furnace onto the location."""
    return Option(f"install {side}", Install(side, goods))


@cache
def exchange(gave: str, got: str, count: int) -> Option:
    """1 of a resource for several of another."""
    return Option(f"exchange {gave} {got}", Exchange(gave, got, count))


@cache
def lift(levels: int, heat: int) -> Option:
    """The lift, that many levels."""
    return Option(f"lift {levels}", UseLift(levels, heat))


@cache
def stone(level: str) -> Option:
    """1 stone into every cart on a level."""
    return Option(f"stone {level}", PutStone(level))


@cache
def forge(resource: str, heat: int, goods: Goods) -> Option:
    """Forging a resource."""
    return Option(f"forge {resource}", Forge(resource, (heat, *goods)))


@cache
def complete(project: str, heat: int, goods: Goods) -> Option:
    """Completing a project."""
    return Option(f"complete {project}", Complete(project, (heat, *goods)))


@cache
def upgrade(project: str, heat: int, goods: Goods) -> Option:
    """Upgrading a project."""
    return Option(f"upgrade {project}", Upgrade(project, (heat, *goods)))


@cache
def pay_with(heat: int, furnaces: int) -> Option:
    """One split of a heat cost."""
    return Option(f"heat {heat} furnaces {furnaces}", PayWith(heat, furnaces))


@cache
def save(resources: tuple[str, ...]) -> Option:
    """What a discount saves."""
    return Option(f"save {'+'.join(resources)}", Save(resources))


@cache
def burn(heat: int) -> Option:
    """That much extra heat."""
    return Option(f"burn {heat}", Burn(heat))
