"""How fast a game plays and folds in this process.

Seconds here are processor seconds of this process, so a busy machine does not blur them.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from services.cli.selfplay import play_one
from shared.engine.chance import match_seed
from shared.engine.game import Game, full_options
from shared.engine.record import Sealed, open_record
from shared.engine.replay import fold, visible_facts
from shared.games import GAMES
from shared.platform.collector import relax_collector
from tests.bench.rounds import spread
from tests.conformance.playing import play_out

ROUNDS = 5
SECONDS = 2.0
FOLDED_MATCHES = 8


def content_of(game: Game, players: int) -> Any:
    return game.content(players, full_options(game, {}), "")


def playouts(game: Game, players: int) -> dict[str, float]:
    """Random matches: every option listed at every step, every fact recorded."""
    content = content_of(game, players)
    rates = [playout_rate(game, content, players, f"{round_}") for round_ in range(ROUNDS)]
    return spread("moves_per_second", rates)


def playout_rate(game: Game, content: Any, players: int, name: str) -> float:
    """Moves a second of one round."""
    begun, moves, number = time.process_time(), 0, 0
    while time.process_time() - begun < SECONDS:
        seed = match_seed(bytes(32), f"{name}/{number}", ())
        moves += play_one(game, content, ["random"] * players, seed).moves
        number += 1
    return moves / (time.process_time() - begun)


def folding(game: Game, players: int) -> dict[str, float]:
    """Folding stored bytes: open each record, put its secrets back, decode and apply its facts."""
    parts: list[tuple[Any, list[Sealed]]] = []
    facts = records = 0
    for seed in range(1, FOLDED_MATCHES + 1):
        log = play_out(game, players, seed)
        parts.append((log.matches[0].state, log.records[1:-1]))
        records += len(log.records[1:-1])
        facts += sum(len(game.decoder.decode(open_record(s.body).facts)) for s in log.records[1:-1])
    rates = []
    for _ in range(ROUNDS):
        begun, times = time.process_time(), 0
        while time.process_time() - begun < SECONDS:
            for state, sealed in parts:
                for one in sealed:
                    record = open_record(one.body)
                    state = fold(game, state, visible_facts(record, one.secrets))
            times += 1
        rates.append(facts * times / (time.process_time() - begun))
    return {**spread("facts_per_second", rates), "facts_per_record": facts / records}


def run() -> dict[str, float]:
    """All figures by name."""
    relax_collector()
    found: dict[str, float] = {}
    for name, game in GAMES.items():
        most = max(game.players)
        for key, value in {
            **playouts(game, most),
            **folding(game, most),
        }.items():
            found[f"{name}_{key}"] = value
    return found


if __name__ == "__main__":
    json.dump(run(), sys.stdout, indent=1)
