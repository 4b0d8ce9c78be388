"""Random play of any registered game, recorded the way the product records it."""

from __future__ import annotations

import os
import random
from dataclasses import dataclass, field

from shared.engine.acts import Made, close, create, play
from shared.engine.game import Game
from shared.engine.match import Match, Seat
from shared.engine.record import Sealed, Secret

SEEDS = int(os.environ.get("TALLY_CONFORMANCE_SEEDS", "2"))
"""Random matches per game and player count; raise it for a soak."""


@dataclass
class Log:
    """A match and all that led to it: `matches[i]` is the match after `records[i]`."""

    matches: list[Match] = field(default_factory=list)
    records: list[Sealed] = field(default_factory=list)

    def add(self, made: Made) -> None:
        self.matches.append(made.match)
        self.records.append(made.record)

    @property
    def match(self) -> Match:
        return self.matches[-1]

    def entries(self, upto: int | None = None) -> list[tuple[bytes, str]]:
        return [(record.body, record.hash) for record in self.records[:upto]]

    def secrets(self) -> dict[int, tuple[Secret, ...]]:
        return {record.version: record.secrets for record in self.records if record.secrets}


def seats_of(players: int) -> list[Seat]:
    return [Seat(f"account-{seat}", f"Player {seat + 1}") for seat in range(players)]


def start(game: Game, players: int, seed: int, options: dict[str, str] | None = None) -> Log:
    log = Log()
    server_seed = seed.to_bytes(32, "big")
    entropy = [f"entropy-{seat}" for seat in range(players)]
    log.add(create(game, "m1", seats_of(players), options or {}, "", server_seed, entropy, 1000))
    return log


def step(log: Log, rng: random.Random) -> None:
    """One random offered move of one random asked seat."""
    match = log.match
    decision = rng.choice(match.decisions())
    option = rng.choice(decision.options)
    actor = f"account-{decision.seat}"
    at = 1000 + match.version
    log.add(play(match, decision.seat, actor, option.notation, at, decision.id))


def play_out(game: Game, players: int, seed: int, options: dict[str, str] | None = None) -> Log:
    """A whole random match, closed."""
    log, rng = start(game, players, seed, options), random.Random(seed)
    while not log.match.ended:
        assert log.match.version <= game.move_limit, "the match does not end within its bound"
        step(log, rng)
    log.add(close(log.match, log.secrets(), 1000 + log.match.version))
    return log
