"""The `tally` command, as a person and a script use it."""

from __future__ import annotations

import json
import re
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import jwt
import pytest

from services.cli.__main__ import main
from tests.e2e.product import Product, tally, tally_up

FIRST_OPTION = "1\n" * 900
TWO_FORTH_ONE_BACK = "1\n1\nu\n" * 6


def lines_of(text: str) -> list[Any]:
    """JSON, one value a line."""
    return [json.loads(line) for line in text.splitlines()]


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Run a command in this process: exit code, output, complaints."""
    before = sys.argv
    sys.argv = ["tally", *words]
    try:
        main()
    except SystemExit as done:
        code = int(done.code or 0)
    finally:
        sys.argv = before
    out, err = capsys.readouterr()
    return code, out, err


class First(NamedTuple):
    """What a first start on a data folder left behind."""

    data_dir: Path
    printed: str
    match_id: str
    log: list[Any]
    open_table: str


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> First:
    """A system started for the first time, with its match of welcome, and stopped."""
    data_dir = tmp_path_factory.mktemp("command") / "data"
    with tally_up(data_dir) as up:
        match_id = (data_dir / "first-match").read_text().strip()
        log = lines_of(up.run("log", "--json", "--match", match_id).stdout)
        open_table = up.run("open", "--as", "ann").stdout.strip()
        assert up.stop(signal.SIGTERM) == 0
    assert not (data_dir / "addresses").exists()
    return First(data_dir, up.printed(), match_id, log, open_table)


@pytest.fixture(scope="module")
def product(first: First) -> Iterator[Product]:
    """The same system started again."""
    with tally_up(first.data_dir) as up:
        yield up


@pytest.fixture(scope="module")
def match_id(product: Product) -> str:
    """A match that a person opened, and played to its end by always taking the first option."""
    opened = product.run("open", "--as", "pat", "--seats", "me,random")
    assert opened.returncode == 0, opened.stderr
    table_id = opened.stdout.strip()
    listed = json.loads(product.run("tables", "--json").stdout)
    assert table_id in {table["tableId"] for table in listed}

    answers = TWO_FORTH_ONE_BACK + FIRST_OPTION
    done = product.run("play", "--as", "pat", "--table", table_id, stdin=answers)
    assert done.returncode == 0, done.stderr
    assert "Place" in done.stdout
    assert "Scoring counted on its own and agrees with the rules service." in done.stdout
    return table_id


@pytest.fixture(scope="module")
def exported(product: Product, match_id: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That match in a file."""
    file = tmp_path_factory.mktemp("export") / "match.tally"
    done = product.run("export", "--match", match_id, str(file))
    assert done.returncode == 0, done.stderr
    return file


def test_play_takes_back_and_the_log_shows_it(product: Product, match_id: str) -> None:
    log = lines_of(product.run("log", "--as", "pat", "--json", "--match", match_id).stdout)
    assert [record["version"] for record in log] == list(range(1, len(log) + 1))
    assert (log[0]["type"], log[-1]["type"]) == ("RECORD_TYPE_CREATED", "RECORD_TYPE_CLOSED")
    undone = [record for record in log if record["type"] == "RECORD_TYPE_UNDO"]
    assert undone and all(record["actor"] == "pat" for record in undone)
    assert {record["actor"] for record in log if "move" in record} == {"pat", "service:bots"}


def test_watch_brings_the_same_as_the_log(product: Product, match_id: str) -> None:
    watched = product.run("watch", "--as", "eve", "--json", "--match", match_id, "--after", "2")
    assert watched.returncode == 0, watched.stderr
    records = lines_of(watched.stdout)
    log = lines_of(product.run("log", "--json", "--match", match_id).stdout)
    assert [one["hash"] for one in records] == [one["hash"] for one in log[2:]]
    assert records[-1]["type"] == "RECORD_TYPE_CLOSED"


def test_verify_proves_an_export_and_kept_hashes(
    capsys: pytest.CaptureFixture[str], exported: Path, match_id: str
) -> None:
    hashes = [line["hash"] for line in lines_of(exported.read_text())[1:]]
    code, out, _ = said(capsys, "verify", str(exported), "--kept", hashes[3])
    assert code == 0
    assert match_id in out and "every move was legal" in out
    code, out, _ = said(capsys, "verify", str(exported), "--json")
    proof = json.loads(out)
    assert (code, proof["ok"], proof["records"], proof["head"]) == (
        0, True, len(hashes), hashes[-1],
    )  # fmt: skip
    code, _, err = said(capsys, "verify", str(exported), "--kept", "0" * 64)
    assert code == 1 and "another log" in err


@pytest.mark.parametrize("number", [1, 2, 17, -1])
@pytest.mark.parametrize("where", [0.1, 0.5, 0.97])
def test_verify_names_the_record_with_a_flipped_byte(
    capsys: pytest.CaptureFixture[str], exported: Path, tmp_path: Path, number: int, where: float
) -> None:
    lines = exported.read_bytes().splitlines()
    line = bytearray(lines[number])
    line[int(len(line) * where)] ^= 1
    lines[number] = bytes(line)
    version = number if number > 0 else len(lines) - 1
    _refuted(capsys, tmp_path, b"\n".join(lines), version)


