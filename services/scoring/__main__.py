"""The scoring process: `python -m services.scoring`; with `rebuild`, fold everything anew."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AsyncExitStack

from protos.tallystick.scoring.v1.scoring_pb2_grpc import add_ScoringServiceServicer_to_server
from services.scoring.database import open_database
from services.scoring.following import LogFollower
from services.scoring.projection import Projection
from services.scoring.queries import Queries
from services.scoring.service import SCORING_POLICIES, ScoringService
from shared.engine.game import Game
from shared.games import GAMES
from shared.platform.background import run_beside
from shared.platform.bus import Bus
from shared.platform.log_client import log_reader
from shared.platform.rpc.server import RpcServer
from shared.platform.rpc.wiring import peer_channel
from shared.platform.service import serve
from shared.platform.settings import ServiceSettings
from shared.platform.telemetry import Metrics


async def follower(
    settings: ServiceSettings, stack: AsyncExitStack, games: Mapping[str, Game]
) -> tuple[LogFollower, Queries]:
    """The projection in its database, fed by the log of rules, and the way to read it."""
    writer, readers = open_database(settings.database_url.get_secret_value())
    stack.callback(writer.dispose)
    queries = Queries(readers)
    stack.push_async_callback(queries.close)
    rules = await stack.enter_async_context(peer_channel(settings, settings.peers.rules_address))
    projection = Projection(writer, games, settings.rpc.max_cached_matches)
    following = LogFollower(projection, log_reader(rules))
    stack.push_async_callback(following.close)
    return following, queries


async def wire(
    settings: ServiceSettings,
    server: RpcServer,
    metrics: Metrics,
    stack: AsyncExitStack,
    games: Mapping[str, Game] = GAMES,
) -> None:
    """Score sheets, results and ratings, following rules over the bus."""
    following, queries = await follower(settings, stack, games)
    server.add(
        add_ScoringServiceServicer_to_server, ScoringService(queries, games), SCORING_POLICIES
    )
    bus = await stack.enter_async_context(
        await Bus.connect(
            settings.bus.nats_url.get_secret_value(),
            "scoring",
            nkey_file=settings.bus.nats_nkey_file,
        )
    )
    run_beside(stack, "rules", following.run(bus, metrics, settings.bus.delivery_attempts))


async def rebuild(
    settings: ServiceSettings, stack: AsyncExitStack, games: Mapping[str, Game] = GAMES
) -> str:
    """Fold the log of rules from its start into empty tables."""
    following, _ = await follower(settings, stack, games)
    return f"rebuilt up to position {await following.rebuild()}"


if __name__ == "__main__":
    serve("scoring", wire, rebuild)
