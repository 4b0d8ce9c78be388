"""From an open table to its match: sit down, add entropy, start if it is ours, wait, check."""

from __future__ import annotations

from protos.tallystick.lobby.v1.lobby_pb2 import (
    SEAT_KIND_BOT,
    SEAT_KIND_PLAYER,
    TABLE_STATUS_OPEN,
    GetTableRequest,
    JoinTableRequest,
    Table,
    WatchTableRequest,
)
from services.cli.connection import Connection
from services.cli.errors import CliError
from services.cli.fairness import add_entropy, check, show_share
from services.cli.show import console
from services.cli.tables import command_id, has_match, start_table


async def seated(connection: Connection, table_id: str) -> Table:
    """The table with the caller at it."""
    table: Table = (await connection.lobby.GetTable(GetTableRequest(table_id=table_id))).table
    if any(seat.account == connection.account for seat in table.seats):
        return table
    request = JoinTableRequest(table_id=table_id, command_id=command_id())
    joined: Table = (await connection.lobby.JoinTable(request)).table
    return joined


async def started(connection: Connection, table: Table, quiet: bool = False) -> str:
    """The match of a table, once it plays; its owner starts it when it is full.

    Raises `CliError` if the table was closed, or if the match does not have the chance that its
    table promised.
    """
    if has_match(table):
        return table.match_id
    share = await add_entropy(connection, table.table_id)
    if not quiet and not _full(table):
        console.print(f"Waiting at table {table.table_id} ...")
    match_id = await _match_of(connection, table)
    await check(connection, match_id, share)
    if not quiet:
        show_share(share)
    return match_id


def _full(table: Table) -> bool:
    return all(seat.kind in (SEAT_KIND_PLAYER, SEAT_KIND_BOT) for seat in table.seats)


async def _match_of(connection: Connection, table: Table) -> str:
    async for message in connection.lobby.WatchTable(WatchTableRequest(table_id=table.table_id)):
        if not message.HasField("table"):
            continue
        table = message.table
        if has_match(table):
            return table.match_id
        mine = table.owner == connection.account and not table.quick
        if _full(table) and mine and table.status == TABLE_STATUS_OPEN:
            return await start_table(connection, table.table_id)
    raise CliError(f"table {table.table_id} can no longer be watched; try again")
