"""A lobby that listens, with Harbour on offer, and clients of any account."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from protos.tallystick.lobby.v1 import lobby_pb2 as pb
from protos.tallystick.lobby.v1.lobby_pb2_grpc import (
    LobbyServiceStub,
    add_LobbyServiceServicer_to_server,
)
from protos.tallystick.log.v1.log_pb2_grpc import LogServiceStub, add_LogServiceServicer_to_server
from services.lobby import starting
from services.lobby.app import Lobby
from services.lobby.offer import Offer
from services.lobby.service import LOBBY_POLICIES, LobbyService
from services.lobby.table import stream_of
from shared.engine.chance import seed_commitment
from shared.platform.log_service import LOG_POLICIES, LogService
from shared.platform.rpc.auth import Verifier
from shared.platform.rpc.client import bearer, open_channel
from shared.platform.rpc.config import ServerConfig
from shared.platform.rpc.issuer import LocalIssuer
from shared.platform.rpc.server import RpcServer
from shared.platform.store import Store, open_store
from tests.engine.harbour import HARBOUR

OFFER = Offer(
    {"harbour": HARBOUR}, {"random": "Random", "planner": "Planner"}, lambda _: "1. Be brave.\n"
)


SEED = b"s" * 32
COMMITMENT = seed_commitment(SEED)
ENTROPY = b"0123456789abcdef"


def fresh() -> str:
    return uuid.uuid4().hex


class World(NamedTuple):
    """A running lobby."""

    lobby: Lobby
    store: Store
    server: RpcServer
    port: int
    issuer: LocalIssuer
    stack: AsyncExitStack

    async def client(self, account: str) -> LobbyServiceStub:
        """The lobby as one account calls it."""
        return LobbyServiceStub(await self.channel(account))

    async def log(self, account: str, *roles: str) -> LogServiceStub:
        return LogServiceStub(await self.channel(account, *roles))

    async def channel(self, account: str, *roles: str) -> Any:
        token = bearer(self.issuer.issue(account, roles))
        return await self.stack.enter_async_context(
            open_channel(f"127.0.0.1:{self.port}", token, timeout=30.0)
        )

    async def table(self, owner: str = "ada", players: int = 4, **fields: Any) -> pb.Table:
        request = pb.OpenTableRequest(game="harbour", players=players, command_id=fresh(), **fields)
        return (await (await self.client(owner)).OpenTable(request)).table

    async def commit(self, table_id: str, commitment: str = COMMITMENT) -> None:
        """Rules commits to the seed of a table."""
        await self.lobby.note(table_id, lambda table: starting.commit(table, commitment))

    async def types(self, table_id: str) -> list[str]:
        """What was appended to a table."""
        return [one.type for one in await self.store.load(stream_of(table_id))]

    async def committed(self, owner: str = "ada", players: int = 4, **fields: Any) -> pb.Table:
        """A table that rules has heard of."""
        table = await self.table(owner, players, **fields)
        await self.commit(table.table_id)
        return table


def entropy(table_id: str, given: bytes = ENTROPY, **changes: Any) -> pb.AddEntropyRequest:
    """A good share in the chance of a match, with something changed."""
    fields = {"seed_commitment": COMMITMENT, "command_id": fresh(), **changes}
    return pb.AddEntropyRequest(table_id=table_id, entropy=given, **fields)


@asynccontextmanager
async def lobby_world(
    url: str,
    folder: Path,
    start_seconds: float = 0.1,
    clock: Callable[[], int] | None = None,
    offer: Offer = OFFER,
) -> AsyncIterator[World]:
    """A lobby over the store at `url`."""
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(open_store(url))
        more = {} if clock is None else {"clock": clock}
        lobby = Lobby(store, offer, start_seconds=start_seconds, **more)
        await lobby.load()
        following = asyncio.create_task(lobby.keeper.follow())
        issuer = LocalIssuer(folder / "issuer")
        config = ServerConfig(
            max_message=1_000_000, rate_per_second=10_000, rate_burst=10_000,
            strangers_per_second=1000,
        )  # fmt: skip
        server = RpcServer(config, Verifier(issuer.trust()))
        server.add(add_LobbyServiceServicer_to_server, LobbyService(lobby, 0.2), LOBBY_POLICIES)
        server.add(add_LogServiceServicer_to_server, LogService(store), LOG_POLICIES)
        stack.push_async_callback(_stopped, following)
        port = await server.start()
        stack.push_async_callback(server.drain)
        yield World(lobby, store, server, port, issuer, stack)


async def _stopped(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
