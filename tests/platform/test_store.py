"""What a store promises, whatever database is under it: one class, run over both."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

import shared.platform.store.writer as writer_module
from shared.platform.store import (
    AlreadyDone,
    Append,
    AppendRefused,
    Store,
    StoreBusy,
    StoreUnavailable,
    VersionConflict,
    open_store,
)
from shared.platform.store.database import Written
from tests.platform.store_samples import Raw, append, held, outcome, receipt, record, secret

DATABASE_ERRORS = (sqlite3.DatabaseError, psycopg.DatabaseError)


class TestStore:
    async def test_records_come_back_as_they_were_appended(self, store: Store) -> None:
        hidden = (secret(0), secret(1))
        sealed = (record("m", 1, hidden), record("m", 2), record("m", 3, (secret(0),)))
        await store.append(Append("m", 0, sealed))

        loaded = await store.load("m")
        assert [(s.version, s.type, s.body, s.hash) for s in loaded] == [
            (r.version, r.type, r.body, r.hash) for r in sealed
        ]
        assert [s.version for s in await store.load("m", after=1)] == [2, 3]
        assert await store.secrets("m") == {1: hidden, 3: (secret(0),)}
        assert await store.secrets("m", after=1) == {3: (secret(0),)}
        assert await store.load("other") == []

    async def test_an_append_after_the_wrong_version_is_a_conflict(
        self, store: Store, database_url: str
    ) -> None:
        await store.append(append("m", 0, count=2))
        for expected in (0, 1, 3):
            with pytest.raises(VersionConflict) as caught:
                await store.append(append("m", expected, command_id=f"late-{expected}"))
            assert (caught.value.stream, caught.value.expected) == ("m", expected)
            assert caught.value.actual == 2
        with pytest.raises(VersionConflict) as caught:
            await store.append(append("never-opened", 4))
        assert caught.value.actual == 0
        with Raw(database_url) as raw:
            assert (raw.count("records"), raw.count("receipts"), raw.count("streams")) == (2, 0, 1)

    async def test_an_impossible_append_is_refused_and_leaves_the_version_alone(
        self, store: Store
    ) -> None:
        impossible = [
            Append("m", 1, ()),
            Append("m", 1, (record("m", 3),)),
            Append("m", 1, (record("m", 2), record("m", 4))),
            Append("m", 1, (record("n", 2),)),
            Append("m", -1, (record("m", 0),)),
        ]
        await store.append(append("m", 0))
        results = await asyncio.gather(
            *(store.append(wrong) for wrong in impossible),
            store.append(append("m", 1)),
            return_exceptions=True,
        )
        assert [type(result) for result in results] == [ValueError] * 5 + [type(None)]
        assert [s.version for s in await store.load("m")] == [1, 2]

    async def test_a_repeated_command_gets_its_first_answer_before_any_version_check(
        self, store: Store
    ) -> None:
        await store.append(
            Append("m", 0, (record("m", 1),), receipt("c1", "m", b"the first answer"))
        )
        for again in (
            append("m", 0, command_id="c1"),
            append("m", 1, command_id="c1"),
            append("other", 0, command_id="c1"),
        ):
            with pytest.raises(AlreadyDone) as caught:
                await store.append(again)
            assert caught.value.receipt == receipt("c1", "m", b"the first answer")
        assert await store.receipt("ann", "c1") == receipt("c1", "m", b"the first answer")
        assert await store.receipt("bob", "c1") is None
        assert len(await store.load("m")) == 1
        assert await store.load("other") == []

    async def test_fifty_parallel_calls_of_one_command_append_once(
        self, store: Store, database_url: str
    ) -> None:
        await store.append(append("m", 0))
        async with open_store(database_url) as second:
            results = await asyncio.gather(
                *(
                    outcome((store, second)[n % 2], append("m", n % 3, command_id="c1"))
                    for n in range(51)
                )
            )
        async with open_store(database_url) as reopened:
            results.append(await outcome(reopened, append("m", 1, command_id="c1")))

        # Calls with a wrong version may be heard before the command is done: conflicts.
        assert results.count(None) == 1
        for n, result in enumerate(results):
            if isinstance(result, AlreadyDone):
                assert result.receipt == receipt("c1", "m")
            elif result is not None:
                assert isinstance(result, VersionConflict)
                assert n % 3 != 1, "the right version never conflicts with its own retry"
        assert isinstance(results[-1], AlreadyDone)
        assert [s.version for s in await store.load("m")] == [1, 2]

    async def test_one_command_sent_to_many_streams_at_once_is_done_on_one(
        self, store: Store, database_url: str
    ) -> None:
        async with open_store(database_url) as second:
            results = await asyncio.gather(
                *(
                    outcome((store, second)[n % 2], append(f"m{n}", 0, command_id="c1"))
                    for n in range(20)
                )
            )
        assert results.count(None) == 1
        assert sum(isinstance(result, AlreadyDone) for result in results) == 19
        with Raw(database_url) as raw:
            assert (raw.count("records"), raw.count("streams"), raw.count("receipts")) == (1, 1, 1)

    async def test_a_loser_fails_alone_in_its_batch(self, store: Store, database_url: str) -> None:
        await store.append(append("stale", 0))
        await store.append(append("answered", 0, command_id="old"))
        async with held(store):
            tasks = [
                asyncio.ensure_future(outcome(store, wanted))
                for wanted in (
                    append("a", 0, count=3, command_id="c-a"),
                    append("stale", 0, command_id="c-stale"),
                    append("answered", 1, command_id="old"),
                    append("b", 0, command_id="c-b"),
                )
            ]
            await asyncio.sleep(0)
        results = await asyncio.gather(*tasks)
        assert [type(result) for result in results] == [
            type(None), VersionConflict, AlreadyDone, type(None),
        ]  # fmt: skip
        assert await store.receipt("ann", "c-stale") is None
        with Raw(database_url) as raw:
            assert raw.count("records") == 2 + 3 + 1
            assert raw.count("receipts") == 3

    async def test_an_append_that_the_database_refuses_fails_alone_in_its_batch(
        self, store: Store, database_url: str
    ) -> None:
        twice_numbered = Append(
            "guilty", 0, (record("guilty", 1, (secret(0), secret(0))),), receipt("g", "guilty")
        )
        async with held(store):
            tasks = [
                asyncio.ensure_future(outcome(store, wanted))
                for wanted in (append("a", 0), twice_numbered, append("b", 0))
            ]
            await asyncio.sleep(0)
        results = await asyncio.gather(*tasks)
        assert [type(result) for result in results] == [type(None), AppendRefused, type(None)]
        assert await store.load("guilty") == []
        with Raw(database_url) as raw:
            assert (raw.count("records"), raw.count("receipts"), raw.count("secrets")) == (2, 0, 0)

    async def test_appends_that_a_busy_loop_brings_one_by_one_share_a_commit(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(writer_module, "GATHER_SECONDS", 20.0)
        database, batches = store._database, []
        write = database.write

        def counted(connection: object, appends: Sequence[Append]) -> Written:
            batches.append(len(appends))
            return write(connection, appends)

        monkeypatch.setattr(database, "write", counted)
        tasks = []
        for n in range(8):
            tasks.append(asyncio.ensure_future(store.append(append(f"m{n}", 0))))
            time.sleep(0.002)  # as long as a move may keep the loop
            await asyncio.sleep(0)
        await asyncio.gather(*tasks)
        assert batches == [8]

    async def test_appends_to_one_stream_that_wait_together_follow_each_other(
        self, store: Store
    ) -> None:
        async with held(store):
            tasks = [asyncio.ensure_future(outcome(store, append("m", n))) for n in range(20)]
            await asyncio.sleep(0)
        assert await asyncio.gather(*tasks) == [None] * 20
        assert [s.version for s in await store.load("m")] == list(range(1, 21))

    async def test_a_cancelled_caller_disturbs_nobody(self, store: Store) -> None:
        async with held(store):
            tasks = [
                asyncio.ensure_future(store.append(append(f"m{n}", 0, count=2, command_id=f"c{n}")))
                for n in range(10)
            ]
            await asyncio.sleep(0)
            for task in tasks[::2]:
                task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert [isinstance(r, asyncio.CancelledError) for r in results] == [True, False] * 5
        assert results[1::2] == [None] * 5
        for n in range(10):
            assert len(await store.load(f"m{n}")) == 2, "an append is whole, answered or not"
            assert await store.receipt("ann", f"c{n}") == receipt(f"c{n}", f"m{n}")
        await store.append(append("m0", 2))

    async def test_the_log_has_every_record_once_without_a_gap_and_in_stream_order(
        self, store: Store
    ) -> None:
        async def play(stream: str) -> None:
            for version in range(0, 20, 2):
                await store.append(append(stream, version, count=2))

        await asyncio.gather(*(play(f"m{n}") for n in range(10)))
        while (head := await store.positions_after(199, timeout=30)) < 200:
            assert head > 199, "the log never got there"

        log = await store.read_log(0, limit=150)
        log += await store.read_log(150, limit=150)
        assert [entry.position for entry in log] == list(range(1, 201))
        for n in range(10):
            own = [entry for entry in log if entry.stream == f"m{n}"]
            assert [entry.version for entry in own] == list(range(1, 21))
            assert [entry.body for entry in own] == [s.body for s in await store.load(f"m{n}")]
        assert await store.last_position() == 200
        assert await store.read_log(200) == []

    async def test_a_waiting_reader_hears_of_new_positions_or_of_the_time(
        self, store: Store
    ) -> None:
        assert await store.positions_after(0, timeout=0.05) == 0
        waiting = asyncio.ensure_future(store.positions_after(0, timeout=30))
        await asyncio.sleep(0.05)
        await store.append(append("m", 0))
        assert await waiting == 1
        assert await store.positions_after(0, timeout=0) == 1

    async def test_a_reader_hears_of_another_process_too(
        self, store: Store, database_url: str
    ) -> None:
        async with open_store(database_url) as other:
            waiting = asyncio.ensure_future(store.positions_after(0, timeout=30))
            await asyncio.sleep(0.05)
            await other.append(append("m", 0))
            assert await waiting == 1

    @pytest.mark.parametrize("table", ["records", "secrets", "log_index", "private"])
    async def test_what_is_written_cannot_be_changed_or_deleted(
        self, store: Store, database_url: str, table: str
    ) -> None:
        await store.append(Append("m", 0, (record("m", 1, (secret(0),)),)))
        assert await store.positions_after(0, timeout=30) == 1
        column = {"log_index": "row_id", "private": "value"}.get(table, "version")
        with Raw(database_url) as raw:
            before = raw.rows(f"SELECT * FROM {table}")
            assert before
            for statement in (f"UPDATE {table} SET {column} = {column}", f"DELETE FROM {table}"):
                with pytest.raises(DATABASE_ERRORS, match=f"{table} is append-only"):
                    raw.run(statement)
            assert raw.rows(f"SELECT * FROM {table}") == before

    async def test_a_private_value_is_kept_as_first_put(self, store: Store) -> None:
        assert await store.get_private("seed") is None
        assert await store.put_private("seed", b"first") == b"first"
        assert await store.put_private("seed", b"second") == b"first"
        assert await store.get_private("seed") == b"first"

    async def test_a_cursor_moves_forward_only(self, store: Store) -> None:
        assert await store.cursor("relay") == 0
        await store.move_cursor("relay", 7)
        await store.move_cursor("relay", 5)
        assert await store.cursor("relay") == 7
        assert await store.cursor("other") == 0

    async def test_everything_is_still_there_after_opening_again(self, database_url: str) -> None:
        async with open_store(database_url) as store:
            await store.append(append("m", 0, command_id="c1"))
            epoch = store.epoch
        async with open_store(database_url) as store:
            assert store.epoch == epoch
            assert len(await store.load("m")) == 1
            assert await store.receipt("ann", "c1") == receipt("c1", "m")
            assert [entry.position for entry in await store.read_log(0)] == [1]

    async def test_closing_finishes_what_waits_and_refuses_what_comes_after(
        self, database_url: str
    ) -> None:
        store = open_store(database_url)
        with pytest.raises(StoreUnavailable, match="not open"):
            await store.append(append("m", 0))
        await store.start()
        tasks = [asyncio.ensure_future(store.append(append(f"m{n}", 0))) for n in range(600)]
        await asyncio.sleep(0)
        await store.close()
        await asyncio.gather(*tasks)
        with pytest.raises(StoreUnavailable, match="not open"):
            await store.append(append("late", 0))
        with Raw(database_url) as raw:
            assert raw.count("records") == 600
            assert raw.rows("SELECT max(position) FROM log_index") == [(600,)]

    async def test_too_many_waiting_appends_are_turned_away(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(writer_module, "WAITING", 4)
        async with held(store):
            tasks = [asyncio.ensure_future(outcome(store, append(f"m{n}", 0))) for n in range(5)]
            await asyncio.sleep(0)
        results = await asyncio.gather(*tasks)
        assert results[:3] == [None] * 3
        assert [type(result) for result in results[3:]] == [StoreBusy] * 2
        await store.append(append("m4", 0))

    def test_several_may_open_a_new_database_at_once(self, database_url: str) -> None:
        with ThreadPoolExecutor(4) as pool:
            stores = list(pool.map(open_store, [database_url] * 4))
        assert len({store.epoch for store in stores}) == 1
        for store in stores:
            asyncio.run(store.close())


def test_a_store_lives_in_a_known_kind_of_database() -> None:
    with pytest.raises(ValueError, match="sqlite:///path or postgresql://"):
        open_store("mysql://localhost/tally")
