"""The tables of one match: `content.toml`, what the options change in it, and the override."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Annotated, Any, NamedTuple

import msgspec

from shared.engine.data import Data
from shared.engine.errors import BadOption
from shared.games.dwergar.options import Rules, rules_of
from shared.games.dwergar.pieces import (
    LOCATIONS,
    NOTHING,
    RESOURCES,
    DeckId,
    Goods,
    Level,
    Resource,
    Worker,
    times,
)
from shared.games.dwergar.powers import (
    Count,
    EndPoints,
    Happening,
    Immediate,
    Lasting,
    Power,
    Standing,
    Stock,
)

MARKS = ("rulebook", "inferred", "reconstructed")


class Price(NamedTuple):
    """What something costs: heat, and goods."""

    heat: int
    goods: Goods = NOTHING


class Cost(Data, frozen=True, gc=False, forbid_unknown_fields=True):
    """A cost as the tables write it."""

    heat: Count = 0
    stone: Count = 0
    iron: Count = 0
    gold: Count = 0
    crystal: Count = 0

    def price(self) -> Price:
        """The same as heat and goods."""
        return Price(self.heat, (self.stone, self.iron, self.gold, self.crystal))


class Numbers(Data, frozen=True, gc=False, forbid_unknown_fields=True):
    """Single numbers of the rules."""

    actions: Count
    display: Count
    heat_track: Count
    furnaces_at_start: Count
    furnace_tokens: Count
    workers_of_a_kind: Count
    workers_boxed: Count
    install_points: Count
    heat_saved: Count
    bonus_actions: Count
    forge_upgrade_heat: Count
    studio_upgrade_heat: Count
    laboratory_exchanges: Count
    laboratory_extra: Count
    laboratory_heat: Count
    bellows_heat: Count
    forge_heat: Count
    shaft_points: Count


class Start(Data, frozen=True, gc=False, forbid_unknown_fields=True):
    """What a seat starts with: on hand, and in its cart on one level."""

    hand: Stock
    level: Level
    cart: Stock


class Workshop(Data, frozen=True, gc=False, forbid_unknown_fields=True):
    """What a furnace costs: the basic action, and the engineer's bonus."""

    basic: Cost
    engineer: Cost


class Location(Data, frozen=True, gc=False, forbid_unknown_fields=True):
    """A space of the board."""

    title: str
    install: Cost
    bonuses: tuple[Worker, ...] = ()
    goods: Stock = Stock()
    furnace: Stock = Stock()
    extra: Stock = Stock()


class Project(Data, frozen=True, gc=False, forbid_unknown_fields=True):
    """A project card: completing it, upgrading it, and what the upgraded half does."""

    number: Count
    name: str
    deck: DeckId
    cost: Cost
    text: str
    basic: bool = False
    points: Count = 0
    upgrade: Cost = Cost()
    upgrade_points: Count = 0
    upgrade_per_other: Annotated[int, msgspec.Meta(ge=-9, le=9)] = 0
    effects: tuple[Immediate, ...] = ()
    lasting: tuple[Lasting, ...] = ()
    end: EndPoints | None = None


class Event(Data, frozen=True, gc=False, forbid_unknown_fields=True):
    """An event card."""

    number: Count
    name: str
    text: str
    effects: tuple[Happening, ...] = ()
    standing: tuple[Standing, ...] = ()


class Content(msgspec.Struct, frozen=True, dict=True, forbid_unknown_fields=True):
    """All tables of one match. The properties are the same facts, laid out for quick asking."""

    rules: Rules
    provenance: dict[str, str]
    numbers: Numbers
    start: tuple[Start, ...]
    decks: dict[DeckId, str]
    laboratory: dict[Resource, dict[Resource, Count]]
    forge: dict[Resource, Cost]
    workshop: Workshop
    locations: dict[str, Location]
    projects: dict[str, Project]
    events: dict[str, Event]

    @cached_property
    def completion(self) -> dict[str, Price]:
        """What completing each project costs before anybody's discounts."""
        return {id_: project.cost.price() for id_, project in self.projects.items()}

    @cached_property
    def upgrade(self) -> dict[str, Price]:
        """What upgrading each project costs as printed."""
        return {id_: project.upgrade.price() for id_, project in self.projects.items()}

    @cached_property
    def deck_of(self) -> dict[str, str]:
        """The deck of each project."""
        return {id_: project.deck for id_, project in self.projects.items()}

    @cached_property
    def install(self) -> tuple[Goods, ...]:
        """The price of installing a furnace, in board order."""
        return tuple(self.locations[id_].install.price().goods for id_ in LOCATIONS)

    @cached_property
    def bonuses(self) -> dict[str, tuple[str, ...]]:
        """The specialists of each location."""
        return {id_: location.bonuses for id_, location in self.locations.items()}

    @cached_property
    def exchanges(self) -> dict[str, tuple[tuple[str, Goods], ...]]:
        """What 1 of a resource becomes at the laboratory: (resource, goods)."""
        return {
            gave: tuple((got, times(row[got], got)) for got in RESOURCES if row.get(got))
            for gave in reversed(RESOURCES)
            if (row := self.laboratory.get(gave))  # type: ignore[call-overload]
        }

    @cached_property
    def forging(self) -> dict[str, Price]:
        """What 1 of each resource costs at the forge."""
        return {made: self.forge[made].price() for made in RESOURCES if made in self.forge}

    @cached_property
    def powers(self) -> dict[type[Power], dict[str, Any]]:
        """By kind of power: the cards that have it from their upgrade on or while they lie."""
        kinds: dict[type[Power], dict[str, Any]] = {
            kind: {} for kind in (*Lasting.__args__, *Standing.__args__)
        }
        for id_, project in self.projects.items():
            for power in project.lasting:
                kinds[type(power)][id_] = power
        for id_, event in self.events.items():
            for standing in event.standing:
                kinds[type(standing)][id_] = standing
        return kinds


