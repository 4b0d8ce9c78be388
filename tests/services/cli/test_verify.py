"""`tally verify` as a process: what is wrong exits with 1, what cannot be read here with 2."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from shared.engine.data import replace
from shared.engine.game import Game
from shared.engine.verify import export_lines
from shared.games import GAMES
from tests.conformance.playing import play_out

DWERGAR = GAMES["dwergar"]


def verify(file: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "services.cli", "verify", str(file), *options],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def exported(game: Game, folder: Path) -> Path:
    file = folder / "match.tally"
    log = play_out(game, 2, 5)
    file.write_bytes(b"\n".join(export_lines("match-m1", log.entries())))
    return file


@pytest.mark.parametrize(
    ("game", "says"),
    [
        (replace(DWERGAR, edition="77"), "the editions of it installed here are: 1"),
        (replace(DWERGAR, id="chess"), "the games installed here are: airship-city, dwergar"),
    ],
    ids=["edition", "game"],
)
def test_a_match_of_another_installation_is_not_called_wrong(
    game: Game, says: str, tmp_path: Path
) -> None:
    file = exported(game, tmp_path)
    done = verify(file)
    told = " ".join(done.stderr.split())
    assert done.returncode == 2 and says in told and "install a release" in told
    assert "wrong record" not in told and "Traceback" not in told
    done = verify(file, "--json")
    answer = json.loads(done.stdout)
    assert done.returncode == 2 and answer["version"] is None and not answer["ok"]
    damaged = file.read_bytes().replace(b'"barrier":false', b'"barrier":true', 1)
    file.write_bytes(damaged)
    done = verify(file)
    assert done.returncode == 1 and "First wrong record" in done.stderr


def test_a_record_that_is_missing_out_of_order_or_doubled_is_named(tmp_path: Path) -> None:
    file = exported(DWERGAR, tmp_path)
    header, *records = file.read_bytes().splitlines()
    at = 7
    edited = {
        "missing": [*records[: at - 1], *records[at:]],
        "swapped": [*records[: at - 1], records[at], records[at - 1], *records[at + 1 :]],
        "doubled": [*records[: at - 1], records[at - 2], *records[at - 1 :]],
    }
    for what, lines in edited.items():
        file.write_bytes(b"\n".join([header, *lines]))
        done = verify(file)
        assert done.returncode == 1, what
        assert f"First wrong record: {at}." in done.stderr, (what, done.stderr)


@pytest.mark.parametrize("option", ["--kept", "--commitment", "--entropy"])
def test_a_note_that_is_not_hex_is_no_fault_of_the_match(option: str, tmp_path: Path) -> None:
    file = exported(DWERGAR, tmp_path)
    done = verify(file, option, "q83vEjRWeJA=")
    assert done.returncode == 1
    assert done.stderr.startswith("'q83vEjRWeJA=' is not hex") and "wrong" not in done.stderr


@pytest.mark.parametrize(
    ("option", "note", "says"),
    [
        ("--entropy", "", "'' is not hex"),  # a bot's entropy is empty: this would "prove" it
        ("--commitment", "", "'' is not hex"),
        ("--kept", "ab cd", "'ab cd' is not hex"),
        ("--kept", "ab" * 10, "is no whole hash"),
    ],
)
def test_half_a_note_proves_nothing_and_blames_nobody(
    option: str, note: str, says: str, tmp_path: Path
) -> None:
    done = verify(exported(DWERGAR, tmp_path), option, note)
    assert done.returncode == 1 and says in done.stderr
    assert "proved" not in (done.stderr + done.stdout).lower()


def test_a_hash_may_be_noted_in_capitals(tmp_path: Path) -> None:
    file = exported(DWERGAR, tmp_path)
    noted = json.loads(file.read_bytes().splitlines()[3])["hash"]
    done = verify(file, "--kept", noted.upper())
    assert done.returncode == 0, done.stderr


def test_what_is_said_to_a_pipe_is_not_broken_into_lines(tmp_path: Path) -> None:
    file = exported(DWERGAR, tmp_path)
    done = verify(file, "--kept", "0" * 64)
    assert len(done.stderr.splitlines()) == 1 and len(done.stderr) > 100
