"""Reading another service's log over gRPC, for whoever follows it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from grpc import aio

from protos.tallystick.log.v1.log_pb2 import ReadLogRequest
from protos.tallystick.log.v1.log_pb2_grpc import LogServiceStub
from shared.platform.store import LogEntry

SECONDS = 20.0
"""Longer than this no page may take."""


def log_reader(channel: aio.Channel) -> Callable[[int, int], Awaitable[Sequence[LogEntry]]]:
    """How a consumer reads the log of the service behind a channel: `(after, limit)`."""
    stub = LogServiceStub(channel)

    async def read(after: int, limit: int) -> Sequence[LogEntry]:
        entries: list[LogEntry] = []
        request = ReadLogRequest(after_position=after, limit=limit)
        async for answer in stub.ReadLog(request, timeout=SECONDS):
            entries += [
                LogEntry(
                    position=entry.position,
                    stream=entry.stream,
                    version=entry.version,
                    type=entry.type,
                    body=entry.body,
                    hash=entry.hash,
                )
                for entry in answer.batch.entries
            ]
        return entries

    return read
