"""What lies in the box of Airship City, copied from the rulebook and the reconstruction.

The tests measure the game against these tables; they are not read from its content file.
Goods are written in words (`4 wood 2 gear`).
"""

from __future__ import annotations

from typing import NamedTuple

RESOURCES = ("wood", "metal", "gold", "gear")


class Tile(NamedTuple):
    """A location: how many tiles, its crest colours, what its two bonuses may be, what it gives."""

    copies: int
    crests: str
    crest_bonus: str
    piggyback: str = ""
    gives: str = ""


LOCATIONS = {
    "forest": Tile(2, "wood", "1 wood", "wood", "3 wood"),
    "mine": Tile(2, "metal", "1 metal", "metal", "2 metal"),
    "factory": Tile(2, "gear", "1 gear", "gear", "2 gear"),
    "valley": Tile(2, "wood metal", "wood or metal", "wood metal", "1 wood 1 metal"),
    "shipyard": Tile(2, "wood metal gold gear", "any"),
    "workshop": Tile(1, "wood metal gold gear", "any"),
    "harbor": Tile(1, "wood metal gold gear", "any"),
    "market": Tile(1, "gold", "2 gold"),
    "guild-hall": Tile(1, "gold", "1 gold"),
    "architects-office": Tile(1, "gold", "1 gold"),
    "lighthouse": Tile(1, "gear", "1 gear"),
}

TILES = tuple(
    f"{name}-{n}" if tile.copies > 1 else name
    for name, tile in LOCATIONS.items()
    for n in range(1, tile.copies + 1)
)


class Ship(NamedTuple):
    """An airship: its level, price in goods, points, what must have been donated, its prices."""

    level: int
    cost: str
    points: int
    needs: str
    prices: tuple[int, ...]


SHIPS = {
    "wooden-private": Ship(1, "4 wood 2 gear", 1, "", (6, 5, 5, 4, 4)),
    "wooden-residential": Ship(2, "8 wood 4 gear", 2, "wooden-private", (12, 11, 10, 9, 8)),
    "wooden-cargo": Ship(3, "14 wood 7 gear", 3, "wooden-residential", (18, 17, 16, 15, 14)),
    "metal-private": Ship(1, "3 metal 2 gear", 1, "", (6, 5, 5, 4, 4)),
    "metal-residential": Ship(2, "6 metal 4 gear", 2, "metal-private", (12, 11, 10, 9, 8)),
    "metal-cargo": Ship(3, "11 metal 7 gear", 3, "metal-residential", (18, 17, 16, 15, 14)),
    "sightseeing": Ship(1, "2 wood 2 metal 2 gear", 1, "", ()),
    "passenger": Ship(2, "4 wood 4 metal 4 gear", 2, "sightseeing", ()),
    "luxury-cruise": Ship(3, "7 wood 7 metal 7 gear", 3, "passenger", ()),
}

SOLD = tuple(name for name, ship in SHIPS.items() if ship.prices)


class PublicWork(NamedTuple):
    """A public utility: its cost, its points, and sets of donations that just satisfy it."""

    cost: str
    points: int
    needs: tuple[str, ...]
    short: tuple[str, ...]


UTILITIES = {
    "park": PublicWork(
        "6 wood 4 gold",
        4,
        ("wooden-private", "wooden-residential", "wooden-cargo"),
        ("", "5 metal-private 4 sightseeing"),
    ),
    "clock-tower": PublicWork(
        "4 metal 4 gold",
        4,
        ("metal-private", "metal-residential", "metal-cargo"),
        ("", "4 wooden-private 4 sightseeing"),
    ),
    "library": PublicWork(
        "6 wood 4 metal 4 gold",
        6,
        ("wooden-private metal-private", "wooden-cargo metal-residential"),
        ("4 wooden-private 4 sightseeing", "2 metal-cargo passenger"),
    ),
    "theatre": PublicWork(
        "4 wood 4 metal 8 gold",
        7,
        ("sightseeing", "passenger", "luxury-cruise"),
        ("", "4 wooden-cargo 4 metal-private"),
    ),
    "city-hall": PublicWork(
        "10 wood 8 metal 8 gold",
        10,
        (
            "2 wooden-residential",
            "wooden-cargo metal-residential",
            "2 luxury-cruise",
            "passenger metal-cargo",
        ),
        ("4 wooden-private 4 sightseeing", "passenger 4 metal-private"),
    ),
}


class Contract(NamedTuple):
    """A contract tile: stages it lasts, what it needs, its points and gold."""

    term: int
    cost: str
    points: int
    gold: int


CONTRACTS = {
    "contract-1": Contract(1, "5 wood", 1, 3),
    "contract-2": Contract(1, "3 metal", 1, 3),
    "contract-3": Contract(1, "3 gear", 1, 3),
    "contract-4": Contract(1, "3 wood 2 metal", 1, 4),
    "contract-5": Contract(1, "3 wood 2 gear", 1, 4),
    "contract-6": Contract(1, "2 metal 2 gear", 1, 4),
    "contract-7": Contract(2, "8 wood", 2, 4),
    "contract-8": Contract(2, "5 metal", 2, 4),
    "contract-9": Contract(2, "5 gear", 2, 4),
    "contract-10": Contract(2, "5 wood 3 metal", 2, 5),
    "contract-11": Contract(2, "5 wood 3 gear", 2, 5),
    "contract-12": Contract(2, "3 metal 3 gear", 2, 5),
    "contract-13": Contract(2, "4 wood 2 metal 2 gear", 3, 4),
    "contract-14": Contract(2, "2 wood 4 metal 2 gear", 3, 4),
    "contract-15": Contract(3, "10 wood 3 metal", 3, 7),
    "contract-16": Contract(3, "4 wood 6 metal", 3, 6),
    "contract-17": Contract(3, "9 wood 4 gear", 4, 6),
    "contract-18": Contract(3, "6 metal 4 gear", 4, 6),
    "contract-19": Contract(3, "6 wood 4 metal 2 gear", 4, 6),
    "contract-20": Contract(3, "6 wood 4 metal 4 gear", 5, 6),
}

RENOVATIONS = {
    "wood": "4 gold 4 gear",
    "metal": "4 gold 4 gear",
    "gold": "3 gold 5 gear",
    "gear": "5 gold 3 gear",
}

EARLY = {"early-wood": "3 wood", "early-metal": "2 metal", "early-gear": "2 gear"}
LATE = {
    "late-wood": "4 wood",
    "late-metal": "3 metal",
    "late-gold": "4 gold",
    "late-gear": "3 gear",
}
STAGE_BONUSES = EARLY | LATE

BONUS_TILES = ("flight", "negotiator", "barter")

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

GRID = """
    forest-1  factory-1   lighthouse         workshop
    valley-2  forest-2    shipyard-2         factory-2
    harbor    mine-1      architects-office  guild-hall
    mine-2    valley-1    shipyard-1         market
"""
"""The city of the rulebook's pictures, as far as its examples tell, filled up."""
