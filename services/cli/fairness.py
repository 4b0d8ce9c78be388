"""A client's part in fair chance: note the commitment, add entropy against it, see both kept.

Rules commits to the seed of a match when its table opens. Entropy that is added afterwards cannot
have been known to whoever chose the seed, so whoever adds some needs to trust nobody.
"""

from __future__ import annotations

import asyncio
import os
from typing import NamedTuple

from grpc import aio

from protos.tallystick.lobby.v1.lobby_pb2 import (
    TABLE_STATUS_CLOSED,
    AddEntropyRequest,
    Table,
    WatchTableRequest,
)
from protos.tallystick.rules.v1.rules_pb2 import GetHistoryRequest
from services.cli.connection import Connection
from services.cli.errors import CliError
from services.cli.show import console
from services.cli.tables import command_id
from shared.engine.data import decode
from shared.engine.match import MatchCreated
from shared.platform.rpc.client import problem

ENTROPY_BYTES = 32
COMMITMENT_SECONDS = 30.0

TOO_LATE = ("ENTROPY_GIVEN", "TABLE_NOT_OPEN")
"""Nothing is wrong then: the seat has added entropy from elsewhere, or the match has begun."""


class Share(NamedTuple):
    """What a client noted: the table's commitment, and what it added for which seat, if it did."""

    commitment: str
    seat: int = -1
    entropy: str = ""


async def add_entropy(connection: Connection, table_id: str) -> Share:
    """Wait for the table's commitment, and add entropy if the caller sits there."""
    table = await _committed(connection, table_id)
    commitment = table.seed_commitment
    own = [one.seat for one in table.seats if one.account == connection.account]
    if not own:
        return Share(commitment)
    entropy = os.urandom(ENTROPY_BYTES)
    request = AddEntropyRequest(
        table_id=table_id, seed_commitment=commitment, entropy=entropy, command_id=command_id()
    )
    try:
        await connection.lobby.AddEntropy(request)
    except aio.AioRpcError as error:
        if problem(error).reason in TOO_LATE:
            return Share(commitment)
        raise
    return Share(commitment, own[0], entropy.hex())


async def _committed(connection: Connection, table_id: str) -> Table:
    """The table once rules has committed to its seed."""
    request = WatchTableRequest(table_id=table_id)
    try:
        async with asyncio.timeout(COMMITMENT_SECONDS):
            async for message in connection.lobby.WatchTable(request):
                if message.table.seed_commitment or message.table.status == TABLE_STATUS_CLOSED:
                    return message.table
    except TimeoutError as error:
        raise CliError(
            f"rules does not commit to the seed of table {table_id}; it may be away. Try again"
        ) from error
    raise CliError(f"table {table_id} can no longer be watched; try again")


async def check(connection: Connection, match_id: str, share: Share) -> None:
    """See that the match has what was noted at its table. Raises `CliError` if it has not."""
    request = GetHistoryRequest(match_id=match_id, page_size=1)
    (first,) = (await connection.rules.GetHistory(request)).records
    created = decode(first.facts[0].fields_json, MatchCreated)
    if created.commitment != share.commitment:
        raise CliError(
            f"match {match_id} is NOT fair: its table showed the commitment {share.commitment}, "
            f"the match has {created.commitment}"
        )
    if share.entropy and created.entropy[share.seat] != share.entropy:
        raise CliError(
            f"match {match_id} is NOT fair: it has other entropy for your seat than you added"
        )


def show_share(share: Share) -> None:
    """Print what to keep for `tally verify`."""
    words = f"--commitment {share.commitment}"
    words += f" --entropy {share.entropy}" if share.entropy else ""
    console.print(f"[dim]To prove later that chance was fair: tally verify FILE {words}[/dim]")
