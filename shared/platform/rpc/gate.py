"""What stands in front of every RPC: one wrapper, put on once, when the RPC is registered.

It decodes the request, says who calls, admits or refuses, bounds the time, translates what goes
wrong, counts and traces. One wrapper instead of a chain of interceptors, because it is paid on
every move.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable
from contextlib import aclosing
from typing import Any, NoReturn, TypeAlias

import grpc
from google.protobuf.message import DecodeError, Message
from grpc import aio
from structlog.contextvars import bind_contextvars

from protos.tallystick.stream.v1 import stream_pb2
from protos.tallystick.stream.v1.stream_pb2 import EndReason
from shared.platform import telemetry
from shared.platform.rpc.auth import ANONYMOUS, Principal, Verifier, bearer_token
from shared.platform.rpc.call import Call, current_call, enter, entered
from shared.platform.rpc.config import ServerConfig
from shared.platform.rpc.deadlines import Deadlines
from shared.platform.rpc.errors import (
    InvalidArgument,
    Overdue,
    Refusal,
    TooMuch,
    Unauthenticated,
    Unavailable,
)
from shared.platform.rpc.limits import Buckets
from shared.platform.rpc.policy import Policy
from shared.platform.rpc.table import refusal_of, status_of

Context: TypeAlias = "aio.ServicerContext[Any, Any]"
Unary: TypeAlias = "Callable[[bytes, Context], Coroutine[Any, Any, Message]]"
Stream: TypeAlias = "Callable[[bytes, Context], Coroutine[Any, Any, None]]"
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
Metadata = Iterable[tuple[str, str | bytes]]

CUT_OFF = 1.0
"""Seconds to tell a client that it was cut off; one that does not read cannot be told."""


class Gate:
    """Admits calls and keeps account of the streams that are open."""

    def __init__(
        self, config: ServerConfig, verifier: Verifier, metrics: telemetry.Metrics
    ) -> None:
        self._config = config
        self._verifier = verifier
        self._metrics = metrics
        self._buckets = Buckets(config.rate_per_second, config.rate_burst)
        self._strangers = Buckets(config.strangers_per_second, 2 * config.strangers_per_second)
        self._deadlines = Deadlines(config.deadline)
        self._streams: set[Call] = set()
        self._streams_of: Counter[str] = Counter()

    def unary(self, method: str, handler: Handler, policy: Policy) -> Unary:
        """The wrapped form of a unary RPC."""
        answer: Any = handler.unary_unary
        decode: Any = handler.request_deserializer
        deadlines, observe = self._deadlines, self._observer(method)

        async def serve(body: bytes, context: Context) -> Message:
            started, code = time.perf_counter(), "OK"
            task = deadlines.begin(started)
            try:
                metadata = await self._enter(method, policy, context)
                with telemetry.span(method, telemetry.extract(metadata)):
                    message: Message = await answer(_decoded(decode, body), context)
                    return message
            except asyncio.CancelledError:
                code = "CANCELLED"
                if not deadlines.is_overdue(task):
                    raise
                task.uncancel()
                code = "DEADLINE_EXCEEDED"
                await refuse(context, Overdue(deadlines.limit))
            except aio.AbortError:
                code = "REFUSED"
                raise
            except Exception as error:
                refusal = refusal_of(error)
                code = refusal.code.name
                await refuse(context, refusal)
            finally:
                deadlines.finish(task)
                observe(code, started)

        return serve

    def stream(self, method: str, handler: Handler, policy: Policy) -> Stream:
        """The wrapped form of a server stream; it ends when the token does."""
        answer: Any = handler.unary_stream
        decode: Any = handler.request_deserializer
        observe = self._observer(method)

        async def serve(body: bytes, context: Context) -> None:
            started, code = time.perf_counter(), "OK"
            try:
                metadata = await self._enter(method, policy, context)
                self._open(current_call())
                with telemetry.span(method, telemetry.extract(metadata)):
                    async with aclosing(answer(_decoded(decode, body), context)) as messages:
                        async for message in messages:
                            await context.write(message)
            except asyncio.CancelledError:
                code = "CANCELLED"
                if not await _cut_off(context):
                    raise
            except aio.AbortError:
                code = "REFUSED"
                raise
            except Exception as error:
                refusal = refusal_of(error)
                code = refusal.code.name
                await refuse(context, refusal)
            finally:
                self._close()
                observe(code, started)

        return serve

    def end_streams(self, reason: EndReason) -> None:
        """Ask every open stream to end."""
        for call in tuple(self._streams):
            call.end(reason)

    def _observer(self, method: str) -> Callable[[str, float], None]:
        by_code: dict[str, Callable[[float], None]] = {}

        def observe(code: str, started: float) -> None:
            record = by_code.get(code)
            if record is None:
                record = self._metrics.request_seconds.labels(method, code).observe
                by_code[code] = record
            record(time.perf_counter() - started)

        return observe

    async def _enter(self, method: str, policy: Policy, context: Context) -> Metadata:
        """Say who calls and admit the call; the metadata that came with it."""
        metadata: Metadata = context.invocation_metadata() or ()
        principal = ANONYMOUS
        for key, value in metadata:
            if key == "authorization":
                token = bearer_token(str(value))
                principal = self._verifier.remembered(token) or await self._meet(token, context)
        policy.admit(principal)
        if self._config.unlimited_roles.isdisjoint(principal.roles):
            wait = self._buckets.take(principal.account or _host(context))
            if wait:
                raise TooMuch("RATE_LIMITED", f"too many calls: wait {wait:.2g} s", wait)
        enter(Call(method, principal))
        bind_contextvars(method=method, account=principal.account)
        return metadata

    async def _meet(self, token: str, context: Context) -> Principal:
        """Verify a token. That is costly, so an address may show so many new ones only."""
        wait = 0.0 if self._verifier.knows(token) else self._strangers.take(_host(context))
        if wait:
            raise TooMuch("RATE_LIMITED", f"too many new tokens: wait {wait:.2g} s", wait)
        return await self._verifier.verify(token)

    def _open(self, call: Call) -> None:
        config, account = self._config, call.principal.account
        if len(self._streams) >= config.max_streams:
            raise TooMuch("TOO_MANY_STREAMS", "this server has no room for another stream", 5.0)
        many = self._streams_of[account] >= config.max_streams_per_account
        if many and not call.principal.roles & config.unlimited_roles:
            raise TooMuch("TOO_MANY_STREAMS", "end one of your other streams first", 5.0)
        left = call.principal.expires_at - time.time()
        expires = left < config.stream_max_age
        call.open(
            min(left, config.stream_max_age),
            stream_pb2.END_REASON_TOKEN_EXPIRED if expires else stream_pb2.END_REASON_MAX_AGE,
            config.stream_grace,
        )
        self._streams.add(call)
        self._streams_of[account] += 1
        self._metrics.open_watches.set(len(self._streams))

    def _close(self) -> None:
        call = entered()
        if call is None or call not in self._streams:
            return
        call.close()
        self._streams.discard(call)
        account = call.principal.account
        self._streams_of[account] -= 1
        if not self._streams_of[account]:
            del self._streams_of[account]
        self._metrics.open_watches.set(len(self._streams))


def _decoded(decode: Callable[[bytes], Any], body: bytes) -> Any:
    try:
        return decode(body)
    except DecodeError as error:
        advice = "the bytes are not a request of this RPC: check the client's .proto files"
        raise InvalidArgument("", advice, "NOT_A_REQUEST") from error


def _host(context: Context) -> str:
    return context.peer().rpartition(":")[0]


async def refuse(context: Context, refusal: Refusal) -> NoReturn:
    """Fail the call with the refusal and its details."""
    status = status_of(refusal)
    details = ("grpc-status-details-bin", status.SerializeToString())
    await context.abort(refusal.code, status.message, trailing_metadata=(details,))


async def _cut_off(context: Context) -> bool:
    """End a stream that did not end itself when asked to; False if the client went away."""
    call, task = current_call(), asyncio.current_task()
    if not call.cut or call.ending is None or context.cancelled() or task is None:
        return False
    task.uncancel()
    expired = call.ending.result() == stream_pb2.END_REASON_TOKEN_EXPIRED
    refusal = (
        Unauthenticated("TOKEN_EXPIRED", "the token has expired: get a new one and resume")
        if expired
        else Unavailable("STREAM_ENDED", "the server had to end this stream: resume")
    )
    async with asyncio.timeout(CUT_OFF):
        await refuse(context, refusal)
