"""What is measured together, each group in a process of its own and never two at once."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STOP_SECONDS = 20.0


@dataclass(frozen=True)
class Group:
    """A module whose `function` measures and returns figures by name.

    `quick` are its constants for a short run. `lacks` says why it cannot run here, if so.
    """

    module: str
    quick: Mapping[str, float] = field(default_factory=dict)
    lacks: Callable[[], str] = lambda: ""
    function: str = "run"
    timeout: float = 600.0


class GroupFailed(Exception):
    """A group did not come to an end; the message carries the last that it wrote."""


def needs(module: str, install: str) -> Callable[[], str]:
    """Says that a package is not installed, and how to install it."""

    def lacks() -> str:
        return "" if importlib.util.find_spec(module) else f"{module} is not installed: {install}"

    return lacks


def lacks_eventsourcing() -> str:
    return (
        needs("eventsourcing", "pip install -e '.[dev]'")()
        or needs("psycopg_pool", "pip install 'psycopg[pool]'")()
    )


def lacks_boardgameio() -> str:
    from tests.bench.comparators.boardgameio import missing

    return missing()


GROUPS: dict[str, Group] = {
    "playing": Group("tests.bench.playing", {"ROUNDS": 3, "SECONDS": 0.5}),
    "planning": Group("tests.bench.planning", {"MATCHES": 10}),
    "store": Group("tests.bench.store", {"SECONDS": 1.0}),
    "rules": Group(
        "tests.bench.rules", {"SECONDS": 1.0, "WATCHED_MOVES": 320}
    ),
    "scoring": Group("tests.bench.scoring", {"PACED": 600}),
    "echo": Group("tests.bench.rpc_echo", {"SECONDS": 0.5, "ROUNDS": 3}, function="run_both"),
    "bus": Group("tests.bench.bus", {"PACED": 500, "BACKLOG": 2_000}),
    "eventsourcing": Group(
        "tests.bench.comparators.eventsourcing_library",
        {"SECONDS": 0.5},
        lacks_eventsourcing,
    ),
    "boardgameio": Group(
        "tests.bench.comparators.boardgameio",
        {"SECONDS": 1.0, "ROUNDS": 1, "MATCHES": 16},
        lacks_boardgameio,
    ),
}  # fmt: skip


def measure(name: str, quick: bool) -> dict[str, float]:
    """Run a group in a process of its own. Raises `GroupFailed`."""
    with tempfile.TemporaryDirectory(prefix="tally-bench-") as folder:
        into, said = Path(folder) / "figures.json", Path(folder) / "said.log"
        command = [sys.executable, "-m", "tests.bench.groups", name, "--into", str(into)]
        with said.open("wb") as log:
            process = subprocess.Popen(
                [*command, *(["--quick"] if quick else [])],
                cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip
        try:
            code = process.wait(GROUPS[name].timeout)
        except subprocess.TimeoutExpired as error:
            raise GroupFailed(f"no end within {GROUPS[name].timeout:.0f} s") from error
        finally:
            stop(process)
        if code:
            lines = said.read_text(errors="replace").strip().splitlines()[-15:]
            raise GroupFailed("\n".join(lines) or f"ended with {code}")
        figures: dict[str, float] = json.loads(into.read_text())
        return figures


def stop(process: subprocess.Popen[bytes]) -> None:
    """End a process, letting it stop the servers that it started."""
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def main() -> None:
    """The group's own process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("group", choices=GROUPS)
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    group = GROUPS[arguments.group]
    module = importlib.import_module(group.module)
    if arguments.quick:
        for constant, value in group.quick.items():
            assert hasattr(module, constant), f"{group.module} has no {constant}"
            setattr(module, constant, value)
    arguments.into.write_text(json.dumps(getattr(module, group.function)()))


if __name__ == "__main__":
    main()
