"""A stranger with nothing but a stock gRPC client: the commands that the README shows."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from shared.platform.settings import SERVICE_PORTS
from tests.e2e.product import Product
from tests.e2e.world import clean_environment

README = Path(__file__).parents[2] / "README.md"
SECONDS = 20.0


def commands() -> list[str]:
    """What a person types, in order; a command may go over several lines."""
    found: list[str] = []
    whole = ""
    (transcript,) = re.findall(r"^```sh\n(.*?)^```$", README.read_text(), re.DOTALL | re.MULTILINE)
    for line in transcript.splitlines():
        if not whole and (not line or line.startswith("#")):
            continue
        whole += line + "\n"
        inside = line.endswith("\\") or (whole.startswith("call() {") and line != "}")
        if not inside:
            found.append(whole)
            whole = ""
    return found


class Terminal:
    """A shell in the folder above the data, as after `make run`, but with the ports that we have.

    `known` are the answers to the places where a person fills something in.
    """

    def __init__(self, product: Product, home: Path) -> None:
        self._product = product
        self._home = home
        self._before: list[str] = []
        self.known: dict[str, str] = {}

    def start(self, command: str) -> subprocess.Popen[str]:
        """Type a command."""
        typed = self._filled_in(command)
        script = "set -euo pipefail\n" + "".join(self._before) + typed
        if command.startswith("call()") or "=..." in command or "MATCH=" in command:
            self._before.append(typed)
        return subprocess.Popen(
            ["bash", "-c", script], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            cwd=self._product.data_dir.parent, start_new_session=True,
            env=clean_environment(
                HOME=str(self._home), PATH=f"{Path(sys.executable).parent}:{os.environ['PATH']}"
            ),
        )  # fmt: skip

    def type_for_later(self, command: str) -> None:
        """Type an assignment that later commands use."""
        self._before.append(command)

    def sign_in(self, command: str) -> None:
        """Type the command that fetches a token, and keep what it fetched."""
        token = self.run(command + 'echo "$TOKEN"\n').strip()
        self._before.append(f"TOKEN='{token}'\n")

    def run(self, command: str) -> str:
        """What it prints."""
        process = self.start(command)
        out, err = process.communicate(timeout=SECONDS)
        assert process.returncode == 0, f"{command}{err}"
        return out

    def answer(self, command: str) -> Any:
        """What it answers."""
        return json.loads(self.run(command))

    def _filled_in(self, command: str) -> str:
        for service, port in SERVICE_PORTS.items():
            address = self._product.address(service)
            command = command.replace(f"127.0.0.1:{port}", address)
            command = command.replace(f"call {port}/", f"call {address.split(':')[1]}/")
        if "=..." not in command:
            return command
        name = command.split("=", 1)[0]
        return f"{name}='{self.known[name]}'\n"


@pytest.fixture
def terminal(product: Product, tmp_path: Path) -> Terminal:
    return Terminal(product, tmp_path)


def test_a_stock_client_opens_plays_and_watches(terminal: Terminal) -> None:
    typed: Iterator[str] = iter(commands())
    terminal.sign_in(next(typed))
    terminal.run(next(typed))
    listed = terminal.run(next(typed))
    assert "tallystick.rules.v1.RulesService/PlayMove" in listed.split()

    table = terminal.answer(next(typed))["table"]
    terminal.known["TABLE"] = table["tableId"]
    terminal.run(next(typed))
    terminal.known["COMMITMENT"] = _committed(terminal, next(typed))
    terminal.run(next(typed))
    terminal.type_for_later(next(typed))
    table = terminal.answer(next(typed))["table"]
    assert table["seats"][0]["entropyAdded"]
    for seated in (2, 3):
        table = terminal.answer(next(typed))["table"]
        assert len([seat for seat in table["seats"] if "account" in seat]) == seated
    started = terminal.answer(next(typed))["table"]
    assert started["matchId"] == table["tableId"]
    assert started["status"] == "TABLE_STATUS_PLAYING", "nobody had to be waited for"
    terminal.run(next(typed))

    look, _, _, play = (next(typed) for _ in range(4))
    view = _asked(terminal, look)
    (decision,) = view["decisions"]
    terminal.known["DECISION"] = decision["decisionId"]
    terminal.known["MOVE"] = decision["options"][0]["notation"]
    for fill_in in ("DECISION=...\n", "MOVE=...\n"):
        terminal.run(fill_in)
    played = terminal.answer(play)
    assert played["version"] > view["version"]
    assert played["sentences"]

    watched = _watched(terminal, next(typed), played["version"])
    assert [one["record"]["version"] for one in watched[:2]] == [1, 2]
    assert played["hash"] in {one["record"]["hash"] for one in watched}

    sheet = terminal.answer(next(typed))["sheet"]
    assert {seat["account"] for seat in sheet["totals"]} == {"ann", "bot-planner", "bot-random"}
    assert next(typed, None) is None, "every command of the transcript was tried"


def _committed(terminal: Terminal, look: str) -> str:
    """The table's commitment, once it shows one."""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        table = terminal.answer(look)["table"]
        if "seedCommitment" in table:
            return str(table["seedCommitment"])
        time.sleep(0.1)
    raise AssertionError("rules never committed to the seed")


def _asked(terminal: Terminal, look: str) -> Any:
    """The view, once it is our turn."""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        view = terminal.answer(look)["view"]
        if any(one.get("options") for one in view["decisions"]):
            return view
        time.sleep(0.1)
    raise AssertionError("it never was our turn")


def _watched(terminal: Terminal, command: str, until: int) -> list[Any]:
    """The records that a watch brings, ended by Ctrl-C when it has come far enough."""
    process = terminal.start(command)
    records: list[Any] = []
    text = ""
    try:
        assert process.stdout is not None
        for line in process.stdout:
            text += line
            if line == "}\n":  # the end of one answer
                records.append(json.loads(text).get("record"))
                text = ""
                if records[-1] and records[-1]["record"]["version"] >= until:
                    break
    finally:
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=SECONDS)
    return [record for record in records if record]
