"""The options of every decision: a notation and its typed meaning, each made once."""

from __future__ import annotations

from functools import cache

from shared.engine.data import Choice
from shared.engine.game import Option
from shared.games.dwergar.pieces import DWARVES, LOCATIONS, RESOURCES, SIDES, WORKERS, Pool


class Place(Choice, frozen=True, gc=False):
    """Place a dwarf onto a location."""

    dwarf: str
    location: str


class TakeBreak(Choice, frozen=True, gc=False):
    """Take a Work Break with a worker of the board (`""`: there is none)."""

    worker: str
    location: str


class UsePipeline(Choice, frozen=True, gc=False):
    """Turn heat into a resource."""

    resource: str


class UseBasic(Choice, frozen=True, gc=False):
    """Use the location's basic action."""


class UseBonus(Choice, frozen=True, gc=False):
    """Use a specialist's bonus."""

    worker: str


class SpendSilverbeard(Choice, frozen=True, gc=False):
    """Discard the Silverbeard token for a specialist's bonus."""

    worker: str


class ChangeTo(Choice, frozen=True, gc=False):
    """Pay for another specialty."""

    worker: str


class Install(Choice, frozen=True, gc=False):
    """Install a furnace, hot or cool, at the foreman's location."""

    side: str


class Exchange(Choice, frozen=True, gc=False):
    """Exchange a resource at the laboratory."""

    gave: str
    got: str


class UseLift(Choice, frozen=True, gc=False):
    """Move the lift that many levels."""

    levels: int


class PutStone(Choice, frozen=True, gc=False):
    """Put 1 stone into every cart on a level."""

    level: str


class Forge(Choice, frozen=True, gc=False):
    """Forge a resource."""

    resource: str


class Complete(Choice, frozen=True, gc=False):
    """Complete a project of the order track."""

    project: str


class Upgrade(Choice, frozen=True, gc=False):
    """Upgrade a completed project."""

    project: str


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


USE_BASIC = Option("use basic", UseBasic())
KEEP = Option("keep", Keep())
DONE = Option("done", Done())
LIGHT = Option("light", LightOne())
PASS = Option("pass", LightNone())
BREAK_ALONE = Option("break foreman", TakeBreak("", ""))

USE = {worker: Option(f"use {worker}", UseBonus(worker)) for worker in WORKERS}
SILVERBEARD = {
    worker: Option(f"silverbeard {worker}", SpendSilverbeard(worker)) for worker in WORKERS
}
AS = {worker: Option(f"as {worker}", ChangeTo(worker)) for worker in WORKERS}
PIPELINE = {
    resource: Option(f"pipeline {resource}", UsePipeline(resource)) for resource in RESOURCES
}
FORGE = {resource: Option(f"forge {resource}", Forge(resource)) for resource in RESOURCES}
REGAIN = {
    resource: Option(f"take-back {resource}", Regain(resource))
    for resource in (*RESOURCES, "nothing")
}
INSTALL = {side: Option(f"install {side}", Install(side)) for side in SIDES}
EXCHANGE = {
    (gave, got): Option(f"exchange {gave} {got}", Exchange(gave, got))
    for gave in RESOURCES
    for got in RESOURCES
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
def lift(levels: int) -> Option:
    """The lift, that many levels."""
    return Option(f"lift {levels}", UseLift(levels))


@cache
def stone(level: str) -> Option:
    """1 stone into every cart on a level."""
    return Option(f"stone {level}", PutStone(level))


@cache
def complete(project: str) -> Option:
    """Completing a project."""
    return Option(f"complete {project}", Complete(project))


@cache
def upgrade(project: str) -> Option:
    """Upgrading a project."""
    return Option(f"upgrade {project}", Upgrade(project))


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
