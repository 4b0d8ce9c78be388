"""Memory has an end: of the tables that are over the newest stay in it, the others in the log."""

from __future__ import annotations

import pytest
from grpc import StatusCode

from protos.tallystick.lobby.v1 import lobby_pb2 as pb
from tests.services.lobby.test_once import restarted
from tests.services.lobby.world import World, fresh
from tests.services.refusals import refused

MINE = pb.ListTablesRequest(filter=pb.TABLE_FILTER_MINE)


async def test_only_the_newest_tables_that_are_over_stay_in_memory(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.lobby.directory.KEPT_OVER", 3)
    ada = await world.client("ada")
    going_on = await world.table("ada", 2)
    closed = []
    for _ in range(5):
        table = await world.table("ada", 2)
        leave = pb.LeaveTableRequest(table_id=table.table_id, command_id=fresh())
        closed.append((await ada.LeaveTable(leave)).table)
    for lobby in (world.lobby, await restarted(world)):
        kept = {table.id for table in lobby.directory.tables_of("ada")}
        assert kept == {going_on.table_id, *(table.table_id for table in closed[-3:])}
        assert len(lobby.directory._tables) == 4
    assert {one.table_id for one in (await ada.ListTables(MINE)).tables} == kept

    for table in closed:  # and again and again, whatever the reading brings back
        assert (await ada.GetTable(pb.GetTableRequest(table_id=table.table_id))).table == table
        assert len(world.lobby.directory._tables) <= 4
    last = pb.LeaveTableRequest(table_id=closed[0].table_id, command_id=fresh())
    with refused(StatusCode.FAILED_PRECONDITION, "TABLE_NOT_OPEN"):
        await ada.LeaveTable(last)
