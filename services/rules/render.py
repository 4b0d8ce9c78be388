"""What a viewer is shown and told, as messages of the public contract.

Everything here gets a match, a fact or a question as the viewer may know it; hiding is done
before. The options of a question are shown to the seat that is asked and to nobody else.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from protos.tallystick.match.v1 import match_pb2 as pb
from protos.tallystick.rules.v1 import rules_pb2
from services.rules.happened import Happened
from shared.engine.data import Fact, encode, replace
from shared.engine.game import Game, Option
from shared.engine.hidden import redact
from shared.engine.match import (
    CLOSED,
    CREATED,
    MOVE,
    RESIGNED,
    UNDO,
    Match,
    MatchClosed,
    MatchCreated,
    MovesUndone,
    SeatResigned,
)
from shared.engine.sentences import SEAT_FIELDS, parameter, sayable, sentence
from shared.engine.table import Decision

RECORD_TYPES = {
    CREATED: pb.RECORD_TYPE_CREATED,
    MOVE: pb.RECORD_TYPE_MOVE,
    UNDO: pb.RECORD_TYPE_UNDO,
    RESIGNED: pb.RECORD_TYPE_RESIGNED,
    CLOSED: pb.RECORD_TYPE_CLOSED,
}

OPTIONS_KEPT = 20_000

REASONS = {"played": "finished"}
"""End reasons whose public word differs from the log's."""


def names(match: Match) -> tuple[str, ...]:
    """What to call the seats."""
    return tuple(seat.name for seat in match.created.seats)


