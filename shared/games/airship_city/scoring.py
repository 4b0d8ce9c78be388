"""The score sheet at any time, and the order of the seats."""

from __future__ import annotations

from typing import Any

from shared.engine.game import ScoreLine, Standing
from shared.games.airship_city.pieces import GEAR, LINES
from shared.games.airship_city.state import Player, State


def score(content: Any, state: State) -> tuple[ScoreLine, ...]:
    """14.4 What each seat scored so far, one line a reason."""
    return tuple(
        ScoreLine(seat, line, points)
        for seat, player in enumerate(state.players)
        for line, points in zip(LINES, player.points, strict=True)
        if points
    )


def _strength(player: Player) -> tuple[int, int, int]:
    """14.4 Points, then all resources, then gears."""
    return (player.total, sum(player.goods), player.goods[GEAR])


def rank(content: Any, state: State) -> tuple[Standing, ...]:
    """14.4 The seats from first to last; full ties share a place."""
    strengths = [_strength(player) for player in state.players]
    standings = [
        Standing(seat, 1 + sum(other > mine for other in strengths), mine[0])
        for seat, mine in enumerate(strengths)
    ]
    return tuple(sorted(standings, key=lambda one: (one.rank, one.seat)))
