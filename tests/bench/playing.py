"""How fast a game plays and folds in this process, how well and how quickly bots decide.

Seconds here are processor seconds of this process, so a busy machine does not blur them.
"""

from __future__ import annotations

import json
import random
import sys
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager

from services.cli.selfplay import play_one
from shared.bots import BOTS, SeatView
from shared.bots.planner import plan
from shared.engine.chance import match_seed
from shared.engine.game import Game
from shared.engine.match import Match, full_options
from shared.engine.record import open_record
from shared.engine.replay import begin, fold, visible_facts
from shared.games import GAMES
from tests.conformance.playing import Log, play_out, start, step

MATCHES = 60
PLANNER_MATCHES = 200


def content_of(game: Game, players: int) -> object:
    return game.content(players, full_options(game, {}), "")


def playouts(game: Game, players: int) -> dict[str, float]:
    """Random matches: every option listed at every step, every fact recorded."""
    content = content_of(game, players)
    moves, rates = 0, []
    for round_ in range(3):
        begun, done = time.process_time(), 0
        for number in range(MATCHES // 3):
            seed = match_seed(bytes(32), f"{round_}/{number}", ())
            done += play_one(game, content, ["random"] * players, seed).moves
        rates.append(done / (time.process_time() - begun))
        moves += done
    return {"moves": moves, "moves_per_second": sorted(rates)[1]}


def folding(game: Game, players: int) -> dict[str, float]:
    """The fold from stored bytes: decode the facts of every record and apply them."""
    logs = [play_out(game, players, seed) for seed in range(1, 9)]
    parts: list[tuple[Match, list[object]]] = []
    facts = 0
    for log in logs:
        records = [open_record(sealed.body) for sealed in log.records]
        first = begin({game.id: game}, records[0], "")
        rows = [
            visible_facts(record, sealed.secrets)
            for record, sealed in zip(records[1:-1], log.records[1:-1], strict=True)
        ]
        facts += sum(len(game.decoder.decode(row)) for row in rows)
        parts.append((log.matches[0]._replace(closed=None, content=first.content), rows))  # type: ignore[arg-type]
    rates = []
    for _ in range(3):
        begun, done = time.process_time(), 0
        while time.process_time() - begun < 1.0:
            for match, rows in parts:
                state = match.state
                for row in rows:
                    state = fold(game, state, row)  # type: ignore[arg-type]
            done += facts
        rates.append(done / (time.process_time() - begun))
    return {"facts_per_second": sorted(rates)[1]}


def planner(game: Game, rivals: int) -> dict[str, float]:
    """Matches of one planner against random bots, the planner's seat going round."""
    players = rivals + 1
    content = content_of(game, players)
    won, spent, decisions = 0.0, 0.0, 0

    def timed(view: SeatView, decision: object, rng: random.Random):  # type: ignore[no-untyped-def]
        nonlocal spent, decisions
        begun = time.process_time()
        option = plan(view, decision, rng)  # type: ignore[arg-type]
        spent += time.process_time() - begun
        decisions += 1
        longest[0] = max(longest[0], time.process_time() - begun)
        return option

    longest = [0.0]
    with replaced(timed):
        for number in range(PLANNER_MATCHES):
            kinds = ["random"] * players
            kinds[number % players] = "planner"
            seed = match_seed(bytes(32), f"planner/{number}", ())
            standings = play_one(game, content, kinds, seed).standings
            best = [one.seat for one in standings if one.rank == 1]
            won += best == [number % players]
    return {
        "matches": PLANNER_MATCHES,
        "won": won / PLANNER_MATCHES,
        "ms_per_decision": 1000 * spent / decisions,
        "ms_longest_decision": 1000 * longest[0],
    }


@contextmanager
def replaced(timed: object) -> Iterator[None]:
    """The planner with a stopwatch on."""
    before = dict(BOTS)
    BOTS.update(planner=timed)  # type: ignore[attr-defined]
    try:
        yield
    finally:
        BOTS.update(before)  # type: ignore[attr-defined]


def memory(game: Game, players: int, matches: int = 300) -> dict[str, float]:
    """What a live match costs in memory halfway through, as the engine holds it."""
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept: list[Match] = []
    for seed in range(matches):
        log, rng = start(game, players, seed), random.Random(seed)
        for _ in range(100):
            if not log.match.ended:
                step(log, rng)
                log = Log([log.match], [log.records[-1]])
        kept.append(log.match)
    used = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert len(kept) == matches
    return {"kb_per_match": used / matches / 1024}


def run() -> dict[str, float]:
    """All figures by name."""
    found: dict[str, float] = {}
    for name, game in GAMES.items():
        most = max(game.players)
        for key, value in {
            **playouts(game, most),
            **folding(game, most),
            **planner(game, min(game.players) - 1),
            **memory(game, most),
        }.items():
            found[f"{name}_{key}"] = value
    return found


if __name__ == "__main__":
    json.dump(run(), sys.stdout, indent=1)
