"""The words of the game and their fixed orders: resources, ships, the grid and its directions."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Literal, get_args

Resource = Literal["wood", "metal", "gold", "gear"]
Location = Literal[
    "forest",
    "mine",
    "factory",
    "valley",
    "shipyard",
    "workshop",
    "market",
    "architects-office",
    "guild-hall",
    "lighthouse",
    "harbor",
]
Family = Literal["wooden", "metal", "tourist"]
Ship = Literal[
    "wooden-private",
    "wooden-residential",
    "wooden-cargo",
    "metal-private",
    "metal-residential",
    "metal-cargo",
    "sightseeing",
    "passenger",
    "luxury-cruise",
]
DiscountedLocation = Literal["shipyard", "workshop", "guild-hall", "architects-office"]
Award = Literal["shipbuilding", "construction", "trade"]

RESOURCES: tuple[str, ...] = get_args(Resource)
LOCATIONS: tuple[str, ...] = get_args(Location)
PRODUCERS = LOCATIONS[:4]
"""The locations whose action gains resources (6.2)."""
SHIPS: tuple[str, ...] = get_args(Ship)
FAMILIES: tuple[str, ...] = get_args(Family)
AWARDS: tuple[str, ...] = get_args(Award)
BONUSES = ("flight", "negotiator", "barter")
"""The bonus effect tiles; a player's fields have these names."""
RESERVE, READY, USED = "reserve", "ready", "used"
"""Where a bonus effect tile is: not earned, face up, face down."""

WOOD, METAL, GOLD, GEAR = range(4)
RESOURCE_INDEX = {resource: index for index, resource in enumerate(RESOURCES)}
SHIP_INDEX = {ship: index for index, ship in enumerate(SHIPS)}

LINES = (
    "airships",
    "utilities",
    "renovations",
    "contracts",
    "failed",
    "shipbuilding",
    "construction",
    "trade",
)
"""The lines of a score sheet, and the order of a player's points."""
LINE_INDEX = {line: index for index, line in enumerate(LINES)}

Goods = tuple[int, int, int, int]
"""Counts of wood, metal, gold and gears."""

NOTHING: Goods = (0, 0, 0, 0)
ONE_GEAR: Goods = (0, 0, 0, 1)


def times(count: int, resource: str) -> Goods:
    """That many of one resource."""
    goods = [0, 0, 0, 0]
    goods[RESOURCE_INDEX[resource]] = count
    return (goods[0], goods[1], goods[2], goods[3])


def plus(a: Goods, b: Goods) -> Goods:
    """Both goods together."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3])


def minus(a: Goods, b: Goods) -> Goods:
    """The goods `a` without the goods `b`."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3])


def covers(a: Goods, b: Goods) -> bool:
    """Whether the goods `b` can be taken out of the goods `a`."""
    return a[0] >= b[0] and a[1] >= b[1] and a[2] >= b[2] and a[3] >= b[3]


# The grid: 16 places, row by row from the north-west corner ---------------------------------

SIDE = 4
PLACES = SIDE * SIDE
STEPS = {"n": (-1, 0), "e": (0, 1), "s": (1, 0), "w": (0, -1)}
"""The directions of a crew: rows and columns further."""


def _neighbours(place: int) -> tuple[tuple[str, int], ...]:
    row, column = divmod(place, SIDE)
    return tuple(
        (direction, (row + down) * SIDE + column + right)
        for direction, (down, right) in STEPS.items()
        if 0 <= row + down < SIDE and 0 <= column + right < SIDE
    )


NEIGHBOURS = tuple(_neighbours(place) for place in range(PLACES))
"""For each place the (direction, place) that a crew can step to (3.1)."""

Grid = tuple[str, ...]
Slide = tuple[str, int, str]
"""`row` or `column`, its number, and the direction."""


def _slide(line: str, number: int, direction: str) -> Callable[[Grid], Grid]:
    places = list(range(PLACES))
    on_line = [
        (number - 1) * SIDE + i if line == "row" else i * SIDE + number - 1 for i in range(SIDE)
    ]
    forward = direction in ("east", "south")
    for i, place in enumerate(on_line):
        places[place] = on_line[(i - 1 if forward else i + 1) % SIDE]
    return itemgetter(*places)


DIRECTIONS = {"row": ("east", "west"), "column": ("north", "south")}
SLIDES: dict[Slide, Callable[[Grid], Grid]] = {
    (line, number, direction): _slide(line, number, direction)
    for line, directions in DIRECTIONS.items()
    for number in range(1, SIDE + 1)
    for direction in directions
}
"""What each slide makes of the grid (4.1)."""
