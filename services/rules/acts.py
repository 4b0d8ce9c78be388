"""What a request to act comes to: which seat it acts for, the record, the answer."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from google.protobuf.message import Message

from protos.tallystick.rules.v1 import rules_pb2 as pb
from services.rules.commands import Decided
from services.rules.live import Live
from services.rules.render import decision_messages, names, sentences
from services.rules.rights import BOTS, Rights, not_your_seat, rights
from shared.engine.acts import play, resign, undo
from shared.engine.errors import RuleViolation
from shared.engine.hidden import redact
from shared.engine.match import Match
from shared.engine.table import Decision
from shared.platform.rpc.auth import Principal
from shared.platform.rpc.errors import FailedPrecondition, Stale

Decide = Callable[[Live], Decided]


def moving(caller: Principal, request: pb.PlayMoveRequest, at: int) -> Decide:
    """Answer an open decision of one of the caller's seats."""

    def decide(live: Live) -> Decided:
        match, asked = live.match, live.asked
        may = rights(caller, match)
        seat = _asked_seat(may, match, asked, request.decision_id)
        made = play(match, seat, caller.account, request.move, at, request.decision_id, asked)
        asked = made.match.decisions()
        facts = tuple(redact(fact, seat) for fact in made.facts)
        own = (seat,) if BOTS in caller.roles else may.plays
        answer = pb.PlayMoveResponse(
            version=made.match.version,
            hash=made.match.head,
            sentences=sentences(match.game, facts, names(match)),
            decisions=decision_messages(match, asked, own),
            over=made.match.ended is not None,
        )
        return Decided(made, asked, answer)

    return decide


def undoing(caller: Principal, request: pb.UndoMoveRequest, at: int) -> Decide:
    """Take back steps of one of the caller's seats."""

    def decide(live: Live) -> Decided:
        match = live.match
        may = rights(caller, match)
        seat = may.player(_given_seat(request))
        _refuse_if_over(match)
        try:
            made = undo(match, seat, caller.account, request.to_version, at)
        except RuleViolation as refusal:
            raise FailedPrecondition("UNDO_BARRIER", refusal.detail, code=refusal.code) from refusal
        asked = made.match.decisions()
        answer = pb.UndoMoveResponse(
            version=made.match.version,
            hash=made.match.head,
            decisions=decision_messages(match, asked, (seat,)),
        )
        return Decided(made, asked, answer)

    return decide


def resigning(caller: Principal, request: pb.ResignMatchRequest, at: int) -> Decide:
    """Give up one of the caller's seats."""

    def decide(live: Live) -> Decided:
        match = live.match
        seat = rights(caller, match).resigning(_given_seat(request))
        _refuse_if_over(match)
        try:
            made = resign(match, seat, caller.account, at)
        except RuleViolation as refusal:
            raise FailedPrecondition(
                "ALREADY_RESIGNED", refusal.detail, code=refusal.code
            ) from refusal
        answer = pb.ResignMatchResponse(
            version=made.match.version,
            hash=made.match.head,
            over=made.match.ended is not None,
        )
        return Decided(made, made.match.decisions(), answer)

    return decide


def request_hash(request: Message) -> str:
    """What tells a repeated command from another one with the same id."""
    kind = request.DESCRIPTOR.full_name.encode()
    return hashlib.sha256(kind + b"\n" + request.SerializeToString(deterministic=True)).hexdigest()


def _asked_seat(may: Rights, match: Match, asked: tuple[Decision, ...], decision_id: str) -> int:
    """The caller's seat whose decision it is."""
    if not may.plays:
        raise not_your_seat("you hold no seat here, so you can only watch")
    for decision in asked:
        if decision.id == decision_id:
            if decision.seat not in may.plays:
                raise not_your_seat("that decision is another seat's")
            return decision.seat
    _refuse_if_over(match)
    raise Stale(
        "STALE_DECISION",
        f"decision {decision_id} is not open any more; look at the match again",
        match.version,
    )


def _refuse_if_over(match: Match) -> None:
    if match.ended:
        raise FailedPrecondition("MATCH_OVER", "the match is over", code="match-over")


def _given_seat(request: pb.UndoMoveRequest | pb.ResignMatchRequest) -> int | None:
    return request.seat if request.HasField("seat") else None
