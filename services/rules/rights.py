"""Who may do and see what at a match. The seats in its first record say so, never the request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from shared.engine.hidden import SPECTATOR
from shared.engine.match import Match, Seat
from shared.platform.rpc.auth import Principal
from shared.platform.rpc.errors import PermissionDenied

PLAYER = "player"
"""The kind of a seat that a person holds; every other kind is a kind of bot."""

BOTS = "bots"
"""The role of whoever plays the bots' seats, and takes care of those whose players gave up."""


class Rights(NamedTuple):
    """The seats a caller may look out of, play, and give up."""

    sees: tuple[int, ...]
    plays: tuple[int, ...]
    resigns: tuple[int, ...]

    def viewer(self, wanted: int | None) -> int:
        """The seat whose view the caller gets. Raises `PermissionDenied` for another's."""
        return _one_of(self.sees, wanted, SPECTATOR)

    def player(self, wanted: int | None) -> int:
        """The seat that the caller acts for. Raises `PermissionDenied` if there is none."""
        seat = _one_of(self.plays, wanted, SPECTATOR)
        if seat == SPECTATOR:
            raise not_your_seat("you hold no seat here, so you can only watch")
        return seat

    def resigning(self, wanted: int | None) -> int:
        """The seat that the caller gives up. Raises `PermissionDenied` if there is none."""
        seat = _one_of(self.resigns, wanted, SPECTATOR)
        if seat == SPECTATOR:
            raise not_your_seat("you hold no seat here that you could give up")
        return seat


def rights(caller: Principal, match: Match) -> Rights:
    """What a caller may do at a match."""
    seats, resigned = match.created.seats, match.resigned
    if BOTS in caller.roles:
        kept = tuple(n for n, seat in enumerate(seats) if is_kept(seat, n, resigned))
        return Rights(kept, kept, ())
    own = seats_of(caller.account, seats)
    return Rights(own, tuple(n for n in own if n not in resigned), own)


def seats_of(account: str, seats: Sequence[Seat]) -> tuple[int, ...]:
    """The seats that a person holds."""
    return tuple(
        n for n, seat in enumerate(seats) if seat.account == account and seat.kind == PLAYER
    )


def is_kept(seat: Seat, number: int, resigned: Sequence[int]) -> bool:
    """Whether a seat is played by a bot: from the start, or since its player gave up."""
    return seat.kind != PLAYER or number in resigned


def not_your_seat(why: str) -> PermissionDenied:
    """Why somebody may not act."""
    return PermissionDenied("NOT_YOUR_SEAT", why)


def _one_of(seats: tuple[int, ...], wanted: int | None, otherwise: int) -> int:
    if wanted is None:
        return seats[0] if seats else otherwise
    if wanted not in seats:
        mine = ", ".join(map(str, seats)) or "none"
        raise not_your_seat(f"seat {wanted} is not yours; yours: {mine}")
    return wanted
