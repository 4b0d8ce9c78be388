"""The fold of the rules' log into sheets, results and ratings.

Entries and the position after them are committed in one transaction, so whatever is delivered
twice, or dies half-way, takes effect exactly once; and the same log always gives the same rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import msgspec
from sqlalchemy import Connection, Engine

from services.scoring import rows
from services.scoring.count import (
    AGREES,
    DISAGREES,
    PENDING,
    UNCOUNTED,
    Count,
    Entry,
    closing,
    recount,
)
from services.scoring.live import LiveMatches
from services.scoring.ratings import counted_seats
from services.scoring.tables import FOLDED
from shared.engine.data import decode
from shared.engine.errors import BadPayload
from shared.engine.game import Game, Standing
from shared.engine.match import CLOSED, RESIGNED, MatchClosed, MatchCreated
from shared.engine.record import Record, open_record
from shared.platform.logging import get_logger
from shared.platform.store import LogEntry

MATCHES = "match-"
"""How the streams of rules begin that are matches."""

log = get_logger("scoring")


class Overtaken(Exception):
    """Another process has moved the position meanwhile; nothing of this was kept."""


class Projection:
    """All writing to scoring's database. One call at a time, and not on the event loop's thread."""

    def __init__(self, writer: Engine, games: Mapping[str, Game], live_matches: int) -> None:
        self._writer = writer
        self._games = games
        self._live = LiveMatches(games, live_matches)

    def progress(self) -> tuple[str, int]:
        """Which log was followed, and up to which position."""
        with self._writer.begin() as connection:
            row = connection.execute(rows.GET_PROGRESS).one()
        return str(row.epoch), int(row.position)

    def apply(self, entries: Sequence[LogEntry], epoch: str) -> None:
        """Fold the entries that follow the position, all or none.

        Raises `Overtaken`, `BadPayload` for bytes that are no record, or the database's error.
        """
        try:
            with self._writer.begin() as connection:
                _move(connection, entries[0].position - 1, entries[-1].position, epoch)
                self._fold(connection, entries)
        except BaseException:
            for entry in entries:
                self._live.forget(_match_of(entry))
            raise
        self._live.trim()

    def put_aside(self, entry: LogEntry, error: Exception, epoch: str) -> None:
        """Note an entry that cannot be applied, and go on behind it."""
        with self._writer.begin() as connection:
            _move(connection, entry.position - 1, entry.position, epoch)
            note = {
                "position": entry.position, "stream": entry.stream, "version": entry.version,
                "problem": f"{type(error).__name__}: {error}",
            }  # fmt: skip
            connection.execute(rows.PUT_DEAD_LETTER, note)

    def forget_all(self) -> None:
        """Empty everything; the log is then folded again from its start."""
        with self._writer.begin() as connection:
            for table in FOLDED:
                connection.execute(table.delete())
            connection.execute(rows.RESET_PROGRESS)
        self._live.forget_all()

    def _fold(self, connection: Connection, entries: Sequence[LogEntry]) -> None:
        """Fold entries; rows that can wait are written together."""
        running: set[str] = set()
        unwritten: list[dict[str, Any]] = []

        def kept(match_id: str) -> list[Entry]:
            if unwritten:
                connection.execute(rows.PUT_RECORD, unwritten)
                unwritten.clear()
            return rows.kept_records(connection, match_id)

        for entry in entries:
            if not entry.stream.startswith(MATCHES):
                continue  # the commitment to a seed says nothing about points
            record, match_id = open_record(entry.body), _match_of(entry)
            if record.type == CLOSED:
                self._finish(connection, entry, record, kept(match_id))
                self._live.forget(match_id, for_good=True)
                running.discard(match_id)
                continue
            self._live.take(match_id, record, entry.hash, partial(kept, match_id))
            key = {"match_id": match_id, "version": entry.version}
            unwritten.append({**key, "body": entry.body, "hash": entry.hash})
            running.add(match_id)
        if unwritten:
            connection.execute(rows.PUT_RECORD, unwritten)
        sheets = [row for match_id in sorted(running) if (row := self._live_sheet(match_id))]
        if sheets:
            connection.execute(rows.PUT_SHEET, sheets)

    def _live_sheet(self, match_id: str) -> dict[str, Any] | None:
        counted = self._live.count(match_id)
        if counted is None:
            return None
        match, count = counted
        return rows.sheet_row(match_id, match.created, match.version, count, PENDING)

    def _finish(
        self, connection: Connection, entry: LogEntry, record: Record, kept: Sequence[Entry]
    ) -> None:
        """Count a closed match anew; rate it only if rules comes to the same."""
        match_id = _match_of(entry)
        records = [*kept, (entry.body, entry.hash)]
        connection.execute(rows.DROP_RECORDS, {"match_id": match_id})
        closed = closing(record)
        created, resigned = _terms(records)
        verdict = recount(self._games, records, closed)
        if verdict.agreement == DISAGREES:
            log.critical(
                "RULES AND SCORING DISAGREE about a final score; the match is not rated",
                match=match_id, problem=verdict.problem,
            )  # fmt: skip
        if verdict.agreement == UNCOUNTED:
            log.error(
                "a match of another installation is over; it is rated when scoring is rebuilt "
                "where its edition is installed",
                match=match_id, problem=verdict.problem,
            )  # fmt: skip
        count = verdict.own or Count(rows.sheet_lines(connection, match_id), closed.standings)
        sheet = rows.sheet_row(
            match_id, created, record.version, count,
            verdict.agreement, verdict.problem, final=True,
        )  # fmt: skip
        connection.execute(rows.PUT_SHEET, sheet)
        counted = counted_seats([seat.account for seat in created.seats])
        worth = verdict.agreement == AGREES and len(counted) > 1
        if not rows.put_result(
            connection, match_id, entry.position, created, record.at, closed.reason,
            verdict.agreement, worth,
        ):  # fmt: skip
            return
        standings = _by_seat(created, closed)
        for seat, one in zip(created.seats, standings, strict=True):
            rows.put_result_seat(
                connection, match_id, seat, one, one.seat in resigned, one.seat in counted
            )
        if worth:
            ranked = [
                (created.seats[one.seat].account, one.rank)
                for one in standings
                if one.seat in counted
            ]
            rows.rate(connection, created.game, ranked)


def _move(connection: Connection, before: int, position: int, epoch: str) -> None:
    """Claim the entries up to a position; their effects are committed with it or not at all."""
    moved = connection.execute(
        rows.MOVE_PROGRESS, {"before": before, "position": position, "epoch": epoch}
    )
    if moved.rowcount != 1:
        raise Overtaken(f"position {before + 1} is not next; is another process at work?")


def _match_of(entry: LogEntry) -> str:
    return entry.stream.removeprefix(MATCHES)


def _terms(records: Sequence[Entry]) -> tuple[MatchCreated, frozenset[int]]:
    """What the match was created with, and the seats that gave up. Raises `BadPayload`."""
    first = open_record(records[0][0])
    try:
        facts = msgspec.json.decode(first.facts, type=list[msgspec.Raw])
        created = decode(facts[0], MatchCreated)
    except (msgspec.MsgspecError, IndexError) as error:
        raise BadPayload(f"record {first.version} does not create a match: {error}") from error
    opened = (open_record(body) for body, _ in records)
    return created, frozenset(record.seat for record in opened if record.type == RESIGNED)


def _by_seat(created: MatchCreated, closed: MatchClosed) -> list[Standing]:
    """The standings that rules wrote, by seat. Raises `BadPayload` if a seat has none."""
    standings = sorted(closed.standings, key=lambda one: one.seat)
    if [one.seat for one in standings] != list(range(len(created.seats))):
        raise BadPayload("the closing record does not rank every seat once")
    return standings
