"""From a table to its match: the commitment, entropy against it, the order, and what came of it.

Rules commits to its seed when a table opens, and the table shows that commitment. Only then can
the people at the table add entropy, so a seed cannot be chosen to go with it. Whoever starts the
table closes its seats; the match is ordered as soon as everybody has added entropy, or when that
takes too long. Pure, as `decisions` is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from services.lobby import facts as f
from services.lobby.decisions import must_be_open, must_own
from services.lobby.table import (
    BOT,
    GATHERING,
    OPEN,
    PLAYER,
    PLAYING,
    STARTING,
    Step,
    Table,
)
from shared.engine.data import replace
from shared.platform.rpc.errors import FailedPrecondition, Unavailable

EXPIRED = "expired"
SEED_CHANGED = "seed-changed"
REFUSED = "refused"


class Patience(NamedTuple):
    """How long (ms) a table waits: for entropy once it is called, and for anybody to touch it."""

    entropy: int
    idle: int


def commit(table: Table, commitment: str) -> Sequence[Step]:
    """Rules has committed to a seed. Nothing to note if we knew.

    If it commits to another it has lost the first, and with it the table's chance to be played.
    """
    if table.commitment == commitment or table.status not in (OPEN, GATHERING, STARTING):
        return ()
    if table.commitment:
        return (Step(f.CLOSED, (f.TableClosed(SEED_CHANGED),)),)
    return (Step(f.COMMITTED, (f.SeedCommitted(commitment),)),)


def add_entropy(table: Table, account: str, commitment: str, entropy: str) -> list[Step]:
    """Add to the chance of the match, once; what is missing last has the match ordered."""
    if table.status not in (OPEN, GATHERING):
        raise FailedPrecondition("TABLE_NOT_OPEN", f"it is too late: the table is {table.status}")
    seat = table.seat_of(account)
    if seat is None:
        raise FailedPrecondition("NOT_SEATED", "you do not sit at this table")
    if not table.commitment:
        raise FailedPrecondition(
            "SEED_NOT_COMMITTED",
            "rules has not committed to its seed yet: watch the table until it shows "
            "seed_commitment, and add entropy then",
        )
    if table.commitment != commitment:
        raise FailedPrecondition(
            "OTHER_COMMITMENT",
            "the table shows another seed_commitment: name the one that you saw there",
        )
    if table.chairs[seat].entropy:
        raise FailedPrecondition("ENTROPY_GIVEN", "you have added entropy already", seat=seat)
    steps = [Step(f.ENTROPY_ADDED, (f.EntropyAdded(seat, entropy),), seat)]
    after = table.with_chair(seat, replace(table.chairs[seat], entropy=entropy))
    if table.status == GATHERING and after.everybody_added_entropy():
        steps.append(_ordered(after))
    return steps


def start(table: Table, account: str) -> list[Step]:
    """Close the seats and order the match."""
    must_own(table, account)
    must_be_open(table)
    if not table.full():
        empty = [seat for seat, one in enumerate(table.chairs) if one.holder not in (PLAYER, BOT)]
        named = ", ".join(map(str, empty))
        raise FailedPrecondition("SEATS_OPEN", f"these seats are not taken yet: {named}")
    if not table.commitment:
        raise Unavailable(
            "SEED_NOT_COMMITTED",
            "rules has not committed to the seed of this table yet; it may be away for a moment: "
            "repeat the call as it is",
        )
    if table.everybody_added_entropy():
        return [_ordered(table)]
    return [Step(f.CALLED, (f.StartCalled(),))]


def _ordered(table: Table) -> Step:
    """What rules is asked to set up."""
    seats = tuple(
        f.MatchSeat(chair.account, chair.name, chair.bot or f.PLAYER) for chair in table.chairs
    )
    entropy = tuple(chair.entropy for chair in table.chairs)
    order = f.TableStarted(
        table.game, table.edition, table.options, table.content, table.digest, seats, entropy,
        table.commitment, table.unlisted,
    )  # fmt: skip
    return Step(f.STARTED, (order,))


def overdue(table: Table, now: int, patience: Patience) -> Sequence[Step]:
    """What time alone brings: a match without the entropy that did not come, or an end."""
    waited = now - table.changed_at
    if table.status == GATHERING and table.commitment and waited >= patience.entropy:
        return (_ordered(table),)
    if table.status in (OPEN, GATHERING) and waited >= patience.idle:
        return (Step(f.CLOSED, (f.TableClosed(EXPIRED),)),)
    return ()


def begin(table: Table) -> Sequence[Step]:
    """Rules has set the match up; nothing to note if we knew."""
    if table.status != STARTING:
        return ()
    return (Step(f.BEGAN, (f.MatchBegan(table.id),)),)


def refuse(table: Table, detail: str) -> Sequence[Step]:
    """Rules cannot set the match up, and says why; nothing to note if we knew."""
    if table.status != STARTING:
        return ()
    return (Step(f.CLOSED, (f.TableClosed(REFUSED, detail),)),)


def finish(table: Table, reason: str) -> Sequence[Step]:
    """Rules has closed the match; nothing to note if we knew."""
    if table.status not in (STARTING, PLAYING):
        return ()
    return (*begin(table), Step(f.FINISHED, (f.MatchFinished(reason),)))
