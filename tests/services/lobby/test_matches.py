"""From a started table to a finished match: told to rules by the bus, and heard back from it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from grpc import StatusCode

from protos.tallystick.lobby.v1 import lobby_pb2 as pb
from services.cli.errors import CliError
from services.cli.tables import has_match
from services.lobby.facts import TableStarted
from services.lobby.matches import MatchFollower
from shared.engine.acts import close, create, resign
from shared.engine.chance import seed_commitment
from shared.engine.data import decode, encode
from shared.engine.match import Match, Seat
from shared.engine.record import GENESIS, SCHEMA, Record, Sealed, open_record, seal
from shared.platform.bus import Bus, Consumer, Relay
from shared.platform.embedded.nats import EmbeddedNats
from shared.platform.store import Append, LogEntry, Store, open_store
from tests.engine.harbour import HARBOUR
from tests.services.lobby.world import World, entropy, fresh, lobby_world
from tests.services.refusals import refused

BOTS = [pb.SeatPlan(kind=pb.SEAT_KIND_BOT, bot="random")] * 2


class Rules:
    """As much of rules as the lobby hears of: it commits to seeds, creates matches, closes them."""

    def __init__(self, store: Store, seed: bytes = b"s" * 32) -> None:
        self.store = store
        self.seed = seed
        self.matches: dict[str, Match] = {}
        self.records: dict[str, list[Sealed]] = {}
        self.position = 0
        self.refusing = ""

    async def handle(self, entry: LogEntry) -> None:
        match_id = entry.stream.removeprefix("table-")
        if entry.type == "opened":
            said = {"commitment": seed_commitment(self.seed)}
            await self._notify("seed", match_id, "committed", said)
        if entry.type == "started" and self.refusing:
            await self._notify("refusal", match_id, "refused", {"reason": self.refusing})
        elif entry.type == "started":
            (order,) = decode(open_record(entry.body).facts, tuple[TableStarted])
            seats = [Seat(one.account, one.name, one.kind) for one in order.seats]
            made = create(
                HARBOUR, match_id, seats, order.options, order.content, self.seed,
                order.entropy, 1,
            )  # fmt: skip
            assert made.match.created.commitment == order.commitment
            await self._append(match_id, made.match, made.record)
        self.position = entry.position

    async def _notify(self, stream: str, table_id: str, type_: str, fact: dict[str, str]) -> None:
        record = Record(
            f"{stream}-{table_id}", 1, type_, SCHEMA, "", "system", -1, "",
            msgspec.Raw(encode([fact])), (), False, "", 1, GENESIS,
        )  # fmt: skip
        await self.store.append(Append(record.stream, 0, (seal(record),)))

    async def finish(self, match_id: str) -> None:
        """One seat gives up, which ends a match of two."""
        made = resign(self.matches[match_id], 0, "x", 2)
        await self._append(match_id, made.match, made.record)
        secrets = {one.version: one.secrets for one in self.records[match_id]}
        made = close(self.matches[match_id], secrets, 3)
        await self._append(match_id, made.match, made.record)

    async def _append(self, match_id: str, match: Match, record: Sealed) -> None:
        await self.store.append(Append(record.stream, record.version - 1, (record,)))
        self.matches[match_id] = match
        self.records.setdefault(match_id, []).append(record)

    async def checkpoint(self) -> int:
        return self.position

    async def give_up(self, entry: LogEntry, error: Exception, attempts: int) -> None:
        raise AssertionError(f"rules cannot read {entry.type}") from error


async def nothing(after: int, limit: int) -> Sequence[LogEntry]:
    return []


@asynccontextmanager
async def connected(url: str, world: World, rules: Rules) -> AsyncIterator[None]:
    """Both services on the bus, without their Log RPCs: everything goes over NATS."""
    async with AsyncExitStack() as stack:
        lobby_bus = await stack.enter_async_context(await Bus.connect(url, "lobby"))
        rules_bus = await stack.enter_async_context(await Bus.connect(url, "rules"))
        starting = Consumer(
            rules_bus, name="rules-lobby", service="lobby", handler=rules.handle,
            checkpoint=rules.checkpoint, read_log=nothing, dead_letter=rules.give_up,
        )  # fmt: skip
        workers: list[Any] = [
            Relay(lobby_bus, world.store, "lobby"),
            Relay(rules_bus, rules.store, "rules", permanent=False, replace_foreign=True),
            starting,
            MatchFollower(world.lobby, world.store, lobby_bus, rules.store.read_log),
        ]
        tasks = [asyncio.create_task(worker.run()) for worker in workers]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
        for result in results:
            assert isinstance(result, asyncio.CancelledError), result


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    url = f"sqlite:///{tmp_path / 'lobby.db'}"
    async with lobby_world(url, tmp_path, start_seconds=5.0) as made:
        yield made


async def status(world: World, table_id: str, wanted: int) -> pb.Table:
    """Wait until the table stands like that."""
    client = await world.client("ada")
    async with asyncio.timeout(30):
        while True:
            table = (await client.GetTable(pb.GetTableRequest(table_id=table_id))).table
            if table.status == wanted:
                return table
            await asyncio.sleep(0.02)


async def test_a_started_table_plays_at_once_and_ends_with_its_match(
    world: World, nats_server: EmbeddedNats, tmp_path: Path
) -> None:
    async with open_store(f"sqlite:///{tmp_path / 'rules.db'}") as store:
        rules = Rules(store)
        async with connected(nats_server.url, world, rules):
            table = await world.table("ada", 2, seats=BOTS)
            ada = await world.client("ada")
            start = pb.StartTableRequest(table_id=table.table_id, command_id="start")
            started = (await ada.StartTable(start)).table
            assert started.status == pb.TABLE_STATUS_PLAYING
            assert started.match_id == table.table_id and table.table_id in rules.matches
            assert (await ada.StartTable(start)).table == started
            await rules.finish(table.table_id)
            await status(world, table.table_id, pb.TABLE_STATUS_FINISHED)
            bob, cyd = await world.client("bob"), await world.client("cyd")
            quick = pb.QuickMatchRequest(game="harbour", players=2, command_id=fresh())
            waiting = (await bob.QuickMatch(quick)).table
            await cyd.QuickMatch(quick)
            for client in (bob, cyd):
                shown = await until_committed(world, waiting.table_id)
                await client.AddEntropy(
                    entropy(waiting.table_id, seed_commitment=shown.seed_commitment)
                )
            await status(world, waiting.table_id, pb.TABLE_STATUS_PLAYING)


async def test_a_table_whose_match_rules_refuses_is_closed_with_the_reason(
    world: World, nats_server: EmbeddedNats, tmp_path: Path
) -> None:
    async with open_store(f"sqlite:///{tmp_path / 'rules.db'}") as store:
        rules = Rules(store)
        rules.refusing = "edition '1' of harbour is not installed here"
        async with connected(nats_server.url, world, rules):
            table = await world.table("ada", 2, seats=BOTS)
            start = pb.StartTableRequest(table_id=table.table_id, command_id=fresh())
            closed = (await (await world.client("ada")).StartTable(start)).table
            assert (closed.status, closed.closed_reason) == (pb.TABLE_STATUS_CLOSED, "refused")
            assert closed.closed_detail == rules.refusing
            with pytest.raises(CliError, match="was closed: edition '1' of harbour"):
                has_match(closed)
            assert await world.types(table.table_id) == [
                "opened", "committed", "started", "closed",
            ]  # fmt: skip


async def until_committed(world: World, table_id: str) -> pb.Table:
    """Wait until the table shows a commitment."""
    client = await world.client("ada")
    async with asyncio.timeout(30):
        while True:
            table = (await client.GetTable(pb.GetTableRequest(table_id=table_id))).table
            if table.seed_commitment:
                return table
            await asyncio.sleep(0.02)


async def test_without_rules_a_start_can_be_retried_until_there_is_a_commitment(
    tmp_path: Path,
) -> None:
    url = f"sqlite:///{tmp_path / 'lobby.db'}"
    async with lobby_world(url, tmp_path, start_seconds=0.2) as world:
        table = await world.table("ada", 2, seats=BOTS)
        ada = await world.client("ada")
        start = pb.StartTableRequest(table_id=table.table_id, command_id=fresh())
        with refused(StatusCode.UNAVAILABLE, "SEED_NOT_COMMITTED", "repeat the call") as found:
            await ada.StartTable(start)
        assert found[0].retry_after
        assert await world.types(table.table_id) == ["opened"]
        await world.commit(table.table_id)
        started = (await ada.StartTable(start)).table
        assert started.status == pb.TABLE_STATUS_STARTING
        assert started.match_id == table.table_id


async def test_what_rules_did_while_the_lobby_was_away_is_caught_up_with(
    world: World, nats_server: EmbeddedNats, tmp_path: Path
) -> None:
    async with open_store(f"sqlite:///{tmp_path / 'rules.db'}") as store:
        rules = Rules(store)
        table = await world.table("ada", 2, seats=BOTS)
        async with connected(nats_server.url, world, rules):
            start = pb.StartTableRequest(table_id=table.table_id, command_id=fresh())
            await (await world.client("ada")).StartTable(start)
        await rules.finish(table.table_id)
        async with connected(nats_server.url, world, rules):
            await status(world, table.table_id, pb.TABLE_STATUS_FINISHED)
            async with asyncio.timeout(30):
                while await world.store.cursor("rules-log-1") < await store.last_position():
                    await asyncio.sleep(0.02)


async def test_a_new_log_of_rules_is_followed_from_its_start(
    world: World, nats_server: EmbeddedNats, tmp_path: Path
) -> None:
    for name in ("first", "second"):
        async with open_store(f"sqlite:///{tmp_path / name}.db") as store:
            rules = Rules(store)
            rules.position = await world.store.last_position()
            async with connected(nats_server.url, world, rules):
                table = await world.table("ada", 2, seats=BOTS)
                start = pb.StartTableRequest(table_id=table.table_id, command_id=fresh())
                await (await world.client("ada")).StartTable(start)
                await status(world, table.table_id, pb.TABLE_STATUS_PLAYING)
                await rules.finish(table.table_id)
                await status(world, table.table_id, pb.TABLE_STATUS_FINISHED)
