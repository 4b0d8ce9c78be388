"""Counting a match's points: as it stands, and once more from scratch when it is over."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from shared.engine.chance import seed_commitment
from shared.engine.data import decode
from shared.engine.errors import BadRecord, EngineError, NotInstalled
from shared.engine.game import Game, ScoreLine, Standing
from shared.engine.match import Match, MatchClosed
from shared.engine.record import Record, Secret, check_chain, open_record
from shared.engine.replay import restore

PENDING, AGREES, DISAGREES, UNCOUNTED = "pending", "agrees", "disagrees", "uncounted"

Entry = tuple[bytes, str]
"""A stored record: its bytes and their hash."""


class Count(NamedTuple):
    """The points of a match: a line for each reason, and the order of the seats."""

    lines: tuple[ScoreLine, ...]
    standings: tuple[Standing, ...]


class Verdict(NamedTuple):
    """Our own final count, if there is one, and in words why it is not the same as that of rules.

    `agreement` is AGREES, DISAGREES, or UNCOUNTED if it cannot be counted with what is installed.
    """

    own: Count | None
    agreement: str
    problem: str = ""


def count(match: Match) -> Count:
    """The points of a match as it stands for whoever folded it."""
    return Count(match.game.score(match.content, match.state), match.standings())


def closing(record: Record) -> MatchClosed:
    """The fact that closes a match. Raises `BadPayload`."""
    (closed,) = decode(record.facts, tuple[MatchClosed])
    return closed


def recount(games: Mapping[str, Game], entries: Sequence[Entry], closed: MatchClosed) -> Verdict:
    """Count a closed match from its opened log, trusting nothing that rules says about points."""
    try:
        check_chain(entries)
        match = restore(games, entries, _opened(entries, closed), bytes.fromhex(closed.seed))
        if seed_commitment(match.server_seed) != match.created.commitment:
            raise BadRecord(match.version, "the seed it reveals is not the one committed to")
        own = count(match)
    except NotInstalled as error:
        return Verdict(None, UNCOUNTED, str(error))
    except (
        EngineError,
        LookupError,
        ValueError,
        TypeError,
        AttributeError,
        AssertionError,
    ) as error:
        problem = f"the log cannot be counted: {type(error).__name__}: {error}"
        return Verdict(None, DISAGREES, problem)
    problem = _difference(own, closed.standings)
    return Verdict(own, DISAGREES if problem else AGREES, problem)


def _opened(entries: Sequence[Entry], closed: MatchClosed) -> dict[int, tuple[Secret, ...]]:
    """The opened hidden parts by version. Raises `BadRecord` if they are not those sealed."""
    found: dict[int, tuple[Secret, ...]] = {}
    for opening in closed.openings:
        found[opening.version] = (*found.get(opening.version, ()), opening.secret)
    for body, _ in entries:
        record = open_record(body)
        sealed = tuple(secret.commitment() for secret in found.get(record.version, ()))
        if sealed != record.secrets:
            raise BadRecord(record.version, "what was opened is not what it committed to")
    return found


def _difference(own: Count, theirs: Sequence[Standing]) -> str:
    """In words what differs between our count and the standings that rules wrote."""
    totals: dict[int, int] = defaultdict(int)
    for line in own.lines:
        totals[line.seat] += line.points
    for standing in own.standings:
        if totals[standing.seat] != standing.points:
            return (
                f"the lines of seat {standing.seat} add up to {totals[standing.seat]}, "
                f"its total is {standing.points}"
            )
    ours = {one.seat: one for one in own.standings}
    if {one.seat: one for one in theirs} != ours:
        return f"rules has {_words(theirs)}; counted again it is {_words(own.standings)}"
    return ""


def _words(standings: Sequence[Standing]) -> str:
    return ", ".join(
        f"seat {one.seat} rank {one.rank} with {one.points}"
        for one in sorted(standings, key=lambda one: one.seat)
    )
