"""The players who make up the golden games of Airship City.

`random` ones take any option. `goals` ones have a list of goals each, one wish of the header for a
seat (`sell:metal-private+hire+donate:sightseeing`), pursued in that order; then they do what
brings points. They look at what each step leaves them with, and how near their crews are to what
they need next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from shared.engine.chance import Chance
from shared.engine.game import Option
from shared.engine.table import Decision
from shared.games.airship_city.state import Player, State
from tests.games.airship_city.box import CONTRACTS, RENOVATIONS, SHIPS, UTILITIES
from tests.games.airship_city.kit import goods
from tests.playthroughs.players import Look, at_random, looking_ahead
from tests.playthroughs.playthrough import Header, Mover

SLIDES = 6
"""Slides looked at before an activation."""
DONE = 60.0
"""What a fulfilled goal is worth."""
UNIT = (2.0, 3.0, 2.5, 3.0)
"""What is needed of wood, metal, gold and gears."""
YIELD = {
    "forest": (3, 0, 0, 0),
    "mine": (0, 2, 0, 0),
    "factory": (0, 0, 0, 2),
    "valley": (1, 1, 0, 0),
}
PLACES = {
    "donate": "shipyard",
    "sell": "shipyard",
    "build": "architects-office",
    "renovate": "workshop",
    "hire": "guild-hall",
    "take": "market",
}
NEAR = 0.8
"""How much of a place's worth is left for each step that it is away."""

Goods = tuple[int, ...]


class Aim(NamedTuple):
    """What a seat is after now: what to have, and where to go with it."""

    goods: Goods
    place: str


def mover(header: Header) -> Mover:
    """A player for all seats, in the header's style."""
    if header.style == "random":
        return at_random(header)
    assert header.style == "goals", header.style
    goals = [tuple(wish.split("+")) for wish in header.wishes]
    look = Look(
        worth=lambda content, state, seat: worth_of(state, seat, goals[seat % len(goals)]),
        start="Activate a crew",
        first=some_slides,
        then=lambda decision: [o for o in decision.options if not is_slide(o)] or decision.options,
    )
    return looking_ahead(header, look)


def is_slide(option: Option) -> bool:
    return option.notation.startswith("slide")


def some_slides(decision: Decision, chance: Chance) -> Sequence[Option]:
    """Everything that is offered, in any order, but not all slides."""
    options = chance.shuffle(decision.options)
    slides = [option for option in options if is_slide(option)]
    return [option for option in options if option not in slides[SLIDES:]]


def worth_of(state: State, seat: int, goals: tuple[str, ...]) -> float:
    """How well off a seat is: goals fulfilled, points, and how near the next goal is."""
    player = state.players[seat]
    open_ = [goal for goal in numbered(goals) if not fulfilled(state, player, seat, *goal)]
    worth = DONE * (len(goals) - len(open_)) + 2.0 * player.total
    worth += 8.0 * len(player.completed) + 0.2 * sum(player.goods)
    kind, _, name = (open_[0][0] if open_ else fallback(state, player, seat)).partition(":")
    worth += 20.0 * any(f"complete:{held}" in goals for held, _ in player.contracts)
    for weight, aim in zip((1.0, 0.3), aims(state, player, seat, kind, name), strict=False):
        worth += weight * pursuit(state, player, aim)
    return worth


def numbered(goals: tuple[str, ...]) -> list[tuple[str, int]]:
    """Each goal with how often it has been named so far."""
    seen: Counter[str] = Counter()
    found = []
    for goal in goals:
        seen[goal] += 1
        found.append((goal, seen[goal]))
    return found


def fulfilled(state: State, player: Player, seat: int, goal: str, times: int) -> bool:
    kind, _, name = goal.partition(":")
    start = 0 if len(state.players) == 4 else 1
    return {
        "donate": lambda: state.ships[list(SHIPS).index(name)][seat] >= times,
        "sell": lambda: state.steps[list(SHIPS).index(name)] >= start + times,
        "build": lambda: state.utilities[list(UTILITIES).index(name)][seat] >= times,
        "renovate": lambda: name in player.renovated,
        "hire": lambda: player.crews >= 2 + times,
        "contract": lambda: len(player.completed) >= times,
        "complete": lambda: name in player.completed,
        "develop": lambda: name in state.developed,
        "meet": lambda: False,
    }[kind]()


