"""Tables and whole matches of bots, through the public contract."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Mapping, Sequence

from grpc import aio

from protos.tallystick.lobby.v1.lobby_pb2 import (
    SEAT_KIND_BOT,
    SEAT_KIND_OPEN,
    SEAT_KIND_PLAYER,
    TABLE_STATUS_CLOSED,
    TABLE_STATUS_FINISHED,
    TABLE_STATUS_PLAYING,
    ListTablesRequest,
    OpenTableRequest,
    SeatPlan,
    StartTableRequest,
    Table,
    TableFilter,
    WatchTableRequest,
)
from protos.tallystick.match.v1.match_pb2 import MatchRecord
from protos.tallystick.rules.v1.rules_pb2 import (
    ExportMatchRequest,
    WatchedRecord,
    WatchMatchRequest,
)
from protos.tallystick.scoring.v1.scoring_pb2 import GetScoreSheetRequest, ScoreSheet
from protos.tallystick.stream.v1.stream_pb2 import END_REASON_COMPLETE
from services.cli.connection import Connection
from services.cli.errors import CliError
from services.cli.gaps import Gap

ME = "me"
"""In a list of seats: the caller's own. `open` stays free; any other word is a kind of bot."""


def command_id() -> str:
    """A fresh id for a command that is sent once and, if need be, sent again."""
    return str(uuid.uuid4())


def seat_plan(seat: str) -> SeatPlan:
    """What a word in a list of seats means."""
    if seat == ME:
        return SeatPlan(kind=SEAT_KIND_PLAYER)
    if seat == "open":
        return SeatPlan(kind=SEAT_KIND_OPEN)
    return SeatPlan(kind=SEAT_KIND_BOT, bot=seat)


async def open_table(
    connection: Connection,
    game: str,
    seats: Sequence[str],
    options: Mapping[str, str] | None = None,
    content: str = "",
    unlisted: bool = False,
) -> Table:
    """Open a table with the seats as planned."""
    request = OpenTableRequest(
        game=game,
        players=len(seats),
        options=dict(options or {}),
        content_override=content,
        seats=[seat_plan(seat) for seat in seats],
        unlisted=unlisted,
        command_id=command_id(),
    )
    return (await connection.lobby.OpenTable(request)).table


async def listed(connection: Connection, wanted: TableFilter) -> list[Table]:
    """All tables of a kind, newest first."""
    found: list[Table] = []
    token = ""
    while True:
        request = ListTablesRequest(filter=wanted, page_size=200, page_token=token)
        page = await connection.lobby.ListTables(request)
        found.extend(page.tables)
        token = page.next_page_token
        if not token:
            return found


async def start_table(connection: Connection, table_id: str) -> str:
    """Start a full table; the id of its match, which exists by then."""
    request = StartTableRequest(table_id=table_id, command_id=command_id())
    table: Table = (await connection.lobby.StartTable(request)).table
    if has_match(table):
        return table.match_id
    async for message in connection.lobby.WatchTable(WatchTableRequest(table_id=table_id)):
        if message.HasField("table") and has_match(message.table):
            return message.table.match_id
    raise CliError(f"the match does not begin yet; try again: tally play --table {table_id}")


def has_match(table: Table) -> bool:
    """Whether the match of a table exists, so that it can be seen and played.

    Raises `CliError` if there will never be one.
    """
    if table.status == TABLE_STATUS_CLOSED:
        reason = table.closed_detail or table.closed_reason
        raise CliError(f"table {table.table_id} was closed: {reason}")
    return table.status in (TABLE_STATUS_PLAYING, TABLE_STATUS_FINISHED)


async def watch(
    connection: Connection, match_id: str, after: int = 0
) -> AsyncIterator[WatchedRecord]:
    """The records of a match, past and live, until it is over; resumes by itself.

    A connection that is lost is waited for, unless there was none to begin with.
    """
    heard, gap = False, Gap()
    while True:
        request = WatchMatchRequest(match_id=match_id, after_version=after)
        try:
            async for message in connection.rules.WatchMatch(request):
                heard = True
                gap.over()
                if message.HasField("record"):
                    record: MatchRecord = message.record.record
                    after = record.version
                    yield message.record
                    if message.record.over:
                        return
                elif message.HasField("ended") and message.ended.reason == END_REASON_COMPLETE:
                    return
        except aio.AioRpcError as error:
            if not heard:
                raise
            await gap.wait(error)


async def export(connection: Connection, match_id: str) -> list[bytes]:
    """The lines of a match's export."""
    lines: list[bytes] = []
    async for piece in connection.rules.ExportMatch(ExportMatchRequest(match_id=match_id)):
        lines.extend(line.encode() for line in piece.lines)
    return lines


async def score_sheet(connection: Connection, match_id: str) -> ScoreSheet:
    """The sheet of a match as scoring has it now."""
    request = GetScoreSheetRequest(match_id=match_id)
    sheet: ScoreSheet = (await connection.scoring.GetScoreSheet(request)).sheet
    return sheet
