"""Matches between bots inside this process: for soak runs, bots and speed."""

from __future__ import annotations

import hashlib
import random
import statistics
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from shared.bots import BOTS, SeatView
from shared.engine.chance import Chance, match_seed
from shared.engine.errors import BadOption
from shared.engine.game import Game, Standing, full_options
from shared.engine.hidden import redact
from shared.engine.table import Outcome, apply, decisions, set_up


@dataclass
class Played:
    """One finished match: how many moves and facts, and the final places."""

    moves: int
    facts: int
    standings: tuple[Standing, ...]


@dataclass
class Report:
    """What a series of matches came to. `seconds` is the time spent playing."""

    game: str
    kinds: tuple[str, ...]
    played: list[Played] = field(default_factory=list)
    seconds: float = 0.0

    def as_json(self) -> dict[str, Any]:
        """The figures for a program; keys are stable."""
        moves = sum(match.moves for match in self.played)
        points = [one.points for match in self.played for one in match.standings]
        wins: Counter[str] = Counter()
        for match in self.played:
            winners = [one.seat for one in match.standings if one.rank == 1]
            for seat in winners:
                wins[f"{seat}:{self.kinds[seat]}"] += 1
        return {
            "game": self.game,
            "bots": list(self.kinds),
            "matches": len(self.played),
            "moves": moves,
            "facts": sum(match.facts for match in self.played),
            "seconds": round(self.seconds, 3),
            "moves_per_second": round(moves / self.seconds) if self.seconds else 0,
            "moves_per_match": round(moves / len(self.played), 1),
            "end_reasons": {"played": len(self.played)},
            "scores": {
                "lowest": min(points),
                "median": statistics.median(points),
                "mean": round(statistics.fmean(points), 1),
                "highest": max(points),
            },
            "wins": dict(sorted(wins.items())),
        }


class Seats:
    """What each seat knows, kept by folding the facts that it may see."""

    def __init__(self, game: Game, content: Any, players: int) -> None:
        self._game = game
        self._states = [game.blank(content, players)] * players

    def see(self, outcome: Outcome) -> None:
        """Let every seat learn its part of what happened."""
        for seat, state in enumerate(self._states):
            for fact in outcome.facts:
                state = self._game.evolve[type(fact)](state, redact(fact, seat))
            self._states[seat] = state

    def state(self, seat: int) -> Any:
        """The position as the seat knows it."""
        return self._states[seat]


def play_one(game: Game, content: Any, kinds: Sequence[str], seed: bytes) -> Played:
    """One match; every option is listed at every step and every fact recorded."""
    players = len(kinds)
    rng = random.Random(seed)
    outcome = set_up(game, content, players, Chance(seed, 1))
    views = Seats(game, content, players) if set(kinds) != {"random"} else None
    moves, facts = 0, len(outcome.facts)
    while True:
        if views is not None:
            views.see(outcome)
        state = outcome.state
        asked = decisions(game, content, state)
        if not asked:
            return Played(moves, facts, game.rank(content, state))
        decision = asked[0]
        if views is None:
            option = rng.choice(decision.options)
        else:
            seat = decision.seat
            view = SeatView(game, content, views.state(seat), seat)
            option = BOTS[kinds[seat]](view, decision, rng)
        moves += 1
        outcome = apply(game, content, state, decision, option.choice, Chance(seed, moves + 1))
        facts += len(outcome.facts)
        if moves > game.move_limit:
            raise AssertionError(f"{game.id} did not end within {game.move_limit} moves")


def selfplay(
    game: Game,
    kinds: Sequence[str],
    matches: int,
    seed: int,
    options: Mapping[str, str] | None = None,
) -> Iterator[Report]:
    """Play a series of matches; yields the growing report after each. Raises `BadOption`."""
    if len(kinds) not in game.players:
        raise BadOption(f"{game.title} takes {', '.join(map(str, game.players))} players")
    for kind in kinds:
        if kind not in BOTS:
            raise BadOption(f"there is no bot {kind!r}; there are: {', '.join(BOTS)}")
    content = game.content(len(kinds), full_options(game, options or {}), "")
    report = Report(game.id, tuple(kinds))
    for number in range(matches):
        base = hashlib.sha256(f"selfplay/{seed}/{number}".encode()).digest()
        begun = time.perf_counter()
        report.played.append(play_one(game, content, kinds, match_seed(base, str(number), ())))
        report.seconds += time.perf_counter() - begun
        yield report