def test_verify_names_the_record_whose_move_was_edited(
    capsys: pytest.CaptureFixture[str], exported: Path, tmp_path: Path
) -> None:
    lines = exported.read_bytes().splitlines()
    number = next(n for n, line in enumerate(lines) if b'"move":"place ironworker' in line)
    lines[number] = lines[number].replace(b"place ironworker", b"place blacksmith", 1)
    _refuted(capsys, tmp_path, b"\n".join(lines), number)


def test_verify_refuses_a_file_that_ends_early(
    capsys: pytest.CaptureFixture[str], exported: Path, tmp_path: Path
) -> None:
    lines = exported.read_bytes().splitlines()
    _refuted(capsys, tmp_path, b"\n".join(lines[:-1]), len(lines) - 1)
    _refuted(capsys, tmp_path, b"\n".join([*lines[:9], lines[9][:40]]), 9)
    _refuted(capsys, tmp_path, b"", 0)


def _refuted(
    capsys: pytest.CaptureFixture[str], folder: Path, content: bytes, version: int
) -> None:
    file = folder / "edited.tally"
    file.write_bytes(content)
    code, out, err = said(capsys, "verify", str(file))
    assert code == 1 and not out
    assert f"First wrong record: {version}." in err or version == 0
    assert err.startswith("NOT proved.")
    code, out, _ = said(capsys, "verify", str(file), "--json")
    answer = json.loads(out)
    assert (code, answer["ok"], answer["version"]) == (1, False, version)


def test_tables_shows_what_is_open_and_what_is_playing(product: Product, match_id: str) -> None:
    left = product.run("play", "--as", "tess", "--seats", "me,random", stdin="")
    (playing,) = re.findall(r"tally play --match ([0-9a-f]+)", left.stdout)
    opened = product.run("open", "--as", "tess").stdout.strip()
    listed = product.run("tables").stdout
    assert playing in listed and opened in listed
    assert match_id not in listed, "it is over"
    assert match_id in product.run("tables", "--as", "pat", "--mine").stdout
    assert product.run("tables", "--as", "nobody", "--mine").stdout == "There are none.\n"


def test_a_data_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    for folder in (file, file / "data"):
        done = tally("up", "--free-ports", "--data-dir", str(folder))
        assert done.returncode == 1
        assert done.stderr.startswith(f"cannot keep data in {folder}: ")
        assert "--data-dir" in done.stderr and len(done.stderr.splitlines()) == 1


def test_play_lets_go_when_the_input_ends(product: Product) -> None:
    left = product.run("play", "--as", "quinn", "--seats", "me,random", stdin="1\n")
    assert left.returncode == 0, left.stderr
    assert "tally play --match" in left.stdout
    assert "Traceback" not in left.stdout + left.stderr


def test_play_shows_the_board_when_others_have_changed_it(product: Product) -> None:
    """At the start, and then at the beginning of each of the caller's turns."""
    left = product.run("play", "--as", "rosa", "--seats", "me,random", stdin="1\n" * 40)
    assert left.returncode == 0, left.stderr
    blocks = re.split(r"^Round (\d+) of", left.stdout, flags=re.MULTILINE)
    between_boards = blocks[2:-1:2]
    assert len(between_boards) > 3
    for between in between_boards:
        record = r"^[ \d]{4}\d  \S"  # options stand one column further left
        assert re.search(record, between, flags=re.MULTILINE), "nobody had changed it"


def test_two_people_find_each_other(product: Product) -> None:
    table_id = product.run("open", "--as", "ruth", "--seats", "me,open").stdout.strip()
    for how in (["--quick", "2"], ["--table", table_id]):

        def play(account: str, how: list[str] = how) -> str:
            done = product.run("play", "--as", account, *how, stdin=FIRST_OPTION)
            assert done.returncode == 0, done.stderr
            (played,) = re.findall(r"dwergar, match\s+([0-9a-f]+)", done.stdout)
            return str(played)

        with ThreadPoolExecutor() as together:
            matches = list(together.map(play, ["ruth", "sam"]))
        assert matches[0] == matches[1]


