"""A service that cannot open its database says so in one line, and does not start."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("service", ["lobby", "rules", "scoring"])
def test_a_damaged_database_stops_the_start(service: str, tmp_path: Path) -> None:
    (tmp_path / f"{service}.sqlite3").write_text("this is not a database\n" * 50)
    environment = {
        "TALLY_DEV_AUTH": "true",
        "TALLY_DATA_DIR": str(tmp_path),
        "TALLY_LISTEN": "127.0.0.1:0",
    }
    done = subprocess.run(
        [sys.executable, "-m", f"services.{service}"],
        env=environment, capture_output=True, timeout=60, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    last = json.loads(done.stderr.splitlines()[-1])
    assert last["event"] == "cannot start"
    assert f"{service}.sqlite3 cannot be opened: file is not a database" in last["reason"]
    assert "Traceback" not in done.stderr
