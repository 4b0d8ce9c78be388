"""Reading what was folded: sheets, results, ratings, statistics."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, Engine, Executable, case, func, select

from services.scoring.count import AGREES
from services.scoring.tables import live_records, ratings, result_seats, results, sheets
from shared.engine.data import decode
from shared.engine.game import ScoreLine, Standing
from shared.engine.match import MatchCreated, Seat
from shared.engine.record import open_record

READERS = 4


class Sheet(NamedTuple):
    """The score sheet of a match."""

    match_id: str
    game: str
    version: int
    final: bool
    agreement: str
    seats: tuple[Seat, ...]
    lines: tuple[ScoreLine, ...]
    standings: tuple[Standing, ...]


class Rated(NamedTuple):
    """A rating and its place in the game's order, equal ratings sharing it."""

    account: str
    game: str
    ordinal: float
    mu: float
    sigma: float
    matches: int
    rank: int = 0


class Figures(NamedTuple):
    """What an account has done in one game, and how it is rated."""

    game: str
    matches: int
    wins: int
    best_points: int
    average_points: float
    average_rank: float
    resigned: int
    rating: Rated | None


class SeatResult(NamedTuple):
    """How one seat ended."""

    seat: int
    account: str
    name: str
    points: int
    rank: int


class Result(NamedTuple):
    """A finished match; `position` orders them."""

    match_id: str
    position: int
    game: str
    edition: str
    finished_at: int
    reason: str
    agreement: str
    rated: bool
    seats: tuple[SeatResult, ...]


class Queries:
    """Questions to scoring's database, from any task."""

    def __init__(self, readers: Engine) -> None:
        self._engine = readers
        self._threads = ThreadPoolExecutor(READERS, thread_name_prefix="scoring-reader")

    async def close(self) -> None:
        """Let go of the database."""
        await asyncio.to_thread(self._threads.shutdown)
        self._engine.dispose()

    async def sheet(self, match_id: str) -> Sheet | None:
        """The sheet of a match."""
        found = await self._all(
            select(
                sheets.c.match_id, sheets.c.game, sheets.c.version, sheets.c.final,
                sheets.c.agreement, sheets.c.seats, sheets.c.lines, sheets.c.standings,
            ).where(sheets.c.match_id == match_id)
        )  # fmt: skip
        if not found:
            return None
        *plain, seats, lines, standings = found[0]
        counted = (
            decode(bytes(seats), tuple[Seat, ...]),
            decode(bytes(lines), tuple[ScoreLine, ...]),
            decode(bytes(standings), tuple[Standing, ...]),
        )
        return Sheet._make((*plain, *counted))

    async def created(self, match_id: str) -> MatchCreated | None:
        """How a running match began, if anything is kept of it."""
        found = await self._all(
            select(live_records.c.body).where(
                live_records.c.match_id == match_id, live_records.c.version == 1
            )
        )
        if not found:
            return None
        facts = decode(open_record(bytes(found[0][0])).facts, list[msgspec.Raw])
        return decode(facts[0], MatchCreated)

    async def results(
        self, account: str, game: str, before: int | None, limit: int
    ) -> list[Result]:
        """Finished matches, newest first, those before a position."""
        query = select(results).order_by(results.c.position.desc()).limit(limit)
        if account:
            mine = select(result_seats.c.match_id).where(result_seats.c.account == account)
            query = query.where(results.c.match_id.in_(mine))
        if game:
            query = query.where(results.c.game == game)
        if before is not None:
            query = query.where(results.c.position < before)
        return list(await self._run(lambda connection: _with_seats(connection, query)))

    async def rating(self, account: str, game: str) -> Rated | None:
        """One account's rating in one game."""
        query = _rated().where(ratings.c.account == account, ratings.c.game == game)
        found = await self._all(query)
        return Rated(*found[0]) if found else None

    async def leaderboard(self, game: str, offset: int, limit: int) -> list[Rated]:
        """The best of a game, best first."""
        place = func.rank().over(order_by=ratings.c.ordinal.desc())
        query = _rated().add_columns(place).where(ratings.c.game == game)
        query = query.order_by(ratings.c.ordinal.desc(), ratings.c.account)
        return [Rated(*row) for row in await self._all(query.offset(offset).limit(limit))]

    async def figures(self, account: str) -> list[Figures]:
        """An account's figures, by game; matches that were counted differently are left out."""
        seat = result_seats.c
        query = (
            select(
                results.c.game,
                func.count(),
                func.sum(_one_if(seat.rank == 1)),
                func.max(seat.points),
                func.sum(seat.points),
                func.sum(seat.rank),
                func.sum(_one_if(seat.resigned)),
            )
            .join(results, results.c.match_id == seat.match_id)
            .where(seat.account == account, seat.counted, results.c.agreement == AGREES)
            .group_by(results.c.game)
            .order_by(results.c.game)
        )
        found = await self._all(query)
        rated = {
            row.game: Rated(*row)
            for row in await self._all(_rated().where(ratings.c.account == account))
        }
        return [
            Figures(
                game, matches, int(wins), int(best), int(points) / matches, int(ranks) / matches,
                int(resigned), rated.get(game),
            )
            for game, matches, wins, best, points, ranks, resigned in found
        ]  # fmt: skip

    async def _all(self, query: Executable) -> Sequence[Any]:
        rows: Sequence[Any] = await self._run(lambda connection: connection.execute(query).all())
        return rows

    async def _run(self, work: Callable[[Connection], Any]) -> Any:
        def ask() -> Any:
            with self._engine.connect() as connection:
                return work(connection)

        return await asyncio.get_running_loop().run_in_executor(self._threads, ask)


def _one_if(condition: Any) -> Any:
    return case((condition, 1), else_=0)


def _rated() -> Any:
    r = ratings.c
    return select(r.account, r.game, r.ordinal, r.mu, r.sigma, r.matches)


def _with_seats(connection: Connection, query: Executable) -> list[Result]:
    found: Sequence[Any] = connection.execute(query).all()
    seats = result_seats.c
    rows = connection.execute(
        select(seats.match_id, seats.seat, seats.account, seats.name, seats.points, seats.rank)
        .where(seats.match_id.in_([row.match_id for row in found]))
        .order_by(seats.rank, seats.seat)
    )
    by_match: dict[str, list[SeatResult]] = {}
    for match_id, *seat in rows:
        by_match.setdefault(match_id, []).append(SeatResult(*seat))
    return [Result._make((*row, tuple(by_match.get(row.match_id, ())))) for row in found]
