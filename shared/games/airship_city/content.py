"""The tables of one match: `content.toml` and the override; laid out for quick asking."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec

from shared.engine.errors import BadOption
from shared.games.airship_city.options import Rules, rules_of
from shared.games.airship_city.pieces import (
    AWARDS,
    FAMILIES,
    GEAR,
    NOTHING,
    PLACES,
    PRODUCERS,
    RESOURCE_INDEX,
    SHIP_INDEX,
    SHIPS,
    Goods,
    Resource,
    Ship,
)
from shared.games.airship_city.tables import (
    Airship,
    Awards,
    Contract,
    EntryId,
    Need,
    Numbers,
    Place,
    PublicWork,
    Stage,
    Start,
    Stock,
    Tile,
)

MARKS = ("rulebook", "inferred", "reconstructed")
STAGES = 5


class Saving(NamedTuple):
    """A ship whose markers lower a cost: its index, the resource's index, how much each."""

    ship: int
    resource: int
    less: int


class Content(msgspec.Struct, frozen=True, dict=True, forbid_unknown_fields=True):
    """All tables of one match. The properties are the same facts, laid out for quick asking."""

    players: int
    rules: Rules
    provenance: dict[str, str]
    numbers: Numbers
    start: Start
    awards: Awards
    locations: dict[str, Place]
    tiles: dict[EntryId, Tile]
    renovations: dict[Resource, Stock]
    ships: dict[Ship, Airship]
    utilities: dict[EntryId, PublicWork]
    contracts: dict[EntryId, Contract]
    stages: dict[EntryId, Stage]

    @cached_property
    def rounds(self) -> int:
        """How many rounds are played at most (2.1)."""
        return STAGES * self.numbers.rounds_a_stage

    @cached_property
    def ship_spaces(self) -> int:
        """The donation spaces of an airship's row (8.4)."""
        return self.numbers.ship_spaces[self.players - 3]

    @cached_property
    def utility_spaces(self) -> int:
        """The donation spaces of a utility's row (9.3)."""
        return self.numbers.utility_spaces[self.players - 3]

    @cached_property
    def location(self) -> dict[str, str]:
        """The kind of location of each tile."""
        return {id_: tile.location for id_, tile in self.tiles.items()}

    @cached_property
    def harbor(self) -> str:
        """The one Harbor tile."""
        return next(id_ for id_, tile in self.tiles.items() if tile.location == "harbor")

    @cached_property
    def gains(self) -> dict[str, Goods]:
        """What the action of each resource tile gains (6.2)."""
        found = {id_: self.locations[tile.location].gains for id_, tile in self.tiles.items()}
        return {id_: gains.goods() for id_, gains in found.items() if gains.goods() != NOTHING}

    @cached_property
    def airships(self) -> tuple[Airship, ...]:
        """The nine ships in their order."""
        return tuple(self.ships[id_] for id_ in SHIPS)  # type: ignore[index]

    @cached_property
    def ship_costs(self) -> tuple[Goods, ...]:
        """The costs of the nine ships before discounts."""
        return tuple(ship.cost.goods() for ship in self.airships)

    @cached_property
    def utility_ids(self) -> tuple[str, ...]:
        """The utilities in the order of their rows."""
        return tuple(self.utilities)

    @cached_property
    def utility_costs(self) -> tuple[Goods, ...]:
        """The costs of the utilities before discounts, by row."""
        return tuple(utility.cost.goods() for utility in self.utilities.values())

    @cached_property
    def ship_needs(self) -> tuple[tuple[tuple[int, tuple[int, ...]], ...], ...]:
        """For each ship what must be donated before: (markers, in the rows of these ships)."""
        return tuple(self._needs_of_ship(ship) for ship in self.airships)

    def _needs_of_ship(self, ship: Airship) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """8.3 The level below in the family; R3 for tourist ships."""
        if ship.level == 1:
            return ()
        families, level = (ship.family,), ship.level - 1
        if ship.family == "tourist" and self.rules.tourist_prerequisites == "literal":
            families, level = FAMILIES, ship.level  # type: ignore[assignment]
        rows = tuple(
            row
            for row, other in enumerate(self.airships)
            if other.family in families and other.level == level
        )
        return ((self.numbers.prerequisite, rows),)

    @cached_property
    def utility_needs(self) -> tuple[tuple[tuple[int, tuple[int, ...]], ...], ...]:
        """For each utility what must be donated before, likewise (9.2)."""
        return tuple(
            tuple((need.markers, self._rows_of(need)) for need in utility.needs)
            for utility in self.utilities.values()
        )

    def _rows_of(self, need: Need) -> tuple[int, ...]:
        return tuple(
            row
            for row, ship in enumerate(self.airships)
            if ship.family in need.families and ship.level in need.levels
        )

    @cached_property
    def savings(self) -> dict[str, tuple[Saving, ...]]:
        """By location: the ships that lower its costs (8.5)."""
        found: dict[str, tuple[Saving, ...]] = {}
        for row, ship in enumerate(self.airships):
            off = ship.discount
            saving = Saving(row, RESOURCE_INDEX[off.of], off.less)
            found[off.at] = (*found.get(off.at, ()), saving)
        return found

    @cached_property
    def contract_costs(self) -> dict[str, Goods]:
        """What each contract asks for."""
        return {id_: contract.cost.goods() for id_, contract in self.contracts.items()}

    @cached_property
    def by_crest(self) -> dict[str, tuple[str, ...]]:
        """The tiles with a crest colour."""
        return {
            resource: tuple(id_ for id_, tile in self.tiles.items() if resource in tile.crests)
            for resource in RESOURCE_INDEX
        }


def content(players: int, options: Mapping[str, str], override: str) -> Content:
    """The tables of a match. Raises `BadOption` naming the entry that is wrong."""
    return _content(players, tuple(sorted(options.items())), override)


