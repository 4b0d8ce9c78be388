"""The operator's settings reach the server; services know each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared.platform.rpc import wiring
from shared.platform.rpc.auth import Verifier
from shared.platform.settings import ServiceSettings, SettingsError


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setenv("TALLY_DATA_DIR", str(tmp_path))
    return monkeypatch


async def test_settings_become_limits_and_belief(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("TALLY_DEV_AUTH", "true")
    environment.setenv("TALLY_LISTEN", "127.0.0.1:0")
    environment.setenv("TALLY_RATE_BURST", "7")
    settings = ServiceSettings.load("scoring")
    config = wiring.server_config(settings)
    assert (config.listen, config.rate_burst) == ("127.0.0.1:0", 7)
    verifier: Verifier = wiring.verifier(settings)
    await verifier.load()
    token = wiring.service_token(settings)
    principal = await verifier.verify(token())
    assert principal.account == "service:scoring"
    assert principal.roles == frozenset({"service"})
    assert token() == token()


def test_a_service_token_comes_from_its_file(
    environment: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    keys, token = tmp_path / "jwks.json", tmp_path / "token"
    keys.write_text("{}")
    token.write_text("from-the-platform\n")
    environment.setenv("TALLY_ISSUER", "https://club.example")
    environment.setenv("TALLY_JWKS_FILE", str(keys))
    with pytest.raises(SettingsError, match="TALLY_SERVICE_TOKEN_FILE"):
        wiring.service_token(ServiceSettings.load("scoring"))
    environment.setenv("TALLY_SERVICE_TOKEN_FILE", str(token))
    assert wiring.service_token(ServiceSettings.load("scoring"))() == "from-the-platform"


def test_a_token_file_that_is_away_for_a_moment_costs_nothing(
    environment: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Whatever renews the file may take it away, or empty it, before it writes the next token."""
    file = tmp_path / "token"
    file.write_text("first")
    environment.setenv("TALLY_SERVICE_TOKEN_FILE", str(file))
    environment.setenv("TALLY_DEV_AUTH", "true")
    environment.setattr(wiring, "READ_AGAIN", -1.0)
    token = wiring.service_token(ServiceSettings.load("scoring"))
    assert token() == "first"
    file.unlink()
    assert token() == "first"
    file.write_text("")
    assert token() == "first"
    file.write_text("second")
    assert token() == "second"
    file.write_text("")
    with pytest.raises(OSError, match="put the service's token there"):
        wiring.service_token(ServiceSettings.load("scoring"))()
