"""What viewers see of a match, and hear of it while it goes on."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from protos.tallystick.rules.v1 import rules_pb2 as pb
from protos.tallystick.stream.v1 import stream_pb2
from services.rules import watching
from services.rules.book import LogDamaged
from services.rules.live import RECENT
from services.rules.render import view_message
from services.rules.watching import watch
from shared.engine.acts import play
from shared.engine.hidden import SPECTATOR
from shared.engine.match import stream_of
from shared.engine.replay import restore
from shared.platform.rpc.call import Call, enter
from shared.platform.store import Append, StoreUnavailable
from tests.services.rules.desk import GAMES, Desk, open_desk, who


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "rules.sqlite3"


@pytest.fixture
async def desk(database: Path) -> AsyncIterator[Desk]:
    async with open_desk(f"sqlite:///{database}") as desk:
        yield desk


class Watcher:
    """Reads a watch in a task of its own, as a call does."""

    def __init__(self, desk: Desk, match_id: str, viewer: int, after: int = 0) -> None:
        self.messages: list[pb.WatchMatchResponse] = []
        self.read = asyncio.Event()
        self.read.set()
        self._task = asyncio.create_task(self._run(desk, match_id, viewer, after))
        self.call = Call("WatchMatch", who("ann"))

    async def _run(self, desk: Desk, match_id: str, viewer: int, after: int) -> None:
        enter(self.call)
        self.call.open(60, stream_pb2.END_REASON_MAX_AGE, 10)
        async for message in watch(desk.book, match_id, viewer, after, 0.2):
            self.messages.append(message)
            await self.read.wait()
        self.call.close()

    @property
    def versions(self) -> list[int]:
        return [
            message.record.record.version
            for message in self.messages
            if message.WhichOneof("event") == "record"
        ]

    async def ended(self) -> stream_pb2.Ended:
        await asyncio.wait_for(self._task, 30)
        return self.messages[-1].ended

    async def reaches(self, version: int) -> None:
        async with asyncio.timeout(30):
            while version not in self.versions:
                await asyncio.sleep(0.005)


async def test_what_a_viewer_sees_is_the_fold_of_what_it_was_told(desk: Desk) -> None:
    match_id = await desk.start(["ann", "ben", "cas"])
    live = await desk.book.current(match_id)
    choose = random.Random(3)
    viewers = (SPECTATOR, 0, 1, 2)
    while live.asked:
        decision = live.asked[0]
        move = choose.choice(decision.options).notation
        account = live.match.created.seats[decision.seat].account
        await desk.play(account, match_id, decision.id, move)
        asking = [viewer for viewer in viewers if choose.random() < 0.4]
        stored = await desk.store.load(stream_of(match_id))
        secrets = await desk.store.secrets(stream_of(match_id))
        for viewer in asking:
            entries = [(one.body, one.hash) for one in stored]
            folded = restore(GAMES, entries, secrets, viewer=viewer)
            seen = await desk.book.seen_by(live, viewer)
            assert seen.state == folded.state
            assert (seen.version, seen.head) == (live.match.version, live.match.head)


async def test_views_made_new_and_views_kept_up_are_the_same_bytes(desk: Desk) -> None:
    match_id = await desk.start(["ann", "ben"])
    kept = await desk.book.current(match_id)
    for viewer in (SPECTATOR, 0, 1):
        await desk.book.seen_by(kept, viewer)
    await desk.play_on(match_id, choose=1, moves=7)
    await desk.undo_if_possible(match_id)
    desk.book._live.clear()
    anew = await desk.book.current(match_id)
    for viewer in (SPECTATOR, 0, 1):
        views = [
            view_message(
                live.match, await desk.book.seen_by(live, viewer), live.asked, viewer, (viewer,)
            ).SerializeToString(deterministic=True)
            for live in (kept, anew)
        ]
        assert views[0] == views[1]


async def test_a_view_that_nobody_asks_for_any_more_is_let_go(desk: Desk) -> None:
    match_id = await desk.start(["ann", "ben"])
    live = await desk.book.current(match_id)
    await desk.play("ann", match_id, "1.0", "bid 0")
    await desk.play("ben", match_id, "1.1", "bid 0")
    await desk.book.seen_by(live, 0)
    for _ in range(RECENT // 2 + 1):
        answer = await desk.play("ann", match_id, live.asked[0].id, "build quay")
        await desk.undo("ann", match_id, answer.version - 1)
    assert live._seen == {} and len(live._recent or ()) == 0
    assert (await desk.book.seen_by(live, 0)).version == live.match.version


@pytest.mark.parametrize("seed", range(6))
async def test_a_watch_begun_at_any_moment_misses_and_repeats_nothing(
    desk: Desk, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "PAGE", 3)
    choose = random.Random(seed)
    match_id = await desk.start(["ann", "ben"])
    playing = asyncio.create_task(desk.play_on(match_id, choose=seed))
    watchers = []
    while not playing.done():
        await asyncio.sleep(choose.random() * 0.004)
        live = await desk.book.current(match_id)
        after = choose.randint(0, live.match.version)
        watchers.append((after, Watcher(desk, match_id, choose.choice((SPECTATOR, 0, 1)), after)))
        if choose.random() < 0.2:
            for kept in list(desk.book._live.values()):
                if not kept.in_use:
                    desk.book._live.clear()
    last = (await desk.match(match_id)).version
    for after, watcher in watchers:
        end = await watcher.ended()
        assert end.reason == stream_pb2.END_REASON_COMPLETE and end.resume_after == last
        assert watcher.versions == list(range(after + 1, last + 1))


async def test_only_the_newest_record_says_what_is_asked_and_the_points(desk: Desk) -> None:
    match_id = await desk.start(["ann", "ben"])
    await desk.play_on(match_id, moves=4)
    watcher = Watcher(desk, match_id, 0)
    await watcher.reaches(5)
    *past, newest = [message.record for message in watcher.messages]
    assert all(not record.scores and not record.decisions for record in past)
    assert len(newest.scores) == 2
    live = await desk.book.current(match_id)
    decision = live.asked[0]
    account = live.match.created.seats[decision.seat].account
    await desk.play(account, match_id, decision.id, decision.options[-1].notation)
    await watcher.reaches(6)
    live_now = watcher.messages[-1].record
    assert len(live_now.scores) == 2
    for shown in live_now.decisions:
        assert shown.seat == 0 and shown.options


async def test_no_watcher_hears_of_a_move_that_was_not_stored(desk: Desk) -> None:
    match_id = await desk.start(["ann", "ben"])
    watcher = Watcher(desk, match_id, SPECTATOR)
    await watcher.reaches(1)

    async def fails(append: Append) -> None:
        raise StoreUnavailable("no disk")

    original, desk.store.append = desk.store.append, fails  # type: ignore[method-assign]
    with pytest.raises(StoreUnavailable):
        await desk.play("ann", match_id, "1.0", "bid 2", "lost")
    await asyncio.sleep(0.1)
    assert watcher.versions == [1]
    desk.store.append = original  # type: ignore[method-assign]
    await desk.play("ben", match_id, "1.1", "bid 1")
    await watcher.reaches(2)
    assert watcher.messages[-1].record.record.seat == 1


async def test_a_move_whose_storing_was_in_doubt_reaches_the_watchers_once(desk: Desk) -> None:
    match_id = await desk.start(["ann", "ben"])
    watcher = Watcher(desk, match_id, SPECTATOR)
    await watcher.reaches(1)
    original = desk.store.append

    async def lost_after(append: Append) -> None:
        await original(append)
        raise StoreUnavailable("the connection was lost")

    desk.store.append = lost_after  # type: ignore[method-assign]
    with pytest.raises(StoreUnavailable):
        await desk.play("ann", match_id, "1.0", "bid 2")
    desk.store.append = original  # type: ignore[method-assign]
    desk.book.heard(match_id, 2)
    await watcher.reaches(2)
    await desk.play("ben", match_id, "1.1", "bid 1")
    await watcher.reaches(3)
    assert watcher.versions == [1, 2, 3]


async def test_watchers_hear_of_moves_made_by_another_process(
    tmp_path: Path, postgres_url: str
) -> None:
    async with open_desk(postgres_url) as here, open_desk(postgres_url) as there:
        match_id = await here.start(["ann", "ben"])
        watcher = Watcher(here, match_id, 1)
        await watcher.reaches(1)
        await there.play_on(match_id, moves=3)
        here.book.heard(match_id, 4)
        await watcher.reaches(4)
        await there.play_on(match_id)
        last = (await there.match(match_id)).version
        here.book.heard(match_id, last)
        assert (await watcher.ended()).reason == stream_pb2.END_REASON_COMPLETE
        assert watcher.versions == list(range(1, last + 1))


async def test_a_watcher_that_does_not_read_is_sent_away_and_can_resume(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "WAITING", 4)
    match_id = await desk.start(["ann", "ben"])
    slow = Watcher(desk, match_id, SPECTATOR)
    await slow.reaches(1)
    slow.read.clear()
    await desk.play_on(match_id, moves=8)
    live = await desk.book.current(match_id)
    slow.read.set()
    end = await slow.ended()
    assert end.reason == stream_pb2.END_REASON_TOO_SLOW
    assert slow.versions == list(range(1, end.resume_after + 1))
    assert end.resume_after < live.match.version
    resumed = Watcher(desk, match_id, SPECTATOR, end.resume_after)
    await resumed.reaches(live.match.version)
    assert resumed.versions == list(range(end.resume_after + 1, live.match.version + 1))


async def test_a_watch_that_must_end_says_where_to_go_on(desk: Desk) -> None:
    match_id = await desk.start(["ann", "ben"])
    watcher = Watcher(desk, match_id, 0)
    await watcher.reaches(1)
    await asyncio.sleep(0.5)
    assert watcher.messages[-1].heartbeat.reached == 1
    watcher.call.end(stream_pb2.END_REASON_DRAINING)
    end = await watcher.ended()
    assert (end.reason, end.resume_after) == (stream_pb2.END_REASON_DRAINING, 1)
    live = desk.book.cached(match_id)
    assert live is not None and not live.watched


async def test_the_cache_is_bounded_and_keeps_what_is_watched(database: Path) -> None:
    async with open_desk(f"sqlite:///{database}", capacity=5) as desk:
        ids = [await desk.start(["ann", "ben"]) for _ in range(3)]
        watchers = [Watcher(desk, match_id, SPECTATOR) for match_id in ids]
        for watcher in watchers:
            await watcher.reaches(1)
        for _ in range(12):
            await desk.start(["ann", "ben"])
            assert len(desk.book) <= 5
        assert all(desk.book.cached(match_id) for match_id in ids)


CHANGES = {
    "a record's body": ("records", "body"),
    "a record's hash": ("records", "hash"),
    "what is hidden": ("secrets", "value"),
    "a salt": ("secrets", "salt"),
}


@pytest.mark.parametrize("what", CHANGES)
async def test_a_flipped_byte_in_the_database_is_refused_by_name(database: Path, what: str) -> None:
    table, column = CHANGES[what]
    async with open_desk(f"sqlite:///{database}") as desk:
        match_id = await desk.start(["ann", "ben"])
        await desk.play_on(match_id, moves=3)
        version = 3 if table == "records" else 2
        other = await desk.start(["ann", "ben"])
        _flip(database, table, column, stream_of(match_id), version)
        desk.book._live.clear()
        with pytest.raises(LogDamaged) as refusal:
            await desk.play("ann", match_id, "1.0", "bid 0")
        assert f"record {version}" in refusal.value.message
        assert refusal.value.code.name == "DATA_LOSS"
        assert (await desk.match(other)).version == 1


@pytest.mark.parametrize("what", CHANGES)
async def test_a_flipped_byte_is_refused_in_a_match_that_is_in_memory_too(
    database: Path, what: str
) -> None:
    """Its past is read from the log, and must not be shown as if nothing had happened to it."""
    table, column = CHANGES[what]
    async with open_desk(f"sqlite:///{database}") as desk:
        match_id = await desk.start(["ann", "ben"])
        await desk.play_on(match_id, moves=3)
        version = 3 if table == "records" else 2
        match = await desk.match(match_id)
        assert len(await desk.book.steps(match, 0, 10)) == match.version
        _flip(database, table, column, stream_of(match_id), version)
        with pytest.raises(LogDamaged, match=f"record {version}"):
            await desk.book.steps(match, 0, 10)


def _flip(database: Path, table: str, column: str, stream: str, version: int) -> None:
    """What a person with access to the file could do."""
    with sqlite3.connect(database) as connection:
        connection.execute(f"DROP TRIGGER {table}_no_update")
        row = connection.execute(
            f"SELECT rowid, {column} FROM {table} WHERE stream = ? AND version = ?",
            (stream, version),
        ).fetchone()
        value = row[1]
        if isinstance(value, bytes):
            changed: bytes | str = value[:-2] + bytes([value[-2] ^ 1]) + value[-1:]
        else:
            changed = ("0" if value[0] != "0" else "1") + value[1:]
        connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (changed, row[0]))


async def test_a_match_that_ended_without_being_closed_is_closed_when_opened(desk: Desk) -> None:
    match_id = await desk.start(["ann", "ben"])
    match = await desk.match(match_id)
    while True:
        decision = match.decisions()[0]
        made = play(match, decision.seat, "ann", decision.options[-1].notation, 0, decision.id)
        await desk.store.append(Append(stream_of(match_id), match.version, (made.record,)))
        match = made.match
        if match.ended:
            break
    desk.book._live.clear()
    closed = await desk.match(match_id)
    assert closed.closed is not None and closed.version == match.version + 1
    desk.book._live.clear()
    assert (await desk.match(match_id)).head == closed.head
