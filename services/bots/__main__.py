"""The bots process: `python -m services.bots`."""

from __future__ import annotations

from contextlib import AsyncExitStack

from protos.tallystick.rules.v1.rules_pb2_grpc import RulesServiceStub
from services.bots.player import BotPlayer
from shared.games import GAMES
from shared.platform.background import run_beside
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
    run_beside(stack, "bots", BotPlayer(RulesServiceStub(channel), GAMES).run())


if __name__ == "__main__":
    serve("bots", wire)
