"""The match index: folded from public records, made again from the log to the same rows."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from pathlib import Path

from services.rules.index import MatchIndex, Wanted
from services.rules.summary import Summary
from services.rules.turns import Turns
from shared.engine.match import Match
from tests.services.rules.desk import Desk, open_desk


async def caught_up(desk: Desk, turns: Turns) -> None:
    """Wait until all that is in the log is in the tables."""
    async with asyncio.timeout(30):
        while turns._position < await desk.store.last_position():
            await asyncio.sleep(0.02)
    await turns.flush()


async def follow(desk: Desk, index: MatchIndex) -> dict[str, Summary]:
    """What the index holds once it has read the log to its end."""
    turns = Turns(desk.store, index, desk.book.heard)
    running = asyncio.create_task(turns.run())
    try:
        await asyncio.sleep(0)
        await caught_up(desk, turns)
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    return {one.match: one for one in await index.page(Wanted("nobody", limit=1000))}


def asked(match: Match) -> tuple[str, ...]:
    return tuple(decision.id for decision in match.decisions())


async def test_the_index_says_what_the_matches_say_and_can_be_made_again(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'rules.sqlite3'}"
    choose = random.Random(11)
    async with open_desk(url) as desk:
        index = MatchIndex(url)
        await index.open()
        ids = [await desk.start(["ann", "ben", "cas"][: choose.randint(2, 3)]) for _ in range(12)]
        for round_ in range(3):
            for match_id in ids:
                await desk.play_on(match_id, choose.randrange(5), choose.randint(0, 9))
                if choose.random() < 0.5:
                    await desk.undo_if_possible(match_id)
                    await desk.undo_if_possible(match_id)
            match = await desk.match(ids[round_])
            if not match.ended:
                await desk.resign("ann", ids[round_])
            found = await follow(desk, index)
            assert found.keys() == set(ids)
            for match_id, summary in found.items():
                match = await desk.match(match_id)
                assert summary.version == match.version
                assert summary.over == (match.closed is not None)
                assert summary.asked == asked(match)
                assert summary.resigned == match.resigned
        assert any(one.over for one in found.values()) and any(one.asked for one in found.values())
        await index.forget()
        assert await index.page(Wanted("nobody")) == [] and await index.position() == 0
        assert await follow(desk, index) == found
        mine = await index.page(Wanted("cas", mine=True, limit=1000))
        assert {one.match for one in mine} == {
            one.match for one in found.values() if len(one.seats) == 3
        }
        await index.close()


async def test_an_unlisted_match_is_in_the_lists_of_its_players_only(database_url: str) -> None:
    async with open_desk(database_url) as desk:
        index = MatchIndex(database_url)
        await index.open()
        public = await desk.start(["ann", "ben"])
        private = await desk.start(["ann", "ben"], unlisted=True)
        robots = await desk.start(["bot-random", "bot-random"], ["random"] * 2, unlisted=True)
        for _ in range(2):
            assert (await follow(desk, index)).keys() == {public}
            for account, mine, seen in (
                ("ann", True, {public, private}), ("ann", False, {public, private}),
                ("eve", True, set()), ("eve", False, {public}), ("", False, {public}),
            ):  # fmt: skip
                page = await index.page(Wanted(account, mine))
                assert {one.match for one in page} == seen
            assert {one.match for one in await index.asking_bots()} == {robots}
            await index.forget()
        await index.close()


async def test_a_damaged_record_concerns_its_own_match_only(tmp_path: Path) -> None:
    """Rules as a whole used to stop at it, and at every start again."""
    file = tmp_path / "rules.sqlite3"
    async with open_desk(f"sqlite:///{file}") as desk:
        index = MatchIndex(f"sqlite:///{file}")
        await index.open()
        damaged, sound = await desk.start(["ann", "ben"]), await desk.start(["ann", "ben"])
        for match_id in (damaged, sound):
            await desk.play_on(match_id, moves=2)
        with sqlite3.connect(file) as database:
            database.execute("DROP TRIGGER records_no_update")
            database.execute(
                "UPDATE records SET body = '{' WHERE stream = ? AND version = 3",
                (f"match-{damaged}",),
            )
        found = await follow(desk, index)
        assert (found[damaged].version, found[sound].version) == (2, 3)
        await index.close()


async def test_processes_that_start_at_once_on_a_new_database_make_one_index(
    postgres_url: str,
) -> None:
    indexes = [MatchIndex(postgres_url) for _ in range(6)]
    try:
        await asyncio.gather(*(index.open() for index in indexes))
        assert [await index.position() for index in indexes] == [0] * 6
    finally:
        for index in indexes:
            await index.close()
