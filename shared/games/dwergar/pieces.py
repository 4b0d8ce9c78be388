"""The words of the game and their fixed orders: dwarves, spaces, levels, resources, goods."""

from __future__ import annotations

from typing import Literal, get_args

Worker = Literal["ironworker", "blacksmith", "engineer"]
Place = Literal[
    "laboratory",
    "bellows",
    "lift",
    "workshop",
    "forge",
    "studio",
    "mine-1",
    "mine-2",
    "mine-3",
    "mine-4",
]
Level = Literal["transit", "mine-1", "mine-2", "mine-3", "mine-4"]
Resource = Literal["stone", "iron", "gold", "crystal"]
DeckId = Literal["western", "new-shaft", "golden", "old-shaft", "eastern"]

WORKERS: tuple[str, ...] = get_args(Worker)
BASIC = "basic"
"""What the basic action of a space is called among its halves."""
FOREMAN = "foreman"
DWARVES = (*WORKERS, FOREMAN)
"""The order of a pool's counts."""

LOCATIONS: tuple[str, ...] = get_args(Place)
"""The order of the board; the six places outside the mine come first."""
OUTSIDE = 6
LEVELS: tuple[str, ...] = get_args(Level)
"""The levels that hold a cart tile at rest, from the top."""
RESOURCES: tuple[str, ...] = get_args(Resource)
DECKS: tuple[str, ...] = get_args(DeckId)

HOT, COOL = "hot", "cool"
SIDES = (COOL, HOT)

LINES = ("completing", "upgrading", "effects", "furnaces", "lift", "events", "end")
"""The lines of a score sheet, and the order of a player's points."""

LOCATION_INDEX = {location: index for index, location in enumerate(LOCATIONS)}
LEVEL_INDEX = {level: index for index, level in enumerate(LEVELS)}
DWARF_INDEX = {dwarf: index for index, dwarf in enumerate(DWARVES)}
RESOURCE_INDEX = {resource: index for index, resource in enumerate(RESOURCES)}
LINE_INDEX = {line: index for index, line in enumerate(LINES)}

FOREMEN = tuple(f"{FOREMAN}-{seat}" for seat in range(4))
"""The foreman of each seat as he stands on the board."""
OWNER = {token: seat for seat, token in enumerate(FOREMEN)}

Goods = tuple[int, int, int, int]
"""Counts of stone, iron, gold and crystal."""
Cost = tuple[int, int, int, int, int]
"""Heat, then goods."""
Cart = tuple[int, int, int, int, int]
"""The goods in a cart, and 1 if the foreman rides in it."""
Pool = tuple[int, int, int, int]
"""Counts of ironworkers, blacksmiths, engineers, and 1 if the foreman is at hand."""

NOTHING: Goods = (0, 0, 0, 0)
EMPTY_CART: Cart = (0, 0, 0, 0, 0)
ONE: dict[str, Goods] = {
    "stone": (1, 0, 0, 0),
    "iron": (0, 1, 0, 0),
    "gold": (0, 0, 1, 0),
    "crystal": (0, 0, 0, 1),
}


def plus(a: Goods, b: Goods) -> Goods:
    """Both goods together."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3])


def minus(a: Goods, b: Goods) -> Goods:
    """The goods `a` without the goods `b`."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3])


def covers(a: Goods, b: Goods) -> bool:
    """Whether the goods `b` can be taken out of the goods `a`."""
    return a[0] >= b[0] and a[1] >= b[1] and a[2] >= b[2] and a[3] >= b[3]


def times(count: int, resource: str) -> Goods:
    """That many of one resource."""
    stone, iron, gold, crystal = ONE[resource]
    return (count * stone, count * iron, count * gold, count * crystal)
