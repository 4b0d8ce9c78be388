"""From an open table to its match: sit down, add entropy, start if it is ours, wait, check."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from grpc import aio

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
from services.cli.fairness import add_entropy, check, show_share
from services.cli.gaps import PAUSE_SECONDS, Gap
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
    try:
        match_id = await _match_of(connection, table)
    except asyncio.CancelledError:
        kept = f"Your seat is kept; come back with: tally play --table {table.table_id}"
        console.print(kept, "(and the options that say who you are and where)")
        raise
    await check(connection, match_id, share)
    if not quiet:
        show_share(share)
    return match_id


def _full(table: Table) -> bool:
    return all(seat.kind in (SEAT_KIND_PLAYER, SEAT_KIND_BOT) for seat in table.seats)


async def _match_of(connection: Connection, table: Table) -> str:
    """The match of a table once there is one, however often the connection is lost until then."""
    gap = Gap()
    while True:
        try:
            async for shown in _shown(connection, table.table_id):
                gap.over()
                if has_match(shown):
                    return shown.match_id
                mine = shown.owner == connection.account and not shown.quick
                if _full(shown) and mine and shown.status == TABLE_STATUS_OPEN:
                    return await start_table(connection, shown.table_id)
            await asyncio.sleep(PAUSE_SECONDS)
        except aio.AioRpcError as error:
            await gap.wait(error)


async def _shown(connection: Connection, table_id: str) -> AsyncIterator[Table]:
    async for message in connection.lobby.WatchTable(WatchTableRequest(table_id=table_id)):
        if message.HasField("table"):
            yield message.table
