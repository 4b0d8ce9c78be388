"""Receipts of closed streams are forgotten in time, and nothing else is, on both databases."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import pytest
from sqlalchemy import create_engine, make_url

import shared.platform.store.receipts as receipts_module
from shared.engine.data import replace
from shared.engine.record import open_record, seal
from shared.platform.store import (
    AlreadyDone,
    Append,
    ReceiptKeeper,
    Store,
    VersionConflict,
    open_store,
)
from shared.platform.store.migrate import migrate
from shared.platform.store.postgres import PostgresDatabase
from shared.platform.store.sqlite import SqliteDatabase
from tests.platform.store_samples import append, outcome, receipt, record

DAY = 24 * 3600 * 1000
NOW = 1_700_000_000_000
CLOSING = "closed"


def aged(wanted: Append, days: float, type_: str = "Moved") -> Append:
    """An append whose records were made so many days ago."""
    made = [replace(open_record(one.body), at=int(NOW - days * DAY)) for one in wanted.records]
    return replace(wanted, records=tuple(seal(replace(one, type=type_)) for one in made))


async def play(store: Store, stream: str, moves: int, days: float, over: bool = True) -> None:
    """A stream with a receipt for every record, the last of which may close it."""
    for number in range(moves):
        await store.append(aged(append(stream, number, 1, f"{stream}-{number}"), days))
    if over:
        await store.append(aged(append(stream, moves, 1, f"{stream}-over"), days, CLOSING))


async def placed(store: Store, records: int) -> None:
    """Wait until so many records have their place in the log, which may be after the commit."""
    assert await store.positions_after(records - 1, timeout=30) == records


def keeper(store: Store, days: int = 30) -> ReceiptKeeper:
    return ReceiptKeeper(store, CLOSING, days * DAY, clock=lambda: NOW)


async def kept(store: Store, streams: Iterable[str], moves: int) -> dict[str, int]:
    """How many receipts each stream still has."""
    found = {}
    for stream in streams:
        ids = [*(f"{stream}-{number}" for number in range(moves)), f"{stream}-over"]
        found[stream] = sum([await store.receipt("ann", one) is not None for one in ids])
    return found


async def test_only_what_is_closed_for_long_enough_is_forgotten(store: Store) -> None:
    await play(store, "old", 7, days=31)
    await play(store, "running", 7, days=31, over=False)
    await play(store, "old-too", 7, days=30.01)
    await play(store, "young", 7, days=29.9)
    await play(store, "today", 7, days=0)
    await placed(store, 39)
    everything = await store.read_log(0, 1000)
    assert await keeper(store).forget() == 16
    streams = ("old", "old-too", "running", "young", "today")
    left = {"old": 0, "old-too": 0, "running": 7, "young": 8, "today": 8}
    assert await kept(store, streams, 7) == left
    assert await keeper(store).forget() == 0
    assert await store.read_log(0, 1000) == everything
    later = ReceiptKeeper(store, CLOSING, 30 * DAY, clock=lambda: NOW + DAY)
    assert await later.forget() == 8
    assert await kept(store, streams, 7) == {**left, "young": 0}


async def test_the_place_is_remembered_and_a_page_may_end_anywhere(
    store: Store, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receipts_module, "PAGE", 5)
    monkeypatch.setattr(receipts_module, "BATCH", 2)
    monkeypatch.setattr(receipts_module, "BREATH_SECONDS", 0)
    for number in range(6):
        await play(store, f"old-{number}", number, days=40 - number)
    await play(store, "young", 3, days=1)
    end = 15 + 6 + 4
    await placed(store, end)
    assert await keeper(store).forget() == sum(range(1, 7))
    assert await store.cursor(receipts_module.CURSOR) == end - 4
    async with open_store(database_url) as again:
        reads: list[int] = []
        read_log = again.read_log

        async def noted(after: int, limit: int = 500, stream: str = "") -> object:
            reads.append(after)
            return await read_log(after, limit, stream)

        monkeypatch.setattr(again, "read_log", noted)
        assert await keeper(again).forget() == 0
        assert reads == [end - 4]


async def test_a_repeated_command_changes_nothing_before_or_after(store: Store) -> None:
    await play(store, "m", 3, days=31)
    await placed(store, 4)
    again = aged(append("m", 1, 1, "m-1"), 0)
    assert isinstance(await outcome(store, again), AlreadyDone)
    assert await keeper(store).forget() == 4
    assert isinstance(await outcome(store, again), VersionConflict)
    assert len(await store.load("m")) == 4


async def test_appends_go_on_beside_it_and_lose_nothing(
    store: Store, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes forget at once while others append: all is gone once, and nothing else."""
    monkeypatch.setattr(receipts_module, "BATCH", 7)
    monkeypatch.setattr(receipts_module, "BREATH_SECONDS", 0.001)
    old = [f"old-{number}" for number in range(8)]
    for stream in old:
        await play(store, stream, 40, days=35)
    await placed(store, 8 * 41)
    running = [f"new-{number}" for number in range(8)]
    async with open_store(database_url) as other:
        playing = [play(store, stream, 40, days=0, over=False) for stream in running]
        counts = await asyncio.gather(keeper(store).forget(), keeper(other).forget(), *playing)
    assert sum(count for count in counts if count is not None) == 8 * 41
    assert set((await kept(store, old, 40)).values()) == {0}
    assert set((await kept(store, running, 40)).values()) == {40}
    assert [len(await store.load(stream)) for stream in running] == [40] * 8


async def test_a_damaged_record_stops_nothing(store: Store) -> None:
    await play(store, "old", 2, days=33)
    broken = record("broken", 1)
    await store.append(
        Append("broken", 0, (replace(broken, type=CLOSING, body=b"{"),), receipt("b", "broken"))
    )
    await play(store, "old-too", 2, days=32)
    await placed(store, 7)
    assert await keeper(store).forget() == 6
    assert await store.receipt("ann", "b") is not None


async def test_a_database_with_data_is_brought_up_to_date(database_url: str) -> None:
    """One that was made by the first migration alone, and written to since."""
    address = make_url(database_url)
    sqlite = address.get_backend_name() == "sqlite"
    database = SqliteDatabase(address) if sqlite else PostgresDatabase(address)
    engine = create_engine(address if sqlite else address.set(drivername="postgresql+psycopg"))
    with engine.begin() as connection:
        migrate(connection, upto="0001")
    writing = database.connect()
    wanted = [aged(append(f"m{number}", 0, 2, f"c{number}"), 40, CLOSING) for number in range(50)]
    assert database.write(writing, wanted).outcomes == [None] * 50
    writing.close()
    async with open_store(database_url) as store:
        assert len(await store.load("m7")) == 2
        found = await store.receipt("ann", "c7")
        assert found is not None and found.response == b"done"
        await placed(store, 100)
        assert await keeper(store).forget() == 50
        await store.append(append("m7", 2, 1, "c-new"))
    with engine.connect() as connection:
        (version,) = connection.exec_driver_sql("SELECT version_num FROM store_schema").scalars()
        plan = [
            str(row)
            for row in connection.exec_driver_sql(
                ("EXPLAIN QUERY PLAN " if sqlite else "EXPLAIN ")
                + "SELECT 1 FROM receipts WHERE stream = 'm1'"
            )
        ]
    engine.dispose()
    assert version >= "0002"
    assert not sqlite or "receipts_of_stream" in "".join(plan)
