"""Scoring over a database of its own, with a rules' log, a bus and a served log in front of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Engine, select

from protos.tallystick.log.v1.log_pb2_grpc import add_LogServiceServicer_to_server
from protos.tallystick.scoring.v1.scoring_pb2_grpc import (
    ScoringServiceStub,
    add_ScoringServiceServicer_to_server,
)
from services.scoring.database import open_database
from services.scoring.following import LogFollower
from services.scoring.projection import Projection
from services.scoring.queries import Queries
from services.scoring.service import SCORING_POLICIES, ScoringService
from services.scoring.tables import FOLDED, dead_letters
from shared.engine.game import Game
from shared.engine.record import Sealed
from shared.platform.log_client import log_reader
from shared.platform.log_service import LOG_POLICIES, LogService
from shared.platform.rpc.auth import Verifier
from shared.platform.rpc.client import bearer, open_channel
from shared.platform.rpc.config import ServerConfig
from shared.platform.rpc.issuer import LocalIssuer
from shared.platform.rpc.server import RpcServer
from shared.platform.store import Append, LogEntry, Store, open_store
from tests.services.scoring.matches import GAMES

Rows = dict[str, list[tuple[Any, ...]]]


def all_rows(engine: Engine) -> Rows:
    """Every row of every folded table, in a fixed order."""
    with engine.connect() as connection:
        return {
            table.name: sorted(tuple(row) for row in connection.execute(select(table)))
            for table in (*FOLDED, dead_letters)
        }


def entries_of(records: Sequence[Sealed], after: int = 0) -> list[LogEntry]:
    """The records at positions of a log."""
    return [
        LogEntry(position, one.stream, one.version, one.type, one.body, one.hash)
        for position, one in enumerate(records, after + 1)
    ]


async def append(store: Store, records: Sequence[Sealed]) -> None:
    """Append records to the rules' log in this order."""
    for one in records:
        await store.append(Append(one.stream, one.version - 1, (one,)))


class Scoring(NamedTuple):
    """Scoring's database and everything that works on it, without a process around it."""

    projection: Projection
    engine: Engine
    queries: Queries

    def rows(self) -> Rows:
        return all_rows(self.engine)

    def fold(self, records: Sequence[Sealed], batch: int = 1) -> None:
        """Fold records as the next entries of the log."""
        _, position = self.projection.progress()
        entries = entries_of(records, position)
        for start in range(0, len(entries), batch):
            self.projection.apply(entries[start : start + batch], "epoch")


@asynccontextmanager
async def scoring_over(
    url: str, live_matches: int = 1000, games: Mapping[str, Game] = GAMES
) -> AsyncIterator[Scoring]:
    """Scoring over an empty or used database."""
    writer, readers = open_database(url)
    queries = Queries(readers)
    try:
        yield Scoring(Projection(writer, games, live_matches), writer, queries)
    finally:
        await queries.close()
        writer.dispose()


class Served(NamedTuple):
    """A server with the rules' log and scoring's RPCs, and the log's store."""

    store: Store
    port: int
    issuer: LocalIssuer
    stack: AsyncExitStack

    async def channel(self, account: str, *roles: str) -> Any:
        token = bearer(self.issuer.issue(account, roles))
        return await self.stack.enter_async_context(
            open_channel(f"127.0.0.1:{self.port}", token, timeout=30.0)
        )

    async def client(self, account: str) -> ScoringServiceStub:
        return ScoringServiceStub(await self.channel(account))

    async def follower(self, projection: Projection) -> LogFollower:
        channel = await self.channel("service:scoring", "service")
        following = LogFollower(projection, log_reader(channel))
        self.stack.push_async_callback(following.close)
        return following


@asynccontextmanager
async def served(
    folder: Path, queries: Queries | None = None, games: Mapping[str, Game] = GAMES
) -> AsyncIterator[Served]:
    """The rules' log in a SQLite store, served over gRPC; with scoring's RPCs if given."""
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(open_store(f"sqlite:///{folder / 'rules.db'}"))
        issuer = LocalIssuer(folder / "issuer")
        server = RpcServer(ServerConfig(drain=1.0), Verifier(issuer.trust()))
        server.add(add_LogServiceServicer_to_server, LogService(store), LOG_POLICIES)
        if queries is not None:
            service = ScoringService(queries, games)
            server.add(add_ScoringServiceServicer_to_server, service, SCORING_POLICIES)
        port = await server.start()
        stack.push_async_callback(server.drain)
        yield Served(store, port, issuer, stack)


async def until(true: Any, seconds: float = 30.0, what: str = "") -> None:
    """Wait until something holds."""
    deadline = asyncio.get_running_loop().time() + seconds
    while not true():
        assert asyncio.get_running_loop().time() < deadline, f"not within {seconds} s: {what}"
        await asyncio.sleep(0.01)
