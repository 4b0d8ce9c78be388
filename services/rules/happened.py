"""One step of a match as it lies in memory: the record with all its facts, hidden ones too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from shared.engine.data import Fact, decode
from shared.engine.game import Game
from shared.engine.hidden import redact, reveal
from shared.engine.match import (
    CREATED,
    MOVE,
    SYSTEM_FACTS,
    Match,
    MatchClosed,
    MatchCreated,
    MovesUndone,
)
from shared.engine.record import THE_MOVE, Record, Sealed, Secret, open_record
from shared.platform.store import Stored


class Happened(NamedTuple):
    """A record, its hash, its facts in full, and the move in full."""

    record: Record
    hash: str
    facts: tuple[Fact, ...]
    move: str


class Unread(NamedTuple):
    """What was just decided here, before anybody needed to look at it."""

    record: Sealed
    facts: tuple[Fact, ...]


def as_happened(step: Unread | Happened) -> Happened:
    """The same, opened."""
    if isinstance(step, Happened):
        return step
    record = open_record(step.record.body)
    return Happened(record, step.record.hash, step.facts, _move(record, step.record.secrets))


def happened_then(game: Game, stored: Stored, secrets: Sequence[Secret]) -> Happened:
    """What the log says happened."""
    record = open_record(stored.body)
    facts = msgspec.Raw(reveal(record.facts, secrets)) if secrets else record.facts
    return Happened(record, stored.hash, _facts(game, record.type, facts), _move(record, secrets))


def follow_as(viewer: int | None, match: Match, step: Happened) -> Match:
    """A viewer's match after one more step, of which it learns what it may know (None: all)."""
    record = step.record
    if record.type == MOVE:
        state, evolve = match.state, match.game.evolve
        for fact in step.facts:
            seen = fact if viewer is None else redact(fact, viewer)
            state = evolve[type(fact)](state, seen)
        return match.after_move(record.seat, state, record.barrier, step.hash)
    (fact,) = step.facts
    if isinstance(fact, MovesUndone):
        return match.after_undo(fact.to, step.hash)
    if isinstance(fact, MatchClosed):
        return match.after_close(fact, step.hash)
    return match.after_resignation(record.seat, step.hash)


def _facts(game: Game, type_: str, facts: msgspec.Raw) -> tuple[Fact, ...]:
    if type_ == MOVE:
        return game.decoder.decode(facts)
    each = msgspec.json.decode(facts, type=list[msgspec.Raw])
    if type_ == CREATED:
        rest = game.decoder.decode(b"[" + b",".join(each[1:]) + b"]")
        return (decode(each[0], MatchCreated), *rest)
    return (decode(each[0], SYSTEM_FACTS[type_]),)


def _move(record: Record, secrets: Sequence[Secret]) -> str:
    for secret in secrets:
        if secret.fact == THE_MOVE:
            return decode(secret.value, str)
    return record.move