def stamp(at: int) -> Timestamp:
    """A time in milliseconds as it travels."""
    return Timestamp(seconds=at // 1000, nanos=at % 1000 * 1_000_000)


def seat_messages(match: Match) -> list[pb.Seat]:
    """Who sits where."""
    return [
        pb.Seat(
            seat=number,
            account=seat.account,
            name=seat.name,
            bot="" if seat.kind == "player" else seat.kind,
            resigned=number in match.resigned,
        )
        for number, seat in enumerate(match.created.seats)
    ]


def score_messages(match: Match) -> list[pb.Score]:
    """The points of each seat as the viewer whose match this is may know them."""
    totals = [0] * len(match.created.seats)
    for line in match.game.score(match.content, match.state):
        totals[line.seat] += line.points
    return [pb.Score(seat=seat, points=points) for seat, points in enumerate(totals)]


def result_message(closed: MatchClosed) -> pb.MatchResult:
    """How the match ended."""
    return pb.MatchResult(
        ranking=[
            pb.Score(seat=one.seat, points=one.points, rank=one.rank) for one in closed.standings
        ],
        winners=[one.seat for one in closed.standings if one.rank == 1],
        reason=REASONS.get(closed.reason, closed.reason),
    )


def decision_messages(
    match: Match, asked: Iterable[Decision], own: Collection[int], others: bool = False
) -> list[pb.Decision]:
    """The open questions: those of the seats in `own` with options, and `others` without."""
    game, seats = match.game, names(match)
    return [
        pb.Decision(
            decision_id=decision.id,
            seat=decision.seat,
            title=decision.title,
            options=[option_message(game, option, seats) for option in decision.options],
        )
        if decision.seat in own
        else pb.Decision(
            decision_id=decision.id,
            seat=decision.seat,
            title=decision.title,
            options_hidden=True,
        )
        for decision in asked
        if others or decision.seat in own
    ]


def option_message(game: Game, option: Option, seats: tuple[str, ...]) -> pb.Option:
    """One legal answer. Most are the same in every match, so they are put into words once."""
    key = (game.id, game.edition, option)
    known = _options.get(key)
    if known is not None:
        return known
    made = pb.Option(
        notation=option.notation,
        label=sentence(game, option.choice, seats),
        arguments_json=encode(option.choice).decode(),
    )
    if SEAT_FIELDS.isdisjoint(option.choice.__struct_fields__):
        if len(_options) >= OPTIONS_KEPT:
            _options.clear()
        _options[key] = made
    return made


_options: dict[tuple[str, str, Option], pb.Option] = {}


def fact_message(game: Game, fact: Fact, seats: tuple[str, ...]) -> pb.Fact:
    """One change at the table, as the viewer may know it."""
    told, parameters = _told(game, fact, seats)
    kind = type(fact).__name__
    return pb.Fact(
        type=kind,
        sentence=told,
        message_key=kind,
        parameters=parameters,
        fields_json=encode(_shown(fact)).decode(),
        seat=getattr(fact, "seat", -1),
    )


def sentences(game: Game, facts: tuple[Fact, ...], seats: tuple[str, ...]) -> list[str]:
    """What happened, one English sentence for each fact."""
    return [_told(game, fact, seats)[0] for fact in sayable(facts)]


def record_message(match: Match, step: Happened, viewer: int) -> pb.MatchRecord:
    """One record as a viewer may know it."""
    record, seats = step.record, names(match)
    facts = tuple(redact(fact, viewer) for fact in sayable(step.facts))
    first = step.facts[0] if step.facts else None
    return pb.MatchRecord(
        match_id=match.id,
        version=record.version,
        type=RECORD_TYPES[record.type],
        seat=record.seat,
        actor=record.actor,
        move=step.move if viewer == record.seat else record.move,
        facts=[fact_message(match.game, fact, seats) for fact in facts],
        barrier=record.barrier,
        recorded_at=stamp(record.at),
        hash=step.hash,
        undone_to=first.to if isinstance(first, MovesUndone) else 0,
    )


def watched_message(
    match: Match,
    step: Happened,
    viewer: int,
    asked: Sequence[Decision] = (),
    newest: bool = True,
) -> rules_pb2.WatchMatchResponse:
    """One step for a watcher whose own match stands at it; only the newest says what is asked.

    Who has given up is asked nothing more: the bot that answers instead asks for a view.
    """
    own = () if viewer in match.resigned else (viewer,)
    return rules_pb2.WatchMatchResponse(
        record=rules_pb2.WatchedRecord(
            record=record_message(match, step, viewer),
            decisions=decision_messages(match, asked, own) if newest else (),
            scores=score_messages(match) if newest else (),
            over=step.record.type == CLOSED,
        )
    )


def view_message(
    match: Match, seen: Match, asked: Sequence[Decision], viewer: int, own: Collection[int]
) -> pb.View:
    """All that a viewer may know: `seen` is the match as its log looks to the viewer.

    `own` are the seats that the viewer answers for.
    """
    return pb.View(
        match_id=match.id,
        game=match.game.id,
        edition=match.created.edition,
        version=match.version,
        hash=match.head,
        viewer_seat=viewer,
        seats=seat_messages(match),
        scores=score_messages(seen),
        decisions=decision_messages(match, asked, own, others=True),
        board_json=encode(seen.state).decode(),
        picture=match.game.picture(match.content, seen.state, names(match)),
        status=pb.MATCH_STATUS_OVER if match.closed else pb.MATCH_STATUS_RUNNING,
        undo_to=match.undo_to(viewer) if viewer in own else None,
        result=result_message(match.closed) if match.closed else None,
        options=match.created.options,
    )


def _shown(fact: Fact) -> Fact:
    """The fact as it is shown. What a closed match opens is for the export: it may be long."""
    return replace(fact, openings=()) if isinstance(fact, MatchClosed) else fact


def _told(game: Game, fact: Fact, seats: tuple[str, ...]) -> tuple[str, dict[str, str]]:
    """A fact as a sentence, and the sentence's parameters."""
    of_match = _OF_MATCH.get(type(fact))
    if of_match is not None:
        template, parameters = of_match(game, fact, seats)
    else:
        template = game.messages[type(fact).__name__]
        parameters = {
            field: parameter(game, field, getattr(fact, field), seats)
            for field in fact.__struct_fields__
        }
    return template.format(**parameters), parameters


Told = tuple[str, dict[str, str]]


def _created(game: Game, fact: MatchCreated, seats: tuple[str, ...]) -> Told:
    return "A match of {game} begins: {seats}.", {"game": game.title, "seats": ", ".join(seats)}


def _undone(_: Game, fact: MovesUndone, seats: tuple[str, ...]) -> Told:
    parameters = {"seat": seats[fact.seat], "to": str(fact.to)}
    return "{seat} takes back moves to version {to}.", parameters


def _resigned(_: Game, fact: SeatResigned, seats: tuple[str, ...]) -> Told:
    return "{seat} resigns.", {"seat": seats[fact.seat]}


def _closed(_: Game, fact: MatchClosed, seats: tuple[str, ...]) -> Told:
    winners = [one for one in fact.standings if one.rank == 1]
    parameters = {
        "winners": " and ".join(seats[one.seat] for one in winners),
        "points": str(winners[0].points),
        "reason": REASONS.get(fact.reason, fact.reason),
    }
    return "The match is over: {winners} won with {points}.", parameters


_OF_MATCH: dict[type[Fact], Callable[[Game, Any, tuple[str, ...]], Told]] = {
    MatchCreated: _created,
    MovesUndone: _undone,
    SeatResigned: _resigned,
    MatchClosed: _closed,
}
"""How facts are told that are not of the game but of the match."""
