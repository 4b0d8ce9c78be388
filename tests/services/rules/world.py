"""What the tests of rules stand on: real rules processes, and a lobby that starts tables."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import msgspec
from grpc import aio

from protos.tallystick.log.v1.log_pb2 import ReadLogRequest
from protos.tallystick.log.v1.log_pb2_grpc import LogServiceStub, add_LogServiceServicer_to_server
from protos.tallystick.match.v1 import match_pb2
from protos.tallystick.rules.v1 import rules_pb2 as pb
from protos.tallystick.rules.v1.rules_pb2_grpc import RulesServiceStub
from shared.engine.data import encode
from shared.engine.record import GENESIS, SCHEMA, Record, open_record, seal
from shared.platform.bus import Bus, Relay
from shared.platform.embedded.parent import ending_with_parent
from shared.platform.embedded.postgres import free_port
from shared.platform.log_service import LOG_POLICIES, LogService
from shared.platform.rpc.auth import Verifier
from shared.platform.rpc.client import bearer, open_channel
from shared.platform.rpc.config import ServerConfig
from shared.platform.rpc.issuer import LocalIssuer
from shared.platform.rpc.server import RpcServer
from shared.platform.store import Append, open_store

ROOT = Path(__file__).resolve().parents[3]
START_SECONDS = 60.0


class RulesProcess:
    """One rules process. It may be killed and started again on the same data."""

    def __init__(
        self, folder: Path, database: str, nats_url: str, lobby: str, name: str = "rules"
    ) -> None:
        self.folder = folder
        self.port = free_port()
        self._log = folder / f"{name}.log"
        self._process: subprocess.Popen[bytes] | None = None
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith("TALLY_")},
            "TALLY_DATA_DIR": str(folder),
            "TALLY_DATABASE_URL": database,
            "TALLY_NATS_URL": nats_url,
            "TALLY_LISTEN": f"127.0.0.1:{self.port}",
            "TALLY_LOBBY_ADDRESS": lobby,
            "TALLY_DEV_AUTH": "true",
            "TALLY_RATE_PER_SECOND": "100000",
            "TALLY_RATE_BURST": "100000",
            "TALLY_HEARTBEAT_SECONDS": "1",
            "TALLY_DRAIN_SECONDS": "3",
            "TALLY_LOG_LEVEL": "info",
        }

    def start(self, module: str = "tests.services.rules.process", **environment: str) -> None:
        """Start it; it answers soon after."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [*ending_with_parent("KILL"), sys.executable, "-m", module],
                cwd=ROOT,
                env={**self.environment, **environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    async def ready(self) -> None:
        """Wait until it answers."""
        assert self._process is not None
        deadline = time.monotonic() + START_SECONDS
        async with aio.insecure_channel(f"127.0.0.1:{self.port}") as channel:
            ready = asyncio.create_task(channel.channel_ready())
            while not ready.done():
                if self._process.poll() is not None or time.monotonic() > deadline:
                    ready.cancel()
                    raise AssertionError(f"rules does not start:\n{self.logged()[-3000:]}")
                await asyncio.wait([ready], timeout=0.1)

    def logged(self) -> str:
        """All it wrote."""
        return self._log.read_text(errors="replace") if self._log.exists() else ""

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    async def died(self) -> int:
        """Wait until it is gone; its exit code."""
        assert self._process is not None
        return await asyncio.to_thread(self._process.wait, 20)

    def terminate(self) -> None:
        """Ask it to stop."""
        assert self._process is not None
        self._process.terminate()

    def kill(self) -> None:
        """End it as a power failure would."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait(10)


class Player:
    """A caller of rules, and what it knows how to do."""

    def __init__(self, channel: aio.Channel, account: str) -> None:
        self.account = account
        self.channel = channel
        self.rules = RulesServiceStub(channel)
        self.log = LogServiceStub(channel)

    async def view(self, match_id: str, seat: int | None = None) -> match_pb2.View:
        answer = await self.rules.GetView(pb.GetViewRequest(match_id=match_id, seat=seat))
        view: match_pb2.View = answer.view
        return view

    async def play(
        self, match_id: str, decision_id: str, move: str, command_id: str = ""
    ) -> pb.PlayMoveResponse:
        answer: pb.PlayMoveResponse = await self.rules.PlayMove(
            pb.PlayMoveRequest(
                match_id=match_id,
                decision_id=decision_id,
                move=move,
                command_id=command_id or uuid.uuid4().hex,
            )
        )
        return answer

    async def answer(self, match_id: str, choose: int = 0) -> pb.PlayMoveResponse | None:
        """Answer the first decision of ours with the option of that number; None if not asked."""
        view = await self.view(match_id)
        for decision in view.decisions:
            if decision.options:
                option = decision.options[choose % len(decision.options)]
                return await self.play(match_id, decision.decision_id, option.notation)
        return None


class World:
    """A database, a bus, a lobby's log, and rules processes."""

    def __init__(self, folder: Path, database: str, nats_url: str, lobby_port: int) -> None:
        self.folder = folder
        self.lobby_address = f"127.0.0.1:{lobby_port}"
        self.database = database
        self.nats_url = nats_url
        self.issuer = LocalIssuer(folder / "issuer")
        self.rules = self.process("rules")
        self._processes = [self.rules]
        self._channels: list[Any] = []
        self._heads: dict[str, tuple[int, str]] = {}
        self._service: Player | None = None
        self._lobby: Any = None

    def process(self, name: str) -> RulesProcess:
        """Another rules process on the same database."""
        made = RulesProcess(self.folder, self.database, self.nats_url, self.lobby_address, name)
        if hasattr(self, "_processes"):
            self._processes.append(made)
        return made

    def player(
        self, account: str, roles: Sequence[str] = (), process: RulesProcess | None = None,
        ttl: float = 900.0,
    ) -> Player:  # fmt: skip
        """A caller with a token of its own."""
        token = self.issuer.issue(account, roles, ttl)
        port = (process or self.rules).port
        channel = open_channel(f"127.0.0.1:{port}", bearer(token), timeout=30.0)
        self._channels.append(channel)
        return Player(channel, account)

    async def start_table(
        self,
        accounts: Sequence[str],
        game: str = "harbour",
        kinds: Sequence[str] = (),
        options: dict[str, str] | None = None,
        wait: bool = True,
        edition: str = "1",
        match_id: str = "",
        commitment: str = "",
    ) -> str:
        """Let the lobby open a table and start it; the match's id."""
        match_id = match_id or await self.open_table()
        seats = [
            {"account": account, "name": account.capitalize(), "kind": kind}
            for account, kind in zip(accounts, kinds or ["player"] * len(accounts), strict=True)
        ]
        fact = {
            "@type": "TableStarted",
            "game": game,
            "edition": edition,
            "options": options or {},
            "content": "",
            "digest": "",
            "seats": seats,
            "entropy": [f"{number:02x}" for number in range(len(seats))],
            "commitment": commitment or await self.commitment(match_id),
        }
        await self._append(match_id, "started", fact)
        if wait:
            await self.exists(match_id, self.player(accounts[0]))
        return match_id

    async def open_table(self) -> str:
        """Let the lobby open a table; its id."""
        table_id = uuid.uuid4().hex[:12]
        await self._append(table_id, "opened", {"@type": "TableOpened"})
        return table_id

    async def _append(self, table_id: str, type_: str, fact: dict[str, Any]) -> None:
        version, prev = self._heads.get(table_id, (0, GENESIS))
        record = Record(
            f"table-{table_id}", version + 1, type_, SCHEMA, "1", "owner", -1, "",
            msgspec.Raw(encode([fact])), (), False, "", int(time.time() * 1000), prev,
        )  # fmt: skip
        sealed = seal(record)
        await self._lobby.append(Append(record.stream, version, (sealed,)))
        self._heads[table_id] = sealed.version, sealed.hash

    async def commitment(self, table_id: str) -> str:
        """Wait until rules has committed to the seed of a table; what it said."""
        return str((await self._notice(f"seed-{table_id}"))["commitment"])

    async def refusal(self, table_id: str) -> str:
        """Wait until rules has refused the order of a table; the reason it gave."""
        return str((await self._notice(f"refusal-{table_id}"))["reason"])

    async def _notice(self, stream: str) -> dict[str, Any]:
        """The fact of the one record in a stream, once it is there."""
        async with asyncio.timeout(START_SECONDS):
            while not (found := await self.notices(stream)):
                await asyncio.sleep(0.02)
        (fact,) = found
        return fact

    async def notices(self, stream: str) -> list[dict[str, Any]]:
        """The facts in a stream of rules that is no match."""
        if self._service is None:
            self._service = self.player("service:lobby", ["service"])
        return [
            fact
            async for answer in self._service.log.ReadLog(ReadLogRequest(stream=stream))
            for entry in answer.batch.entries
            for fact in msgspec.json.decode(open_record(entry.body).facts)
        ]

    async def exists(self, match_id: str, player: Player) -> None:
        """Wait until rules has created the match."""
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                await player.view(match_id)
                return
            except aio.AioRpcError as error:
                if error.code() != grpc.StatusCode.NOT_FOUND or time.monotonic() > deadline:
                    raise
                await asyncio.sleep(0.02)

    async def close(self) -> None:
        """Stop everything that was started."""
        for channel in self._channels:
            await channel.close()
        for process in self._processes:
            process.kill()


@asynccontextmanager
async def open_world(
    folder: Path, database: str, nats_url: str, start: bool = True
) -> AsyncIterator[World]:
    """A world whose bus carries nothing else, with one rules process."""
    lobby = open_store(f"sqlite:///{folder / 'lobby.sqlite3'}")
    async with lobby, await Bus.connect(nats_url, "lobby") as bus:
        server = RpcServer(ServerConfig(drain=0), Verifier(LocalIssuer(folder / "issuer").trust()))
        server.add(add_LogServiceServicer_to_server, LogService(lobby), LOG_POLICIES)
        world = World(folder, database, nats_url, await server.start())
        world._lobby = lobby
        relay = asyncio.create_task(Relay(bus, lobby, "lobby").run())
        try:
            if start:
                world.rules.start()
                await world.rules.ready()
            yield world
        finally:
            relay.cancel()
            await asyncio.gather(relay, return_exceptions=True)
            await world.close()
            await server.drain()


def public_json(text: str) -> Any:
    """JSON as a client reads it."""
    return json.loads(text)