def content(players: int, options: Mapping[str, str], override: str) -> Content:
    """The tables of a match. Raises `BadOption` naming the entry that is wrong."""
    return _content(players, tuple(sorted(options.items())), override)


@lru_cache(maxsize=64)
def _content(players: int, options: tuple[tuple[str, str], ...], override: str) -> Content:
    rules = rules_of(players, dict(options))
    tables = _read((files(__package__) / "content.toml").read_text("utf-8"))
    rulings = tables.pop("rulings")
    for name, change in rulings.items():
        tables = _merge(tables, change.get(getattr(rules, name), {}), "")
    if override:
        tables = _merge(tables, _read(override), "")
    built = _build(rules, tables)
    _check(built)
    return built


def _read(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadOption(f"the content override is not TOML: {error}") from error


OPEN_TABLES = ("provenance",)
"""Tables that an override may add entries to."""

ID_TABLES = ("locations", "projects", "events", "decks")
"""Tables of entries whose ids are fixed."""


def _merge(base: dict[str, Any], change: Mapping[str, Any], path: str) -> dict[str, Any]:
    """The tables with the changed entries; lists are replaced as a whole."""
    merged = dict(base)
    for key, value in change.items():
        here = f"{path}.{key}" if path else key
        if key not in base and (not path or path in ID_TABLES):
            raise BadOption(
                f"the content override names {here}, which the game does not have; "
                f"there are: {', '.join(base)}"
            )
        old = base.get(key)
        whole = key in ("cost", "upgrade", "install", "goods", "furnace", "extra", "end")
        if isinstance(old, dict) and isinstance(value, dict) and not whole:
            merged[key] = _merge(old, value, here)
        else:
            merged[key] = value
    return merged


def _build(rules: Rules, tables: Mapping[str, Any]) -> Content:
    """The typed tables, converted entry by entry so that an error names the entry."""
    fields: dict[str, Any] = {"rules": rules}
    types = {field.name: field.type for field in msgspec.structs.fields(Content)}
    for name, table in tables.items():
        if name in ID_TABLES and isinstance(table, dict):
            entry_type = types[name].__args__[1]
            fields[name] = {
                key: _convert(f"{name}.{key}", value, entry_type) for key, value in table.items()
            }
        else:
            fields[name] = _convert(name, table, types[name])
    return Content(**fields)


def _convert(path: str, value: Any, type_: Any) -> Any:
    try:
        return msgspec.convert(value, type_, strict=True)
    except msgspec.ValidationError as error:
        raise BadOption(f"the content entry {path} is wrong: {error}") from error


BONUSES = {
    "laboratory": ("ironworker", "blacksmith"),
    "bellows": ("ironworker", "blacksmith"),
    "lift": ("ironworker", "engineer"),
    "workshop": ("ironworker", "engineer"),
    "forge": ("blacksmith", "engineer"),
    "studio": ("blacksmith", "engineer"),
}
"""The specialist bonuses that the rules know; the tables may take some away."""


def _check(tables: Content) -> None:
    """What no type can say. Raises `BadOption`."""
    for group, mark in tables.provenance.items():
        if mark.split(":")[0] not in MARKS:
            raise BadOption(f"provenance.{group} must begin with one of {', '.join(MARKS)}")
    for id_, location in tables.locations.items():
        if not set(location.bonuses) <= set(BONUSES.get(id_, ())):
            raise BadOption(f"locations.{id_}.bonuses names a bonus that the rules do not have")
        if location.install.heat:
            raise BadOption(f"locations.{id_}.install: a furnace is installed for goods, not heat")
    numbers = tables.numbers
    if len(tables.start) < 4:
        raise BadOption("start must have an entry for each of 4 seats")
    if 3 * numbers.workers_of_a_kind - numbers.workers_boxed != 12:
        raise BadOption("numbers: 12 workers must remain in play for the seats and the spaces")
    if numbers.furnaces_at_start > numbers.furnace_tokens:
        raise BadOption("numbers.furnaces_at_start is more than numbers.furnace_tokens")
    for id_, project in tables.projects.items():
        kinds = [type(power) for power in project.lasting]
        if len(kinds) != len(set(kinds)):
            raise BadOption(f"projects.{id_}.lasting has two powers of one kind")
    for gave, row in tables.laboratory.items():
        if any(RESOURCES.index(got) >= RESOURCES.index(gave) for got in row):
            raise BadOption(f"laboratory.{gave}: only less valuable resources can be made")
