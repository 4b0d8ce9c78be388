"""A system of real processes that a test may kill, stop and start again, part by part."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path

from protos.tallystick.lobby.v1.lobby_pb2_grpc import LobbyServiceStub
from protos.tallystick.log.v1.log_pb2_grpc import LogServiceStub
from protos.tallystick.rules.v1.rules_pb2_grpc import RulesServiceStub
from protos.tallystick.scoring.v1.scoring_pb2_grpc import ScoringServiceStub
from services.cli.connection import Connection
from shared.platform.crashpoint import VARIABLE as CRASHPOINT
from shared.platform.embedded.nats import EmbeddedNats
from shared.platform.embedded.parent import ending_with_parent
from shared.platform.embedded.postgres import free_port
from shared.platform.health_probe import probe
from shared.platform.rpc.client import bearer, open_channel
from shared.platform.rpc.issuer import LocalIssuer

ROOT = Path(__file__).resolve().parents[2]
SERVICES = ("lobby", "rules", "scoring", "bots")
START_SECONDS = 60.0
STOP_SECONDS = 60.0
KILLED = -signal.SIGKILL


def clean_environment(**more: str) -> dict[str, str]:
    """Ours, without settings of the product.

    Compiled modules are kept, for these tests start the same programs again and again.
    """
    ours = {name: value for name, value in os.environ.items() if not name.startswith("TALLY_")}
    ours.pop("PYTHONDONTWRITEBYTECODE", None)
    return {**ours, **more}


class Process:
    """One service process at one address, on data that outlives it."""

    def __init__(
        self, service: str, address: str, log: Path, environment: Mapping[str, str]
    ) -> None:
        self.service = service
        self.address = address
        self._log = log
        self._environment = {**environment, "TALLY_LISTEN": address}
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, crash_at: str = "", **environment: str) -> None:
        """Start it; `ready` says when it answers. From the main thread, with which it ends."""
        assert self._process is None or self._process.poll() is not None, "it still runs"
        crash = {CRASHPOINT: crash_at} if crash_at else {}
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [*ending_with_parent("KILL"), sys.executable, "-m", f"services.{self.service}"],
                cwd=ROOT, env={**self._environment, **crash, **environment},
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip

    async def ready(self) -> None:
        """Wait until it serves."""
        await asyncio.to_thread(self.wait_ready)

    def wait_ready(self) -> None:
        """The same outside an event loop."""
        assert self._process is not None
        deadline = time.monotonic() + START_SECONDS
        while probe(self.address) != "SERVING":
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"{self.service} does not start:\n{self.logged()[-3000:]}")
            time.sleep(0.1)

    async def restart(self, crash_at: str = "", **environment: str) -> None:
        """Start it anew and wait until it serves."""
        self.start(crash_at, **environment)
        await self.ready()

    async def died(self) -> int:
        """Wait until it is gone; its exit code, negative for a signal."""
        assert self._process is not None
        return await asyncio.to_thread(self._process.wait, STOP_SECONDS)

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def kill(self) -> None:
        """End it as a power failure would."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait(STOP_SECONDS)

    def ask_to_stop(self) -> None:
        """SIGTERM, as a deployment does."""
        assert self._process is not None
        self._process.terminate()

    def logged(self) -> str:
        """All it wrote."""
        return self._log.read_text(errors="replace") if self._log.exists() else ""


class World:
    """A bus and the services on one data folder. Every part keeps its address over restarts."""

    def __init__(self, folder: Path, nats: EmbeddedNats, databases: Mapping[str, str]) -> None:
        self.folder = folder
        self.nats = nats
        self.lost_on_bus: set[int] = set()
        """Positions that a test took out of the stream of rules for good."""
        self.databases = {
            service: databases.get(service, f"sqlite:///{folder / service}.sqlite3")
            for service in SERVICES
        }
        self.issuer = LocalIssuer(folder / "issuer")
        addresses = {service: _free_address() for service in SERVICES}
        self._environment = clean_environment(
            TALLY_DATA_DIR=str(folder),
            TALLY_NATS_URL=nats.url,
            TALLY_DEV_AUTH="true",
            TALLY_LOBBY_ADDRESS=addresses["lobby"],
            TALLY_RULES_ADDRESS=addresses["rules"],
            TALLY_RATE_PER_SECOND="10000",
            TALLY_RATE_BURST="10000",
            TALLY_HEARTBEAT_SECONDS="1",
            TALLY_DRAIN_SECONDS="3",
        )
        self.processes: dict[str, Process] = {}
        for service, address in addresses.items():
            self.add(service, service, address)

    def add(self, service: str, name: str, address: str = "") -> Process:
        """A process of a service under a name of its own, on the database of its service."""
        environment = {**self._environment, "TALLY_DATABASE_URL": self.databases[service]}
        log = self.folder / f"{name}.log"
        process = Process(service, address or _free_address(), log, environment)
        self.processes[name] = process
        return process

    def __getitem__(self, name: str) -> Process:
        return self.processes[name]

    def start(self, names: Sequence[str]) -> None:
        """Start these and wait for all of them."""
        for name in names:
            self.processes[name].start()
        for name in names:
            self.processes[name].wait_ready()

    def repair(self) -> None:
        """Start whatever does not run."""
        self.nats.start()
        self.start([name for name, process in self.processes.items() if not process.running])

    def stop(self) -> None:
        """End whatever still runs."""
        for process in self.processes.values():
            process.kill()

    @asynccontextmanager
    async def caller(
        self, account: str, roles: Sequence[str] = (), rules: str = "rules"
    ) -> AsyncIterator[Caller]:
        """Somebody with a token and open channels; `rules` names the process to talk to."""
        headers = bearer(self.issuer.issue(account, roles, 3600.0))
        places = {"lobby": "lobby", "rules": rules, "scoring": "scoring"}
        async with AsyncExitStack() as stack:
            channels = {
                service: await stack.enter_async_context(
                    open_channel(self.processes[name].address, headers, timeout=30.0)
                )
                for service, name in places.items()
            }
            yield Caller(account, channels)


class Caller:
    """The services as one account."""

    def __init__(self, account: str, channels: Mapping[str, object]) -> None:
        self.account = account
        self.lobby = LobbyServiceStub(channels["lobby"])  # type: ignore[arg-type]
        self.rules = RulesServiceStub(channels["rules"])  # type: ignore[arg-type]
        self.scoring = ScoringServiceStub(channels["scoring"])  # type: ignore[arg-type]
        self.rules_log = LogServiceStub(channels["rules"])  # type: ignore[arg-type]
        self.lobby_log = LogServiceStub(channels["lobby"])  # type: ignore[arg-type]
        self.connection = Connection(account, self.lobby, self.rules, self.scoring)


def _free_address() -> str:
    return f"127.0.0.1:{free_port()}"


@contextmanager
def open_world(
    folder: Path,
    services: Sequence[str] = SERVICES,
    databases: Mapping[str, str] | None = None,
) -> Iterator[World]:
    """A running world of its own, gone at the end."""
    with EmbeddedNats(folder / "nats") as nats:
        world = World(folder, nats, databases or {})
        try:
            world.start(services)
            yield world
        finally:
            world.stop()


async def eventually(true: Callable[[], object], what: str, seconds: float = 30.0) -> None:
    """Wait until something holds; `true` may be a coroutine function."""
    deadline = time.monotonic() + seconds
    while True:
        answer = true()
        if asyncio.iscoroutine(answer):
            answer = await answer
        if answer:
            return
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds:g} s: {what}")
        await asyncio.sleep(0.05)
