"""Scoring as clients see it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from grpc import StatusCode

from protos.tallystick.scoring.v1 import scoring_pb2 as pb
from tests.services.refusals import refused
from tests.services.scoring.matches import Play, interleaved, played
from tests.services.scoring.test_fold import season
from tests.services.scoring.world import Scoring, Served, served

INVALID = StatusCode.INVALID_ARGUMENT


@pytest.fixture
async def world(scoring: Scoring, tmp_path: Path) -> AsyncIterator[Served]:
    async with served(tmp_path, scoring.queries) as made:
        yield made


async def test_a_sheet_says_in_english_where_the_points_come_from(
    scoring: Scoring, world: Served
) -> None:
    play = Play("m", ("ada", "bob")).steps(6)
    scoring.fold(play.records)
    client = await world.client("anyone")
    sheet = (await client.GetScoreSheet(pb.GetScoreSheetRequest(match_id="m"))).sheet
    assert (sheet.game, sheet.version, sheet.final) == ("harbour", 7, False)
    assert sheet.agreement == pb.AGREEMENT_PENDING
    assert {line.reason_text for line in sheet.lines} == {"Houses", "Coins"}
    for total in sheet.totals:
        assert total.points == sum(x.points for x in sheet.lines if x.seat == total.seat)
    scoring.fold(play.to_the_end().records[7:])
    sheet = (await client.GetScoreSheet(pb.GetScoreSheetRequest(match_id="m"))).sheet
    assert sheet.final and sheet.agreement == pb.AGREEMENT_AGREES
    assert [t.rank for t in sheet.totals] == sorted(t.rank for t in sheet.totals)
    assert {(t.account, t.name) for t in sheet.totals} == {("ada", "Ada"), ("bob", "Bob")}
    with refused(StatusCode.NOT_FOUND, "MATCH_NOT_FOUND"):
        await client.GetScoreSheet(pb.GetScoreSheetRequest(match_id="nowhere"))
    with refused(INVALID, "INVALID_FIELD", "printable"):
        await client.GetScoreSheet(pb.GetScoreSheetRequest(match_id="no\0where"))


async def test_results_come_in_pages_newest_first(scoring: Scoring, world: Served) -> None:
    scoring.fold(interleaved(season()), 100)
    client = await world.client("ada")
    found: list[pb.Result] = []
    token = ""
    while True:
        page = await client.ListResults(pb.ListResultsRequest(page_size=3, page_token=token))
        found += page.results
        token = page.next_page_token
        if not token:
            break
    assert len({result.match_id for result in found}) == len(found) == 8
    reasons = {result.match_id: result.reason for result in found}
    assert reasons["m1"] == "finished" and reasons["m8"] == "resigned"
    assert not next(r for r in found if r.match_id == "m4").rated
    mine = await client.ListResults(pb.ListResultsRequest(account="cyd"))
    assert {r.match_id for r in mine.results} == {"m2", "m6", "m7"}
    assert not (await client.ListResults(pb.ListResultsRequest(game="other"))).results
    for wrong in (
        {"page_size": 201}, {"page_size": -1}, {"page_token": "x"}, {"game": "a\0b"},
        {"account": "x" * 129},
    ):  # fmt: skip
        with refused(INVALID, "INVALID_FIELD"):
            await client.ListResults(pb.ListResultsRequest(**wrong))


async def test_ratings_leaderboard_and_figures_agree(scoring: Scoring, world: Served) -> None:
    scoring.fold(interleaved(season()), 100)
    client = await world.client("ada")
    first = await client.GetLeaderboard(pb.GetLeaderboardRequest(game="harbour", page_size=4))
    rest = await client.GetLeaderboard(
        pb.GetLeaderboardRequest(game="harbour", page_token=first.next_page_token)
    )
    entries = [*first.entries, *rest.entries]
    assert len({entry.rating.account for entry in entries}) == len(entries) == 6
    assert rest.next_page_token == ""
    own = (await client.GetRating(pb.GetRatingRequest(game="harbour"))).rating
    assert own == next(e.rating for e in entries if e.rating.account == "ada")
    assert own.ordinal == pytest.approx(own.mu - 3 * own.sigma)
    (figures,) = (await client.GetPlayerStatistics(pb.GetPlayerStatisticsRequest())).games
    assert figures.rating == own and figures.game == "harbour"
    results = (await client.ListResults(pb.ListResultsRequest(account="ada"))).results
    seats = [t for r in results for t in r.totals if t.account == "ada"]
    assert figures.matches == len(seats) == 6
    assert figures.wins == sum(seat.rank == 1 for seat in seats)
    assert figures.best_points == max(seat.points for seat in seats)
    assert figures.average_points == pytest.approx(sum(s.points for s in seats) / 6)
    assert figures.average_rank == pytest.approx(sum(s.rank for s in seats) / 6)
    with refused(StatusCode.NOT_FOUND, "RATING_NOT_FOUND"):
        await client.GetRating(pb.GetRatingRequest(game="harbour", account="nobody"))
    with refused(INVALID, "INVALID_FIELD", "which game"):
        await client.GetRating(pb.GetRatingRequest())
    with refused(INVALID, "INVALID_FIELD", "which game"):
        await client.GetLeaderboard(pb.GetLeaderboardRequest())
    nothing = pb.GetPlayerStatisticsRequest(account="nobody")
    assert not (await client.GetPlayerStatistics(nothing)).games


async def test_a_bot_that_holds_all_other_seats_has_one_row(
    scoring: Scoring, world: Served
) -> None:
    scoring.fold(played("m", "ada", "bot-random", "bot-random", "bot-random").records)
    client = await world.client("ada")
    board = await client.GetLeaderboard(pb.GetLeaderboardRequest(game="harbour"))
    assert {e.rating.account: e.rating.matches for e in board.entries} == {
        "ada": 1, "bot-random": 1
    }  # fmt: skip
    (figures,) = (
        await client.GetPlayerStatistics(pb.GetPlayerStatisticsRequest(account="bot-random"))
    ).games
    assert figures.matches == 1
