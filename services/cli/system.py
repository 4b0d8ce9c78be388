"""The whole system on one machine: the bus and one process per service, all on loopback.

These are the same processes that a deployment runs apart; only their environment is ours.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple, TextIO

from services.cli.errors import CliError
from shared.platform.embedded.nats import EmbeddedNats, EmbeddedNatsError
from shared.platform.embedded.parent import ending_with_parent
from shared.platform.health_probe import probe
from shared.platform.settings import SERVICE_PORTS, SettingsError, TlsSettings, load

START_SECONDS = 30.0
STOP_SECONDS = 15.0
ADDRESSES = "addresses"
"""File in the data folder that tells other commands where the running system answers."""


class System(NamedTuple):
    """A running system: where each service answers, and its processes."""

    data_dir: Path
    addresses: Mapping[str, str]
    processes: Mapping[str, subprocess.Popen[bytes]]

    def failed(self) -> str | None:
        """The name of a service that has ended by itself, if any."""
        return next((name for name, one in self.processes.items() if one.poll() is not None), None)

    def log_of(self, service: str) -> Path:
        """Where a service writes its log."""
        return self.data_dir / "logs" / f"{service}.log"


@contextmanager
def running_system(
    data_dir: Path, ports: Mapping[str, int] | None = None, extra: Mapping[str, str] | None = None
) -> Iterator[System]:
    """Start everything, wait until it is healthy, and stop it all in order at the end.

    `ports` by service, `nats` included; 0 takes a free one. Raises `CliError` with what to do if
    something cannot start.
    """
    with ExitStack() as stack:
        stack.enter_context(_only_one(data_dir))
        chosen = {name: _usable(port) for name, port in {**SERVICE_PORTS, **(ports or {})}.items()}
        nats_port = chosen.pop("nats", 0)
        addresses = {name: f"127.0.0.1:{port}" for name, port in chosen.items()}
        try:
            bus = stack.enter_context(EmbeddedNats(data_dir / "nats", nats_port))
        except EmbeddedNatsError as error:
            raise CliError(str(error)) from error
        environment = _environment(data_dir, bus.url, addresses, extra or {})
        processes: dict[str, subprocess.Popen[bytes]] = {}
        stack.callback(_stop, processes)
        system = System(data_dir, addresses, processes)
        for name in addresses:
            processes[name] = _start(system, name, environment)
        _wait_until_well(system)
        file = data_dir / ADDRESSES
        file.write_text("".join(f"{name} {where}\n" for name, where in addresses.items()))
        stack.callback(file.unlink, missing_ok=True)
        yield system


@contextmanager
def _only_one(data_dir: Path) -> Iterator[None]:
    """Two systems on one data folder would fight over it: the second is refused."""
    import fcntl

    with _lock_file(data_dir) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise CliError(
                f"a system is running on {data_dir} already; use it, stop it, or give --data-dir"
            ) from error
        yield


def _lock_file(data_dir: Path) -> TextIO:
    """The file to lock, in a data folder that is made if need be."""
    try:
        (data_dir / "logs").mkdir(parents=True, exist_ok=True)
        return open(data_dir / "lock", "w")
    except OSError as error:
        raise CliError(
            f"cannot keep data in {data_dir}: {error.strerror}; give a folder with --data-dir"
        ) from error


def _environment(
    data_dir: Path, nats_url: str, addresses: Mapping[str, str], extra: Mapping[str, str]
) -> dict[str, str]:
    """What the services are told, beside what the caller's environment tells them."""
    return {
        **os.environ,
        "TALLY_DATA_DIR": str(data_dir),
        "TALLY_NATS_URL": nats_url,
        "TALLY_DEV_AUTH": "true",
        "TALLY_LOBBY_ADDRESS": addresses["lobby"],
        "TALLY_RULES_ADDRESS": addresses["rules"],
        **extra,
    }


def _usable(port: int) -> int:
    """The port, or a free one for 0. Raises `CliError` if something else listens there."""
    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind(("127.0.0.1", port))
        except OSError as error:
            raise CliError(
                f"port {port} is in use by another program; stop it, or use `tally up --free-ports`"
            ) from error
        taken: int = trial.getsockname()[1]
        return taken


def _start(system: System, name: str, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    with open(system.log_of(name), "ab") as log:
        return subprocess.Popen(
            [*ending_with_parent(), sys.executable, "-m", f"services.{name}"],
            env={**environment, "TALLY_LISTEN": system.addresses[name]},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def _wait_until_well(system: System) -> None:
    deadline = time.monotonic() + START_SECONDS
    waiting = list(system.addresses)
    while waiting:
        failed = system.failed()
        if failed is not None or time.monotonic() > deadline:
            name = failed or waiting[0]
            raise CliError(f"{name} does not start; its log says:\n{_tail(system.log_of(name))}")
        waiting = [name for name in waiting if not _is_well(system.addresses[name])]
        time.sleep(0.05)


def _is_well(address: str) -> bool:
    try:
        return probe(address, load(TlsSettings)) == "SERVING"
    except SettingsError as error:
        raise CliError(str(error)) from error


def _tail(file: Path, lines: int = 8) -> str:
    return "\n".join(file.read_text(errors="replace").splitlines()[-lines:])


def _stop(processes: Mapping[str, subprocess.Popen[bytes]]) -> None:
    """Let every service drain, then make sure it is gone."""
    for process in processes.values():
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
    deadline = time.monotonic() + STOP_SECONDS
    for process in processes.values():
        try:
            process.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
