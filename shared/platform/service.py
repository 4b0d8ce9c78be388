"""The life of a service process: read settings, wire, serve until told to stop, stop cleanly."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

from shared.platform.collector import relax_collector
from shared.platform.logging import configure_logging, get_logger
from shared.platform.rpc.auth import KeysUnusable
from shared.platform.rpc.server import PortUnusable, RpcServer, run, termination
from shared.platform.rpc.wiring import server_config, verifier
from shared.platform.settings import ServiceSettings, SettingsError
from shared.platform.store.errors import StoreError
from shared.platform.telemetry import Metrics, serve_metrics, start_tracing, stop_tracing

log = get_logger("service")

Wire = Callable[[ServiceSettings, RpcServer, Metrics, AsyncExitStack], Awaitable[None]]
"""Builds what a service consists of: adds its RPCs to the server, and enters on the stack
whatever must be closed at the end, in reverse order, after the server has drained."""


def serve(name: str, wire: Wire) -> None:
    """Run service `name` until SIGTERM or SIGINT. Exits with 2 and one line if it cannot start."""
    try:
        settings = ServiceSettings.load(name)
    except SettingsError as error:
        print(f"{name} cannot start: {error}", file=sys.stderr)
        sys.exit(2)
    configure_logging(name, settings.telemetry)
    try:
        run(_live(settings, wire))
    except (SettingsError, KeysUnusable, PortUnusable, StoreError) as error:
        log.error("cannot start", reason=str(error))
        sys.exit(2)


async def _live(settings: ServiceSettings, wire: Wire) -> None:
    metrics = Metrics()
    async with AsyncExitStack() as stack:
        if settings.telemetry.otlp_endpoint is not None:
            start_tracing(settings.name, settings.telemetry.otlp_endpoint)
            stack.callback(stop_tracing)
        stack.enter_context(serve_metrics(metrics, settings.telemetry.metrics_listen))
        server = RpcServer(server_config(settings), verifier(settings), metrics)
        await wire(settings, server, metrics, stack)
        relax_collector()
        await server.start()
        received = await termination()
        log.info("told to stop", signal=received)
        await server.drain()
