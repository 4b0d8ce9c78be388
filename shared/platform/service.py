"""The life of a service process: read settings, wire, serve until told to stop, stop cleanly."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack
from typing import Any

from grpc import aio

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


Rebuild = Callable[[ServiceSettings, AsyncExitStack], Awaitable[str]]
"""Makes what a service derives from a log anew, while the service is stopped; what it says then."""


def serve(name: str, wire: Wire, rebuild: Rebuild | None = None) -> None:
    """Run service `name` until SIGTERM or SIGINT, or what else its command line asks for.

    Exits with 2 and one line if it cannot start.
    """
    words = sys.argv[1:]
    if not words:
        _run(name, lambda settings: _live(settings, wire))
    elif words == ["rebuild"] and rebuild is not None:
        _run(name, lambda settings: _rebuild(settings, rebuild))
    else:
        known = "nothing, or rebuild" if rebuild else "nothing"
        print(f"{name} takes {known}, not {' '.join(words)!r}", file=sys.stderr)
        sys.exit(2)


def _run(name: str, work: Callable[[ServiceSettings], Coroutine[Any, Any, None]]) -> None:
    try:
        settings = ServiceSettings.load(name)
    except SettingsError as error:
        print(f"{name} cannot start: {error}", file=sys.stderr)
        sys.exit(2)
    configure_logging(name, settings.telemetry)
    try:
        run(work(settings))
    except (SettingsError, KeysUnusable, PortUnusable, StoreError) as error:
        log.error("cannot start", reason=str(error))
        sys.exit(2)
    except aio.AioRpcError as error:
        log.error("another service does not answer", reason=error.details())
        sys.exit(2)


async def _rebuild(settings: ServiceSettings, rebuild: Rebuild) -> None:
    async with AsyncExitStack() as stack:
        print(await rebuild(settings, stack))


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
