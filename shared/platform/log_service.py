"""A service's own log over gRPC: the one way to repair a gap or to build a projection anew.

Every service serves this beside its own RPCs. It reads the store page by page, so a reader that
is slow holds back nobody but itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from protos.tallystick.log.v1 import log_pb2, log_pb2_grpc
from protos.tallystick.stream.v1 import stream_pb2
from protos.tallystick.stream.v1.stream_pb2 import EndReason
from shared.engine.record import Secret
from shared.platform.rpc.call import caller, current_call
from shared.platform.rpc.errors import InvalidArgument, PermissionDenied
from shared.platform.rpc.policy import Policy, role
from shared.platform.rpc.streams import HEARTBEAT, ended, heartbeat
from shared.platform.store import LogEntry, Store

PAGE = 200
PAGE_BYTES = 1_000_000
"""A message goes out once it has this much, so that no page outgrows what a client accepts."""

LOG_POLICIES: Mapping[str, Policy] = {"ReadLog": role("service", "auditor")}


class LogService(log_pb2_grpc.LogServiceServicer):
    """Serves one store's log: public bodies, and to services also what is hidden in them."""

    def __init__(self, store: Store, heartbeat_seconds: float = HEARTBEAT) -> None:
        self._store = store
        self._heartbeat = heartbeat_seconds

    async def ReadLog(
        self, request: log_pb2.ReadLogRequest, context: Any
    ) -> AsyncIterator[log_pb2.ReadLogResponse]:
        """The log after a position, to its head or as it grows."""
        if request.after_position < 0 or request.limit < 0:
            raise InvalidArgument("after_position", "positions and limits are never negative")
        if request.with_secrets and "service" not in caller().roles:
            raise PermissionDenied(
                "ROLE_MISSING", "only a service may read what is hidden: leave out with_secrets"
            )
        position, left = request.after_position, request.limit or None
        ending = current_call().ending
        while True:
            if ending is not None and ending.done():
                yield _over(ending.result(), position)
                return
            head = await self._store.last_position()
            limit = PAGE if left is None else min(PAGE, left)
            entries = await self._store.read_log(position, limit, request.stream)
            for piece in _pieces(entries):
                yield await self._batch(piece, head, request.with_secrets)
            left = None if left is None else left - len(entries)
            more = len(entries) == limit
            last = entries[-1].position if entries else position
            position = last if more else max(last, head)
            if left == 0 or not (more or request.follow):
                yield _over(stream_pb2.END_REASON_COMPLETE, position)
                return
            if not more and not await self._wait(position):
                yield log_pb2.ReadLogResponse(heartbeat=heartbeat(position))

    async def _wait(self, position: int) -> bool:
        """Wait for a new entry, the end of the call, or until a sign of life is due (False)."""
        moved = asyncio.ensure_future(self._store.positions_after(position, self._heartbeat))
        ending = current_call().ending
        waited: list[asyncio.Future[Any]] = [moved] if ending is None else [moved, ending]
        try:
            await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
            return not moved.done() or moved.result() > position
        finally:
            moved.cancel()

    async def _batch(
        self, entries: Sequence[LogEntry], head: int, with_secrets: bool
    ) -> log_pb2.ReadLogResponse:
        hidden = await self._hidden(entries) if with_secrets else {}
        return log_pb2.ReadLogResponse(
            batch=log_pb2.LogBatch(
                entries=[
                    log_pb2.LogEntry(
                        position=entry.position,
                        stream=entry.stream,
                        version=entry.version,
                        type=entry.type,
                        body=entry.body,
                        hash=entry.hash,
                        secrets=[_secret(s) for s in hidden.get((entry.stream, entry.version), ())],
                    )
                    for entry in entries
                ],
                head=head,
            )
        )

    async def _hidden(
        self, entries: Sequence[LogEntry]
    ) -> dict[tuple[str, int], tuple[Secret, ...]]:
        """What is hidden in some entries, by stream and version."""
        versions: dict[str, list[int]] = {}
        for entry in entries:
            versions.setdefault(entry.stream, []).append(entry.version)
        found = {}
        for stream, some in versions.items():
            hidden = await self._store.secrets(stream, min(some) - 1, max(some))
            found.update({(stream, version): secrets for version, secrets in hidden.items()})
        return found


def _pieces(entries: Sequence[LogEntry]) -> list[list[LogEntry]]:
    """The entries in messages of a bounded size."""
    pieces: list[list[LogEntry]] = [[]]
    size = 0
    for entry in entries:
        if pieces[-1] and size + len(entry.body) > PAGE_BYTES:
            pieces.append([])
            size = 0
        pieces[-1].append(entry)
        size += len(entry.body)
    return pieces


def _secret(secret: Secret) -> log_pb2.LogSecret:
    return log_pb2.LogSecret(
        index=secret.index,
        audience=secret.audience,
        fact=secret.fact,
        field=secret.field,
        salt=bytes.fromhex(secret.salt),
        value=bytes(secret.value),
    )


def _over(reason: EndReason, position: int) -> log_pb2.ReadLogResponse:
    return log_pb2.ReadLogResponse(ended=ended(reason, position))
