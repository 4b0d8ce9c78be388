"""What can be done to a match: create it, play, undo, resign, close; each seals a record.

Each function gives the next match and the record that led there. Time and names come in as
arguments, chance from the seed, so the same inputs give the same bytes anywhere: that is what
verification replays.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from shared.engine.chance import Chance, match_seed, seed_commitment
from shared.engine.data import UNKNOWN, Fact, encode, replace
from shared.engine.errors import BadOption, RuleViolation
from shared.engine.game import Game, content_digest, full_options
from shared.engine.hidden import SPECTATOR, hidden_parts, redact
from shared.engine.match import (
    CLOSED,
    CREATED,
    MOVE,
    RESIGNED,
    SYSTEM,
    UNDO,
    Match,
    MatchClosed,
    MatchCreated,
    MovesUndone,
    Opening,
    Seat,
    SeatResigned,
    stream_of,
)
from shared.engine.record import GENESIS, SCHEMA, THE_MOVE, Record, Sealed, Secret, seal
from shared.engine.table import Decision, apply, choose, set_up

HASHED_AT_ONCE = 2047
"""Bytes. For more, Python lets go of the interpreter while it hashes, and in a busy process waits
far longer to get it back than hashing takes."""


class Made(NamedTuple):
    """The next match and the record that leads to it; `facts` are those of the record, in full."""

    match: Match
    record: Sealed
    facts: tuple[Fact, ...]


def create(
    game: Game,
    match_id: str,
    seats: Sequence[Seat],
    options: Mapping[str, str],
    override: str,
    server_seed: bytes,
    entropy: Sequence[str],
    at: int,
) -> Made:
    """Open a match: fix its terms, set the game up.

    `at` is the time in milliseconds since the Unix epoch. Raises `BadOption` for a player count,
    option or content override that the game does not accept.
    """
    if len(seats) not in game.players:
        allowed = ", ".join(map(str, game.players))
        raise BadOption(f"{game.title} takes {allowed} players, not {len(seats)}")
    full = full_options(game, options)
    content = game.content(len(seats), full, override)
    created = MatchCreated(
        game=game.id,
        edition=game.edition,
        options=full,
        content=override,
        digest=content_digest(content),
        seats=tuple(seats),
        commitment=seed_commitment(server_seed),
        entropy=tuple(entropy),
    )
    seed = match_seed(server_seed, match_id, created.entropy)
    outcome = set_up(game, content, len(seats), Chance(seed, 1))
    blank = Match(
        match_id, game, content, created, outcome.state, 0, GENESIS, server_seed, seed,
        (), SPECTATOR, (), None,
    )  # fmt: skip
    facts = (created, *outcome.facts)
    record = _seal(blank, CREATED, SYSTEM, SPECTATOR, "", facts, True, outcome.state, at)
    return Made(replace(blank, version=1, head=record.hash), record, facts)


def play(
    match: Match,
    seat: int,
    actor: str,
    move: str,
    at: int,
    decision_id: str = "",
    asked: tuple[Decision, ...] | None = None,
) -> Made:
    """A seat's answer to its open decision; `asked` are the match's decisions, if at hand.

    Raises `RuleViolation` or `StaleDecision`; then nothing happened.
    """
    asked = match.decisions() if asked is None else asked
    decision, choice = choose(
        match.game, match.content, match.state, asked, seat, move, decision_id
    )
    version = match.version + 1
    chance = Chance(match.seed, version)
    outcome = apply(match.game, match.content, match.state, decision, choice, chance)
    secret = match.game.questions[type(decision.question)].secret
    record = _seal(
        match, MOVE, actor, seat, move, outcome.facts, outcome.barrier, outcome.state, at, secret
    )
    after = match.after_move(seat, outcome.state, outcome.barrier, record.hash)
    return Made(after, record, outcome.facts)


def undo(match: Match, seat: int, actor: str, to: int, at: int) -> Made:
    """A seat takes back its own steps to the position of version `to`.

    Raises `RuleViolation` (`undo-barrier`) if something was revealed, drawn or answered by
    another seat since, or nothing was done.
    """
    if match.ended:
        raise RuleViolation("match-over", detail="the match has ended; nothing can be undone")
    kept = next((i for i, step in enumerate(match.trail) if step.version == to), None)
    if match.trail_seat != seat or kept is None:
        lowest = match.undo_to(seat)
        may = f"you may undo to version {lowest} or later" if lowest else "nothing is yours to undo"
        raise RuleViolation("undo-barrier", detail=f"version {to} is out of reach: {may}")
    state = match.trail[kept].state
    fact = MovesUndone(seat, to)
    record = _seal(match, UNDO, actor, seat, "", (fact,), False, state, at)
    return Made(match.after_undo(to, record.hash), record, (fact,))


def resign(match: Match, seat: int, actor: str, at: int) -> Made:
    """A seat gives up. The match has ended when fewer than two seats are left.

    Raises `RuleViolation` if the match is over or the seat resigned already.
    """
    if match.ended:
        raise RuleViolation("match-over", detail="the match has ended")
    if seat in match.resigned:
        raise RuleViolation("already-resigned", detail="this seat has resigned before")
    fact = SeatResigned(seat)
    record = _seal(match, RESIGNED, actor, seat, "", (fact,), True, match.state, at)
    return Made(match.after_resignation(seat, record.hash), record, (fact,))


def close(match: Match, secrets: Mapping[int, Sequence[Secret]], at: int) -> Made:
    """Seal the last record of an ended match: standings, seed, and every hidden part of the log.

    `secrets` are those of all records so far, by version.
    """
    reason = match.ended
    assert reason is not None and match.closed is None, "only an ended match can be closed, once"
    openings = tuple(
        Opening(version, secret) for version in sorted(secrets) for secret in secrets[version]
    )
    fact = MatchClosed(reason, match.standings(), match.server_seed.hex(), openings)
    record = _seal(match, CLOSED, SYSTEM, SPECTATOR, "", (fact,), True, match.state, at)
    return Made(match.after_close(fact, record.hash), record, (fact,))


def _seal(
    match: Match,
    type_: str,
    actor: str,
    seat: int,
    move: str,
    facts: Sequence[Fact],
    barrier: bool,
    state: Any,
    at: int,
    secret_move: bool = False,
) -> Sealed:
    """The next record of a match: public facts in the clear, hidden parts as commitments."""
    version = match.version + 1
    parts = [
        (number, field, audience, value)
        for number, fact in enumerate(facts)
        for field, audience, value in hidden_parts(fact)
    ]
    if secret_move:
        parts.append((THE_MOVE, "move", seat, move))
    secrets = tuple(
        Secret(index, audience, fact, field, _salt(match, index), msgspec.Raw(encode(value)))
        for index, (fact, field, audience, value) in enumerate(parts)
    )
    record = Record(
        stream=stream_of(match.id),
        version=version,
        type=type_,
        schema=SCHEMA,
        edition=match.created.edition,
        actor=actor,
        seat=seat,
        move=UNKNOWN if secret_move else move,
        facts=msgspec.Raw(encode([redact(fact, SPECTATOR) for fact in facts])),
        secrets=tuple(secret.commitment() for secret in secrets),
        barrier=barrier,
        state=state_hash(match.seed, state),
        at=at,
        prev=match.head,
    )
    return seal(record, secrets)


def _salt(match: Match, index: int) -> str:
    tag = f"tallystick/salt/v1/{match.version + 1}/{index}".encode()
    return hmac.new(match.seed, tag, "sha256").hexdigest()


def state_hash(seed: bytes, state: Any) -> str:
    """A hash of the whole position that tells nothing to who does not know the seed."""
    mac = hmac.new(seed, b"tallystick/state/v1\n", "sha256")
    encoded = encode(state)
    for start in range(0, len(encoded), HASHED_AT_ONCE):
        mac.update(encoded[start : start + HASHED_AT_ONCE])
    return mac.hexdigest()
