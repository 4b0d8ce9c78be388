"""The lobby process: `python -m services.lobby`."""

from __future__ import annotations

from contextlib import AsyncExitStack

from protos.tallystick.lobby.v1.lobby_pb2_grpc import add_LobbyServiceServicer_to_server
from protos.tallystick.log.v1.log_pb2_grpc import add_LogServiceServicer_to_server
from services.lobby.app import Lobby
from services.lobby.matches import MatchFollower
from services.lobby.offer import Offer
from services.lobby.service import LOBBY_POLICIES, LobbyService
from services.lobby.starting import Patience
from services.lobby.timing import keep_time
from shared.bots import BOTS
from shared.games import GAMES
from shared.platform.background import run_beside
from shared.platform.bus import Bus, Relay
from shared.platform.log_client import log_reader
from shared.platform.log_service import LOG_POLICIES, LogService
from shared.platform.rpc.server import RpcServer
from shared.platform.rpc.wiring import peer_channel
from shared.platform.service import serve
from shared.platform.settings import ServiceSettings
from shared.platform.store import open_store
from shared.platform.telemetry import Metrics


async def wire(
    settings: ServiceSettings, server: RpcServer, metrics: Metrics, stack: AsyncExitStack
) -> None:
    """Tables over the store, told to the bus, following the matches of rules."""
    store = await stack.enter_async_context(
        open_store(settings.database_url.get_secret_value(), metrics)
    )
    offer = Offer(GAMES, {kind: kind.capitalize() for kind in BOTS})
    lobby = Lobby(store, offer)
    await lobby.load()
    beat = settings.rpc.heartbeat_seconds
    server.add(add_LobbyServiceServicer_to_server, LobbyService(lobby, beat), LOBBY_POLICIES)
    server.add(add_LogServiceServicer_to_server, LogService(store, beat), LOG_POLICIES)

    bus = await stack.enter_async_context(
        await Bus.connect(
            settings.bus.nats_url.get_secret_value(), "lobby", nkey_file=settings.bus.nats_nkey_file
        )
    )
    rules = await stack.enter_async_context(peer_channel(settings, settings.peers.rules_address))
    matches = MatchFollower(
        lobby, store, bus, log_reader(rules), settings.bus.delivery_attempts, metrics
    )
    relay = Relay(bus, store, "lobby", replicas=settings.bus.nats_replicas, traces=store)
    metrics.relay_lag.set_function(lambda: relay.lag)
    run_beside(stack, "log", lobby.keeper.follow())
    run_beside(stack, "relay", relay.run())
    run_beside(stack, "matches", matches.run())
    run_beside(stack, "time", keep_time(lobby, patience_of(settings)))


def patience_of(settings: ServiceSettings) -> Patience:
    """How long tables wait, in milliseconds."""
    tables = settings.tables
    return Patience(int(tables.entropy_seconds * 1000), int(tables.idle_table_hours * 3_600_000))


if __name__ == "__main__":
    serve("lobby", wire)
