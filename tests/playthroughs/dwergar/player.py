"""The players who make up the golden games of Dwergar.

`random` ones take any option. `greedy` ones try some placements for each action, finish each as
well as they can, and take the one that leaves them best off; they are set on what the header
wishes for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from shared.engine.chance import Chance
from shared.engine.game import Option
from shared.engine.table import Decision
from shared.games.dwergar.pieces import WORKERS
from shared.games.dwergar.state import Player
from tests.games.dwergar.kit import PROJECTS
from tests.playthroughs.players import Look, at_random, looking_ahead
from tests.playthroughs.playthrough import Header, Mover

TRIED = 9
"""Placements looked at before an action."""
WISH = 25.0
"""What a wished-for half of a project is worth beside its points."""
WORTH = (1.0, 2.0, 3.5, 5.0)
"""Stone, iron, gold and crystal."""
KINDS = ("stone", "iron", "gold", "crystal")


class Cost(NamedTuple):
    """What a half of a project asks, and what it is worth to complete it."""

    heat: int
    goods: tuple[int, ...]
    points: float


def mover(header: Header) -> Mover:
    """A player for all seats, in the header's style."""
    if header.style == "random":
        return at_random(header)
    assert header.style == "greedy", header.style
    costs = halves(frozenset(header.wishes))
    look = Look(
        worth=lambda content, state, seat: worth_of(state, seat, costs),
        start="Choose an action",
        first=some_placements,
        then=lambda decision: decision.options,
    )
    return looking_ahead(header, look)


def some_placements(decision: Decision, chance: Chance) -> Sequence[Option]:
    """Everything that is offered, in any order, but not all placements."""
    options = chance.shuffle(decision.options)
    return options[:TRIED] if decision.title == "Choose an action" else options


def halves(wishes: frozenset[str]) -> dict[str, tuple[Cost, Cost]]:
    """Both halves of every project as the players see them."""
    found = {}
    for name, card in PROJECTS.items():
        more = WISH if name in wishes else 2.0
        found[name] = (
            cost_of(card["cost"], card.get("points", 0) + more),
            cost_of(card["upgrade"], card.get("upgrade_points", 0) + 1.5 * more),
        )
    return found


def cost_of(printed: dict[str, int], points: float) -> Cost:
    return Cost(printed.get("heat", 0), tuple(printed.get(kind, 0) for kind in KINDS), points)


def worth_of(state: Any, seat: int, costs: dict[str, tuple[Cost, Cost]]) -> float:
    """How well off a seat is."""
    player: Player = state.players[seat]
    left = state.rounds - state.round
    worth = 3.0 * player.total + 0.3 * player.heat + 0.2 * sum(player.pool)
    worth += 0.6 * player.hot + 0.3 * min(player.cool, 3)
    worth += sum(0.5 * price * n for price, n in zip(WORTH, player.goods, strict=True))
    for height, tile in enumerate(state.carts):
        near = 0.45 - 0.05 * height if left else 0
        worth += sum(near * price * n for price, n in zip(WORTH, tile[seat], strict=False))
    for name in (*player.projects, *player.upgraded):
        worth += 3.0 * (costs[name][0].points - PROJECTS[name].get("points", 0))
    for name in player.upgraded:
        worth += 3.0 * (costs[name][1].points - PROJECTS[name].get("upgrade_points", 0))
    nearest = [nearness(player, costs[name][0], 0) for name in state.display]
    nearest += [nearness(player, costs[name][1], 1) for name in player.projects]
    return worth + sum(x / (i + 1) ** 2 for i, x in enumerate(sorted(nearest, reverse=True)[:4]))


def nearness(player: Player, cost: Cost, more_heat: int) -> float:
    """The closer a player is to paying a half, the more of its worth counts already."""
    heat = cost.heat + more_heat
    missing = 0.8 * max(0, heat - player.heat - player.hot)
    asked = 0.8 * heat + 0.5
    for price, n, have in zip(WORTH, cost.goods, player.goods, strict=True):
        missing += price * max(0, n - have)
        asked += price * n
    specialists = player.pool[WORKERS.index("blacksmith")] if more_heat else 1
    return cost.points * max(0.0, 1 - missing / asked) ** 2 * (1.5 if specialists else 1.2)
