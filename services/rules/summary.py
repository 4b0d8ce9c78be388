"""What lists and turn watchers need to know of a match, folded from its public records alone."""

from __future__ import annotations

from typing import Any

import msgspec

from services.rules.rights import is_kept
from shared.engine.data import Data, decode, replace
from shared.engine.match import (
    CLOSED,
    CREATED,
    MOVE,
    RESIGNED,
    UNDO,
    MatchCreated,
    MovesUndone,
    Seat,
)
from shared.engine.record import Record, open_record
from shared.platform.store import LogEntry


class Summary(Data, frozen=True):
    """A match in brief. `asked` are the ids of the open decisions, each ending in its seat."""

    match: str
    game: str
    edition: str
    seats: tuple[Seat, ...]
    started_at: int
    changed_at: int
    version: int
    asked: tuple[str, ...] = ()
    resigned: tuple[int, ...] = ()
    over: bool = False

    def waiting_on(self) -> tuple[int, ...]:
        """The seats that are asked."""
        return tuple(sorted({seat_in(decision) for decision in self.asked}))

    def asks(self, seat: int) -> tuple[str, ...]:
        """The open decisions of a seat."""
        return tuple(decision for decision in self.asked if seat_in(decision) == seat)

    def kept(self, seat: int) -> bool:
        """Whether a bot plays that seat."""
        return is_kept(self.seats[seat], seat, self.resigned)

    @property
    def asks_bots(self) -> bool:
        """Whether a bot is asked."""
        return any(self.kept(seat) for seat in self.waiting_on())


class _Question(msgspec.Struct):
    """The part of a question on the agenda that names who is asked."""

    seat: int = -1
    questions: tuple[Any, ...] = ()


class _Agenda(msgspec.Struct):
    """The part of an agenda fact that matters here."""

    agenda: list[msgspec.Raw]
    opened: int


def seat_in(decision_id: str) -> int:
    """The seat that a decision asks."""
    return int(decision_id.rpartition(".")[2])


def first_summary(entry: LogEntry) -> Summary:
    """A match as its first record says."""
    record = open_record(entry.body)
    created = decode(msgspec.json.decode(record.facts, type=list[msgspec.Raw])[0], MatchCreated)
    return Summary(
        match=entry.stream.removeprefix("match-"),
        game=created.game,
        edition=created.edition,
        seats=created.seats,
        started_at=record.at,
        changed_at=record.at,
        version=1,
        asked=asked_after(record),
    )


def next_summary(summary: Summary, entry: LogEntry, restored: Record | None = None) -> Summary:
    """A match after one more record; `restored` is the one whose position an undo went back to."""
    record = open_record(entry.body)
    after = replace(summary, version=entry.version, changed_at=record.at)
    if record.type == MOVE:
        return replace(after, asked=asked_after(record))
    if record.type == UNDO:
        assert restored is not None
        return replace(after, asked=asked_after(restored))
    if record.type == RESIGNED:
        resigned = (*summary.resigned, record.seat)
        over = len(summary.seats) - len(resigned) < 2
        return replace(after, resigned=resigned, asked=() if over else summary.asked)
    if record.type == CLOSED:
        return replace(after, asked=(), over=True)
    return after


def undone_to(record: Record) -> int:
    """The version whose position an undo restores; 0 if the record is no undo."""
    if record.type != UNDO:
        return 0
    (fact,) = decode(record.facts, tuple[MovesUndone])
    return fact.to


def asked_after(record: Record) -> tuple[str, ...]:
    """The ids of the decisions that a record leaves open, from the agenda that ends it."""
    assert record.type in (CREATED, MOVE), "only these set the agenda"
    last = msgspec.json.decode(record.facts, type=list[msgspec.Raw])[-1]
    found = msgspec.json.decode(last, type=_Agenda)
    if not found.agenda:
        return ()
    top = msgspec.json.decode(found.agenda[-1], type=_Question)
    seats = [one["seat"] for one in top.questions] if top.questions else [top.seat]
    return tuple(f"{found.opened}.{seat}" for seat in seats)
