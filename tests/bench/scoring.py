"""How soon scoring knows of a move, and how fast it folds a log.

Matches of Dwergar are appended to a PostgreSQL store at the pace of many tables; relay, NATS and
scoring (on a PostgreSQL of its own) follow. Run by itself (`python -m tests.bench.scoring`) or
collected through `run()`.
"""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from services.scoring.projection import Projection
from shared.bots import account_of
from shared.engine.acts import close, create, play
from shared.engine.game import Game
from shared.engine.match import Seat
from shared.engine.record import Sealed
from shared.games import GAMES
from shared.platform.bus import Bus, Relay
from shared.platform.embedded.nats import EmbeddedNats
from shared.platform.embedded.postgres import EmbeddedPostgres
from shared.platform.store import Append, LogEntry, Store, open_store
from shared.platform.telemetry import Metrics
from tests.bench.rounds import percentile
from tests.services.scoring.world import Scoring, Served, scoring_over, served

MATCHES = 12
PACE = 200
"""Moves a second: some thousand tables of people, who think for a while."""

PACED = 1500


def run() -> dict[str, float]:
    """The figures by name: milliseconds from commit to projection, records folded a second."""
    with (
        EmbeddedPostgres() as rules,
        EmbeddedPostgres() as own,
        EmbeddedNats() as nats,
        tempfile.TemporaryDirectory() as folder,
    ):
        figures = asyncio.run(_measure(Path(folder), rules.url(), own.url(), nats.url))
    return {name: round(value, 2) for name, value in figures.items()}


async def _measure(folder: Path, rules: str, own: str, bus: str) -> dict[str, float]:
    games = {"dwergar": GAMES["dwergar"]}
    logs = [_match(games["dwergar"], f"bench{number}", number) for number in range(MATCHES)]
    mixed = _mixed(logs)
    async with scoring_over(own) as scoring, served(folder) as world, open_store(rules) as store:
        timed = _Timed(scoring, games)
        figures = await _paced(world, store, bus, timed, mixed[:PACED])
        rest = mixed[PACED:]
        entries = [
            LogEntry(position, r.stream, r.version, r.type, r.body, r.hash)
            for position, r in enumerate(rest, PACED + 1)
        ]
        half = len(entries) // 2
        figures["scoring_single_records_per_s"] = _speed(timed, entries[:half], 1)
        figures["scoring_batch_records_per_s"] = _speed(timed, entries[half:], 500)
    return figures


class _Timed(Projection):
    """The projection, noting when each record was committed."""

    def __init__(self, scoring: Scoring, games: dict[str, Game]) -> None:
        super().__init__(scoring.engine, games, 1000)
        self.known: dict[tuple[str, int], float] = {}

    def apply(self, entries: Sequence[LogEntry], epoch: str) -> None:
        super().apply(entries, epoch)
        now = time.perf_counter()
        self.known |= {(entry.stream, entry.version): now for entry in entries}


async def _paced(
    world: Served, store: Store, url: str, timed: _Timed, records: Sequence[Sealed]
) -> dict[str, float]:
    """Append at a steady pace, and see when each record is in the projection."""
    follower = await world.follower(timed)

    async def nothing(after: int, limit: int) -> list[LogEntry]:
        return []

    follower._read_log = nothing
    committed: dict[tuple[str, int], float] = {}
    async with await Bus.connect(url, "rules") as rules_bus, await Bus.connect(url, "s") as bus:
        tasks = [
            asyncio.create_task(Relay(rules_bus, store, "rules").run()),
            asyncio.create_task(follower.run(bus, Metrics())),
        ]
        started = time.perf_counter()
        for number, one in enumerate(records):
            await asyncio.sleep(max(0.0, started + number / PACE - time.perf_counter()))
            await store.append(Append(one.stream, one.version - 1, (one,)))
            committed[one.stream, one.version] = time.perf_counter()
        pace = len(records) / (time.perf_counter() - started)
        async with asyncio.timeout(30):
            while len(timed.known) < len(records):
                await asyncio.sleep(0.01)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    # The first ones wait for the stream to be created; nobody plays in that moment.
    lags = sorted(1000 * (timed.known[key] - at) for key, at in list(committed.items())[PACE:])
    return {
        "scoring_pace_per_s": pace,
        "scoring_p50_ms": percentile(lags, 0.5),
        "scoring_p99_ms": percentile(lags, 0.99),
        "scoring_max_ms": lags[-1],
    }


def _speed(projection: Projection, entries: Sequence[LogEntry], batch: int) -> float:
    started = time.perf_counter()
    for start in range(0, len(entries), batch):
        projection.apply(entries[start : start + batch], "bench")
    return len(entries) / (time.perf_counter() - started)


def _match(game: Game, match_id: str, seed: int) -> list[Sealed]:
    """A whole match of four, played at random."""
    dice = random.Random(seed)
    seats = [Seat(account_of("random"), f"Random {n}", "random") for n in range(4)]
    made = create(game, match_id, seats, {}, "", dice.randbytes(32), ("",) * 4, 1)
    records = [made.record]
    while made.match.ended is None:
        decision = dice.choice(made.match.decisions())
        move = dice.choice(decision.options).notation
        made = play(made.match, decision.seat, "bot", move, 1)
        records.append(made.record)
    secrets = {record.version: record.secrets for record in records}
    return [*records, close(made.match, secrets, 2).record]


def _mixed(logs: list[list[Sealed]]) -> list[Sealed]:
    """The records of several matches in a mixed order."""
    dice, mixed = random.Random(1), []
    queues = [list(reversed(log)) for log in logs]
    while queues := [queue for queue in queues if queue]:
        mixed.append(dice.choice(queues).pop())
    return mixed


if __name__ == "__main__":
    print(json.dumps(run(), indent=2))
