"""What an operator may set, all through the environment, all refused by name when wrong.

Every setting is one variable `TALLY_<NAME>`. An empty variable counts as not set. A value that is
not allowed, or a `TALLY_` variable that nothing reads, stops the start: a typing error in a
deployment must never become a silent default.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Self, TypeVar

from pydantic import AfterValidator, Field, JsonValue, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

PREFIX = "TALLY_"

Concern = TypeVar("Concern", bound="_Settings")

SERVICE_PORTS: Mapping[str, int] = {"lobby": 50051, "rules": 50052, "scoring": 50053, "bots": 50054}
"""The services, each with the port it listens on unless told otherwise."""

OUTSIDE_SETTINGS: Mapping[str, str] = {
    "TALLY_TEST_CRASHPOINT": "where the tests make a process die (shared/platform/crashpoint.py)",
    "TALLY_TEST_NATS_URL": "a NATS server for the tests, instead of one they start",
    "TALLY_TEST_POSTGRES_URL": "a PostgreSQL server for the tests, instead of one they start",
}
"""Variables of ours that no service reads but that may lie in its environment."""

_ADDRESS = re.compile(r"(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):(\d{1,5})")
_DATABASE = re.compile(r"(sqlite:///.+|postgresql(\+psycopg)?://.+)", re.DOTALL)
_NATS = re.compile(r"((nats|tls|ws|wss)://[^\s,]+)(,(nats|tls|ws|wss)://[^\s,]+)*")


class SettingsError(Exception):
    """A setting that stops the start. `variable` is its name in the environment."""

    def __init__(self, variable: str, reason: str) -> None:
        self.variable = variable
        super().__init__(f"{variable}: {reason}")


def _address(value: str) -> str:
    match = _ADDRESS.fullmatch(value)
    if match is None or int(match[1]) > 65535:
        raise ValueError("not an address")
    return value


def _database_url(value: SecretStr) -> SecretStr:
    if not _DATABASE.fullmatch(value.get_secret_value()):
        raise ValueError("not a database URL")
    return value


def _nats_url(value: SecretStr) -> SecretStr:
    if not _NATS.fullmatch(value.get_secret_value()):
        raise ValueError("not a NATS URL")
    return value


def _http_url(value: str) -> str:
    if not re.fullmatch(r"https?://\S+", value):
        raise ValueError("not an HTTP URL")
    return value


def _readable(value: Path) -> Path:
    if not value.is_file():
        raise ValueError("no such file")
    return value


Address = Annotated[str, AfterValidator(_address)]
DatabaseUrl = Annotated[SecretStr, AfterValidator(_database_url)]
NatsUrl = Annotated[SecretStr, AfterValidator(_nats_url)]
HttpUrl = Annotated[str, AfterValidator(_http_url)]
ReadableFile = Annotated[Path, AfterValidator(_readable)]


def _setting(default: Any, meaning: str, allowed: str, **limits: Any) -> Any:
    """One setting: its default, what it means to an operator, and what may be put there."""
    extra: dict[str, JsonValue] = {"allowed": allowed}
    return Field(default, description=meaning, json_schema_extra=extra, **limits)


class _Settings(BaseSettings):
    """What all concerns have in common: frozen, read from `TALLY_...`, secrets never shown."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_ignore_empty=True,
        frozen=True,
        extra="ignore",
        hide_input_in_errors=True,
        validate_default=False,
    )


class StoreSettings(_Settings):
    """Where records are kept."""

    data_dir: Path = _setting(
        Path("data"), "folder for everything a service keeps on disk", "a folder path"
    )
    database_url: DatabaseUrl | None = _setting(
        None,
        "the service's own database; when unset, `<data dir>/<service>.sqlite3`",
        "sqlite:///FILE or postgresql://USER:PASSWORD@HOST/DATABASE",
    )
    receipt_days: int = _setting(
        30,
        "days after the end of a match for which its repeated commands still get the first answer",
        "1 to 36500",
        ge=1,
        le=36_500,
    )


class BusSettings(_Settings):
    """How services reach NATS, which tells them what happened."""

    nats_url: NatsUrl = _setting(
        SecretStr("nats://127.0.0.1:4222"),
        "the NATS servers, separated by commas",
        "nats://HOST:PORT or tls://HOST:PORT, several separated by commas",
    )
    nats_nkey_file: ReadableFile | None = _setting(
        None, "file with the nkey seed by which NATS knows the service", "a readable file"
    )
    nats_replicas: int = _setting(
        1, "servers that hold each stream; 3 or 5 in a NATS cluster", "1 to 5", ge=1, le=5
    )
    delivery_attempts: int = _setting(
        5,
        "times a record is offered to a consumer before it is put aside as a dead letter",
        "1 to 100",
        ge=1,
        le=100,
    )


