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
