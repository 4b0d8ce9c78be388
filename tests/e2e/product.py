"""The product as it is started and used by hand: `tally up`, and other commands beside it."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.e2e.world import ROOT, START_SECONDS, STOP_SECONDS, clean_environment

COMMAND_SECONDS = 60.0
TALLY = str(Path(sys.executable).with_name("tally"))


class Product:
    """A running `tally up` on a data folder."""

    def __init__(self, data_dir: Path, process: subprocess.Popen[str], log: Path) -> None:
        self.data_dir = data_dir
        self._process = process
        self._log = log

    def wait_until_up(self) -> None:
        """Wait until it says that it serves."""
        deadline = time.monotonic() + START_SECONDS
        while "Ctrl-C stops everything" not in self.printed():
            assert self._process.poll() is None, f"tally up failed:\n{self.printed()}"
            assert time.monotonic() < deadline, f"tally up is too slow:\n{self.printed()}"
            time.sleep(0.1)

    def printed(self) -> str:
        """All it has said so far."""
        return self._log.read_text()

    def address(self, service: str) -> str:
        """Where a service answers."""
        lines = (self.data_dir / "addresses").read_text().splitlines()
        return dict(line.split(" ", 1) for line in lines)[service]

    def run(self, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Another `tally` command on this system."""
        return tally(*words, "--data-dir", str(self.data_dir), stdin=stdin)

    def stop(self, how: signal.Signals = signal.SIGINT) -> int:
        """Ctrl-C; the exit code."""
        self._process.send_signal(how)
        return self._process.wait(STOP_SECONDS)

    def kill(self) -> None:
        """End it if it still runs."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait(STOP_SECONDS)


def tally(*words: str, stdin: str = "", cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """A `tally` command, run to its end."""
    return subprocess.run(
        [TALLY, *words], input=stdin, capture_output=True, text=True, timeout=COMMAND_SECONDS,
        cwd=cwd, env=clean_environment(COLUMNS="200"),
    )  # fmt: skip


@contextmanager
def tally_up(data_dir: Path, *words: str, **environment: str) -> Iterator[Product]:
    """A system started by hand on free ports, stopped by Ctrl-C unless the test did."""
    log = data_dir.with_suffix(".out")
    log.unlink(missing_ok=True)
    with log.open("w") as out:
        process = subprocess.Popen(
            [TALLY, "up", "--free-ports", "--data-dir", str(data_dir), *words],
            stdin=subprocess.DEVNULL, stdout=out, stderr=out, text=True, cwd=ROOT,
            env=clean_environment(COLUMNS="200", **environment),
        )  # fmt: skip
    product = Product(data_dir, process, log)
    try:
        product.wait_until_up()
        yield product
        if process.poll() is None:
            assert product.stop() == 0, product.printed()
    finally:
        product.kill()
