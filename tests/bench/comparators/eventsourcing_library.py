"""The `eventsourcing` package beside our store and replay: same server, same facts, by turns.

Append: 32 writers, each saving one event of about 600 bytes at a time and waiting until it is
durable. Ours appends a record with a command receipt.

Replay: one match of four played at random, opened again from the database. Ours loads it, decodes
it and folds the whole position; theirs rebuilds an aggregate of the same facts, once with an event
for each fact, once with an event for each record; applying one only counts it. Both find the
database's pages in memory.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import psycopg
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from sqlalchemy import make_url

from shared.engine.match import stream_of
from shared.engine.record import open_record
from shared.engine.replay import restore, visible_facts
from shared.games import GAMES
from shared.platform.collector import relax_collector
from shared.platform.embedded.postgres import EmbeddedPostgres
from shared.platform.store import Append, Store, open_store
from tests.bench import store as appends
from tests.bench.rounds import ratio, spread
from tests.conformance.playing import Log, play_out

WRITERS = 32
SECONDS = 1.5
ROUNDS = 3
GAME = "dwergar"
FILLER = "x" * 560


class Ledger(Aggregate):
    """Counts what happened: the cheapest thing that applying an event can do."""

    def __init__(self) -> None:
        self.count = 0

    @event("Happened")
    def happen(self, what: Any) -> None:
        """Something happened at the table."""
        self.count += 1


class Ledgers(Application[UUID]):
    """Their application, without snapshots: replay is from the first event, as ours."""

    is_snapshotting_enabled = False


def run() -> dict[str, float]:
    """The figures by name, for both databases."""
    relax_collector()
    log = play_out(GAMES[GAME], max(GAMES[GAME].players), 1)
    figures: dict[str, float] = {}
    with ExitStack() as stack:
        server = stack.enter_context(EmbeddedPostgres())
        with psycopg.connect(server.url(), autocommit=True) as connection:
            connection.execute("CREATE DATABASE theirs")
        theirs = Ledgers(env=postgres_settings(server.url("theirs")))
        stack.callback(theirs.close)
        figures |= named("postgres", asyncio.run(beside(server.url(), theirs, log)))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        theirs = Ledgers(env=sqlite_settings(folder / "theirs.db"))
        stack.callback(theirs.close)
        figures |= named("sqlite", asyncio.run(beside(f"sqlite:///{folder}/ours.db", theirs, log)))
    return figures


def postgres_settings(url: str) -> dict[str, str]:
    """A connection for each writer; the server's own durability (fsync on) for both."""
    address = make_url(url)
    return {
        "PERSISTENCE_MODULE": "eventsourcing.postgres",
        "POSTGRES_DBNAME": str(address.database),
        "POSTGRES_HOST": str(address.host),
        "POSTGRES_PORT": str(address.port),
        "POSTGRES_USER": str(address.username),
        "POSTGRES_PASSWORD": "",
        "POSTGRES_POOL_SIZE": str(WRITERS),
        "POSTGRES_ENABLE_DB_FUNCTIONS": "yes",  # its quicker way to insert
    }


def sqlite_settings(file: Path) -> dict[str, str]:
    """A file in WAL mode with `synchronous=FULL`, which is what both use."""
    return {
        "PERSISTENCE_MODULE": "eventsourcing.sqlite",
        "SQLITE_DBNAME": str(file),
        "SQLITE_LOCK_TIMEOUT": "30",
    }


def named(database: str, figures: dict[str, float]) -> dict[str, float]:
    return {f"eventsourcing_{database}_{name}": value for name, value in figures.items()}


async def beside(url: str, theirs: Ledgers, log: Log) -> dict[str, float]:
    """Both on the same kind of database, round by round."""
    async with open_store(url) as ours:
        return {**await appending(ours, theirs), **await replaying(ours, theirs, log)}


async def appending(ours: Store, theirs: Ledgers) -> dict[str, float]:
    """Durable single appends a second."""
    our_rates, their_rates = [], []
    for _ in range(ROUNDS):
        our_rates.append(await appends.rate([appends.append_to(ours)] * WRITERS, [], SECONDS))
        their_rates.append(await asyncio.to_thread(saving, theirs))
    return {
        **spread("append_ours_per_s", our_rates),
        **spread("append_theirs_per_s", their_rates),
        **ratio("append_ratio", our_rates, their_rates),
    }


def saving(app: Ledgers) -> float:
    """Their saves a second, each writer a thread with an aggregate of its own."""
    counts: list[int] = []
    started = time.perf_counter()
    end = started + SECONDS

    def write() -> None:
        ledger, count = Ledger(), 0
        while time.perf_counter() < end:
            ledger.happen({"@type": "DwarfPlaced", "filler": FILLER})
            app.save(ledger)
            count += 1
        counts.append(count)

    writers = [threading.Thread(target=write) for _ in range(WRITERS)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert len(counts) == WRITERS, "a writer of theirs failed"
    return sum(counts) / (time.perf_counter() - started)


async def replaying(ours: Store, theirs: Ledgers, log: Log) -> dict[str, float]:
    """One match opened from the database, again and again."""
    stream = stream_of(log.match.id)
    await ours.append(Append(stream, 0, tuple(log.records)))
    facts: list[Any] = [
        msgspec.json.decode(visible_facts(open_record(sealed.body), sealed.secrets))
        for sealed in log.records
    ]
    each = [fact for some in facts for fact in some]
    by_fact, by_record = kept(theirs, each), kept(theirs, facts)

    async def our_match() -> None:
        stored = await ours.load(stream)
        secrets = await ours.secrets(stream)
        restored = restore(GAMES, ((one.body, one.hash) for one in stored), secrets)
        assert restored.version == len(log.records)

    async def their_match(ledger: UUID, count: int) -> None:
        assert theirs.repository.get(ledger).count == count  # type: ignore[attr-defined]

    opened: dict[str, list[float]] = {"ours": [], "fact": [], "record": []}
    for _ in range(ROUNDS):
        opened["ours"].append(await times_a_second(our_match))
        opened["fact"].append(await times_a_second(lambda: their_match(by_fact, len(each))))
        opened["record"].append(await times_a_second(lambda: their_match(by_record, len(facts))))
    return {
        **spread("replay_ours_facts_per_s", [one * len(each) for one in opened["ours"]]),
        **spread("replay_ours_records_per_s", [one * len(facts) for one in opened["ours"]]),
        **spread("replay_theirs_facts_per_s", [one * len(each) for one in opened["fact"]]),
        **spread("replay_theirs_records_per_s", [one * len(facts) for one in opened["record"]]),
        **ratio("replay_ratio", opened["ours"], opened["fact"]),
        **ratio("replay_ratio_by_record", opened["ours"], opened["record"]),
    }


def kept(app: Ledgers, events: list[Any]) -> UUID:
    """An aggregate of theirs with those events, stored."""
    ledger = Ledger()
    for what in events:
        ledger.happen(what)
    app.save(ledger)
    return ledger.id


async def times_a_second(open_match: Callable[[], Awaitable[None]]) -> float:
    """How often it can be done one after the other."""
    started, times = time.perf_counter(), 0
    while (spent := time.perf_counter() - started) < SECONDS or not times:
        await open_match()
        times += 1
    return times / spent


if __name__ == "__main__":
    print(json.dumps(run(), indent=1))
