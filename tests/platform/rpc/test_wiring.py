"""The operator's settings reach the server; TLS works; services know each other."""

from __future__ import annotations

import datetime
import ipaddress
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from protos.tallystick.rules.v1.rules_pb2_grpc import RulesServiceStub
from shared.platform.rpc import wiring
from shared.platform.rpc.auth import Verifier
from shared.platform.rpc.client import bearer, open_channel
from shared.platform.settings import ServiceSettings, SettingsError
from tests.platform.rpc.edge import MOVE, running


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


async def test_calls_can_be_encrypted(tmp_path: Path) -> None:
    certificate, key = _self_signed(tmp_path)
    async with running(tmp_path / "data", certificate=certificate, private_key=key) as edge:
        headers = bearer(edge.issuer.issue("ann"))
        async with open_channel(
            f"127.0.0.1:{edge.port}", headers, certificate=certificate
        ) as channel:
            assert (await RulesServiceStub(channel).PlayMove(MOVE)).hash == "ann"


def _self_signed(folder: Path) -> tuple[Path, Path]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    address = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(minutes=1))
        .not_valid_after(now + datetime.timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([address]), critical=False)
        .sign(key, hashes.SHA256())
    )
    files = folder / "certificate.pem", folder / "key.pem"
    files[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    files[1].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return files
