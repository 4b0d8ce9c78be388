"""Replay: a match is what folding its log gives. Nothing here decides and nothing draws.

Works on the full log (secrets put back) and on any viewer's part of it alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from shared.engine.chance import match_seed
from shared.engine.data import decode, replace
from shared.engine.errors import BadOption, BadRecord, NotInstalled
from shared.engine.game import Game, content_digest, installed
from shared.engine.hidden import SPECTATOR, reveal
from shared.engine.match import (
    CLOSED,
    CREATED,
    RESIGNED,
    UNDO,
    Match,
    MatchClosed,
    MatchCreated,
    MovesUndone,
)
from shared.engine.record import GENESIS, NOBODY, Record, Secret, open_record


def begin(games: Mapping[str, Game], record: Record, head: str, server_seed: bytes = b"") -> Match:
    """The match behind its first record, before that record's setup facts are folded.

    Raises `BadRecord` if it is not the first record of a match, `NotInstalled` if it is one of a
    game, an edition or content tables that are not here.
    """
    if record.type != CREATED or record.version != 1:
        raise BadRecord(record.version, "a match log begins with its creation")
    first = msgspec.json.decode(record.facts, type=list[msgspec.Raw])[0]
    created = decode(first, MatchCreated)
    game = installed(games, created.game, created.edition)
    content = tables_of(game, created)
    match_id = record.stream.removeprefix("match-")
    seed = match_seed(server_seed, match_id, created.entropy) if server_seed else b""
    return Match(
        match_id, game, content, created, game.blank(content, len(created.seats)), 0, head,
        server_seed, seed, (), SPECTATOR, (), None,
    )  # fmt: skip


def tables_of(game: Game, created: MatchCreated) -> Any:
    """The content tables that a match was created with. Raises `NotInstalled`."""
    try:
        content = game.content(len(created.seats), created.options, created.content)
        found = content_digest(content)
    except BadOption as error:
        raise NotInstalled("content", game.id, game.edition, [str(error)]) from error
    if found != created.digest:
        raise NotInstalled("content", game.id, game.edition, [f"digest {found}"])
    return content


def follow(match: Match, record: Record, facts: msgspec.Raw, head: str) -> Match:
    """The match after one more record of its log; `facts` as the follower may see them.

    This is replay: nothing is decided and nothing is drawn. Raises `BadRecord`.
    """
    if record.type == UNDO:
        (undone,) = decode(facts, tuple[MovesUndone])
        return match.after_undo(undone.to, head)
    if record.type == RESIGNED:
        return match.after_resignation(record.seat, head)
    if record.type == CLOSED:
        (closed,) = decode(facts, tuple[MatchClosed])
        return match.after_close(closed, head)
    if record.type == CREATED:
        rest = msgspec.json.decode(facts, type=list[msgspec.Raw])[1:]
        state = fold(match.game, match.state, msgspec.Raw(b"[" + b",".join(rest) + b"]"))
        return replace(match, state=state, version=1, head=head)
    state = fold(match.game, match.state, facts)
    return match.after_move(record.seat, state, record.barrier, head)


def fold(game: Game, state: Any, facts: msgspec.Raw) -> Any:
    """The state after the stored facts of one record."""
    evolve = game.evolve
    for fact in game.decoder.decode(facts):
        state = evolve[type(fact)](state, fact)
    return state


def visible_facts(
    record: Record, secrets: Sequence[Secret], viewer: int | None = None
) -> msgspec.Raw:
    """The facts of a record with the secrets that the viewer may see (None: all) put back."""
    if not secrets:
        return record.facts
    seen = [one for one in secrets if viewer is None or one.audience == viewer != NOBODY]
    return msgspec.Raw(reveal(record.facts, seen)) if seen else record.facts


def restore(
    games: Mapping[str, Game],
    entries: Iterable[tuple[bytes, str]],
    secrets: Mapping[int, Sequence[Secret]] | None = None,
    server_seed: bytes = b"",
    viewer: int | None = None,
) -> Match:
    """The match that a stored log gives: `entries` are (body, hash) pairs from version 1 on.

    `secrets` by version are put back where the viewer may see them (None: all of them).
    Raises `BadRecord` if the log does not hold together, `NotInstalled` if it cannot be read here.
    """
    match: Match | None = None
    for body, hash_ in entries:
        record = open_record(body)
        if match is None:
            match = begin(games, record, GENESIS, server_seed)
        facts = visible_facts(record, (secrets or {}).get(record.version, ()), viewer)
        match = follow(match, record, facts, hash_)
    if match is None:
        raise BadRecord(0, "the log is empty")
    return match
