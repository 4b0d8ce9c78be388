"""Export a match's log, and prove offline what it claims.

The export is text, one JSON object a line: a header, then every record with its hash. Stored
bytes travel unchanged, so what is checked is what was stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TypeVar

import msgspec

from shared.engine.acts import Made, close, create, play, resign, undo
from shared.engine.chance import seed_commitment
from shared.engine.data import Data, decode, encode
from shared.engine.errors import BadPayload, BadRecord, EngineError, NotInstalled
from shared.engine.game import Game, Standing
from shared.engine.match import (
    CLOSED,
    MOVE,
    RESIGNED,
    UNDO,
    Match,
    MatchClosed,
    MatchCreated,
    MovesUndone,
)
from shared.engine.record import THE_MOVE, Record, Secret, check_chain, open_record
from shared.engine.replay import begin, restore

T = TypeVar("T")
D = TypeVar("D", bound=Data)

FORMAT = "tallystick/export/v1"


class Header(Data, frozen=True, gc=False):
    """The first line of an export: what it is, which log, how many records, the last hash."""

    format: str
    stream: str
    records: int
    head: str


class Line(Data, frozen=True, gc=False):
    """One record of an export: its stored bytes, inline, and their hash."""

    body: msgspec.Raw
    hash: str


class Proof(Data, frozen=True, gc=False):
    """What a verification proved: claims in words, and what could not be checked and why."""

    stream: str
    game: str
    edition: str
    records: int
    head: str
    proved: tuple[str, ...]
    open: tuple[str, ...]
    standings: tuple[Standing, ...]


def export_lines(stream: str, entries: Iterable[tuple[bytes, str]]) -> list[bytes]:
    """A log as export lines, without line ends; `entries` are (body, hash) from version 1 on."""
    lines = [encode(Line(msgspec.Raw(body), hash_)) for body, hash_ in entries]
    head = decode(lines[-1], Line).hash if lines else ""
    return [encode(Header(FORMAT, stream, len(lines), head)), *lines]


def read_export(lines: Iterable[bytes]) -> tuple[Header, list[tuple[bytes, str]]]:
    """The header and (body, hash) pairs of an export, as they are. Raises `BadRecord`.

    Line ends are free, for they change on their way; within a line every byte counts.
    """
    rest = iter(lines)
    try:
        header = _exactly(next(rest, b""), Header)
    except BadPayload as error:
        raise BadRecord(0, f"this is not a Tallystick export: {error}") from error
    if header.format != FORMAT:
        raise BadRecord(0, f"export format {header.format!r} is not known here, only {FORMAT!r}")
    entries: list[tuple[bytes, str]] = []
    for text in rest:
        if not text.strip():
            continue
        try:
            line = _exactly(text, Line)
        except BadPayload as error:
            raise BadRecord(len(entries) + 1, f"its line is damaged: {error}") from error
        entries.append((bytes(line.body), line.hash))
    return header, entries


def _exactly(text: bytes, type_: type[D]) -> D:
    """What a line says, if it says so in canonical JSON and says nothing else."""
    value = decode(text, type_)
    if encode(value) != text.rstrip(b"\r\n"):
        raise BadPayload("it holds more than an export writes, or writes it in another way")
    return value


def verify(
    lines: Iterable[bytes],
    games: Mapping[str, Game],
    kept: Sequence[str] = (),
    commitment: str = "",
    entropy: Sequence[str] = (),
) -> Proof:
    """Prove an exported match. Raises `BadRecord` naming the first record that is wrong.

    Raises `NotInstalled` for a match of an edition that is not here: only its chain was checked.

    `kept` are record hashes that somebody noted while the match ran: the log must hold them all,
    or it is another log, however consistent. `commitment` is what the table showed before anybody
    added entropy, and `entropy` (hex) what was then added: a match with another seed, or without
    that entropy, is not the one that was agreed upon.

    A closed match is played again from its opened seed and its moves, and every record must come
    out byte for byte. A running match is checked as far as its public log goes.
    """
    header, entries = read_export(lines)
    records = _unbroken(header, entries, kept)
    match = _trusting(1, lambda: begin(games, records[0], entries[0][1]))
    proved = [f"{len(entries)} records in one unbroken hash chain"]
    if kept:
        proved.append(f"hashes kept from the running match: {len(kept)}, all in it")
    proved += _as_noted(match.created, commitment, entropy)
    unproved: list[str] = []
    if records[-1].type == CLOSED:
        match = _replay_closed(match, records, entries)
        proved += [
            "the seed revealed at the end is the one committed to before the first draw",
            "every hidden part is the one committed to when it was hidden",
            "every move was legal and every fact, draw and score follows from moves and seed",
        ]
    else:
        match = _trusting(len(entries), lambda: restore(games, entries))
        proved.append("the public facts fold to a position")
        unproved.append("the match is not closed: seed and hidden parts are still sealed")
    return Proof(
        header.stream, match.game.id, match.created.edition, len(entries), header.head,
        tuple(proved), tuple(unproved), match.standings(),
    )  # fmt: skip


def _unbroken(
    header: Header, entries: Sequence[tuple[bytes, str]], kept: Sequence[str]
) -> list[Record]:
    """The records, which follow each other as the header says and hold every hash that was kept.

    Raises `BadRecord`.
    """
    head = check_chain(entries)
    if len(entries) != header.records:
        raise BadRecord(
            min(len(entries), header.records) + 1,
            f"the export holds {len(entries)} records, its header says {header.records}",
        )
    if not entries:
        raise BadRecord(0, "the log is empty")
    if head != header.head:
        raise BadRecord(len(entries), "the header names another last hash")
    hashes = {hash_ for _, hash_ in entries}
    for hash_ in kept:
        if hash_ not in hashes:
            raise BadRecord(0, f"no record has the hash {hash_} that was kept: another log")
    records = [open_record(body) for body, _ in entries]
    for record in records:
        if record.stream != header.stream:
            raise BadRecord(record.version, f"it belongs to {record.stream}, not {header.stream}")
    return records


def _as_noted(created: MatchCreated, commitment: str, entropy: Sequence[str]) -> list[str]:
    """What is proved of notes from the table. Raises `BadRecord` if the match has other terms."""
    if commitment and commitment.lower() != created.commitment:
        raise BadRecord(
            1, f"it commits to a seed as {created.commitment}, but the table showed {commitment}"
        )
    for added in entropy:
        if added.lower() not in created.entropy:
            raise BadRecord(1, f"the entropy {added} that was added at the table is not in it")
    proved = []
    if commitment:
        proved.append("its seed is the one committed to when the table opened")
    if entropy:
        proved.append("the entropy noted at the table went into its chance")
    return proved


def _trusting(version: int, step: Callable[[], T]) -> T:
    """Run a step on records from outside: whatever breaks there is a fault of the log."""
    try:
        return step()
    except (BadRecord, NotInstalled):
        raise
    except (EngineError, LookupError, ValueError, TypeError, AttributeError) as error:
        raise BadRecord(version, f"it does not follow by the rules: {error}") from error


def _closing_fact(record: Record) -> MatchClosed:
    try:
        (closed,) = decode(record.facts, tuple[MatchClosed])
    except BadPayload as error:
        raise BadRecord(record.version, f"its facts do not close a match: {error}") from error
    return closed


def _opened(records: list[Record], closed: MatchClosed) -> dict[int, tuple[Secret, ...]]:
    """The opened secrets by version, each checked against the commitment in its record."""
    found: dict[int, tuple[Secret, ...]] = {}
    for opening in closed.openings:
        found[opening.version] = (*found.get(opening.version, ()), opening.secret)
    for record in records:
        secrets = found.get(record.version, ())
        if tuple(secret.commitment() for secret in secrets) != record.secrets:
            raise BadRecord(record.version, "what was opened is not what it committed to")
    return found


def _replay_closed(
    begun: Match,
    records: list[Record],
    entries: list[tuple[bytes, str]],
) -> Match:
    closed = _closing_fact(records[-1])
    server_seed = _trusting(records[-1].version, lambda: bytes.fromhex(closed.seed))
    if seed_commitment(server_seed) != begun.created.commitment:
        raise BadRecord(records[-1].version, "the seed it reveals is not the one committed to")
    secrets = _opened(records[:-1], closed)
    made: Made | None = None
    for record, (body, _) in zip(records, entries, strict=True):
        made = _trusting(record.version, partial(_again, begun, made, record, secrets, server_seed))
        if made.record.body != body:
            raise BadRecord(record.version, "playing the match again gives another record")
    assert made is not None
    return made.match


def _again(
    begun: Match,
    made: Made | None,
    record: Record,
    secrets: Mapping[int, tuple[Secret, ...]],
    server_seed: bytes,
) -> Made:
    """Make the record once more from what led to it."""
    created = begun.created
    if made is None:
        return create(
            begun.game, begun.id, created.seats, created.options, created.content,
            server_seed, created.entropy, record.at,
        )  # fmt: skip
    match = made.match
    if record.type == MOVE:
        move = record.move
        for secret in secrets.get(record.version, ()):
            if secret.fact == THE_MOVE:
                move = decode(secret.value, str)
        return play(match, record.seat, record.actor, move, record.at)
    if record.type == UNDO:
        (undone,) = decode(record.facts, tuple[MovesUndone])
        return undo(match, record.seat, record.actor, undone.to, record.at)
    if record.type == RESIGNED:
        return resign(match, record.seat, record.actor, record.at)
    if record.type == CLOSED and match.ended:
        return close(match, secrets, record.at)
    raise BadRecord(record.version, f"a record of type {record.type!r} cannot stand here")
