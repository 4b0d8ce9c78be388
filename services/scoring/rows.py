"""Rows of scoring's tables: how what was folded is written down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, text

from services.scoring.count import Count, Entry
from services.scoring.ratings import Skill, rated
from shared.engine.data import encode
from shared.engine.game import ScoreLine, Standing
from shared.engine.match import MatchCreated, Seat

GET_PROGRESS = text("SELECT epoch, position FROM progress WHERE id = 1")
MOVE_PROGRESS = text(
    "UPDATE progress SET epoch = :epoch, position = :position WHERE id = 1 AND position = :before"
)
RESET_PROGRESS = text("UPDATE progress SET epoch = '', position = 0 WHERE id = 1")
PUT_RECORD = text("INSERT INTO live_records VALUES (:match_id, :version, :body, :hash)")
GET_RECORDS = text(
    "SELECT body, hash FROM live_records WHERE match_id = :match_id ORDER BY version"
)
DROP_RECORDS = text("DELETE FROM live_records WHERE match_id = :match_id")
PUT_SHEET = text("""
INSERT INTO sheets VALUES (
    :match_id, :game, :version, :final, :agreement, :problem, :seats, :lines, :standings
) ON CONFLICT (match_id) DO UPDATE SET
    version = excluded.version, final = excluded.final, agreement = excluded.agreement,
    problem = excluded.problem, lines = excluded.lines, standings = excluded.standings
""")
GET_LINES = text("SELECT lines FROM sheets WHERE match_id = :match_id")
PUT_RESULT = text("""
INSERT INTO results VALUES (
    :match_id, :position, :game, :edition, :finished_at, :reason, :agreement, :rated
) ON CONFLICT DO NOTHING
""")
PUT_RESULT_SEAT = text("""
INSERT INTO result_seats VALUES (
    :match_id, :seat, :account, :name, :points, :rank, :resigned, :counted
)
""")
GET_RATING = text(
    "SELECT mu, sigma, matches FROM ratings WHERE game = :game AND account = :account"
)
PUT_RATING = text("""
INSERT INTO ratings VALUES (:game, :account, :mu, :sigma, :ordinal, :matches)
ON CONFLICT (game, account) DO UPDATE SET
    mu = excluded.mu, sigma = excluded.sigma, ordinal = excluded.ordinal,
    matches = excluded.matches
""")
PUT_DEAD_LETTER = text("INSERT INTO dead_letters VALUES (:position, :stream, :version, :problem)")


def kept_records(connection: Connection, match_id: str) -> list[Entry]:
    """The public records of a running match, oldest first."""
    rows = connection.execute(GET_RECORDS, {"match_id": match_id})
    return [(bytes(body), hash_) for body, hash_ in rows]


def sheet_row(
    match_id: str,
    created: MatchCreated,
    version: int,
    count: Count,
    agreement: str,
    problem: str = "",
    final: bool = False,
) -> dict[str, Any]:
    """The sheet of a match as it now is, for `PUT_SHEET`."""
    return {
        "match_id": match_id, "game": created.game, "version": version, "final": final,
        "agreement": agreement, "problem": problem, "seats": encode(created.seats),
        "lines": encode(count.lines), "standings": encode(count.standings),
    }  # fmt: skip


def sheet_lines(connection: Connection, match_id: str) -> tuple[ScoreLine, ...]:
    """The lines that the sheet has now."""
    row = connection.execute(GET_LINES, {"match_id": match_id}).first()
    return () if row is None else msgspec.json.decode(bytes(row[0]), type=tuple[ScoreLine, ...])


def put_result(
    connection: Connection,
    match_id: str,
    position: int,
    created: MatchCreated,
    finished_at: int,
    reason: str,
    agreement: str,
    rated: bool,
) -> bool:
    """The result of a match, once; False if it was there already."""
    put = connection.execute(
        PUT_RESULT,
        {
            "match_id": match_id, "position": position, "game": created.game,
            "edition": created.edition, "finished_at": finished_at, "reason": reason,
            "agreement": agreement, "rated": rated,
        },
    )  # fmt: skip
    return put.rowcount == 1


def put_result_seat(
    connection: Connection,
    match_id: str,
    seat: Seat,
    standing: Standing,
    resigned: bool,
    counted: bool,
) -> None:
    """How one seat ended."""
    connection.execute(
        PUT_RESULT_SEAT,
        {
            "match_id": match_id, "seat": standing.seat, "account": seat.account,
            "name": seat.name, "points": standing.points, "rank": standing.rank,
            "resigned": resigned, "counted": counted,
        },
    )  # fmt: skip


def rate(connection: Connection, game: str, ranked: Sequence[tuple[str, int]]) -> None:
    """New ratings after a match: accounts with their final ranks."""
    before = [_skill(connection, game, account) for account, _ in ranked]
    after = rated(before, [rank for _, rank in ranked])
    for (account, _), skill in zip(ranked, after, strict=True):
        connection.execute(
            PUT_RATING,
            {
                "game": game, "account": account, "mu": skill.mu, "sigma": skill.sigma,
                "ordinal": skill.ordinal, "matches": skill.matches,
            },
        )  # fmt: skip


def _skill(connection: Connection, game: str, account: str) -> Skill:
    row = connection.execute(GET_RATING, {"game": game, "account": account}).first()
    return Skill() if row is None else Skill(*row)