class RpcSettings(_Settings):
    """How the service answers the outside: where, how much, how long."""

    listen: Address | None = _setting(
        None,
        "address the service answers on; when unset, 127.0.0.1 and the service's own port",
        "HOST:PORT",
    )
    reflection: bool = _setting(
        True, "whether stock gRPC clients may ask for the contract", "true or false"
    )
    max_message_bytes: int = _setting(
        262_144, "largest request accepted", "1024 to 67108864", ge=1024, le=67_108_864
    )
    rate_per_second: int = _setting(
        100, "requests a second that one account may keep up", "1 to 100000", ge=1, le=100_000
    )
    rate_burst: int = _setting(
        200, "requests that one account may send at once", "1 to 100000", ge=1, le=100_000
    )
    max_watches: int = _setting(
        10_000, "open watch streams that one process serves", "1 to 1000000", ge=1, le=1_000_000
    )
    max_cached_matches: int = _setting(
        10_000, "live matches kept in memory", "1 to 1000000", ge=1, le=1_000_000
    )
    heartbeat_seconds: float = _setting(
        15.0, "silence on a watch stream before a heartbeat", "0.05 to 300", ge=0.05, le=300
    )
    drain_seconds: float = _setting(
        5.0, "time that open calls get to finish at shutdown", "0 to 300", ge=0, le=300
    )


class TlsSettings(_Settings):
    """How calls between clients and services are encrypted."""

    tls_certificate_file: ReadableFile | None = _setting(
        None,
        "certificate (PEM, with its chain) that the service shows; unset: calls are not encrypted",
        "a readable file",
    )
    tls_key_file: ReadableFile | None = _setting(
        None, "private key (PEM) of that certificate", "a readable file"
    )
    tls_ca_file: ReadableFile | None = _setting(
        None,
        "authorities (PEM) believed when calling services, which is then always encrypted",
        "a readable file",
    )

    def require_pair(self) -> None:
        """Refuse half a pair: a service meant to be encrypted must never answer in the clear."""
        if (self.tls_certificate_file is None) != (self.tls_key_file is None):
            one, other = "TALLY_TLS_CERTIFICATE_FILE", "TALLY_TLS_KEY_FILE"
            if self.tls_certificate_file is not None:
                one, other = other, one
            raise SettingsError(one, f"set it too: {other} alone encrypts nothing")


class AuthSettings(_Settings):
    """Whose tokens are believed."""

    dev_auth: bool = _setting(
        False,
        "development only: believe tokens of the issuer in the data folder, which anyone with "
        "access to that folder can sign",
        "true or false",
    )
    issuer: str | None = _setting(None, "`iss` that a token must carry", "text, usually a URL")
    audience: str = _setting("tallystick", "`aud` that a token must carry", "text")
    jwks_file: ReadableFile | None = _setting(
        None, "file with the issuer's public keys (JWKS)", "a readable file"
    )
    jwks_url: HttpUrl | None = _setting(
        None, "where to fetch the issuer's public keys (JWKS)", "https://..."
    )
    service_token_file: ReadableFile | None = _setting(
        None, "file with the token by which this service calls the others", "a readable file"
    )

    def require_issuer(self) -> None:
        """Refuse to start a service that could check no token."""
        if self.dev_auth:
            return
        if self.jwks_file is None and self.jwks_url is None:
            raise SettingsError(
                "TALLY_JWKS_FILE",
                "set it, or TALLY_JWKS_URL, to the keys that tokens are signed with"
                " (or TALLY_DEV_AUTH=true on a development machine)",
            )
        if self.issuer is None:
            raise SettingsError("TALLY_ISSUER", "set it to the `iss` of the tokens to believe")


class PeerSettings(_Settings):
    """Where the other services answer."""

    lobby_address: Address = _setting("127.0.0.1:50051", "where lobby answers", "HOST:PORT")
    rules_address: Address = _setting("127.0.0.1:50052", "where rules answers", "HOST:PORT")


class TableSettings(_Settings):
    """How long the lobby waits for people."""

    entropy_seconds: float = _setting(
        10.0,
        "time that players get to add entropy once their table is started",
        "0 to 300",
        ge=0,
        le=300,
    )
    idle_table_hours: float = _setting(
        24.0,
        "an open table is closed when nobody has changed it for so long",
        "0.001 to 8760",
        ge=0.001,
        le=8760,
    )


