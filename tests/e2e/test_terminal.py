"""`tally play` and `tally watch` by hand: leaving, resigning, a connection that comes and goes."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from tests.e2e.product import COMMAND_SECONDS, TALLY, Product, tally_up
from tests.e2e.world import ROOT, clean_environment


class Terminal:
    """A command that somebody types at."""

    def __init__(self, process: subprocess.Popen[str], screen: Path) -> None:
        self.process = process
        self._screen = screen

    def shown(self) -> str:
        return self._screen.read_text()

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def leave(self) -> None:
        """Ctrl-C, which is obeyed without another key."""
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(COMMAND_SECONDS) == 130

    def wait_for(self, text: str, times: int = 1) -> None:
        deadline = time.monotonic() + COMMAND_SECONDS
        while self.shown().count(text) < times:
            assert self.process.poll() is None, self.shown()
            assert time.monotonic() < deadline, self.shown()
            time.sleep(0.05)


@contextmanager
def terminal(screen: Path, *words: str) -> Iterator[Terminal]:
    with screen.open("w") as out, subprocess.Popen(
        [TALLY, *words], stdin=subprocess.PIPE, stdout=out, stderr=out, text=True, cwd=ROOT,
        env=clean_environment(COLUMNS="200"),
    ) as process:  # fmt: skip
        try:
            yield Terminal(process, screen)
        finally:
            process.kill()


class Line:
    """The way from a client to a service, which can be cut."""

    def __init__(self, address: str) -> None:
        host, port = address.rsplit(":", 1)
        self._far = (host, int(port))
        self._ends: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self.mend()

    def mend(self) -> None:
        if self._listener.fileno() < 0:
            host, port = self.address.split(":")
            self._listener = socket.create_server((host, int(port)))
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def cut(self) -> None:
        for end in (self._listener, *self._ends):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self._ends = []

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                near, far = listener.accept()[0], socket.create_connection(self._far)
                self._ends += [near, far]
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_RDWR)


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    with tally_up(tmp_path_factory.mktemp("terminal") / "data", "--no-welcome") as up:
        yield up


def match_of(screen: str) -> str:
    (match_id,) = re.findall(r"tally play --match ([0-9a-f]+)", screen)
    return str(match_id)


def test_ctrl_c_leaves_at_once_and_says_how_to_come_back(product: Product, tmp_path: Path) -> None:
    where = ("--as", "ann", "--data-dir", str(product.data_dir))
    with terminal(tmp_path / "screen", "play", "--seats", "me,random", *where) as ann:
        ann.wait_for("\n> ")
        ann.leave()
        left = ann.shown()
    assert f"{match_of(left)} --as ann --data-dir {product.data_dir}\n" in left
    assert "Traceback" not in left and "Fatal" not in left


def test_who_stops_waiting_is_told_that_the_seat_is_kept(product: Product, tmp_path: Path) -> None:
    where = ("--as", "gus", "--data-dir", str(product.data_dir))
    with terminal(tmp_path / "screen", "play", "--quick", "2", *where) as gus:
        gus.wait_for("Waiting at table")
        gus.leave()
        (table_id,) = re.findall(r"tally play --table ([0-9a-f]+)", gus.shown())
    assert f"Waiting at table {table_id}" in gus.shown()
    with terminal(tmp_path / "again", "play", "--quick", "2", *where) as gus:
        gus.wait_for(f"Waiting at table {table_id}")


def test_a_slip_is_answered_and_asked_again(product: Product) -> None:
    slips = "u\n²\n[/red]\nresign\nno\n1\n"
    said = product.run("play", "--as", "bea", "--seats", "me,random", stdin=slips)
    assert said.returncode == 0, said.stderr
    assert "There is nothing that you can take back now." in said.stdout
    assert said.stdout.count("choose one of the listed options") == 2
    match_id = match_of(said.stdout)
    log = product.run("log", "--match", match_id).stdout
    assert re.search(r"^ +2  place", log, re.MULTILINE) and "resign" not in log


def test_who_resigns_ranks_last_and_the_others_play_on(product: Product) -> None:
    answers = "resign\nyes\n"
    done = product.run("play", "--as", "cay", "--seats", "me,random,random", stdin=answers)
    assert done.returncode == 0, done.stderr
    total = [line for line in done.stdout.splitlines() if "Place" in line and "│" in line][-1]
    names = [line for line in done.stdout.splitlines() if "cay" in line and "┃" in line][-1]
    places = dict(zip(re.findall(r"\w+(?: \d)?", names), re.findall(r"\d", total), strict=True))
    assert places["cay"] == "3"


def test_who_has_no_seat_is_told_so(product: Product) -> None:
    left = product.run("play", "--as", "dot", "--seats", "me,random", stdin="").stdout
    with ExitStack() as stack:
        screen = Path(str(product.data_dir) + ".look")
        words = ("play", "--match", match_of(left), "--as", "eli", "--data-dir")
        looks = stack.enter_context(terminal(screen, *words, str(product.data_dir)))
        looks.wait_for("You have no seat in this match")


def test_a_lost_connection_costs_nothing_but_time(product: Product, tmp_path: Path) -> None:
    """A move that was made in the gap arrives once, and a watch goes on where it stopped."""
    phone = tmp_path / "phone"
    phone.mkdir()
    lines = {name: Line(product.address(name)) for name in ("lobby", "rules", "scoring")}
    addresses = "".join(f"{name} {line.address}\n" for name, line in lines.items())
    (phone / "addresses").write_text(addresses)
    (phone / "token").write_text(product.run("token", "--as", "fay").stdout)
    where = ("--data-dir", str(phone), "--token-file", str(phone / "token"))
    left = product.run("play", "--as", "fay", "--seats", "me,random", stdin="").stdout
    match_id = match_of(left)
    with (
        terminal(tmp_path / "fay", "play", "--match", match_id, *where) as fay,
        terminal(tmp_path / "watch", "watch", "--json", "--match", match_id, *where) as watch,
    ):
        fay.wait_for("\n> ")
        watch.wait_for('"version": 1')
        for line in lines.values():
            line.cut()
        fay.type("1")
        fay.wait_for("The connection is lost")
        watch.wait_for("The connection is lost")
        for line in lines.values():
            line.mend()
        watch.wait_for('"version": 2')
        fay.wait_for("\n> ", 2)
        assert watch.shown().count('"version": 2') == 1
    records = product.run("log", "--match", match_id).stdout
    assert len(re.findall(r"^ +\d+  place", records, re.MULTILINE)) == 1
