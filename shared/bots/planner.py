"""The planner: looks through its own coming decisions and takes the most promising line.

It knows no game. It fills what its seat cannot see with one possible world (`Game.imagine`),
follows lines of its own decisions until somebody else is asked, keeps the best few at each depth
(a beam search), and judges positions by `Game.appraise`: its own worth against the others'.
"""

from __future__ import annotations

import random
from heapq import nlargest
from typing import Any, NamedTuple

from shared.bots.seat import SeatView
from shared.engine.chance import Chance
from shared.engine.game import Game, Option
from shared.engine.table import Decision, apply, decisions

BEAM = 8
"""Lines kept at each depth."""

STEPS = 200
"""Options tried for one decision at most: what keeps a decision within 50 ms."""


class Line(NamedTuple):
    """A sequence of own answers: how it begins, where it leads, what that is worth."""

    first: Option
    state: Any
    worth: float


def plan(view: SeatView, decision: Decision, rng: random.Random) -> Option:
    """The first answer of the best line found; ties are broken at random."""
    if len(decision.options) == 1:
        return decision.options[0]
    game, content, seat = view.game, view.content, view.seat
    chance_seed = rng.randbytes(32)
    world = game.imagine(content, view.state, Chance(chance_seed, 0))
    beam: list[tuple[Option | None, Any, Decision]] = [(None, world, decision)]
    best: Line | None = None
    steps = 0
    while beam and steps < STEPS:
        going: list[tuple[Line, Decision]] = []
        for first, state, asked in beam:
            for option in asked.options:
                steps += 1
                chance = Chance(chance_seed, steps)
                after = apply(game, content, state, asked, option.choice, chance).state
                worth = standing(game, content, after, seat) + rng.random() / 1000
                line = Line(first or option, after, worth)
                following = own_decision(game, content, after, seat)
                if following is not None:
                    going.append((line, following))
                elif best is None or line.worth > best.worth:
                    best = line
        kept = nlargest(BEAM, going, key=lambda pair: pair[0].worth)
        beam = [(line.first, line.state, following) for line, following in kept]
        if steps >= STEPS and kept and (best is None or kept[0][0].worth > best.worth):
            best = kept[0][0]
    assert best is not None
    return best.first


def own_decision(game: Game, content: Any, state: Any, seat: int) -> Decision | None:
    """The seat's next decision, if the match waits on nobody else."""
    asked = decisions(game, content, state)
    return asked[0] if len(asked) == 1 and asked[0].seat == seat else None


def standing(game: Game, content: Any, state: Any, seat: int) -> float:
    """The seat's worth less that of its strongest rival."""
    worths = game.appraise(content, state)
    return worths[seat] - max(worth for other, worth in enumerate(worths) if other != seat)
