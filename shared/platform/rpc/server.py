"""A gRPC server as every service runs it: guarded, observed, and polite at the end."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar

import grpc
from grpc import aio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2

from protos.tallystick.stream.v1 import stream_pb2
from shared.platform.logging import get_logger
from shared.platform.rpc.auth import Verifier
from shared.platform.rpc.config import ServerConfig
from shared.platform.rpc.errors import Unknown
from shared.platform.rpc.gate import Gate, refuse
from shared.platform.rpc.policy import MissingPolicy, Policy
from shared.platform.rpc.tls import server_credentials
from shared.platform.telemetry import Metrics

T = TypeVar("T")

log = get_logger("rpc")

REFLECTION = ("grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection")


class PortUnusable(Exception):
    """The address to listen on is taken, or not one of this machine."""


class RpcServer:
    """One listening server. Raises `SettingsError` for a certificate that is of no use.

    server = RpcServer(config, verifier, metrics)
    server.add(add_GreeterServicer_to_server, Greeter(), {"Greet": ACCOUNT, "Hello": PUBLIC})
    port = await server.start()
    await termination()
    await server.drain()

    Health and reflection are public. `draining` is set when the server begins to stop; open
    streams are asked to end at that moment.
    """

    def __init__(
        self, config: ServerConfig, verifier: Verifier, metrics: Metrics | None = None
    ) -> None:
        self.draining = asyncio.Event()
        self.health = health.aio.HealthServicer()
        self._config = config
        self._verifier = verifier
        self._metrics = metrics or Metrics()
        self._gate = Gate(config, verifier, self._metrics)
        self._server = aio.server(options=config.channel_options())
        self._credentials: Any = None
        if config.certificate is not None and config.private_key is not None:
            until = self._metrics.certificate_until.set
            self._credentials = server_credentials(config.certificate, config.private_key, until)
        self._services: list[str] = []
        self._serve(*_registered(health_pb2_grpc.add_HealthServicer_to_server, self.health))

    def add(
        self,
        register: Callable[[Any, Any], None],
        servicer: object,
        policies: Mapping[str, Policy],
    ) -> None:
        """Serve a service behind the gate; raises `MissingPolicy` unless the policies fit it."""
        service, handlers = _registered(register, servicer)
        for method in sorted(handlers.keys() ^ policies.keys()):
            lacks = "has no policy" if method in handlers else "has a policy but is no RPC"
            raise MissingPolicy(f"/{service}/{method} {lacks}: the server does not start")
        guarded = {
            name: self._guarded(f"/{service}/{name}", handler, policies[name])
            for name, handler in handlers.items()
        }
        self._serve(service, guarded)
        self._services.append(service)

    def _serve(self, service: str, handlers: Mapping[str, grpc.RpcMethodHandler[Any, Any]]) -> None:
        """Take calls of a service.

        Not by the names of its RPCs, though grpc offers that as well: it would wait on one future
        for every name there is, anew with each call.
        """
        generic = grpc.method_handlers_generic_handler(service, dict(handlers))
        self._server.add_generic_rpc_handlers((generic,))

    def _guarded(
        self, method: str, handler: grpc.RpcMethodHandler[Any, Any], policy: Policy
    ) -> grpc.RpcMethodHandler[Any, Any]:
        """The handler behind the gate, which takes bytes so that bad ones are refused properly."""
        encode = handler.response_serializer
        if handler.request_streaming:
            raise MissingPolicy(f"{method} takes a stream of requests, which no policy covers")
        if handler.response_streaming:
            stream: Any = self._gate.stream(method, handler, policy)
            return grpc.unary_stream_rpc_method_handler(stream, None, encode)
        unary: Any = self._gate.unary(method, handler, policy)
        return grpc.unary_unary_rpc_method_handler(unary, None, encode)

    async def start(self) -> int:
        """Read the issuers' keys and listen; the port. Raises `KeysUnusable`, `PortUnusable`."""
        await self._verifier.load()
        if self._config.reflection:
            self._add_reflection()
        self._server.add_generic_rpc_handlers((_UnknownMethods(),))
        port = self._listen()
        for service in self._services:
            await self.health.set(service, health_pb2.HealthCheckResponse.SERVING)
        await self._server.start()
        log.info(
            "listening", address=self._config.listen, port=port, services=self._services,
            encrypted=self._credentials is not None,
        )  # fmt: skip
        return port

    def _listen(self) -> int:
        config = self._config
        try:
            if self._credentials is None:
                return self._server.add_insecure_port(config.listen)
            return self._server.add_secure_port(config.listen, self._credentials)
        except RuntimeError as error:
            raise PortUnusable(
                f"cannot listen on {config.listen}: the port is taken or the address is not this "
                "machine's; stop the other process or set TALLY_LISTEN"
            ) from error

    def _add_reflection(self) -> None:
        """Both versions of reflection; they differ in their name only.

        The list leaves out v1, whose description we do not have: a client would ask for it.
        """
        names = (*self._services, health_pb2.DESCRIPTOR.services_by_name["Health"].full_name)
        servicer = reflection.aio.ReflectionServicer((*names, reflection.SERVICE_NAME))
        handler = grpc.stream_stream_rpc_method_handler(
            servicer.ServerReflectionInfo,
            reflection_pb2.ServerReflectionRequest.FromString,
            reflection_pb2.ServerReflectionResponse.SerializeToString,
        )
        for name in REFLECTION:
            self._server.add_generic_rpc_handlers(
                (grpc.method_handlers_generic_handler(name, {"ServerReflectionInfo": handler}),)
            )

    async def drain(self) -> None:
        """Stop: say so to load balancers, end the streams, let open calls finish, close."""
        self.draining.set()
        log.info("draining", seconds=self._config.drain)
        await self.health.enter_graceful_shutdown()
        self._gate.end_streams(stream_pb2.END_REASON_DRAINING)
        await self._server.stop(self._config.drain)


