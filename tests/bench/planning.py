"""How well and how quickly the planner decides: matches of one planner against random bots.

The matches go over all cores. Times are processor time, so sharing the machine does not blur them.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from services.cli.selfplay import play_one
from shared.bots import BOTS, SeatView
from shared.bots.planner import plan
from shared.engine.chance import match_seed
from shared.engine.game import Game, Option
from shared.engine.table import Decision
from shared.games import GAMES
from shared.platform.collector import relax_collector
from tests.bench.playing import content_of
from tests.bench.rounds import percentile

MATCHES = 200


def play_some(name: str, numbers: list[int]) -> tuple[int, list[float]]:
    """Matches won outright, the planner's seat going round, and the ms of every decision."""
    relax_collector()
    game = GAMES[name]
    players = min(game.players)
    content = content_of(game, players)
    won, spent = 0, []

    def timed(view: SeatView, decision: Decision, rng: random.Random) -> Option:
        begun = time.process_time()
        option = plan(view, decision, rng)
        spent.append((time.process_time() - begun) * 1000)
        return option

    BOTS["planner"] = timed
    for number in numbers:
        kinds = ["random"] * players
        kinds[number % players] = "planner"
        seed = match_seed(bytes(32), f"planner/{number}", ())
        standings = play_one(game, content, kinds, seed).standings
        won += [one.seat for one in standings if one.rank == 1] == [number % players]
    return won, spent


def planner(game: Game) -> dict[str, float]:
    """The figures of one game, at its smallest player count."""
    workers = os.cpu_count() or 1
    shares = [list(range(start, MATCHES, workers)) for start in range(workers)]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        parts = list(pool.map(play_some, [game.id] * workers, shares))
    spent = [ms for _, some in parts for ms in some]
    return {
        "planner_matches": MATCHES,
        "planner_won": sum(won for won, _ in parts) / MATCHES,
        "planner_decision_p50_ms": percentile(spent, 0.5),
        "planner_decision_p99_ms": percentile(spent, 0.99),
        "planner_decision_longest_ms": max(spent),
    }


def run() -> dict[str, float]:
    """All figures by name."""
    return {
        f"{name}_{key}": value
        for name, game in GAMES.items()
        for key, value in planner(game).items()
    }


if __name__ == "__main__":
    json.dump(run(), sys.stdout, indent=1)