@lru_cache(maxsize=64)
def _content(players: int, options: tuple[tuple[str, str], ...], override: str) -> Content:
    rules = rules_of(dict(options))
    tables = _read((files(__package__) / "content.toml").read_text("utf-8"))
    if override:
        tables = _merge(tables, _read(override), "")
    built = _build(players, rules, tables)
    _check(built)
    return built


def _read(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadOption(f"the content override is not TOML: {error}") from error


OPEN_TABLES = ("provenance", "tiles", "utilities", "contracts", "stages")
"""Tables that an override may add entries to, and remove entries from."""

WHOLE = ("cost", "gains", "goods", "bonus", "piggyback", "discount")
"""Values that are replaced as a whole, as lists are."""


def _merge(base: dict[str, Any], change: Mapping[str, Any], path: str) -> dict[str, Any]:
    """The tables with the changed entries."""
    merged = dict(base)
    for key, value in change.items():
        here = f"{path}.{key}" if path else key
        if key not in base and (not path or path in ("locations", "ships", "renovations")):
            raise BadOption(
                f"the content override names {here}, which the game does not have; "
                f"there are: {', '.join(base)}"
            )
        old = base.get(key)
        if value is False and path in OPEN_TABLES:
            merged.pop(key, None)
        elif isinstance(old, dict) and isinstance(value, dict) and not _is_whole(key, path):
            merged[key] = _merge(old, value, here)
        else:
            merged[key] = value
    return merged


def _is_whole(key: str, path: str) -> bool:
    return key in WHOLE or path == "renovations"


def _build(players: int, rules: Rules, tables: Mapping[str, Any]) -> Content:
    """The typed tables, converted entry by entry so that an error names the entry."""
    fields: dict[str, Any] = {"players": players, "rules": rules}
    types = {field.name: field.type for field in msgspec.structs.fields(Content)}
    for name, table in tables.items():
        arguments = getattr(types[name], "__args__", ())
        if arguments and isinstance(table, dict):
            fields[name] = {
                _convert(f"{name}.{key}", key, arguments[0]): _convert(
                    f"{name}.{key}", value, arguments[1]
                )
                for key, value in table.items()
            }
        else:
            fields[name] = _convert(name, table, types[name])
    return Content(**fields)


def _convert(path: str, value: Any, type_: Any) -> Any:
    try:
        return msgspec.convert(value, type_, strict=True)
    except msgspec.ValidationError as error:
        raise BadOption(f"the content entry {path} is wrong: {error}") from error


def _check(tables: Content) -> None:
    """What no type can say. Raises `BadOption`."""
    for group, mark in tables.provenance.items():
        if mark.split(":")[0] not in MARKS:
            raise BadOption(f"provenance.{group} must begin with one of {', '.join(MARKS)}")
    _check_tiles(tables)
    _check_ships(tables)
    for part in ("early", "late"):
        if sum(stage.part == part for stage in tables.stages.values()) < 2:
            raise BadOption(f"stages: two stages need two bonuses with part = {part!r}")
    numbers = tables.numbers
    if numbers.crews_at_start > numbers.crews:
        raise BadOption("numbers.crews_at_start is more than numbers.crews")
    if numbers.renovated_capacity < numbers.capacity:
        raise BadOption("numbers.renovated_capacity is less than numbers.capacity")
    goods = tables.start.goods.goods()
    if any(count > numbers.capacity for count in (*goods, goods[GEAR] + max(tables.start.gears))):
        raise BadOption("start: a depot has no room for these goods")
    for award in AWARDS:
        first, second = getattr(tables.awards, award)
        if first < second:
            raise BadOption(f"awards.{award}: the second place is worth more than the first")


def _check_tiles(tables: Content) -> None:
    if len(tables.tiles) != PLACES:
        raise BadOption(f"tiles: the grid takes {PLACES} tiles, not {len(tables.tiles)}")
    if list(tables.location.values()).count("harbor") != 1:
        raise BadOption("tiles: there must be exactly one harbor")
    for location, place in tables.locations.items():
        if location not in PRODUCERS and place.gains != Stock():
            raise BadOption(f"locations.{location}.gains: only {', '.join(PRODUCERS)} produce")
    for id_, tile in tables.tiles.items():
        if not tile.bonus.of or not set(tile.bonus.of) <= set(tile.crests):
            raise BadOption(f"tiles.{id_}.bonus must name resources among its crests")
        if tile.piggyback is not None and (not tile.piggyback.of or id_ not in tables.gains):
            raise BadOption(f"tiles.{id_}.piggyback: only a tile that produces resources has one")
        if tile.piggyback is not None and tile.piggyback.count > 1 < len(tile.piggyback.of):
            raise BadOption(f"tiles.{id_}.piggyback: with a choice the count must be 1")


def _check_ships(tables: Content) -> None:
    for id_, ship in tables.ships.items():
        tourist = ship.family == "tourist"
        if tourist == bool(ship.prices):
            raise BadOption(f"ships.{id_}.prices: wooden and metal ships are sold, others are not")
        if ship.prices and len(ship.prices) <= max(tables.numbers.price_start):
            raise BadOption(f"ships.{id_}.prices has fewer steps than numbers.price_start")
        if (ship.family, ship.level) != _expected(id_):
            raise BadOption(f"ships.{id_}: family and level cannot be changed")
    for utility in tables.utilities:
        if utility in SHIP_INDEX:
            raise BadOption(f"utilities.{utility}: an airship has that id")
    if not tables.utilities:
        raise BadOption("utilities: there must be at least one")


def _expected(ship: str) -> tuple[str, int]:
    family, level = divmod(SHIP_INDEX[ship], 3)
    return FAMILIES[family], level + 1
