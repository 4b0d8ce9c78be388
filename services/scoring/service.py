"""Scoring's RPCs: each reads the request, asks, and answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from protos.tallystick.scoring.v1 import scoring_pb2 as pb
from protos.tallystick.scoring.v1 import scoring_pb2_grpc
from services.scoring.count import AGREES, DISAGREES, PENDING, UNCOUNTED
from services.scoring.queries import Figures, Queries, Rated, Result, Sheet
from shared.engine.game import Game, installed
from shared.platform.rpc.call import caller
from shared.platform.rpc.errors import InvalidArgument, NotFound
from shared.platform.rpc.policy import ACCOUNT, Policy

PAGE, MAX_PAGE = 50, 200
LONGEST_NAME = 128
MAX_ROWS_BEFORE = 1_000_000

SCORING_POLICIES: Mapping[str, Policy] = dict.fromkeys(
    ("GetScoreSheet", "ListResults", "GetRating", "GetLeaderboard", "GetPlayerStatistics"), ACCOUNT
)

AGREEMENT: Mapping[str, pb.Agreement] = {
    PENDING: pb.AGREEMENT_PENDING,
    AGREES: pb.AGREEMENT_AGREES,
    DISAGREES: pb.AGREEMENT_DISAGREES,
    UNCOUNTED: pb.AGREEMENT_UNCOUNTED,
}

REASONS = {"played": "finished"}
"""Why a match ended, in the contract's words where they differ from the log's."""


class ScoringService(scoring_pb2_grpc.ScoringServiceServicer):
    """Tallystick's scores."""

    def __init__(self, queries: Queries, games: Mapping[str, Game]) -> None:
        self._queries = queries
        self._games = games

    async def GetScoreSheet(
        self, request: pb.GetScoreSheetRequest, context: Any
    ) -> pb.GetScoreSheetResponse:
        _words(match_id=request.match_id)
        sheet = await self._queries.sheet(request.match_id)
        if sheet is None:
            created = await self._queries.created(request.match_id)
            if created is not None:
                installed(self._games, created.game, created.edition)
            raise NotFound(
                "MATCH_NOT_FOUND",
                f"no score sheet of match {request.match_id!r}; a match that has just begun has "
                "one in a moment",
                match_id=request.match_id,
            )
        return pb.GetScoreSheetResponse(sheet=_sheet(sheet, self._reasons(sheet.game)))

    def _reasons(self, name: str) -> Mapping[str, str]:
        """The texts of a game's reasons, in any of its editions."""
        game = self._games.get(name)
        if game is None:
            return {}
        return {word: text for one in reversed(game.editions) for word, text in one.reasons.items()}

    async def ListResults(
        self, request: pb.ListResultsRequest, context: Any
    ) -> pb.ListResultsResponse:
        _words(account=request.account, game=request.game)
        size = _page_size(request.page_size)
        before = _number(request.page_token) if request.page_token else None
        found = await self._queries.results(request.account, request.game, before, size + 1)
        more = len(found) > size
        return pb.ListResultsResponse(
            results=map(_result, found[:size]),
            next_page_token=str(found[size - 1].position) if more else "",
        )

    async def GetRating(self, request: pb.GetRatingRequest, context: Any) -> pb.GetRatingResponse:
        _words(account=request.account, game=request.game)
        if not request.game:
            raise InvalidArgument("game", "say of which game")
        account = request.account or caller().account
        rated = await self._queries.rating(account, request.game)
        if rated is None:
            raise NotFound(
                "RATING_NOT_FOUND", f"{account} has no rated match of {request.game!r} yet"
            )
        return pb.GetRatingResponse(rating=_rating(rated))

    async def GetLeaderboard(
        self, request: pb.GetLeaderboardRequest, context: Any
    ) -> pb.GetLeaderboardResponse:
        _words(game=request.game)
        if not request.game:
            raise InvalidArgument("game", "say of which game")
        size = _page_size(request.page_size)
        offset = _number(request.page_token) if request.page_token else 0
        if offset > MAX_ROWS_BEFORE:
            raise InvalidArgument("page_token", "use the token of the page before")
        found = await self._queries.leaderboard(request.game, offset, size + 1)
        return pb.GetLeaderboardResponse(
            entries=[
                pb.LeaderboardEntry(rank=one.rank, rating=_rating(one)) for one in found[:size]
            ],
            next_page_token=str(offset + size) if len(found) > size else "",
        )

    async def GetPlayerStatistics(
        self, request: pb.GetPlayerStatisticsRequest, context: Any
    ) -> pb.GetPlayerStatisticsResponse:
        _words(account=request.account)
        found = await self._queries.figures(request.account or caller().account)
        return pb.GetPlayerStatisticsResponse(games=map(_figures, found))


def _sheet(sheet: Sheet, reasons: Mapping[str, str]) -> pb.ScoreSheet:
    return pb.ScoreSheet(
        match_id=sheet.match_id,
        game=sheet.game,
        version=sheet.version,
        final=sheet.final,
        lines=[
            pb.ScoreLine(
                seat=line.seat,
                reason=line.reason,
                reason_text=reasons.get(line.reason, line.reason),
                points=line.points,
            )
            for line in sheet.lines
        ],
        totals=[
            pb.SeatTotal(
                seat=one.seat,
                account=sheet.seats[one.seat].account,
                name=sheet.seats[one.seat].name,
                points=one.points,
                rank=one.rank,
            )
            for one in sorted(sheet.standings, key=lambda one: (one.rank, one.seat))
        ],
        agreement=AGREEMENT[sheet.agreement],
    )


def _result(result: Result) -> pb.Result:
    finished = Timestamp()
    finished.FromMilliseconds(result.finished_at)
    return pb.Result(
        match_id=result.match_id,
        game=result.game,
        edition=result.edition,
        finished_at=finished,
        totals=[pb.SeatTotal(**seat._asdict()) for seat in result.seats],
        reason=REASONS.get(result.reason, result.reason),
        agreement=AGREEMENT[result.agreement],
        rated=result.rated,
    )


def _rating(rated: Rated) -> pb.Rating:
    return pb.Rating(
        account=rated.account,
        game=rated.game,
        ordinal=rated.ordinal,
        mu=rated.mu,
        sigma=rated.sigma,
        matches=rated.matches,
    )


def _figures(one: Figures) -> pb.GameStatistics:
    return pb.GameStatistics(
        game=one.game,
        matches=one.matches,
        wins=one.wins,
        best_points=one.best_points,
        average_points=one.average_points,
        average_rank=one.average_rank,
        resigned=one.resigned,
        rating=_rating(one.rating) if one.rating else None,
    )


def _words(**fields: str) -> None:
    """Raises `InvalidArgument` for what no name looks like, and no database could look for."""
    for field, value in fields.items():
        if len(value) > LONGEST_NAME or not value.isprintable():
            raise InvalidArgument(field, f"at most {LONGEST_NAME} printable characters")


def _page_size(asked: int) -> int:
    if not 0 <= asked <= MAX_PAGE:
        raise InvalidArgument("page_size", f"it is 1 to {MAX_PAGE}, or 0 for {PAGE}")
    return asked or PAGE


def _number(token: str) -> int:
    if not token.isdecimal() or len(token) > 18:
        raise InvalidArgument("page_token", "use the token of the page before, or leave it empty")
    return int(token)
