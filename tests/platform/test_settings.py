"""Settings: what the environment may say, and the words of every refusal."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared.platform.settings import (
    CONCERNS,
    ServiceSettings,
    SettingsError,
    settings_markdown,
    settings_table,
)


@pytest.fixture(autouse=True)
def only_what_the_test_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    for row in settings_table():
        monkeypatch.delenv(row.variable, raising=False)
    monkeypatch.setenv("TALLY_DEV_AUTH", "true")


def test_defaults_are_the_embedded_system_on_loopback() -> None:
    settings = ServiceSettings.load("rules")
    assert settings.listen == "127.0.0.1:50052"
    assert settings.database_url.get_secret_value() == "sqlite:///data/rules.sqlite3"
    assert settings.bus.nats_url.get_secret_value() == "nats://127.0.0.1:4222"
    assert settings.telemetry.otlp_endpoint is None
    assert settings.telemetry.metrics_listen is None


def test_every_concern_reads_its_own_variables(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    keys = tmp_path / "jwks.json"
    keys.write_text("{}")
    monkeypatch.setenv("TALLY_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("TALLY_NATS_URL", "nats://a:4222,tls://b:4222")
    monkeypatch.setenv("TALLY_LISTEN", "[::1]:7000")
    monkeypatch.setenv("TALLY_JWKS_FILE", str(keys))
    monkeypatch.setenv("TALLY_RULES_ADDRESS", "rules:50052")
    monkeypatch.setenv("TALLY_LOG_LEVEL", "debug")
    settings = ServiceSettings.load("lobby")
    assert settings.database_url.get_secret_value() == f"sqlite:///{tmp_path}/lobby.sqlite3"
    assert settings.bus.nats_url.get_secret_value() == "nats://a:4222,tls://b:4222"
    assert settings.listen == "[::1]:7000"
    assert settings.auth.jwks_file == keys
    assert settings.peers.rules_address == "rules:50052"
    assert settings.telemetry.log_level == "debug"


@pytest.mark.parametrize(
    ("variable", "value", "allowed"),
    [
        ("TALLY_MAX_WATCHES", "many", "1 to 1000000"),
        ("TALLY_MAX_WATCHES", "0", "1 to 1000000"),
        ("TALLY_LISTEN", "localhost", "HOST:PORT"),
        ("TALLY_LISTEN", "localhost:99999", "HOST:PORT"),
        ("TALLY_LOG_LEVEL", "loud", "debug, info, warning or error"),
        ("TALLY_JWKS_FILE", "/nowhere/jwks.json", "a readable file"),
        ("TALLY_REFLECTION", "perhaps", "true or false"),
        ("TALLY_OTLP_ENDPOINT", "collector:4317", "http://..."),
    ],
)
def test_a_wrong_value_is_refused_with_its_name_and_what_is_allowed(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, allowed: str
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsError) as refusal:
        ServiceSettings.load("rules")
    assert refusal.value.variable == variable
    assert str(refusal.value) == f"{variable}: {value!r} is not allowed; allowed: {allowed}"


@pytest.mark.parametrize("variable", ["TALLY_DATABASE_URL", "TALLY_NATS_URL"])
def test_a_wrong_url_is_not_repeated_because_it_may_hold_a_password(
    monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, "mysql://tally:hunter2@db/rules")
    with pytest.raises(SettingsError) as refusal:
        ServiceSettings.load("rules")
    assert refusal.value.variable == variable
    assert "hunter2" not in str(refusal.value)
    assert refusal.value.__cause__ is None


@pytest.mark.parametrize("variable", ["TALLY_LISTN", "tally_listn"])
def test_an_unknown_variable_is_refused_with_the_nearest_name(
    monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, "x")
    with pytest.raises(SettingsError, match=rf"{variable}: .*did you mean TALLY_LISTEN\?"):
        ServiceSettings.load("rules")


def test_an_empty_variable_counts_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TALLY_MAX_WATCHES", "")
    assert ServiceSettings.load("rules").rpc.max_watches == 10_000


def test_a_service_that_could_check_no_token_does_not_start(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("TALLY_DEV_AUTH")
    with pytest.raises(SettingsError, match="TALLY_JWKS_FILE: set it, or TALLY_JWKS_URL"):
        ServiceSettings.load("rules")
    monkeypatch.setenv("TALLY_JWKS_URL", "https://id.example/jwks.json")
    with pytest.raises(SettingsError, match="TALLY_ISSUER"):
        ServiceSettings.load("rules")
    monkeypatch.setenv("TALLY_ISSUER", "https://id.example")
    assert ServiceSettings.load("rules").auth.issuer == "https://id.example"


def test_passwords_are_not_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TALLY_DATABASE_URL", "postgresql://tally:hunter2@db/rules")
    monkeypatch.setenv("TALLY_NATS_URL", "nats://tally:hunter3@bus:4222")
    settings = ServiceSettings.load("rules")
    assert "hunter" not in repr(settings) + str(settings)
    assert settings.database_url.get_secret_value().startswith("postgresql://tally:hunter2")


def test_the_table_of_settings_is_complete_and_says_something() -> None:
    rows = list(settings_table())
    assert len(rows) == sum(len(concern.model_fields) for concern in CONCERNS)
    assert len({row.variable for row in rows}) == len(rows)
    assert all(row.meaning and row.allowed for row in rows)
    assert "| `TALLY_DATA_DIR` | `data` |" in settings_markdown()


def test_defaults_are_themselves_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    for row in settings_table():
        if row.default:
            monkeypatch.setenv(row.variable, row.default)
    monkeypatch.setenv("TALLY_DEV_AUTH", "true")
    ServiceSettings.load("rules")
