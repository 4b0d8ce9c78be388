"""What a position is worth about, in points: a yardstick for bots, no part of the rules."""

from __future__ import annotations

from shared.games.airship_city.content import Content
from shared.games.airship_city.state import Player, State

WORTH = (0.22, 0.3, 0.3, 0.26)
"""Wood, metal, gold, gears on hand while there is time to use them."""


def appraise(content: Content, state: State) -> tuple[float, ...]:
    """Points so far, majorities, and what goods, crews and contracts may still bring."""
    if state.over:
        return tuple(float(player.total) for player in state.players)
    left = content.rounds - state.round
    time = min(1.0, left / 3)
    return tuple(
        player.total
        + 0.9 * state.shipbuilding.count(seat)
        + 1.1 * state.construction.count(seat)
        + hope(content, state, seat, player, left, time)
        for seat, player in enumerate(state.players)
    )


def hope(
    content: Content, state: State, seat: int, player: Player, left: int, time: float
) -> float:
    """What the rest may become, given the rounds left."""
    wood, metal, gold, gear = player.goods
    worth = wood * WORTH[0] + metal * WORTH[1] + gold * WORTH[2] + gear * WORTH[3]
    crews = 0.28 * left * player.crews
    markers = sum(row[seat] for row in state.ships)
    renovated = 0.1 * left * len(player.renovated)
    contracts = sum(
        0.3 * content.contracts[id_].points if terms <= left else 0.0
        for id_, terms in player.contracts
    )
    return (
        time * worth
        + crews
        + 0.05 * left * markers
        + renovated
        + 0.6 * len(player.completed)
        + contracts
    )
