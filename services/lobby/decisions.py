"""What may be done at an open table: each function gives the records to append, or refuses.

Pure: a table in, steps out. A refusal changes nothing. What leads from a full table to its match
is in `starting`.
"""

from __future__ import annotations

import hashlib

from services.lobby import facts as f
from services.lobby.table import (
    FREE,
    KEPT,
    OPEN,
    PLAYER,
    Invitation,
    Step,
    Table,
)
from shared.platform.rpc.errors import (
    FailedPrecondition,
    InvalidArgument,
    NotFound,
    PermissionDenied,
    TooMuch,
)

MAX_INVITATIONS = 64

OWNER_LEFT = "owner-left"
EVERYONE_LEFT = "everyone-left"


def code_hash(code: str) -> str:
    """What is kept of an invitation code."""
    return hashlib.sha256(b"tallystick/invitation/v1\n" + code.encode()).hexdigest()


def no_such_table(table_id: str) -> NotFound:
    """The answer for a table that is not there, or not for these eyes."""
    return NotFound(
        "TABLE_NOT_FOUND",
        f"there is no table {table_id!r} that you may see; an unlisted one needs a valid "
        "invitation code",
        table_id=table_id,
    )


def visible(table: Table, account: str, code: str, now: int) -> bool:
    """Whether an account, perhaps with a code, may know of the table."""
    if not table.unlisted or account in table.accounts():
        return True
    return _invitation(table, code, now) is not None


def _invitation(table: Table, code: str, now: int) -> Invitation | None:
    known = code_hash(code)
    valid = (one for one in table.invitations if one.code == known and one.expires > now)
    return next(valid, None)


def join(table: Table, account: str, seat: int | None, code: str, now: int) -> list[Step]:
    """Sit down, shown under the account's name. A quick table that is full with it will start."""
    must_be_open(table)
    held = table.seat_of(account)
    if held is not None:
        raise FailedPrecondition("ALREADY_SEATED", f"you sit on seat {held} already", seat=held)
    chosen = _first_seat(table, account, code, now) if seat is None else seat
    _must_be_a_seat(table, chosen)
    _must_be_takable(table, chosen, account, code, now)
    steps = [Step(f.SEATED, (f.SeatTaken(chosen, account, account),), chosen)]
    if table.quick and len(table.free_seats()) == 1:
        steps.append(Step(f.CALLED, (f.StartCalled(),)))
    return steps


def _first_seat(table: Table, account: str, code: str, now: int) -> int:
    """The seat kept for the account, else the one of its invitation, else the first free one."""
    for seat, chair in enumerate(table.chairs):
        if chair.holder == KEPT and chair.account == account:
            return seat
    invitation = _invitation(table, code, now) if table.unlisted else None
    if invitation is not None and invitation.seat != f.ANY_SEAT and account != table.owner:
        return invitation.seat
    free = table.free_seats()
    if not free:
        raise FailedPrecondition("TABLE_FULL", "every seat of this table is taken")
    return free[0]


def _must_be_takable(table: Table, seat: int, account: str, code: str, now: int) -> None:
    chair = table.chairs[seat]
    if chair.holder == KEPT:
        if chair.account != account:
            raise PermissionDenied("NOT_INVITED", f"seat {seat} is kept for someone else")
        return
    if chair.holder != FREE:
        if not table.free_seats():
            raise FailedPrecondition("TABLE_FULL", "every seat of this table is taken")
        raise FailedPrecondition("SEAT_TAKEN", f"seat {seat} is taken; choose another", seat=seat)
    if table.unlisted and account != table.owner:
        invitation = _invitation(table, code, now)
        if invitation is None:
            raise PermissionDenied("NOT_INVITED", f"seat {seat} needs a valid invitation code")
        if invitation.seat not in (f.ANY_SEAT, seat):
            raise PermissionDenied("NOT_INVITED", f"your code is for seat {invitation.seat} only")