def _registered(
    register: Callable[[Any, Any], None], servicer: object
) -> tuple[str, Mapping[str, grpc.RpcMethodHandler[Any, Any]]]:
    """What generated code registers: the service's name and its handlers by RPC."""
    caught = _Registration()
    register(servicer, caught)
    return caught.service, caught.handlers


class _Registration:
    """What generated code registers, caught before it reaches the server."""

    def __init__(self) -> None:
        self.service = ""
        self.handlers: Mapping[str, grpc.RpcMethodHandler[Any, Any]] = {}

    def add_generic_rpc_handlers(self, _: object) -> None:
        """Generated code registers twice; the other one is easier to read."""

    def add_registered_method_handlers(
        self, service: str, handlers: Mapping[str, grpc.RpcMethodHandler[Any, Any]]
    ) -> None:
        """The RPCs of one service, by name."""
        self.service, self.handlers = service, handlers


class _UnknownMethods(grpc.GenericRpcHandler):
    """Asked last: says properly that there is no such RPC here."""

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> grpc.RpcMethodHandler[Any, Any]:
        """A handler that refuses."""
        method = handler_call_details.method

        async def answer(_: bytes, context: Any) -> None:
            advice = f"this server has no {method}: check the address and the client's version"
            await refuse(context, Unknown("UNKNOWN_METHOD", advice))

        unary: Any = answer
        return grpc.unary_unary_rpc_method_handler(unary, None, None)


async def termination() -> str:
    """Wait until the process is told to stop; the signal's name. A second signal kills it."""
    loop, received = asyncio.get_running_loop(), asyncio.Event()
    names: list[str] = []
    signals = (signal.SIGTERM, signal.SIGINT)

    def note(name: str) -> None:
        names.append(name)
        received.set()

    for each in signals:
        loop.add_signal_handler(each, note, each.name)
    try:
        await received.wait()
    finally:
        for each in signals:
            loop.remove_signal_handler(each)
    return names[0]


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run a service's main coroutine on the fastest event loop that the platform has."""
    if sys.platform == "win32":
        return asyncio.run(main)
    import uvloop

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(main)
