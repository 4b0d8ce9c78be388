"""Matches of an edition that is not here: kept, not rated, and counted once it is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from grpc import StatusCode

from protos.tallystick.scoring.v1 import scoring_pb2 as pb
from shared.engine.game import Game
from tests.engine.harbour import HARBOUR
from tests.engine.harbour_2 import BOTH, HARBOUR_2
from tests.services.refusals import refused
from tests.services.scoring.matches import Play, interleaved
from tests.services.scoring.world import append, scoring_over, served

ONLY_SECOND: Mapping[str, Game] = {"harbour": HARBOUR_2}
TOGETHER: Mapping[str, Game] = {"harbour": BOTH}


def a_season() -> list[Play]:
    """Two matches of each edition are over, one of each is running."""
    plays = []
    for edition, game in (("old", HARBOUR), ("new", HARBOUR_2)):
        for number in (1, 2):
            plays.append(Play(f"{edition}{number}", ("ada", "bob"), number, game).to_the_end())
        plays.append(Play(f"{edition}3", ("ada", "bob"), 3, game).steps(4))
    return plays


async def test_they_are_kept_and_not_rated_and_a_rebuild_with_the_edition_counts_them(
    database_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = interleaved(a_season())
    async with (
        scoring_over(database_url, games=ONLY_SECOND) as lacking,
        served(tmp_path, lacking.queries, ONLY_SECOND) as world,
    ):
        await append(world.store, log)
        following = await world.follower(lacking.projection)
        assert await following.rebuild() == len(log)
        assert not lacking.rows()["dead_letters"]
        client = await world.client("ada")
        results = (await client.ListResults(pb.ListResultsRequest())).results
        found = {one.match_id: (one.agreement, one.rated) for one in results}
        assert found == {
            **dict.fromkeys(("old1", "old2"), (pb.AGREEMENT_UNCOUNTED, False)),
            **dict.fromkeys(("new1", "new2"), (pb.AGREEMENT_AGREES, True)),
        }
        sheet = (await client.GetScoreSheet(pb.GetScoreSheetRequest(match_id="old1"))).sheet
        assert sheet.final and sheet.agreement == pb.AGREEMENT_UNCOUNTED and sheet.totals
        running = (await client.GetScoreSheet(pb.GetScoreSheetRequest(match_id="new3"))).sheet
        assert "Stone houses" in {line.reason_text for line in running.lines}
        with refused(StatusCode.FAILED_PRECONDITION, "EDITION_NOT_INSTALLED", "edition '1'"):
            await client.GetScoreSheet(pb.GetScoreSheetRequest(match_id="old3"))
    assert "DISAGREE" not in capsys.readouterr().out

    async with (
        scoring_over(database_url, games=TOGETHER) as complete,
        served(tmp_path, complete.queries, TOGETHER) as world,
    ):
        following = await world.follower(complete.projection)
        assert await following.rebuild() == len(log)
        results = (await (await world.client("ada")).ListResults(pb.ListResultsRequest())).results
        assert len(results) == 4
        assert all(one.rated and one.agreement == pb.AGREEMENT_AGREES for one in results)
        sheets = {row[0]: row for row in complete.rows()["sheets"]}
        assert sheets.keys() == {"old1", "old2", "old3", "new1", "new2", "new3"}