def leave(table: Table, account: str) -> list[Step]:
    """Stand up. The table closes when its owner goes, a quick one when nobody is left."""
    must_be_open(table)
    seat = table.seat_of(account)
    if seat is None and account != table.owner:
        raise FailedPrecondition("NOT_SEATED", "you do not sit at this table")
    steps = []
    if seat is not None:
        steps.append(Step(f.LEFT, (f.SeatLeft(seat, account),), seat))
    if account == table.owner:
        steps.append(Step(f.CLOSED, (f.TableClosed(OWNER_LEFT),)))
    elif table.quick and not _others(table, account):
        steps.append(Step(f.CLOSED, (f.TableClosed(EVERYONE_LEFT),)))
    return steps


def cancel_quick(table: Table, account: str) -> list[Step]:
    """Stop waiting at a quick table."""
    if not table.quick:
        raise InvalidArgument("table_id", "that is no quick match: use LeaveTable")
    return leave(table, account)


def _others(table: Table, account: str) -> bool:
    return any(chair.holder == PLAYER and chair.account != account for chair in table.chairs)


def seat_bot(table: Table, account: str, seat: int | None, bot: str, name: str) -> list[Step]:
    """Put a bot on a free seat."""
    must_own(table, account)
    must_be_open(table)
    free = table.free_seats()
    if seat is None and not free:
        raise FailedPrecondition("TABLE_FULL", "there is no free seat for a bot")
    chosen = free[0] if seat is None else seat
    _must_be_a_seat(table, chosen)
    if table.chairs[chosen].holder != FREE:
        raise FailedPrecondition("SEAT_TAKEN", f"seat {chosen} is not free; kick it first")
    return [bot_step(chosen, bot, name)]


def bot_step(seat: int, bot: str, name: str) -> Step:
    """A bot sits down. All bots of a kind play on one account."""
    return Step(f.BOT_SEATED, (bot_fact(seat, bot, name),), seat)


def bot_fact(seat: int, bot: str, name: str) -> f.BotSeated:
    """The fact of it; the name tells bots at one table apart."""
    return f.BotSeated(seat, f"bot-{bot}", f"{name} {seat + 1}", bot)


def kick(table: Table, account: str, seat: int) -> list[Step]:
    """Free a seat that someone else holds or that is kept."""
    must_own(table, account)
    must_be_open(table)
    _must_be_a_seat(table, seat)
    chair = table.chairs[seat]
    if chair.holder == FREE:
        raise FailedPrecondition("SEAT_FREE", f"nobody holds seat {seat}")
    if chair.account == account and chair.holder == PLAYER:
        raise InvalidArgument("seat", "that is your own seat; use LeaveTable")
    return [Step(f.KICKED, (f.SeatKicked(seat, chair.account),), seat)]


def invite(
    table: Table, account: str, code: str, seat: int | None, expires: int, now: int
) -> list[Step]:
    """Let the bearer of a code in."""
    must_own(table, account)
    must_be_open(table)
    if seat is not None:
        _must_be_a_seat(table, seat)
        if table.chairs[seat].holder != FREE:
            raise FailedPrecondition("SEAT_TAKEN", f"seat {seat} is not free")
    ends = sorted(one.expires for one in table.invitations if one.expires > now)
    if len(ends) >= MAX_INVITATIONS:
        raise TooMuch(
            "TOO_MANY_INVITATIONS",
            f"a table has {MAX_INVITATIONS} invitations at most: wait until one expires",
            (ends[0] - now) / 1000,
        )
    fact = f.InvitationMade(code_hash(code), f.ANY_SEAT if seat is None else seat, expires)
    return [Step(f.INVITED, (fact,))]


def must_be_open(table: Table) -> None:
    """Refuse a change of seats once the table is about to start, or closed."""
    if table.status != OPEN:
        raise FailedPrecondition(
            "TABLE_NOT_OPEN", f"seats cannot change any more: the table is {table.status}"
        )


def must_own(table: Table, account: str) -> None:
    """Refuse what only the owner may do."""
    if not table.owner or account != table.owner:
        raise PermissionDenied("NOT_THE_OWNER", "only the owner of the table may do that")


def _must_be_a_seat(table: Table, seat: int) -> None:
    if not 0 <= seat < len(table.chairs):
        raise InvalidArgument("seat", f"it must be 0 to {len(table.chairs) - 1}")
