"""How a table's seats begin: as planned when it is opened."""

from __future__ import annotations

from protos.tallystick.lobby.v1 import lobby_pb2 as pb
from services.lobby import facts as f
from services.lobby.decisions import bot_step
from services.lobby.offer import Offer
from services.lobby.table import Step
from shared.platform.rpc.errors import InvalidArgument

MAX_ACCOUNT = 128


def planned(request: pb.OpenTableRequest, offer: Offer, account: str) -> list[Step]:
    """The seats that are not simply open; without a plan the caller sits on seat 0."""
    plans = list(request.seats) or [pb.SeatPlan(kind=pb.SEAT_KIND_PLAYER)]
    if request.seats and len(plans) != request.players:
        raise InvalidArgument("seats", f"name all {request.players} seats, or none")
    if sum(plan.kind == pb.SEAT_KIND_PLAYER for plan in plans) > 1:
        raise InvalidArgument("seats", "you can take one seat only: PLAYER at most once")
    kept = [plan.account for plan in plans if plan.kind == pb.SEAT_KIND_INVITED]
    if len(set(kept)) < len(kept):
        raise InvalidArgument("seats", "only one seat can be kept for an account")
    steps = (_step(seat, plan, offer, account) for seat, plan in enumerate(plans))
    return [step for step in steps if step is not None]


def _step(seat: int, plan: pb.SeatPlan, offer: Offer, account: str) -> Step | None:
    field = f"seats[{seat}]"
    if plan.kind == pb.SEAT_KIND_PLAYER:
        return Step(f.SEATED, (f.SeatTaken(seat, account, account),), seat)
    if plan.kind == pb.SEAT_KIND_BOT:
        return bot_step(seat, plan.bot, offer.bot_name(plan.bot, f"{field}.bot"))
    if plan.kind == pb.SEAT_KIND_INVITED:
        if not plan.account.isprintable() or not 0 < len(plan.account) <= MAX_ACCOUNT:
            raise InvalidArgument(f"{field}.account", "name the account that the seat is kept for")
        if plan.account == account:
            raise InvalidArgument(f"{field}.account", "for your own seat use PLAYER")
        return Step(f.OPENED, (f.SeatKept(seat, plan.account),), seat)
    if plan.kind == pb.SEAT_KIND_OPEN:
        return None
    raise InvalidArgument(f"{field}.kind", "it is OPEN, PLAYER, BOT or INVITED")