def test_play_says_what_to_keep_and_verify_holds_the_match_to_it(
    product: Product, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    done = product.run("play", "--as", "kim", "--seats", "me,random", stdin=FIRST_OPTION)
    assert done.returncode == 0, done.stderr
    said_so = " ".join(done.stdout.split())
    (kept,) = re.findall(r"FILE (--commitment [0-9a-f]{64} --entropy [0-9a-f]{64})", said_so)
    (played,) = re.findall(r"dwergar, match\s+([0-9a-f]+)", done.stdout)
    file = tmp_path / "match.tally"
    assert product.run("export", "--match", played, str(file)).returncode == 0
    words = kept.split()
    code, out, _ = said(capsys, "verify", str(file), *words)
    assert code == 0
    assert "committed to when the table opened" in out and "went into its chance" in out
    for number in (1, 3):
        other = [*words[:number], "0" * 64, *words[number + 1 :]]
        code, _, err = said(capsys, "verify", str(file), *other)
        assert code == 1 and "First wrong record: 1." in err


def test_token_says_who_and_for_how_long(product: Product) -> None:
    done = product.run("token", "--as", "ann", "--role", "auditor", "--hours", "2")
    claims = jwt.decode(done.stdout.strip(), options={"verify_signature": False})
    assert (claims["sub"], claims["roles"]) == ("ann", ["auditor"])
    assert claims["exp"] - claims["iat"] == 7200


def test_games_and_selfplay_speak_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "games", "--json")
    (dwergar,) = [one for one in json.loads(out) if one["game"] == "dwergar"]
    assert code == 0
    assert dwergar["players"] == [2, 3, 4]
    assert {"name": "events", "default": "9"}.items() <= next(
        one for one in dwergar["options"] if one["name"] == "events"
    ).items()

    arguments = ("selfplay", "dwergar", "--players", "2", "--matches", "3", "--seed", "7", "--json")
    code, out, _ = said(capsys, *arguments)
    report = json.loads(out)
    assert code == 0
    keys = {"matches", "moves", "moves_per_second", "end_reasons", "scores", "wins"}
    assert keys <= report.keys()
    assert report["matches"] == 3 and sum(report["end_reasons"].values()) == 3
    _, again, _ = said(capsys, *arguments)
    assert json.loads(again)["moves"] == report["moves"], "the same seed plays the same matches"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["selfplay", "chess"], "there is no game 'chess'"),
        (["selfplay", "--players", "9"], "takes 2, 3, 4 players"),
        (["selfplay", "--bots", "hal,random"], "there is no bot 'hal'"),
        (["selfplay", "--bots", "random,random", "--players", "3"], "names 2 seats"),
        (["selfplay", "--set", "events"], "NAME=VALUE"),
        (["selfplay", "--set", "events=8"], "events"),
        (["up", "--game", "chess"], "there is no game 'chess'"),
        (["demo", "--game", "chess"], "there is no game 'chess'"),
        (["verify", "nowhere.tally"], "cannot read nowhere.tally"),
        (["verify", "."], "cannot read ."),
        (["tables"], "no system is running"),
        (["token"], "there is no development key"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_wrong_option_is_one_plain_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    words: list[str], complaint: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    _complains(said(capsys, *words), complaint)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["play", "--match", "nowhere"], "there is no match 'nowhere'"),
        (["watch", "--match", "nowhere"], "there is no match 'nowhere'"),
        (["log", "--match", "nowhere"], "there is no match 'nowhere'"),
        (["export", "--match", "nowhere", "x.tally"], "there is no match 'nowhere'"),
        (["play", "--table", "nowhere"], "there is no table"),
        (["play", "--game", "chess"], "there is no game 'chess'"),
        (["play", "--seats", "me,hal"], "hal"),
        (["play", "--seats", "me"], "players"),
        (["play", "--quick", "9"], "players"),
        (["open", "--set", "event=9"], "event"),
        (["open", "--set", "events=8"], "events"),
        (["open", "--content", "nowhere.toml"], "cannot read nowhere.toml"),
        (["tables", "--token-file", "nowhere"], "cannot read the token file"),
        (["tables", "--token-file", "words"], "words holds no token"),
        (["describe", "chess"], "there is no game 'chess'"),
        (["up"], "a system is running on"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_refusal_is_one_plain_line(
    product: Product, capsys: pytest.CaptureFixture[str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, words: list[str], complaint: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    Path("words").write_text("not a\ntoken")
    _complains(said(capsys, *words, "--data-dir", str(product.data_dir)), complaint)


def test_an_export_that_cannot_be_written_is_one_plain_line(
    product: Product, capsys: pytest.CaptureFixture[str], match_id: str, tmp_path: Path
) -> None:
    where = str(tmp_path / "nowhere" / "x.tally")
    words = ("export", "--match", match_id, where, "--data-dir", str(product.data_dir))
    _complains(said(capsys, *words), "cannot write")


def _complains(answer: tuple[int, str, str], complaint: str) -> None:
    code, out, err = answer
    whole = " ".join(err.split())
    assert code == 1, whole + out
    assert complaint in whole
    assert "Traceback" not in whole + out


def test_up_welcomes_once_and_goes_on_with_its_data(first: First, product: Product) -> None:
    assert "agrees with the rules service" in first.printed
    assert "from the file alone it is proved" in first.printed
    assert "goes on with the same data" in first.printed
    assert "agrees with" not in product.printed(), "it welcomes only once"
    log = product.run("log", "--json", "--match", first.match_id)
    assert lines_of(log.stdout) == first.log
    assert first.open_table in product.run("tables", "--as", "ann").stdout


def test_demo_plays_and_proves_a_match() -> None:
    done = tally("demo", "--bots", "random,random")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "from the file alone it is proved" in done.stdout
    assert "every move was legal" in done.stdout