def fallback(state: State, player: Player, seat: int) -> str:
    """Without goals: contracts, and ships that may be donated."""
    row = state.ships[list(SHIPS).index("sightseeing")]
    if sum(row) < 4 and not player.contracts and row[seat] < 3:
        return "donate:sightseeing"
    return "contract"


def aims(state: State, player: Player, seat: int, kind: str, name: str) -> list[Aim]:
    """What a goal takes, the nearest first: gold that is missing has to be earned before."""
    if kind == "meet":
        return [Aim((0, 0, 0, 0), name)]
    if kind in ("contract", "complete", "develop"):
        return contract_aims(player, name if kind == "complete" else "")
    cost = {
        "donate": lambda: ship_cost(state, seat, name),
        "sell": lambda: ship_cost(state, seat, name),
        "build": lambda: goods(UTILITIES[name].cost),
        "renovate": lambda: goods(RENOVATIONS[name]),
        "hire": lambda: (0, 0, 10, 0),
    }[kind]()
    aim = Aim(cost, PLACES[kind])
    if cost[2] > player.goods[2]:
        earning = contract_aims(player) if player.contracts else []
        ships = [ship_cost(state, seat, one) for one in ("metal-private", "wooden-private")]
        ship = min(ships, key=lambda one: missing(player, one))
        return [*earning, Aim(ship, "shipyard"), aim]
    return [aim]


def ship_cost(state: State, seat: int, name: str) -> Goods:
    """What an airship costs that seat."""
    cost = list(goods(SHIPS[name].cost))
    for ship, resource in (("wooden-private", 0), ("metal-private", 1)):
        row = list(SHIPS).index(ship)
        saved = state.ships[row][seat] + (state.shipbuilding[row] == seat)
        cost[resource] = max(0, cost[resource] - saved)
    return tuple(cost)


def contract_aims(player: Player, name: str = "") -> list[Aim]:
    """The contract of that name if it is at hand, else the nearest, else the Market."""
    held = {one: goods(CONTRACTS[one].cost) for one, _ in player.contracts}
    if name in held:
        return [Aim(held[name], "")]
    if held and not name:
        return [Aim(min(held.values(), key=lambda cost: missing(player, cost)), "")]
    return [Aim((0, 0, 0, 0), "market")]


def missing(player: Player, cost: Goods) -> float:
    return sum(
        unit * max(0, asked - have)
        for unit, asked, have in zip(UNIT, cost, player.goods, strict=True)
    )


def pursuit(state: State, player: Player, aim: Aim) -> float:
    """Goods at hand towards an aim, and the best places near the crews for what is lacking."""
    lack = [max(0, asked - have) for asked, have in zip(aim.goods, player.goods, strict=True)]
    want = {}
    for kind, given in YIELD.items():
        use = sum(unit * min(n, g) for unit, n, g in zip(UNIT, lack, given, strict=True))
        want[kind] = 0.5 * use
    if not any(lack) and aim.place:
        want[aim.place] = 14.0
    if lack == [0, 0, lack[2], 0] and lack[2]:
        want["shipyard"] = 3.0
    have = sum(unit * asked for unit, asked in zip(UNIT, aim.goods, strict=True))
    have -= missing(player, aim.goods)
    return have + sum(nearness(state, tile, want) for tile in (*player.ready, *player.used))


def nearness(state: State, tile: str, want: dict[str, float]) -> float:
    """The best of the wanted places, less for every step from a crew's tile. It cannot stay."""
    row, column = divmod(state.grid.index(tile), 4)
    best = 0.0
    for index, other in enumerate(state.grid):
        worth = want.get(other.rstrip("-12"), 0.0)
        if worth:
            steps = abs(index // 4 - row) + abs(index % 4 - column)
            best = max(best, worth * NEAR ** (steps or 2))
    return best
