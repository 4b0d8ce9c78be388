"""Tables as clients see them."""

from __future__ import annotations

from collections.abc import Mapping

from google.protobuf.timestamp_pb2 import Timestamp

from protos.tallystick.lobby.v1 import lobby_pb2 as pb
from services.lobby import table as t

STATUS: Mapping[str, pb.TableStatus] = {
    t.OPEN: pb.TABLE_STATUS_OPEN,
    t.GATHERING: pb.TABLE_STATUS_STARTING,
    t.STARTING: pb.TABLE_STATUS_STARTING,
    t.PLAYING: pb.TABLE_STATUS_PLAYING,
    t.FINISHED: pb.TABLE_STATUS_FINISHED,
    t.CLOSED: pb.TABLE_STATUS_CLOSED,
}
KIND: Mapping[str, pb.SeatKind] = {
    t.FREE: pb.SEAT_KIND_OPEN,
    t.KEPT: pb.SEAT_KIND_INVITED,
    t.PLAYER: pb.SEAT_KIND_PLAYER,
    t.BOT: pb.SEAT_KIND_BOT,
}


def timestamp(milliseconds: int) -> Timestamp:
    """A time as it travels."""
    found = Timestamp()
    found.FromMilliseconds(milliseconds)
    return found


def table_message(table: t.Table) -> pb.Table:
    """A table as everyone who may know of it sees it: no content file, no entropy, no codes."""
    ordered = table.status in (t.GATHERING, t.STARTING, t.PLAYING, t.FINISHED)
    return pb.Table(
        table_id=table.id,
        version=table.version,
        game=table.game,
        edition=table.edition,
        options=table.options,
        status=STATUS[table.status],
        owner=table.owner,
        seats=[
            pb.TableSeat(
                seat=seat,
                kind=KIND[chair.holder],
                account=chair.account,
                name=chair.name,
                bot=chair.bot,
                entropy_added=bool(chair.entropy),
            )
            for seat, chair in enumerate(table.chairs)
        ],
        unlisted=table.unlisted,
        match_id=table.id if ordered else "",
        opened_at=timestamp(table.opened_at),
        quick=table.quick > 0,
        closed_reason=table.reason if table.status == t.CLOSED else "",
        closed_detail=table.detail,
        content_digest=table.digest,
        seed_commitment=table.commitment,
        changed_at=timestamp(table.changed_at),
    )
