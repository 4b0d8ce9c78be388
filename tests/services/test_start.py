"""A service that cannot start or do what it is asked says so in one line, and leaves with 2."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest


def asked(folder: Path, service: str, *words: str, **more: str) -> str:
    """What a service says last when it gives up; the last line of its log, or its only one."""
    environment = {
        "TALLY_DEV_AUTH": "true",
        "TALLY_DATA_DIR": str(folder),
        "TALLY_LISTEN": "127.0.0.1:0",
        **more,
    }
    done = subprocess.run(
        [sys.executable, "-m", f"services.{service}", *words],
        env=environment, capture_output=True, timeout=60, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("service", "words"),
    [("lobby", ()), ("rules", ()), ("scoring", ()), ("rules", ["rebuild"]),
     ("scoring", ["rebuild"])],
)  # fmt: skip
def test_a_damaged_database_stops_the_start(service: str, words: list[str], tmp_path: Path) -> None:
    (tmp_path / f"{service}.sqlite3").write_text("this is not a database\n" * 50)
    last = json.loads(asked(tmp_path, service, *words))
    assert last["event"] == "cannot start"
    assert f"{service}.sqlite3 cannot be opened: file is not a database" in last["reason"]


def test_a_rebuild_with_a_wrong_setting_names_the_setting(tmp_path: Path) -> None:
    said = asked(tmp_path, "rules", "rebuild", TALLY_LOG_LEVEL="loud")
    assert said.startswith("rules cannot start: ") and "TALLY_LOG_LEVEL" in said


@pytest.mark.parametrize(
    ("service", "known"), [("lobby", "nothing"), ("rules", "nothing, or rebuild")]
)
def test_a_word_that_a_service_does_not_know_is_refused(
    service: str, known: str, tmp_path: Path
) -> None:
    assert asked(tmp_path, service, "rebuidl") == f"{service} takes {known}, not 'rebuidl'"


def test_a_rebuild_without_rules_says_so_and_empties_nothing(tmp_path: Path) -> None:
    away = {"TALLY_RULES_ADDRESS": "127.0.0.1:1"}
    database = tmp_path / "scoring.sqlite3"
    asked(tmp_path, "scoring", "rebuild", **away)  # makes the tables
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE progress SET position = 7")
    last = json.loads(asked(tmp_path, "scoring", "rebuild", **away))
    assert last["event"] == "another service does not answer"
    assert "127.0.0.1:1" in last["reason"]
    with sqlite3.connect(database) as connection:
        assert connection.execute("SELECT position FROM progress").fetchall() == [(7,)]
