"""The bots process: `python -m services.bots`."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, suppress

from protos.tallystick.rules.v1.rules_pb2_grpc import RulesServiceStub
from services.bots.player import BotPlayer
from shared.games import GAMES
from shared.platform.rpc.server import RpcServer
from shared.platform.rpc.wiring import peer_channel
from shared.platform.service import serve
from shared.platform.settings import ServiceSettings
from shared.platform.telemetry import Metrics


async def wire(settings: ServiceSettings, _: RpcServer, __: Metrics, stack: AsyncExitStack) -> None:
    """One player on a channel to rules; the server only answers health checks."""
    channel = await stack.enter_async_context(
        peer_channel(settings, settings.peers.rules_address, role="bots")
    )
    playing = asyncio.create_task(BotPlayer(RulesServiceStub(channel), GAMES).run())
    stack.push_async_callback(_stopped, playing)


async def _stopped(task: asyncio.Task[None]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


if __name__ == "__main__":
    serve("bots", wire)