class TelemetrySettings(_Settings):
    """What the service says about itself while it runs."""

    log_level: Literal["debug", "info", "warning", "error"] = _setting(
        "info", "least important log line that is written", "debug, info, warning or error"
    )
    log_format: Literal["json", "console"] = _setting(
        "json", "how log lines are written", "json (for programs) or console (for people)"
    )
    metrics_listen: Address | None = _setting(
        None, "address that serves Prometheus metrics; unset: none", "HOST:PORT"
    )
    otlp_endpoint: HttpUrl | None = _setting(
        None, "OpenTelemetry collector (gRPC) that traces go to; unset: no tracing", "http://..."
    )


CONCERNS: tuple[type[_Settings], ...] = (
    StoreSettings,
    BusSettings,
    RpcSettings,
    TlsSettings,
    AuthSettings,
    PeerSettings,
    TableSettings,
    TelemetrySettings,
)


class ServiceSettings(NamedTuple):
    """All that one service process is told at its start."""

    name: str
    store: StoreSettings
    bus: BusSettings
    rpc: RpcSettings
    tls: TlsSettings
    auth: AuthSettings
    peers: PeerSettings
    tables: TableSettings
    telemetry: TelemetrySettings

    @property
    def listen(self) -> str:
        """The address this service answers on."""
        return self.rpc.listen or f"127.0.0.1:{SERVICE_PORTS[self.name]}"

    @property
    def database_url(self) -> SecretStr:
        """The database of this service, embedded in the data folder unless one is given."""
        given = self.store.database_url
        file = self.store.data_dir / f"{self.name}.sqlite3"
        return given if given is not None else SecretStr(f"sqlite:///{file}")

    @classmethod
    def load(cls, name: str) -> Self:
        """Read and check the whole environment of service `name`; raises `SettingsError`."""
        refuse_unknown(os.environ)
        settings = cls(
            name=name,
            store=load(StoreSettings),
            bus=load(BusSettings),
            rpc=load(RpcSettings),
            tls=load(TlsSettings),
            auth=load(AuthSettings),
            peers=load(PeerSettings),
            tables=load(TableSettings),
            telemetry=load(TelemetrySettings),
        )
        settings.tls.require_pair()
        settings.auth.require_issuer()
        return settings


class Setting(NamedTuple):
    """One row of the operator's table of settings."""

    variable: str
    default: str
    meaning: str
    allowed: str


def settings_table() -> Iterator[Setting]:
    """Every variable the services read, in the order of their concerns."""
    for concern in CONCERNS:
        for name, field in concern.model_fields.items():
            yield Setting(
                PREFIX + name.upper(),
                _shown(field.default),
                field.description or "",
                _allowed(concern, name),
            )


def settings_markdown() -> str:
    """The table of settings as the README shows it."""
    rows = ["| variable | default | meaning | allowed |", "|---|---|---|---|"]
    for variable, default, meaning, allowed in settings_table():
        shown = f"`{default}`" if default else "unset"
        rows.append(f"| `{variable}` | {shown} | {meaning} | {allowed} |")
    return "\n".join(rows) + "\n"


def load(concern: type[Concern]) -> Concern:
    """Read one concern from the environment, or say which variable is wrong and what is allowed."""
    try:
        return concern()
    except ValidationError as error:
        name = str(error.errors()[0]["loc"][0])
        variable = PREFIX + name.upper()
        given = repr(os.environ.get(variable, ""))
        if "SecretStr" in repr(concern.model_fields[name].annotation):
            given = "its value"
        allowed = _allowed(concern, name)
        raise SettingsError(variable, f"{given} is not allowed; allowed: {allowed}") from None


def refuse_unknown(environ: Mapping[str, str]) -> None:
    """Stop at a `TALLY_` variable that nothing reads: it is a typing error or out of date."""
    known = {setting.variable for setting in settings_table()} | OUTSIDE_SETTINGS.keys()
    for variable in sorted(environ):
        name = variable.upper()
        if name.startswith(PREFIX) and name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]}?" if near else "allowed: " + ", ".join(sorted(known))
            raise SettingsError(variable, f"no such setting; {hint}")


def _allowed(concern: type[_Settings], name: str) -> str:
    extra = concern.model_fields[name].json_schema_extra
    assert isinstance(extra, dict)
    return str(extra["allowed"])


def _shown(default: Any) -> str:
    if default is None:
        return ""
    if isinstance(default, SecretStr):
        return default.get_secret_value()
    return str(default).lower() if isinstance(default, bool) else str(default)


if __name__ == "__main__":
    print(settings_markdown(), end="")
