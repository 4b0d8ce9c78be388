"""Players who make up golden games: random ones, and ones who look a little way ahead.

Their chance is their own and seeded, so the same header gives the same game. What a position is
worth and what is looked at are a game's own (`<game>/player.py`); the looking ahead is not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from shared.engine.chance import Chance
from shared.engine.game import Option
from shared.engine.match import Match
from shared.engine.table import Decision, apply, decisions
from tests.playthroughs.playthrough import Header, Mover

DEPTH = 6
"""Own decisions that are looked through to finish what one option begins."""


class Look(NamedTuple):
    """How players of one game look ahead.

    `worth(content, state, seat)`: how well off a seat is. `start`: the title of the decision that
    begins something new, where looking ahead ends. `first` and `then`: the options looked at where
    something begins, and on the way to its end.
    """

    worth: Callable[[Any, Any, int], float]
    start: str
    first: Callable[[Decision, Chance], Sequence[Option]]
    then: Callable[[Decision], Sequence[Option]]


def at_random(header: Header) -> Mover:
    """Any asked seat takes any option."""
    chance = Chance(header.seed.to_bytes(32, "little"), 0)

    def move(match: Match) -> tuple[int, str]:
        decision = chance.pick(match.decisions())
        return decision.seat, chance.pick(decision.options).notation

    return move


def looking_ahead(header: Header, look: Look) -> Mover:
    """Each seat takes the option that leaves it best off once it has finished what that begins."""
    chance = Chance(header.seed.to_bytes(32, "little"), 0)

    def move(match: Match) -> tuple[int, str]:
        decision = match.decisions()[0]
        options = look.first(decision, chance)
        worth = [
            (finished(match, decision, option.choice, look), -i) for i, option in enumerate(options)
        ]
        return decision.seat, options[-max(worth)[1]].notation

    return move


def finished(match: Match, decision: Decision, choice: Any, look: Look) -> float:
    """What the seat is left with when it chooses this and then the best that follows."""
    seat = decision.seat
    state = tried(match, match.state, decision, choice)
    for _ in range(DEPTH):
        following = next(iter(decisions(match.game, match.content, state)), None)
        if following is None or following.seat != seat or following.title == look.start:
            break
        after = [tried(match, state, following, one.choice) for one in look.then(following)]
        state = max(after, key=lambda one: look.worth(match.content, one, seat))
    return look.worth(match.content, state, seat)


def tried(match: Match, state: Any, decision: Decision, choice: Any) -> Any:
    chance = Chance(bytes(32), match.version)
    return apply(match.game, match.content, state, decision, choice, chance).state
