"""A small service behind a real server on loopback, for tests of the edge."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from protos.tallystick.rules.v1 import rules_pb2 as pb
from protos.tallystick.rules.v1 import rules_pb2_grpc
from protos.tallystick.rules.v1.rules_pb2_grpc import (
    RulesServiceStub,
    add_RulesServiceServicer_to_server,
)
from shared.platform.rpc.auth import Trust, Verifier
from shared.platform.rpc.call import caller
from shared.platform.rpc.client import bearer, open_channel
from shared.platform.rpc.config import ServerConfig
from shared.platform.rpc.issuer import LocalIssuer
from shared.platform.rpc.policy import ACCOUNT, PUBLIC, Policy, role
from shared.platform.rpc.server import RpcServer
from shared.platform.rpc.streams import Beat, End, Mailbox, ended, heartbeat
from shared.platform.telemetry import Metrics

METHODS = pb.DESCRIPTOR.services_by_name["RulesService"].methods_by_name
POLICIES: dict[str, Policy] = {
    **dict.fromkeys(METHODS, ACCOUNT),
    "ListMatches": PUBLIC,
    "ExportMatch": role("auditor", "service"),
}


class Service(rules_pb2_grpc.RulesServiceServicer):
    """Says who calls, fails on request, and streams what it is given."""

    def __init__(self) -> None:
        self.failure: Exception | None = None
        self.delay = 0.0
        self.finished = 0
        self.beat = 15.0
        self.capacity = 1024
        self.boxes: list[Mailbox[int]] = []
        self.polite = True

    async def PlayMove(self, request: pb.PlayMoveRequest, context: Any) -> pb.PlayMoveResponse:
        await asyncio.sleep(self.delay)
        if self.failure is not None:
            raise self.failure
        self.finished += 1
        who = caller()
        return pb.PlayMoveResponse(version=1, hash=who.account, sentences=sorted(who.roles))

    async def ListMatches(
        self, request: pb.ListMatchesRequest, context: Any
    ) -> pb.ListMatchesResponse:
        return pb.ListMatchesResponse(next_page_token=caller().account)

    async def ExportMatch(
        self, request: pb.ExportMatchRequest, context: Any
    ) -> AsyncIterator[pb.ExportMatchResponse]:
        if self.failure is not None:
            raise self.failure
        yield pb.ExportMatchResponse(lines=["one"])

    async def WatchMatch(
        self, request: pb.WatchMatchRequest, context: Any
    ) -> AsyncIterator[pb.WatchMatchResponse]:
        version = request.after_version
        box: Mailbox[int] = Mailbox(self.capacity)
        self.boxes.append(box)
        try:
            yield pb.WatchMatchResponse(heartbeat=heartbeat(version))
            async for step in box.steps(self.beat):
                match step:
                    case Beat():
                        yield pb.WatchMatchResponse(heartbeat=heartbeat(version))
                    case End():
                        if not self.polite:
                            await asyncio.Event().wait()
                        yield pb.WatchMatchResponse(ended=ended(step.reason, version))
                    case version:
                        record = pb.WatchedRecord()
                        record.record.version = version
                        yield pb.WatchMatchResponse(record=record)
        finally:
            self.boxes.remove(box)


@dataclass
class Edge:
    """A running server, its service, and an issuer that it believes."""

    server: RpcServer
    service: Service
    issuer: LocalIssuer
    metrics: Metrics
    port: int

    @asynccontextmanager
    async def calls(self, token: str | None = None) -> AsyncIterator[RulesServiceStub]:
        """A client with this token, or with one for the account `ann`."""
        headers = bearer(self.issuer.issue("ann") if token is None else token)
        async with open_channel(f"127.0.0.1:{self.port}", headers) as channel:
            yield RulesServiceStub(channel)

    @asynccontextmanager
    async def stranger(self) -> AsyncIterator[RulesServiceStub]:
        """A client without a token."""
        async with open_channel(f"127.0.0.1:{self.port}") as channel:
            yield RulesServiceStub(channel)


@asynccontextmanager
async def running(folder: Path, *trusts: Trust, **config: Any) -> AsyncIterator[Edge]:
    """A server with these limits, believing its own issuer and these others."""
    issuer, metrics = LocalIssuer(folder), Metrics()
    server = RpcServer(
        ServerConfig(**{"drain": 0.2, **config}), Verifier(issuer.trust(), *trusts), metrics
    )
    service = Service()
    server.add(add_RulesServiceServicer_to_server, service, POLICIES)
    port = await server.start()
    try:
        yield Edge(server, service, issuer, metrics, port)
    finally:
        await server.drain()


MOVE = pb.PlayMoveRequest(match_id="m-1", decision_id="d-1", move="pass", command_id="c-1")
WATCH = pb.WatchMatchRequest(match_id="m-1", after_version=7)
