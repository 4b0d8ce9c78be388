"""The score sheet at any time, and the order of the seats."""

from __future__ import annotations

from typing import Any

from shared.engine.game import ScoreLine, Standing
from shared.games.dwergar.pieces import LINES
from shared.games.dwergar.state import Player, State


def score(content: Any, state: State) -> tuple[ScoreLine, ...]:
    """14.4 What each seat scored so far, one line a reason."""
    return tuple(
        ScoreLine(seat, line, points)
        for seat, player in enumerate(state.players)
        for line, points in zip(LINES, player.points, strict=True)
        if points
    )


def _strength(player: Player) -> tuple[int, ...]:
    """14.5 Points, then crystals, gold, iron, stone."""
    return (player.total, *reversed(player.goods))


def rank(content: Any, state: State) -> tuple[Standing, ...]:
    """14.5 The seats from first to last; full ties share a place."""
    strengths = [_strength(player) for player in state.players]
    standings = [
        Standing(seat, 1 + sum(other > mine for other in strengths), mine[0])
        for seat, mine in enumerate(strengths)
    ]
    return tuple(sorted(standings, key=lambda one: (one.rank, one.seat)))
