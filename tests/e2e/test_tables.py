"""Tables of a whole system: a seed before any entropy, whoever is away, and an end to idle ones."""

from __future__ import annotations

import time
import uuid
from collections.abc import AsyncIterator

import grpc
import pytest
from grpc import aio

from protos.tallystick.lobby.v1.lobby_pb2 import (
    TABLE_STATUS_CLOSED,
    TABLE_STATUS_OPEN,
    TABLE_STATUS_PLAYING,
    AddEntropyRequest,
    GetTableRequest,
    StartTableRequest,
    Table,
)
from services.cli.fairness import add_entropy, check
from services.cli.tables import open_table
from services.cli.waiting import started
from shared.platform.rpc.client import problem
from tests.e2e.world import Caller, World, eventually

ENTROPY_SECONDS = 2.0
IDLE_SECONDS = 7.2
HASTY = {"TALLY_ENTROPY_SECONDS": f"{ENTROPY_SECONDS}", "TALLY_IDLE_TABLE_HOURS": "0.002"}


@pytest.fixture
async def hasty(world: World) -> AsyncIterator[World]:
    """The system with a lobby that waits for nobody for long."""
    world["lobby"].kill()
    await world["lobby"].restart(**HASTY)
    yield world
    world["lobby"].kill()


async def shown(caller: Caller, table_id: str) -> Table:
    return (await caller.lobby.GetTable(GetTableRequest(table_id=table_id))).table


def start(table_id: str) -> StartTableRequest:
    return StartTableRequest(table_id=table_id, command_id=str(uuid.uuid4()))


async def test_while_rules_is_away_no_entropy_is_taken_and_no_match_starts(world: World) -> None:
    async with world.caller("ann") as ann:
        world["rules"].kill()
        table = await open_table(ann.connection, "dwergar", ["me", "random"])
        request = AddEntropyRequest(
            table_id=table.table_id, seed_commitment="0" * 64, entropy=b"x" * 32, command_id="early"
        )
        for call, code in (
            (ann.lobby.AddEntropy(request), grpc.StatusCode.FAILED_PRECONDITION),
            (ann.lobby.StartTable(start(table.table_id)), grpc.StatusCode.UNAVAILABLE),
        ):
            with pytest.raises(aio.AioRpcError) as refusal:
                await call
            assert refusal.value.code() == code
            assert problem(refusal.value).reason == "SEED_NOT_COMMITTED"
        now = await shown(ann, table.table_id)
        assert (now.status, now.seed_commitment) == (TABLE_STATUS_OPEN, "")
        await world["rules"].restart()
        share = await add_entropy(ann.connection, table.table_id)
        assert share.entropy
        world["rules"].kill()
        await world["rules"].restart()
        assert (await shown(ann, table.table_id)).seed_commitment == share.commitment
        match_id = await started(ann.connection, table)
        await check(ann.connection, match_id, share)


async def test_a_match_begins_without_those_who_add_nothing(hasty: World) -> None:
    async with hasty.caller("ann") as ann:
        table = await open_table(ann.connection, "dwergar", ["me", "random"])
        began = time.monotonic()
        await ann.lobby.StartTable(start(table.table_id))

        async def plays() -> bool:
            return (await shown(ann, table.table_id)).status == TABLE_STATUS_PLAYING

        await eventually(plays, "the match begins")
        assert time.monotonic() - began > ENTROPY_SECONDS / 2


async def test_an_idle_table_is_closed_also_after_a_restart(hasty: World) -> None:
    async with hasty.caller("ann") as ann:
        table = await open_table(ann.connection, "dwergar", ["me", "open"])
        hasty["lobby"].kill()
        await hasty["lobby"].restart(**HASTY)

        async def closed() -> bool:
            return (await shown(ann, table.table_id)).status == TABLE_STATUS_CLOSED

        await eventually(closed, "the idle table is closed", IDLE_SECONDS + 20)
        assert (await shown(ann, table.table_id)).closed_reason == "expired"
