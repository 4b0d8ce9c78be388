"""The fold: every record once, the same rows however they came, and no rating in doubt."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text

from services.scoring.live import LiveMatches
from services.scoring.projection import Overtaken
from services.scoring.tables import SCHEMA_TABLE, metadata
from shared.engine.data import encode, replace
from shared.engine.errors import BadPayload
from shared.engine.match import MatchClosed
from shared.engine.record import GENESIS, SCHEMA, Record, Sealed, open_record, seal
from shared.platform.store import LogEntry
from tests.services.scoring.matches import Play, interleaved, played, with_other_standings
from tests.services.scoring.world import Scoring, entries_of, scoring_over


def season() -> list[Play]:
    """Ten matches of two to four, bots among them, some given up, two still running."""
    plays = [
        played("m1", "ada", "bob"),
        played("m2", "ada", "bob", "cyd"),
        played("m3", "ada", "bot-random", "bot-planner", "dan"),
        played("m4", "bot-random", "bot-random"),
        played("m5", "ada", "bot-random", "bot-random", "bot-random"),
        played("m6", "bob", "cyd"),
    ]
    quitter = Play("m7", ("ada", "bob", "cyd")).steps(5)
    quitter.resign(0)
    plays.append(quitter.to_the_end())
    short = Play("m8", ("ada", "bob")).steps(3)
    short.resign(1)
    plays.append(short.to_the_end())
    plays.append(Play("m9", ("ada", "bob")).steps(7))
    plays.append(Play("m10", ("cyd", "bob", "dan")).steps(4))
    return plays


async def test_the_migrations_make_the_tables_that_are_read(scoring: Scoring) -> None:
    with scoring.engine.connect() as connection:
        options = {"version_table": SCHEMA_TABLE, "compare_type": True}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, metadata) == []


async def test_commitments_to_seeds_are_passed_by(scoring: Scoring) -> None:
    """They stand in the log before the matches, and some are never followed by one."""
    records = interleaved(season())
    seeds = [sealed_commitment(f"m{number}") for number in range(1, 20)]
    mixed = [one for pair in zip(seeds, records, strict=False) for one in pair]
    mixed += records[len(seeds) :]
    scoring.fold(mixed, batch=5)
    assert scoring.projection.progress()[1] == len(mixed)
    with_seeds = scoring.rows()
    assert with_seeds["dead_letters"] == []
    scoring.projection.forget_all()
    scoring.fold(records, batch=5)
    without = scoring.rows()
    for name in ("live_records", "sheets", "result_seats", "ratings"):
        assert with_seeds[name] == without[name] != [], name


def sealed_commitment(table_id: str) -> Sealed:
    """What rules writes when a table opens."""
    facts = msgspec.Raw(encode([{"@type": "SeedCommitted", "commitment": "0" * 64}]))
    return seal(
        Record(
            f"seed-{table_id}", 1, "committed", SCHEMA, "", "system", -1, "", facts, (), False,
            "", 1, GENESIS,
        )
    )  # fmt: skip


@pytest.mark.parametrize("batch", [7, 500])
async def test_batches_and_a_rebuild_give_every_row_again(scoring: Scoring, batch: int) -> None:
    records = interleaved(season())
    scoring.fold(records)
    first = scoring.rows()
    assert {name: len(found) for name, found in first.items()} == {
        "live_records": 13, "sheets": 10, "results": 8, "result_seats": 22, "ratings": 6,
        "dead_letters": 0,
    }  # fmt: skip
    scoring.projection.forget_all()
    assert not any(scoring.rows().values())
    scoring.fold(records, batch)
    assert scoring.rows() == first


async def test_cold_matches_are_folded_again_from_what_was_kept(
    scoring: Scoring, tmp_path: Path
) -> None:
    records = interleaved(season())
    scoring.fold(records)
    async with scoring_over(f"sqlite:///{tmp_path / 'cold.db'}", live_matches=1) as cold:
        cold.fold(records)
        assert cold.rows() == scoring.rows()


async def test_two_databases_give_the_same_rows(
    database_url: str, scoring: Scoring, tmp_path: Path
) -> None:
    records = interleaved(season())
    scoring.fold(records, 50)
    async with scoring_over(f"sqlite:///{tmp_path / 'other.db'}") as other:
        other.fold(records, 50)
        assert other.rows() == scoring.rows()


async def test_live_sheets_follow_the_match_move_by_move(light: Scoring) -> None:
    play = Play("m", ("ada", "bob"))
    light.fold(play.records)
    while play.match.ended is None:
        play.step()
        light.fold(play.records[-1:])
        sheet = await light.queries.sheet("m")
        assert sheet is not None and not sheet.final and sheet.agreement == "pending"
        assert sheet.version == play.match.version
        # Harbour scores open things only, so a spectator's sheet is the true one.
        assert sheet.lines == play.match.game.score(play.match.content, play.match.state)
        assert sheet.standings == play.match.standings()
    play.step()
    light.fold(play.records[-1:])
    final = await light.queries.sheet("m")
    assert final is not None and final.final and final.agreement == "agrees"
    assert final.standings == play.match.standings()
    assert light.rows()["live_records"] == []


async def test_an_undo_takes_points_back(light: Scoring) -> None:
    from shared.engine.acts import undo

    play = Play("m", ("ada", "bob"))
    while True:
        before = play.match
        play.step()
        seat = play.match.trail_seat
        if play.match.undo_to(seat) is not None and play.match.state != before.state:
            break
        assert play.match.ended is None, "no undo in this match"
    made = undo(play.match, seat, "x", before.version, play.at)
    light.fold([*play.records, made.record])
    sheet = await light.queries.sheet("m")
    assert sheet is not None and sheet.version == made.match.version
    assert sheet.standings == before.standings()


async def test_nothing_is_applied_twice_or_out_of_order(scoring: Scoring) -> None:
    entries = entries_of(interleaved(season()))
    half = len(entries) // 2
    for entry in entries[:half]:
        scoring.projection.apply((entry,), "epoch")
    before = scoring.rows()
    for wrong in (entries[half - 1], entries[0], entries[half + 1]):
        with pytest.raises(Overtaken):
            scoring.projection.apply((wrong,), "epoch")
    with pytest.raises(Overtaken):
        scoring.projection.apply(entries[half - 1 : half + 1], "epoch")
    assert scoring.rows() == before and scoring.projection.progress() == ("epoch", half)
    scoring.projection.apply(entries[half:], "epoch")
    whole = scoring.rows()
    scoring.projection.forget_all()
    scoring.projection.apply(entries, "epoch")
    assert scoring.rows() == whole


async def test_a_transaction_that_fails_leaves_no_trace_in_memory_either(light: Scoring) -> None:
    play = Play("m", ("ada", "bob")).steps(4)
    entries = entries_of(play.records)
    light.projection.apply(entries[:2], "epoch")
    with light.engine.begin() as connection:
        connection.execute(text("ALTER TABLE sheets RENAME TO away"))
    with pytest.raises(Exception, match="sheets"):
        light.projection.apply(entries[2:4], "epoch")
    with light.engine.begin() as connection:
        connection.execute(text("ALTER TABLE away RENAME TO sheets"))
    light.projection.apply(entries[2:5], "epoch")
    sheet = await light.queries.sheet("m")
    assert sheet is not None and sheet.version == 5
    assert sheet.standings == play.match.standings()


async def test_the_same_result_again_changes_nothing(scoring: Scoring) -> None:
    """D52: a result is a row of its own; a second one for the match is none."""
    play = played("m1", "ada", "bob")
    scoring.fold(play.records)
    before = scoring.rows()
    scoring.fold(play.records)  # the same match again, at later positions
    assert scoring.rows() == before


def change_points(closed: MatchClosed) -> MatchClosed:
    first, *rest = closed.standings
    return replace(closed, standings=(replace(first, points=first.points + 1), *rest))


def change_ranks(closed: MatchClosed) -> MatchClosed:
    return replace(
        closed, standings=tuple(replace(one, rank=3 - one.rank) for one in closed.standings)
    )


def change_seed(closed: MatchClosed) -> MatchClosed:
    return replace(closed, seed="00" * 32)


def change_secret(closed: MatchClosed) -> MatchClosed:
    first, *rest = closed.openings
    secret = replace(first.secret, salt="00" * 32)
    return replace(closed, openings=(replace(first, secret=secret), *rest))


def change_nothing_known(closed: MatchClosed) -> MatchClosed:
    return replace(closed, openings=())


@pytest.mark.parametrize(
    "change", [change_points, change_ranks, change_seed, change_secret, change_nothing_known]
)
async def test_a_result_in_doubt_is_never_rated(
    light: Scoring, change: Any, caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    seed = next(
        seed for seed in range(50)
        if len({s.rank for s in played("m", "ada", "bob", seed=seed).match.standings()}) == 2
    )  # fmt: skip
    good = played("before", "ada", "bob")
    light.fold(good.records)
    rated = light.rows()["ratings"]
    light.fold(with_other_standings(played("m", "ada", "bob", seed=seed).records, change))
    assert "DISAGREE" in capsys.readouterr().out + caplog.text
    sheet = await light.queries.sheet("m")
    assert sheet is not None and sheet.final and sheet.agreement == "disagrees"
    rows = light.rows()
    assert rows["ratings"] == rated
    (result,) = [row for row in rows["results"] if row[0] == "m"]
    assert result[-2:] == ("disagrees", False)
    (figures,) = await light.queries.figures("ada")
    assert figures.matches == 1
    # And play goes on for everybody else.
    light.fold(played("after", "ada", "bob").records)
    assert light.rows()["ratings"] != rated


async def test_a_broken_running_match_keeps_nobody_else_from_being_counted(
    light: Scoring, capsys: pytest.CaptureFixture[str]
) -> None:
    play = Play("m", ("ada", "bob")).steps(6)
    broken = open_record(play.records[3].body)
    strange = seal(replace(broken, facts=type(broken.facts)(b'[{"@type":"Nonsense"}]')))
    records = [*play.records[:3], strange, *play.records[4:]]
    light.fold(records)
    assert "cannot be counted" in capsys.readouterr().out
    sheet = await light.queries.sheet("m")
    assert sheet is not None and sheet.version == 3
    light.fold(played("other", "ada", "bob").records)
    other = await light.queries.sheet("other")
    assert other is not None and other.agreement == "agrees"
    play.to_the_end()
    light.fold([*play.records[len(records) :]])
    final = await light.queries.sheet("m")
    assert final is not None and final.agreement == "disagrees"


async def test_bytes_that_are_no_record_are_put_aside(light: Scoring) -> None:
    play = played("m", "ada", "bob")
    entries = entries_of(play.records)
    light.projection.apply(entries[:1], "epoch")
    rubbish = LogEntry(2, "match-x", 1, "move", b"{", "00")
    with pytest.raises(BadPayload) as caught:
        light.projection.apply((rubbish,), "epoch")
    light.projection.put_aside(rubbish, caught.value, "epoch")
    assert [row[:3] for row in light.rows()["dead_letters"]] == [(2, "match-x", 1)]
    assert light.projection.progress() == ("epoch", 2)


async def test_ratings_hold_one_row_for_each_account(scoring: Scoring) -> None:
    scoring.fold(interleaved(season()), 20)
    board = await scoring.queries.leaderboard("harbour", 0, 100)
    accounts = Counter(one.account for one in board)
    assert set(accounts) == {"ada", "bob", "cyd", "dan", "bot-random", "bot-planner"}
    assert max(accounts.values()) == 1
    assert [one.ordinal for one in board] == sorted((one.ordinal for one in board), reverse=True)
    ordinals = [one.ordinal for one in board]
    assert [one.rank for one in board] == [1 + sum(o > x for o in ordinals) for x in ordinals]
    # m4 pits one account against itself: nobody is rated. m5 rates one of the three seats.
    matches = {one.account: one.matches for one in board}
    assert matches == {
        "ada": 6, "bob": 5, "cyd": 3, "dan": 1, "bot-random": 2, "bot-planner": 1
    }  # fmt: skip
    rated = {row[0]: row[-1] for row in scoring.rows()["results"]}
    assert rated["m4"] in (0, False) and rated["m5"]


async def test_who_gave_up_ranks_last_and_pays_for_it(light: Scoring) -> None:
    play = Play("m", ("ada", "bob", "cyd")).steps(5)
    play.resign(0)
    light.fold(play.to_the_end().records)
    (result,) = await light.queries.results("", "", None, 10)
    assert result.seats[-1].account == "ada" and result.seats[-1].rank == 3
    board = await light.queries.leaderboard("harbour", 0, 10)
    assert board[-1].account == "ada" and board[-1].mu < 25
    (figures,) = await light.queries.figures("ada")
    assert figures.resigned == 1


async def test_a_match_of_a_game_that_is_not_here_is_kept_and_not_rated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with scoring_over(f"sqlite:///{tmp_path / 'bare.db'}") as bare:
        bare.projection._games = {}
        bare.projection._live = LiveMatches({}, 10)
        bare.fold(played("m", "ada", "bob").records)
        (result,) = await bare.queries.results("ada", "harbour", None, 10)
        assert result.agreement == "uncounted" and not result.rated
    assert "the games installed here are: none" in capsys.readouterr().out
