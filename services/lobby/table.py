"""A table as the fold of its log, and the records that lead from one version to the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from services.lobby import facts as f
from shared.engine.data import Data, Fact, decode, encode, replace
from shared.engine.errors import BadRecord
from shared.engine.record import GENESIS, SCHEMA, Record, Sealed, open_record, seal

OPEN, GATHERING, STARTING = "open", "about to start", "starting"
PLAYING, FINISHED, CLOSED = "playing", "finished", "closed"
FREE, KEPT, PLAYER, BOT = "free", "kept", "player", "bot"

NO_SEAT = -1
SYSTEM = "system"
"""The actor of records that no account caused."""


class Chair(Data, frozen=True, gc=False):
    """One seat: free, kept for an account, or held by a person or a bot."""

    holder: str = FREE
    account: str = ""
    name: str = ""
    bot: str = ""
    entropy: str = ""


class Invitation(Data, frozen=True, gc=False):
    """A code (its SHA-256) that lets its bearer take a seat until it expires."""

    code: str
    seat: int
    expires: int


class Table(Data, frozen=True):
    """A table at one version. `head` is the hash of its last record; times are in ms.

    `commitment` is what rules committed to when it heard of the table, empty until then.
    """

    id: str
    version: int
    head: str
    game: str
    edition: str
    options: dict[str, str]
    content: str
    digest: str
    owner: str
    unlisted: bool
    quick: int
    chairs: tuple[Chair, ...]
    opened_at: int
    changed_at: int = 0
    commitment: str = ""
    status: str = OPEN
    reason: str = ""
    detail: str = ""
    invitations: tuple[Invitation, ...] = ()

    @property
    def mode(self) -> tuple[str, int]:
        """What a quick match is asked for: the game and the number of players."""
        return self.game, len(self.chairs)

    def seat_of(self, account: str) -> int | None:
        """The seat that an account holds."""
        held = (i for i, c in enumerate(self.chairs) if c.holder == PLAYER and c.account == account)
        return next(held, None)

    def free_seats(self) -> tuple[int, ...]:
        """The seats that are neither held nor kept."""
        return tuple(i for i, chair in enumerate(self.chairs) if chair.holder == FREE)

    def full(self) -> bool:
        """Whether a person or a bot sits on every seat."""
        return all(chair.holder in (PLAYER, BOT) for chair in self.chairs)

    def everybody_added_entropy(self) -> bool:
        """Whether every person has; bots add none."""
        return all(chair.entropy for chair in self.chairs if chair.holder == PLAYER)

    def accounts(self) -> frozenset[str]:
        """The people who may always know of this table: the owner, who sits, who is awaited."""
        named = {chair.account for chair in self.chairs if chair.holder in (PLAYER, KEPT)}
        return frozenset({*named, self.owner} - {""})

    def with_chair(self, seat: int, chair: Chair) -> Table:
        """The table with another holder of one seat."""
        chairs = (*self.chairs[:seat], chair, *self.chairs[seat + 1 :])
        return replace(self, chairs=chairs)


def _opened(table: Table, fact: f.TableOpened) -> Table:
    return replace(
        table,
        game=fact.game,
        edition=fact.edition,
        options=fact.options,
        content=fact.content,
        digest=fact.digest,
        owner=fact.owner,
        unlisted=fact.unlisted,
        quick=fact.quick,
        chairs=(Chair(),) * fact.players,
    )


def _entropy_added(table: Table, fact: f.EntropyAdded) -> Table:
    return table.with_chair(fact.seat, replace(table.chairs[fact.seat], entropy=fact.entropy))


def _invited(table: Table, fact: f.InvitationMade) -> Table:
    invitation = Invitation(fact.code, fact.seat, fact.expires)
    valid = (one for one in table.invitations if one.expires > table.changed_at)
    return replace(table, invitations=(*valid, invitation))


EVOLVERS: Mapping[type[Fact], Callable[[Table, Any], Table]] = {
    f.TableOpened: _opened,
    f.SeatKept: lambda t, x: t.with_chair(x.seat, Chair(KEPT, x.account)),
    f.SeatTaken: lambda t, x: t.with_chair(x.seat, Chair(PLAYER, x.account, x.name)),
    f.BotSeated: lambda t, x: t.with_chair(x.seat, Chair(BOT, x.account, x.name, x.bot)),
    f.SeatLeft: lambda t, x: t.with_chair(x.seat, Chair()),
    f.SeatKicked: lambda t, x: t.with_chair(x.seat, Chair()),
    f.InvitationMade: _invited,
    f.SeedCommitted: lambda t, x: replace(t, commitment=x.commitment),
    f.EntropyAdded: _entropy_added,
    f.StartCalled: lambda t, _: replace(t, status=GATHERING),
    # The order carries the content file to rules; here it has served its purpose.
    f.TableStarted: lambda t, _: replace(t, status=STARTING, content=""),
    f.MatchBegan: lambda t, _: replace(t, status=PLAYING),
    f.MatchFinished: lambda t, x: replace(t, status=FINISHED, reason=x.reason),
    f.TableClosed: lambda t, x: replace(
        t, status=CLOSED, reason=x.reason, detail=x.detail, content="", invitations=()
    ),
}

AnyFact = (
    f.TableOpened | f.SeatKept | f.SeatTaken | f.BotSeated | f.SeatLeft | f.SeatKicked
    | f.InvitationMade | f.SeedCommitted | f.EntropyAdded | f.StartCalled | f.TableStarted
    | f.MatchBegan | f.MatchFinished | f.TableClosed
)  # fmt: skip


class Step(NamedTuple):
    """One record to be: its type, the facts, and the seat that it is about."""

    type: str
    facts: tuple[Fact, ...]
    seat: int = NO_SEAT


def stream_of(table_id: str) -> str:
    """The name of a table's log."""
    return f"table-{table_id}"


def unopened(table_id: str) -> Table:
    """A table before its first record."""
    return Table(table_id, 0, GENESIS, "", "", {}, "", "", "", False, 0, (), 0)


def advance(
    table: Table, steps: Sequence[Step], actor: str, at: int
) -> tuple[Table, tuple[Sealed, ...]]:
    """The table after some steps, and the sealed records that lead there."""
    sealed = []
    for step in steps:
        after = _folded(table, step.facts, at)
        record = Record(
            stream=stream_of(table.id),
            version=table.version + 1,
            type=step.type,
            schema=SCHEMA,
            edition=after.edition,
            actor=actor,
            seat=step.seat,
            move="",
            facts=msgspec.Raw(encode(step.facts)),
            secrets=(),
            barrier=False,
            state="",
            at=at,
            prev=table.head,
        )
        sealed.append(seal(record))
        table = replace(after, version=record.version, head=sealed[-1].hash)
    return table, tuple(sealed)


def follow(table: Table, body: bytes, hash_: str) -> Table:
    """The table after one more stored record of its log. Raises `BadRecord`."""
    record = open_record(body)
    if record.version != table.version + 1 or record.prev != table.head:
        raise BadRecord(record.version, f"it does not follow version {table.version} of {table.id}")
    facts: tuple[Fact, ...] = decode(record.facts, tuple[AnyFact, ...])
    return replace(_folded(table, facts, record.at), version=record.version, head=hash_)


def _folded(table: Table, facts: Sequence[Fact], at: int) -> Table:
    for fact in facts:
        table = EVOLVERS[type(fact)](table, fact)
    return replace(table, changed_at=at, opened_at=table.opened_at if table.version else at)
