"""What a position is worth about, in points: a yardstick for bots, no part of the rules."""

from __future__ import annotations

from shared.games.airship_city.content import Content
from shared.games.airship_city.state import Player, State

WORTH = (0.22, 0.3, 0.3, 0.26)
"""Wood, metal, gold, gears on hand while there is time to use them."""


CREW = 0.28
MARKER = 0.05
RENOVATION = 0.1
"""What a crew, a donated airship, an unlocked renovation gives in each round left."""
SHIPBUILDING, CONSTRUCTION, TRADE = 0.9, 1.1, 0.6
"""What a majority or a completed contract means for the awards, on average."""
HOPE = 0.3
"""How much of a contract's points one may count on while it lies on the term track."""
ON_TIME = 3
"""With fewer rounds left than this, unused goods lose their worth."""


def appraise(content: Content, state: State) -> tuple[float, ...]:
    """Points so far, majorities, and what goods, crews and contracts may still bring."""
    if state.over:
        return tuple(float(player.total) for player in state.players)
    left = content.rounds - state.round
    markers = [sum(column) for column in zip(*state.ships, strict=True)]
    return tuple(
        player.total
        + SHIPBUILDING * state.shipbuilding.count(seat)
        + CONSTRUCTION * state.construction.count(seat)
        + TRADE * len(player.completed)
        + left * MARKER * markers[seat]
        + hope(content, player, left)
        for seat, player in enumerate(state.players)
    )


def hope(content: Content, player: Player, left: int) -> float:
    """What goods, crews, renovations and contracts may become, given the rounds left."""
    wood, metal, gold, gear = player.goods
    worth = wood * WORTH[0] + metal * WORTH[1] + gold * WORTH[2] + gear * WORTH[3]
    hoped = min(1.0, left / ON_TIME) * worth
    hoped += left * (CREW * player.crews + RENOVATION * len(player.renovated))
    for contract, terms in player.contracts:
        if terms <= left:
            hoped += HOPE * content.contracts[contract].points
    return hoped
