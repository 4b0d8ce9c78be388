"""Log lines: one JSON object an event, with its context, and no secret in it."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from shared.platform.logging import HIDDEN, bound, configure_logging, get_logger
from shared.platform.settings import TelemetrySettings


@pytest.fixture
def out() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    out = io.StringIO()
    configure_logging("rules", TelemetrySettings(), out)
    yield out
    root.handlers[:] = before
    root.setLevel(level)
    structlog.reset_defaults()


def lines(out: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_line_carries_its_context(out: io.StringIO) -> None:
    log = get_logger("matches")
    with bound(match="m-7", command="c-1"):
        log.info("move accepted", version=12)
    log.info("idle")
    first, second = lines(out)
    assert first["event"] == "move accepted"
    assert (first["match"], first["command"], first["version"]) == ("m-7", "c-1", 12)
    assert (first["service"], first["part"], first["level"]) == ("rules", "matches", "info")
    assert first["at"].endswith("Z")
    assert "match" not in second


def test_secret_keys_are_hidden_at_any_depth(out: io.StringIO) -> None:
    get_logger("x").warning(
        "leak",
        seed="s3cret",
        match_seed=b"s3cret",
        salts=["s3cret"],
        token="s3cret",
        Authorization="s3cret",
        nkey_seed="s3cret",
        request={"metadata": [{"password": "s3cret", "size": 3}]},
        seed_commitment="abc",
        jwks_file="keys.json",
    )
    (line,) = lines(out)
    assert "s3cret" not in out.getvalue()
    assert line["request"] == {"metadata": [{"password": HIDDEN, "size": 3}]}
    assert line["seed_commitment"] == "abc"
    assert line["jwks_file"] == "keys.json"


def test_secrets_inside_text_are_hidden(out: io.StringIO) -> None:
    nkey = "SU" + "A" * 56
    token = "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl"
    get_logger("x").error(f"cannot reach postgresql://tally:hunter2@db/rules with {token} {nkey}")
    (line,) = lines(out)
    assert line["event"] == (
        f"cannot reach postgresql://tally:{HIDDEN}@db/rules with {HIDDEN} {HIDDEN}"
    )


def test_lines_and_tracebacks_of_libraries_are_scrubbed_too(out: io.StringIO) -> None:
    try:
        raise RuntimeError("nats://tally:hunter2@bus refused")
    except RuntimeError:
        logging.getLogger("nats.aio").exception("Bearer %s failed", "abc.def")
    (line,) = lines(out)
    assert line["event"] == f"Bearer {HIDDEN} failed"
    assert "RuntimeError" in line["exception"]
    assert "hunter2" not in out.getvalue()


def test_lines_below_the_level_are_not_written(out: io.StringIO) -> None:
    get_logger("x").debug("chatter")
    logging.getLogger("y").debug("chatter")
    assert out.getvalue() == ""


def test_people_get_text(out: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TALLY_LOG_FORMAT", "console")
    configure_logging("rules", TelemetrySettings(), out)
    get_logger("x").info("ready", token="s3cret")
    assert "ready" in out.getvalue()
    assert HIDDEN in out.getvalue()
    assert "s3cret" not in out.getvalue()
