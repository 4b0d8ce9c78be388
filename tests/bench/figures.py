"""The figures that are told, what each must reach, and what it honestly measures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

NUMBERS = "What Tallystick must reach"
MORE = "Beside them"
OTHERS = "Others at the same task, in the same run (ratios: ours over theirs)"


@dataclass(frozen=True)
class Figure:
    """One line of the table: `key` in the figures of `group`.

    `least` and `most` are what it must reach; `aim` marks a goal of our own instead of a promise.
    """

    name: str
    title: str
    group: str
    key: str
    how: str
    unit: str = ""
    least: float | None = None
    most: float | None = None
    aim: bool = False
    part: str = NUMBERS

    @property
    def target(self) -> str:
        """What it must reach, in words; empty if nothing."""
        words = "aim " if self.aim else ""
        if self.least is not None:
            return f"{words}≥ {number(self.least)} {self.unit}".strip()
        if self.most is not None:
            return f"{words}≤ {number(self.most)} {self.unit}".strip()
        return ""

    def reached(self, value: float) -> bool | None:
        """Whether that value is enough; None if nothing is asked."""
        if self.least is not None:
            return value >= self.least
        if self.most is not None:
            return value <= self.most
        return None

    def told(self, figures: Mapping[str, float] | None, reason: str) -> dict[str, Any]:
        """The figure as JSON: `value` is null where it was not measured, for that `reason`."""
        value = figures.get(self.key) if figures else None
        if figures and value is None:
            reason = f"{self.group} did not tell {self.key}"
        return {
            "name": self.name,
            "title": self.title,
            "group": self.group,
            "value": value,
            "min": figures.get(f"{self.key}_min") if figures else None,
            "max": figures.get(f"{self.key}_max") if figures else None,
            "unit": self.unit,
            "at_least": self.least,
            "at_most": self.most,
            "aim": self.aim,
            "reached": None if value is None else self.reached(value),
            "how": self.how,
            "not_measured": reason if value is None else "",
        }


def number(value: float) -> str:
    """A figure as a person reads it: three digits that count."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


