"""Calling a service: a channel that retries what is safe, and failures that can be read.

async with open_channel("127.0.0.1:50052", headers=bearer(token)) as channel:
    rules = RulesServiceStub(channel)
    try:
        await rules.PlayMove(PlayMoveRequest(...))
    except aio.AioRpcError as error:
        print(problem(error).message)

Only UNAVAILABLE is retried, which is safe because every command carries its `command_id`. A
stream is not retried once it has begun: watch again from the last version or position.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status
from grpc import aio

from shared.platform.rpc.tls import authorities

Headers = Callable[[], Iterable[tuple[str, str]]]
"""Gives the metadata of the next call: the token, and the trace if there is one."""

UNARY_TIMEOUT = 5.0

_SERVICE_CONFIG = json.dumps(
    {
        "methodConfig": [
            {
                "name": [{}],
                "retryPolicy": {
                    "maxAttempts": 4,
                    "initialBackoff": "0.2s",
                    "maxBackoff": "5s",
                    "backoffMultiplier": 2.5,
                    "retryableStatusCodes": ["UNAVAILABLE"],
                },
            }
        ],
        "retryThrottling": {"maxTokens": 20, "tokenRatio": 0.2},
    }
)

_OPTIONS: tuple[tuple[str, str | int], ...] = (
    ("grpc.service_config", _SERVICE_CONFIG),
    ("grpc.enable_retries", 1),
    ("grpc.max_receive_message_length", 16 * 1024 * 1024),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 0),
    ("grpc.max_reconnect_backoff_ms", 5_000),
)


def bearer(token: str | Callable[[], str]) -> Headers:
    """The headers of a caller with this token; a function is asked anew for each call."""
    if callable(token):
        return lambda: (("authorization", f"Bearer {token()}"),)
    fixed = (("authorization", f"Bearer {token}"),)
    return lambda: fixed


def open_channel(
    target: str,
    headers: Headers | None = None,
    *,
    timeout: float = UNARY_TIMEOUT,
    ca_file: Path | None = None,
) -> CallerChannel:
    """A channel to `host:port`, encrypted if there is a file of authorities to believe.

    Raises `SettingsError` if that file holds none.
    """
    if ca_file is None:
        channel = aio.insecure_channel(target, options=_OPTIONS)
    else:
        credentials = grpc.ssl_channel_credentials(authorities(ca_file))
        channel = aio.secure_channel(target, credentials, options=_OPTIONS)
    return CallerChannel(channel, headers, timeout)


class CallerChannel(aio.Channel):
    """A channel on which every call carries its caller's headers and, if unary, a deadline.

    Done here and not by interceptors, which would add a task to every call.
    """

    def __init__(self, channel: aio.Channel, headers: Headers | None, timeout: float) -> None:
        self._channel, self._headers, self._timeout = channel, headers, timeout

    def unary_unary(self, *args: Any, **kwargs: Any) -> Any:
        """A unary RPC with the default deadline."""
        return self._with_headers(self._channel.unary_unary(*args, **kwargs), self._timeout)

    def unary_stream(self, *args: Any, **kwargs: Any) -> Any:
        """A server stream, without a deadline."""
        return self._with_headers(self._channel.unary_stream(*args, **kwargs), None)

    def stream_unary(self, *args: Any, **kwargs: Any) -> Any:
        """A client stream, without a deadline."""
        return self._with_headers(self._channel.stream_unary(*args, **kwargs), None)

    def stream_stream(self, *args: Any, **kwargs: Any) -> Any:
        """A stream both ways, without a deadline."""
        return self._with_headers(self._channel.stream_stream(*args, **kwargs), None)

    def _with_headers(self, rpc: Any, default: float | None) -> Any:
        headers = self._headers

        def call(
            request: Any = None,
            *,
            timeout: float | None = default,
            metadata: Iterable[tuple[str, str]] = (),
            **kwargs: Any,
        ) -> Any:
            sent = (*headers(), *metadata) if headers is not None else tuple(metadata)
            return rpc(request, timeout=timeout, metadata=sent, **kwargs)

        return call

    async def __aenter__(self) -> CallerChannel:
        await self._channel.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> None:
        await self._channel.__aexit__(*error)

    async def close(self, grace: float | None = None) -> None:
        """End the calls on it and close it."""
        await self._channel.close(grace)

    def get_state(self, try_to_connect: bool = False) -> grpc.ChannelConnectivity:
        """Whether it is connected."""
        return self._channel.get_state(try_to_connect)

    async def wait_for_state_change(self, last_observed_state: grpc.ChannelConnectivity) -> None:
        """Wait until that is no longer its state."""
        await self._channel.wait_for_state_change(last_observed_state)

    async def channel_ready(self) -> None:
        """Wait until it is connected."""
        await self._channel.channel_ready()


@dataclass(frozen=True, slots=True)
class Problem:
    """A failure as a client reads it: `reason` to act on, `message` to show."""

    code: grpc.StatusCode
    reason: str
    message: str
    metadata: Mapping[str, str] = field(default_factory=dict)
    retry_after: float | None = None
    fields: Mapping[str, str] = field(default_factory=dict)

    @property
    def current_version(self) -> int | None:
        """Where things stand, if the caller was too late."""
        version = self.metadata.get("current_version")
        return None if version is None else int(version)


def problem(error: grpc.RpcError) -> Problem:
    """Read a failed call. A failure that is not ours (no connection) has its code as reason."""
    code, message = error.code(), error.details() or ""
    status = Status()
    trailers: Any = error.trailing_metadata() or ()
    for key, value in trailers:
        if key == "grpc-status-details-bin" and isinstance(value, bytes):
            status.ParseFromString(value)
    info, retry, bad = ErrorInfo(reason=code.name), RetryInfo(), BadRequest()
    for detail in status.details:
        for known in (info, retry, bad):
            if detail.Is(known.DESCRIPTOR):
                detail.Unpack(known)
    return Problem(
        code,
        info.reason,
        message,
        dict(info.metadata),
        retry.retry_delay.ToTimedelta().total_seconds() if retry.HasField("retry_delay") else None,
        {each.field: each.description for each in bad.field_violations},
    )
