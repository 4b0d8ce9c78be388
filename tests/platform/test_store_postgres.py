"""What is particular to PostgreSQL: positions after commit, leases, lost connections."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
import time
from collections.abc import AsyncIterator
from typing import Any

import psycopg
import pytest
from sqlalchemy import make_url

from services.rules.index import MatchIndex
from services.scoring.database import open_database
from shared.platform.embedded.postgres import EmbeddedPostgres, EmbeddedPostgresError
from shared.platform.store import (
    AppendRefused,
    OutOfOrder,
    Store,
    StoreUnavailable,
    UnsafeSettings,
    open_store,
)
from shared.platform.store.entries import Append
from shared.platform.store.postgres import PostgresDatabase
from shared.platform.store.sequencer import Fenced, Sequencer
from tests.platform.store_samples import Raw, append, outcome, receipt

UNRELATED = "CREATE TABLE unrelated (n BIGINT)"


@pytest.fixture
async def store(postgres_url: str) -> AsyncIterator[Store]:
    async with open_store(postgres_url) as opened:
        yield opened


class OpenAppend:
    """An append in a transaction that is not committed yet."""

    def __init__(self, url: str, wanted: Append) -> None:
        database = PostgresDatabase(make_url(url))
        self._connection = database.connect()
        self._connection.execute("BEGIN")
        self._database = database
        self._wanted = wanted

    def write(self) -> None:
        written = self._database.write(self._connection, [self._wanted])
        assert written.outcomes == [None]

    def commit(self) -> None:
        self._connection.execute("COMMIT")
        self._connection.close()


async def follow(store: Store, count: int, timeout: float = 30.0) -> list[tuple[str, int]]:
    """Read the log as a projector does, by position, until it has so many entries."""
    seen: list[tuple[str, int]] = []
    position = 0
    deadline = asyncio.get_running_loop().time() + timeout
    while len(seen) < count and asyncio.get_running_loop().time() < deadline:
        await store.positions_after(position, timeout=1)
        for entry in await store.read_log(position):
            assert entry.position == position + 1, "a gap in the log"
            position = entry.position
            seen.append((entry.stream, entry.version))
    return seen


async def test_an_append_that_commits_late_is_not_passed_by(
    store: Store, postgres_url: str
) -> None:
    """Its row came first, eleven others commit before it: a follower still sees all twelve."""
    late = OpenAppend(postgres_url, append("late", 0))
    late.write()
    for n in range(11):
        await store.append(append("early" if n < 6 else f"m{n}", n if n < 6 else 0))
    before = await follow(store, 11)
    late.commit()
    after = await follow(store, 12)

    assert len(before) == 11
    assert ("late", 1) not in before
    assert after == [*before, ("late", 1)]


async def test_a_stream_stays_in_order_when_the_older_transaction_appends_second(
    store: Store, postgres_url: str
) -> None:
    """Ordering by transaction id would put version 2 first here."""
    with Raw(postgres_url) as raw:
        raw.run(UNRELATED)
    older = OpenAppend(postgres_url, append("m", 1))
    older._connection.execute("INSERT INTO unrelated VALUES (1)")
    await store.append(append("m", 0))
    older.write()
    older.commit()
    assert await follow(store, 2) == [("m", 1), ("m", 2)]


async def test_a_long_unrelated_transaction_does_not_blind_the_readers(
    store: Store, postgres_url: str
) -> None:
    with Raw(postgres_url) as raw, Raw(postgres_url) as long:
        raw.run(UNRELATED)
        long.run("BEGIN")
        long.run("INSERT INTO unrelated VALUES (1)")
        for n in range(5):
            await store.append(append("m", n))
            assert await store.positions_after(n, timeout=30) == n + 1
        long.run("ROLLBACK")


async def test_two_stores_on_one_database_give_one_gapless_log(
    store: Store, postgres_url: str
) -> None:
    async def play(on: Store, stream: str) -> None:
        for version in range(25):
            await on.append(append(stream, version))

    async with open_store(postgres_url) as second:
        await asyncio.gather(
            *(play((store, second)[n % 2], f"m{n}") for n in range(8)),
        )
        seen = await follow(second, 200)
        assert seen == await follow(store, 200)
    for n in range(8):
        assert [version for stream, version in seen if stream == f"m{n}"] == list(range(1, 26))


async def test_another_store_goes_on_when_the_sequencing_one_closes(
    store: Store, postgres_url: str
) -> None:
    async with open_store(postgres_url) as second:
        await second.append(append("m", 0))
        assert await second.positions_after(0, timeout=30) == 1
        await store.close()
        await second.append(append("m", 1))
        assert await second.positions_after(1, timeout=30) == 2


def test_sequencers_in_parallel_stay_gapless_and_a_stale_one_is_fenced(postgres_url: str) -> None:
    asyncio.run(open_store(postgres_url).close())
    database = PostgresDatabase(make_url(postgres_url))
    first, second = (Sequencer(database.connect_sequencer) for _ in range(2))
    writer = database.connect()

    database.write(writer, [append("m", 0, count=3)])
    assert first.step() == 3
    assert second.step() is None, "the lease is held by the first"
    with Raw(postgres_url) as raw:
        raw.run("UPDATE sequencer SET until = now() - interval '1 second'")
    database.write(writer, [append("m", 3, count=2)])
    assert second.step() == 5, "an expired lease is taken over"

    database.write(writer, [append("m", 5)])
    with pytest.raises(Fenced):
        first.step()
    with Raw(postgres_url) as raw:
        assert raw.count("outbox") == 1, "the stale sequencer took nothing"
        assert raw.rows("SELECT max(position) FROM log_index") == [(5,)]
    assert second.step() == 6
    for each in (first, second):
        each.release()
    writer.close()


def test_sequencers_that_fight_for_the_lease_never_leave_a_gap(postgres_url: str) -> None:
    """The lease expires all the time; four sequencers and a writer go on regardless."""
    asyncio.run(open_store(postgres_url).close())
    database = PostgresDatabase(make_url(postgres_url))
    done = threading.Event()
    steps = [0] * 4

    def sequence(n: int) -> None:
        sequencer = Sequencer(database.connect_sequencer)
        while not done.is_set():
            try:
                steps[n] += sequencer.step() is not None
            except Fenced:
                continue
        sequencer.release()

    def expire() -> None:
        with Raw(postgres_url) as raw:
            while not done.wait(0.005):
                raw.run("UPDATE sequencer SET until = '-infinity'")

    threads = [threading.Thread(target=sequence, args=(n,)) for n in range(4)]
    threads.append(threading.Thread(target=expire))
    for thread in threads:
        thread.start()
    writer = database.connect()
    for version in range(150):
        database.write(writer, [append(f"m{n}", version) for n in range(4)])
    with Raw(postgres_url) as raw:
        for _ in range(500):
            if raw.count("outbox") == 0:
                break
            done.wait(0.02)
        done.set()
        for thread in threads:
            thread.join(10)
        positions = raw.rows("""
            SELECT l.position, r.stream, r.version FROM log_index l
            JOIN records r USING (row_id) ORDER BY position
        """)
    writer.close()
    assert [position for position, _, _ in positions] == list(range(1, 601))
    for n in range(4):
        own = [version for _, stream, version in positions if stream == f"m{n}"]
        assert own == list(range(1, 151))
    assert sum(count > 0 for count in steps) >= 2, "the lease never changed hands"


async def test_a_stream_out_of_order_stops_the_log_loudly(store: Store, postgres_url: str) -> None:
    """Only damage can do this, and then no position is given out any more."""
    await store.append(append("m", 0))
    assert await store.positions_after(0, timeout=30) == 1
    with Raw(postgres_url) as raw:
        raw.run("BEGIN")
        raw.run("INSERT INTO streams VALUES ('bad', 2)")
        raw.run("""
            INSERT INTO records (row_id, stream, version, type, body, hash)
            OVERRIDING SYSTEM VALUE
            VALUES (1001, 'bad', 2, 't', '', ''), (1002, 'bad', 1, 't', '', '')
        """)
        raw.run("INSERT INTO outbox VALUES (1001), (1002)")
        raw.run("COMMIT")
        with pytest.raises(OutOfOrder, match="bad version 2"):
            await store.positions_after(1, timeout=30)
        assert raw.count("log_index") == 1
        assert raw.count("outbox") == 2


async def test_a_lost_connection_fails_the_waiting_callers_and_the_writer_comes_back(
    store: Store, postgres_url: str
) -> None:
    await store.append(append("m", 0))
    pid = await store._writer.submit(lambda connection: connection.info.backend_pid)
    with Raw(postgres_url) as raw, Raw(postgres_url) as blocker:
        blocker.run("BEGIN")
        blocker.run("SELECT FROM streams WHERE stream = 'm' FOR UPDATE")
        blocked = asyncio.ensure_future(outcome(store, append("m", 1, command_id="c1")))
        await asyncio.sleep(0.2)
        raw.run(f"SELECT pg_terminate_backend({pid})")
        assert isinstance(await blocked, StoreUnavailable)
        blocker.run("ROLLBACK")
    assert await store.receipt("ann", "c1") is None
    await store.append(append("m", 1, command_id="c1"))
    assert await store.receipt("ann", "c1") == receipt("c1", "m")


async def test_readers_and_sequencer_survive_the_loss_of_every_connection(
    store: Store, postgres_url: str
) -> None:
    await store.append(append("m", 0))
    await store.load("m")
    with Raw(postgres_url) as raw:
        raw.run("""
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
        """)
    assert len(await store.load("m")) == 1
    for _ in range(3):
        if await outcome(store, append("m", 1)) is None:
            break
    assert await store.positions_after(1, timeout=30) == 2


def test_a_server_that_vanishes_without_a_word_is_noticed(postgres_url: str) -> None:
    """Else moves would wait for a quarter of an hour, and so would those who look."""
    database = PostgresDatabase(make_url(postgres_url))
    for connect in (database.connect, database.connect_sequencer, database.dial):
        with connect() as connection:
            assert patience_of(connection) == (10_000, 10, 5, 3)
    chosen = make_url(postgres_url).update_query_dict({"tcp_user_timeout": "60000"})
    with PostgresDatabase(chosen).dial() as connection:
        assert patience_of(connection)[0] == 60_000
    index, scoring = MatchIndex(postgres_url), open_database(postgres_url)
    for engine in (index._engine, *scoring):
        with engine.connect() as pooled:
            assert patience_of(pooled.connection.driver_connection) == (10_000, 10, 5, 3)
        engine.dispose()


def patience_of(connection: Any) -> tuple[int, ...]:
    """What the system was told of a connection: milliseconds, seconds, seconds, times."""
    options = socket.TCP_USER_TIMEOUT, socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT
    with socket.socket(fileno=os.dup(connection.fileno())) as line:
        return tuple(line.getsockopt(socket.IPPROTO_TCP, option) for option in options)


async def test_a_stream_that_somebody_locks_fails_alone_and_in_bounded_time(
    store: Store, postgres_url: str
) -> None:
    await store.append(append("locked", 0))
    with Raw(postgres_url) as blocker:
        blocker.run("BEGIN")
        blocker.run("SELECT FROM streams WHERE stream = 'locked' FOR UPDATE")
        results = await asyncio.wait_for(
            asyncio.gather(
                *(outcome(store, append(name, v)) for name, v in (("locked", 1), ("free", 0)))
            ),
            timeout=30,
        )
        blocker.run("ROLLBACK")
    assert isinstance(results[0], AppendRefused)
    assert results[1] is None


@pytest.mark.parametrize("table", ["records", "secrets"])
async def test_the_log_cannot_be_truncated(store: Store, postgres_url: str, table: str) -> None:
    with Raw(postgres_url) as raw, pytest.raises(psycopg.Error, match="append-only"):
        raw.run(f"TRUNCATE {table} CASCADE")


def test_a_database_that_does_not_wait_for_the_disk_is_refused(postgres_url: str) -> None:
    name = postgres_url.rsplit("/", 1)[1]
    with Raw(postgres_url) as raw:
        raw.run(f"ALTER DATABASE {name} SET synchronous_commit = off")
    with pytest.raises(UnsafeSettings, match="synchronous_commit = off"):
        open_store(postgres_url)
    with Raw(postgres_url) as raw:
        assert raw.rows("SELECT to_regclass('records')") == [(None,)], "it was migrated anyway"


def test_a_server_that_may_lose_commits_is_refused() -> None:
    try:
        server = EmbeddedPostgres()
    except EmbeddedPostgresError as error:
        pytest.skip(f"needs a server of its own: {error}")
    with server, Raw(server.url()) as raw:
        for setting in ("fsync", "full_page_writes"):
            raw.run(f"ALTER SYSTEM SET {setting} = off")
            raw.run("SELECT pg_reload_conf()")
            _wait_for(raw, setting, "off")
            with pytest.raises(UnsafeSettings, match=f"{setting} = off"):
                open_store(server.url())
            raw.run(f"ALTER SYSTEM SET {setting} = on")
            raw.run("SELECT pg_reload_conf()")
            _wait_for(raw, setting, "on")
        asyncio.run(open_store(server.url()).close())


def _wait_for(raw: Raw, setting: str, value: str) -> None:
    for _ in range(500):
        if raw.rows(f"SHOW {setting}") == [(value,)]:
            return
        time.sleep(0.01)
    raise AssertionError(f"{setting} did not become {value}")
