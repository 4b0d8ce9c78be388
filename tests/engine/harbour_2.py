"""Harbour's second edition: a house is worth 5 points, two rounds unless asked, other words."""

from __future__ import annotations

from shared.engine.data import replace
from shared.engine.game import GameOption, ScoreLine, Standing
from tests.engine.harbour import HARBOUR, Content, State


def score(_: Content, state: State) -> tuple[ScoreLine, ...]:
    return tuple(
        line
        for seat, player in enumerate(state.players)
        for line in (
            ScoreLine(seat, "houses", 5 * len(player.houses)),
            ScoreLine(seat, "coins", player.coins),
        )
    )


def rank(content: Content, state: State) -> tuple[Standing, ...]:
    totals = [0] * len(state.players)
    for line in score(content, state):
        totals[line.seat] += line.points
    return tuple(
        Standing(seat, 1 + sum(other > total for other in totals), total)
        for seat, total in enumerate(totals)
    )


HARBOUR_2 = replace(
    HARBOUR,
    edition="2",
    options=(GameOption("rounds", "Rounds to play", "2", ("2", "3")),),
    score=score,
    rank=rank,
    messages={**HARBOUR.messages, "Gamble": "Try your luck"},
    reasons={"houses": "Stone houses", "coins": "Coins"},
)

BOTH = HARBOUR_2.after(HARBOUR)
"""The second edition, with the first beside it for the matches that began with it."""
