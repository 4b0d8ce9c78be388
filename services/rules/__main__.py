"""The rules process: `python -m services.rules`; with `rebuild`, make the match index anew."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AsyncExitStack

from protos.tallystick.log.v1.log_pb2_grpc import add_LogServiceServicer_to_server
from protos.tallystick.rules.v1.rules_pb2_grpc import add_RulesServiceServicer_to_server
from services.rules.book import MatchBook
from services.rules.commands import Commands
from services.rules.index import MatchIndex
from services.rules.service import RULES_POLICIES, RulesService
from services.rules.starting import LobbyFollower, MatchStarter
from services.rules.turns import Turns
from shared.engine.game import Game
from shared.engine.match import CLOSED
from shared.games import GAMES
from shared.platform.background import run_beside
from shared.platform.bus import Bus, Follower, Relay
from shared.platform.log_client import log_reader
from shared.platform.log_service import LOG_POLICIES, LogService
from shared.platform.rpc.server import RpcServer
from shared.platform.rpc.wiring import peer_channel
from shared.platform.service import serve
from shared.platform.settings import ServiceSettings
from shared.platform.store import LogEntry, ReceiptKeeper, open_store
from shared.platform.telemetry import Metrics

DAY_MS = 24 * 3600 * 1000


async def wire(
    settings: ServiceSettings,
    server: RpcServer,
    metrics: Metrics,
    stack: AsyncExitStack,
    games: Mapping[str, Game] = GAMES,
) -> None:
    """Matches over the store, told to the bus, started by the lobby."""
    database = settings.database_url.get_secret_value()
    store = await stack.enter_async_context(open_store(database, metrics))
    index = MatchIndex(database)
    stack.push_async_callback(index.close)
    await index.open()

    book = MatchBook(store, games, settings.rpc.max_cached_matches)
    commands = Commands(store, book, metrics)
    turns = Turns(store, index, book.heard)
    stack.push_async_callback(turns.flush)
    stack.push_async_callback(commands.finish)
    beat = settings.rpc.heartbeat_seconds
    service = RulesService(store, book, commands, index, turns, beat)
    server.add(add_RulesServiceServicer_to_server, service, RULES_POLICIES)
    server.add(add_LogServiceServicer_to_server, LogService(store, beat), LOG_POLICIES)

    bus = await stack.enter_async_context(
        await Bus.connect(
            settings.bus.nats_url.get_secret_value(), "rules", nkey_file=settings.bus.nats_nkey_file
        )
    )
    lobby = await stack.enter_async_context(peer_channel(settings, settings.peers.lobby_address))
    starter = MatchStarter(store, book, games)
    following = LobbyFollower(
        starter, store, bus, log_reader(lobby), settings.bus.delivery_attempts, metrics
    )

    def heard(entry: LogEntry) -> None:
        """Another process may have played it; its records may also go out through our relay."""
        book.heard(entry.stream.removeprefix("match-"), entry.version)

    hints = Follower(bus, "rules", heard)
    relay = Relay(
        bus,
        store,
        "rules",
        replicas=settings.bus.nats_replicas,
        heard=heard,
        traces=store,
    )
    metrics.relay_lag.set_function(lambda: relay.lag)
    metrics.cached_matches.set_function(lambda: len(book))
    run_beside(stack, "turns", turns.run())
    run_beside(stack, "relay", relay.run())
    run_beside(stack, "hints", hints.run())
    run_beside(stack, "lobby", following.run())
    keeper = ReceiptKeeper(store, CLOSED, settings.store.receipt_days * DAY_MS)
    run_beside(stack, "receipts", keeper.run())


async def rebuild(settings: ServiceSettings, stack: AsyncExitStack) -> str:
    """Empty the match index."""
    index = MatchIndex(settings.database_url.get_secret_value())
    stack.push_async_callback(index.close)
    await index.open()
    await index.forget()
    return "the match index is empty; the next start fills it from position 0"


if __name__ == "__main__":
    serve("rules", wire, rebuild)
