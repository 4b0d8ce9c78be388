"""What a position is worth about, in points: a yardstick for bots, no part of the rules."""

from __future__ import annotations

from shared.games.dwergar.content import Content
from shared.games.dwergar.ending import end_points
from shared.games.dwergar.state import Player, State

WORTH = (0.5, 0.9, 1.7, 2.8)
"""Stone, iron, gold, crystal on hand while there is time to use them."""
IN_CARTS = (0.85, 0.7, 0.6, 0.5, 0.4)
"""How much of that goods in a cart keep, by level from the top."""
ON_TIME = 3
"""With fewer rounds left than this, unused goods lose their worth."""


def appraise(content: Content, state: State) -> tuple[float, ...]:
    """Points so far, points certain at the end, and what goods, fire and cards may still bring."""
    if state.over:
        return tuple(float(player.total) for player in state.players)
    left = state.rounds - state.round
    return tuple(
        player.total + sure(content, state, seat, player) + hope(state, seat, player, left)
        for seat, player in enumerate(state.players)
    )


def sure(content: Content, state: State, seat: int, player: Player) -> float:
    """What upgraded projects would earn if the game ended now."""
    return sum(end_points(content, state, seat, project) for project in player.upgraded)


def worth(goods: tuple[int, ...]) -> float:
    """Goods in points, while there is time to use them."""
    return goods[0] * WORTH[0] + goods[1] * WORTH[1] + goods[2] * WORTH[2] + goods[3] * WORTH[3]


def hope(state: State, seat: int, player: Player, left: int) -> float:
    """What the rest may become, given the rounds left."""
    time = min(1.0, left / ON_TIME)
    goods = worth(player.goods)
    for tile, kept in zip(state.carts, IN_CARTS, strict=True):
        if any(tile[seat]):
            goods += kept * worth(tile[seat])
    fire = 0.7 * player.hot + 0.3 * player.heat + 0.35 * left * (player.hot > 0)
    fire += 0.25 * left * min(3, player.hot + player.cool) + 0.2 * left * state.furnaces.count(seat)
    upgrades = 1.5 * len(player.projects) + 0.3 * left * len(player.upgraded)
    return time * (goods + fire + upgrades) + 0.3 * min(3, sum(player.pool)) * (left > 0)