FIGURES = (
    Figure(
        "playouts", "random playouts of Dwergar, 4 players", "playing", "dwergar_moves_per_second",
        "in process, all options listed at each step, every fact recorded; processor seconds of "
        "one core; no bytes, no hashes",
        "moves/s", least=15_000,
    ),
    Figure(
        "fold", "fold from stored bytes", "playing", "dwergar_facts_per_second",
        "stored records of 4-player matches in memory: open the envelope, put secrets back, decode "
        "the facts, apply them; processor seconds of one core",
        "facts/s", least=300_000,
    ),
    Figure(
        "append_ratio", "durable append, 32 writers, against plain inserts", "store",
        "postgres_append_ratio",
        "PostgreSQL, fsync on: records with receipts and outbox by group commit, against "
        "single-row autocommit inserts of the same bytes by 32 psycopg connections, by turns",
        "x", least=0.8,
    ),
    Figure(
        "play_move_ratio", "PlayMove against a bare echo", "rules", "play_move_ratio",
        "64 matches of four in flight, durable on PostgreSQL before the answer, real rules process "
        "with NATS; against a bare grpc.aio echo called by the same client, by turns",
        "x", least=0.5,
    ),
    Figure(
        "play_move_p99", "PlayMove p99", "rules", "play_move_p99_ms",
        "the same 64 matches, as the client sees it",
        "ms", most=50,
    ),
    Figure(
        "watch_p99", "commit to WatchMatch p99", "rules", "watch_p99_ms",
        "16 matches at 200 moves/s in all: from the moment the append is durable, noted by the "
        "rules process, until a watcher's client has the record",
        "ms", most=20,
    ),
    Figure(
        "scoring_p99", "commit to scoring projection p99", "scoring", "scoring_p99_ms",
        "records of 4-player matches appended to PostgreSQL at 200/s: from the answered append "
        "over relay and NATS until scoring's projection, on a PostgreSQL of its own, has it",
        "ms", most=200,
    ),
    Figure(
        "long_match", "move 1,000 against move 10", "rules", "move_1000_over_move_10",
        "the same move played and taken back, in a match of a thousand records and in new ones of "
        "about ten, by turns; medians",
        "x", most=1.2,
    ),
    Figure(
        "cached_match", "memory of a cached live match", "rules", "cached_match_kb",
        "growth of a process over 2,000 4-player matches in mid-game, open options listed",
        "kB", most=40,
    ),
    Figure(
        "planner_won", "planner against random, 2 players", "planning", "dwergar_planner_won",
        "share of matches won outright (shared victories do not count), seats by turns",
        least=0.9,
    ),
    Figure(
        "airship_playouts", "random playouts of Airship City, 4 players", "playing",
        "airship-city_moves_per_second",
        "in process, as with Dwergar",
        "moves/s", least=15_000,
    ),
    Figure(
        "airship_planner_won", "planner against two random, Airship City", "planning",
        "airship-city_planner_won",
        "share of matches won outright, seats by turns",
        least=0.8,
    ),
    Figure(
        "planner_longest", "planner's longest decision", "planning",
        "dwergar_planner_decision_longest_ms",
        "the longest of all decisions of these matches, processor time",
        "ms", most=50,
    ),
    Figure(
        "planner_p99", "planner's decision p99", "planning", "dwergar_planner_decision_p99_ms",
        "of the same decisions", "ms", part=MORE,
    ),
    Figure(
        "planner_p50", "planner's decision p50", "planning", "dwergar_planner_decision_p50_ms",
        "of the same decisions", "ms", part=MORE,
    ),
    Figure(
        "play_moves", "PlayMove at 64 matches", "rules", "play_moves_per_second",
        "as above; client and server share this machine", "moves/s", part=MORE,
    ),
    Figure(
        "sent_to_watch_p99", "move sent to WatchMatch p99", "rules", "move_sent_to_watch_p99_ms",
        "the same moves, from sending PlayMove until a watcher's client has the record",
        "ms", part=MORE,
    ),
    Figure(
        "append", "durable append, PostgreSQL, 32 writers", "store", "postgres_append_32_per_s",
        "as above", "/s", part=MORE,
    ),
    Figure(
        "append_sqlite", "durable append, SQLite, 32 writers", "store", "sqlite_append_32_per_s",
        "WAL, synchronous=FULL, one writer thread", "/s", part=MORE,
    ),
    Figure(
        "echo_gate", "our server against a bare echo", "echo", "gate_ratio",
        "the same echo behind our gate (token, policy, limits, trace, log), 64 calls in flight, "
        "300 bytes, by turns",
        "x", part=MORE,
    ),
    Figure(
        "bus_p99", "append answered to consumer's handler p99", "bus", "bus_latency_p99_ms",
        "SQLite store, relay, NATS with sync_interval always, at 500 records/s; a handler that "
        "does nothing",
        "ms", part=MORE,
    ),
    Figure(
        "bus_p50", "append answered to consumer's handler p50", "bus", "bus_latency_p50_ms",
        "the same", "ms", part=MORE,
    ),
    Figure(
        "relay", "relay, from a backlog", "bus", "relay_refill_per_s",
        "records published and acknowledged by NATS, synced", "/s", part=MORE,
    ),
    Figure(
        "consumer", "consumer, from a backlog", "bus", "consumer_drain_per_s",
        "records pulled and handled, a handler that does nothing", "/s", part=MORE,
    ),
    Figure(
        "scoring_p50", "commit to scoring projection p50", "scoring", "scoring_p50_ms",
        "as above", "ms", part=MORE,
    ),
    Figure(
        "scoring_rebuild", "scoring, from a backlog", "scoring", "scoring_batch_records_per_s",
        "records folded and projected in batches of 500, PostgreSQL", "records/s", part=MORE,
    ),
    Figure(
        "eventsourcing_append_postgres", "eventsourcing: append, PostgreSQL, 32 writers",
        "eventsourcing", "eventsourcing_postgres_append_ratio",
        "one event of about 600 bytes a save, 32 threads, a connection each, its quicker insert "
        "(database functions); ours with receipts; same server, by turns",
        "x", least=5, aim=True, part=OTHERS,
    ),
    Figure(
        "eventsourcing_append_sqlite", "eventsourcing: append, SQLite, 32 writers",
        "eventsourcing", "eventsourcing_sqlite_append_ratio",
        "the same on a file, WAL and synchronous=FULL on both sides",
        "x", least=5, aim=True, part=OTHERS,
    ),
    Figure(
        "eventsourcing_replay_postgres", "eventsourcing: replay, PostgreSQL, fact for fact",
        "eventsourcing", "eventsourcing_postgres_replay_ratio",
        "one match opened from the database: ours loads, decodes and folds the position; theirs "
        "has an event for each of the same facts and only counts them",
        "x", least=5, aim=True, part=OTHERS,
    ),
    Figure(
        "eventsourcing_replay_sqlite", "eventsourcing: replay, SQLite, fact for fact",
        "eventsourcing", "eventsourcing_sqlite_replay_ratio",
        "the same on a file", "x", least=5, aim=True, part=OTHERS,
    ),
    Figure(
        "eventsourcing_replay_postgres_by_record",
        "eventsourcing: replay, PostgreSQL, row for row",
        "eventsourcing", "eventsourcing_postgres_replay_ratio_by_record",
        "the same match, theirs with one event for all facts of a record: as many rows as ours",
        "x", part=OTHERS,
    ),
    Figure(
        "eventsourcing_replay_sqlite_by_record", "eventsourcing: replay, SQLite, row for row",
        "eventsourcing", "eventsourcing_sqlite_replay_ratio_by_record",
        "the same on a file", "x", part=OTHERS,
    ),
    Figure(
        "replay", "our replay of a stored match, PostgreSQL", "eventsourcing",
        "eventsourcing_postgres_replay_ours_facts_per_s",
        "ours in the comparison above, wall time", "facts/s", part=OTHERS,
    ),
    Figure(
        "replay_records", "our replay of a stored match, PostgreSQL", "eventsourcing",
        "eventsourcing_postgres_replay_ours_records_per_s",
        "the same, counted in records", "records/s", part=OTHERS,
    ),
    Figure(
        "boardgameio_reducer", "boardgame.io: reducer in process", "boardgameio",
        "boardgameio_reducer_ratio",
        "random playouts, processor seconds, by turns: Dwergar of four with all options listed, "
        "against its reducer on tic-tac-toe",
        "x", least=1, aim=True, part=OTHERS,
    ),
    Figure(
        "boardgameio_server", "boardgame.io: server at 64 matches", "boardgameio",
        "boardgameio_server_ratio",
        "a move counts when two seats have it; ours (Dwergar of four) is durable on PostgreSQL, "
        "theirs (tic-tac-toe, socket.io) is in memory; one client process each",
        "x", least=1, aim=True, part=OTHERS,
    ),
    Figure(
        "boardgameio_server_unwatched", "boardgame.io: server, ours unwatched", "boardgameio",
        "boardgameio_server_ratio_unwatched",
        "the same, but ours counts when the mover has its durable answer",
        "x", part=OTHERS,
    ),
)  # fmt: skip
