"""What the entries of `content.toml` look like: tiles, ships, utilities, contracts, numbers."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from shared.engine.data import Data
from shared.games.airship_city.pieces import (
    DiscountedLocation,
    Family,
    Goods,
    Location,
    Resource,
)

Count = Annotated[int, msgspec.Meta(ge=0, le=99)]
Some = Annotated[int, msgspec.Meta(ge=1, le=99)]
Level = Literal[1, 2, 3]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=24)]
EntryId = Annotated[str, msgspec.Meta(pattern="^[a-z][a-z0-9-]{0,19}$")]


class Table(Data, frozen=True, gc=False, forbid_unknown_fields=True):
    """An entry as the content file writes it."""


class Stock(Table, frozen=True, gc=False):
    """An amount of each resource."""

    wood: Count = 0
    metal: Count = 0
    gold: Count = 0
    gear: Count = 0

    def goods(self) -> Goods:
        """The same as four counts."""
        return (self.wood, self.metal, self.gold, self.gear)


class Numbers(Table, frozen=True, gc=False):
    """Single numbers of the rules."""

    capacity: Some
    renovated_capacity: Some
    crews: Annotated[int, msgspec.Meta(ge=1, le=4)]
    crews_at_start: Annotated[int, msgspec.Meta(ge=1, le=4)]
    markers: Some
    contracts_on_offer: Annotated[int, msgspec.Meta(ge=0, le=9)]
    rounds_a_stage: Annotated[int, msgspec.Meta(ge=1, le=4)]
    hire: Count
    lighthouse_slides: Annotated[int, msgspec.Meta(ge=1, le=4)]
    renovation_points: Count
    prerequisite: Count
    bonus_airships: Some
    bonus_utilities: Some
    bonus_contracts: Some
    end_shipbuilding: Some
    end_construction: Some
    ship_spaces: tuple[Some, Some]
    utility_spaces: tuple[Some, Some]
    price_start: tuple[Count, Count]


class Start(Table, frozen=True, gc=False):
    """What everybody starts with, and the gears by turn order (1.6)."""

    goods: Stock
    gears: tuple[Count, Count, Count, Count]


class Awards(Table, frozen=True, gc=False):
    """Points for the first and the second place of each award (14.2)."""

    shipbuilding: tuple[Count, Count]
    construction: tuple[Count, Count]
    trade: tuple[Count, Count]


class Place(Table, frozen=True, gc=False):
    """A kind of location: its name, and what it produces if it does."""

    name: Name
    gains: Stock = Stock()


class Bonus(Table, frozen=True, gc=False):
    """That many of one of some resources."""

    count: Some
    of: tuple[Resource, ...]


class Tile(Table, frozen=True, gc=False):
    """A location tile."""

    location: Location
    crests: tuple[Resource, ...]
    bonus: Bonus
    piggyback: Bonus | None = None


class Discount(Table, frozen=True, gc=False):
    """At a location, each own marker in the ship's row saves that much of a resource (8.5)."""

    at: DiscountedLocation
    of: Resource
    less: Count


class Airship(Table, frozen=True, gc=False):
    """An airship; `prices` from the top of its list, none for tourist ships."""

    name: Name
    family: Family
    level: Level
    cost: Stock
    points: Count
    discount: Discount
    prices: tuple[Count, ...] = ()


class Need(Table, frozen=True, gc=False):
    """That many own markers in rows of ships of these families and levels (9.2)."""

    markers: Some
    families: tuple[Family, ...] = ("wooden", "metal", "tourist")
    levels: tuple[Level, ...] = (1, 2, 3)


class PublicWork(Table, frozen=True, gc=False):
    """A public utility."""

    name: Name
    cost: Stock
    points: Count
    needs: tuple[Need, ...] = ()


class Contract(Table, frozen=True, gc=False):
    """A contract; failing costs its points."""

    term: Annotated[int, msgspec.Meta(ge=1, le=5)]
    cost: Stock
    points: Count
    gold: Count


class Stage(Table, frozen=True, gc=False):
    """A stage bonus, for the stages 2 and 3 (early) or 4 and 5 (late)."""

    part: Literal["early", "late"]
    goods: Stock
