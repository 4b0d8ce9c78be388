"""TLS: what stops the start and in which words, who is believed, and renewal while running."""

from __future__ import annotations

import asyncio
import datetime
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from grpc import aio

from protos.tallystick.rules.v1.rules_pb2_grpc import RulesServiceStub
from shared.platform.rpc import wiring
from shared.platform.rpc.client import bearer, open_channel
from shared.platform.rpc.tls import Identity
from shared.platform.settings import ServiceSettings, SettingsError
from tests.platform.certificates import HOUR, Authority, Pair, private
from tests.platform.rpc.edge import MOVE, Edge, running


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


async def asked(edge: Edge, ca_file: Path | None) -> str:
    """Who the server says is calling, or the code with which the call fails."""
    headers = bearer(edge.issuer.issue("ann"))
    async with open_channel(
        f"127.0.0.1:{edge.port}", headers, ca_file=ca_file, timeout=30
    ) as channel:
        try:
            return str((await RulesServiceStub(channel).PlayMove(MOVE)).hash)
        except aio.AioRpcError as error:
            return str(error.code().name)


async def test_only_who_believes_the_authority_gets_through(
    authority: Authority, tmp_path: Path
) -> None:
    pair = authority.issue("rules")
    other = Authority(tmp_path / "elsewhere")
    async with running(
        tmp_path / "data", certificate=pair.certificate, private_key=pair.key
    ) as edge:
        assert await asked(edge, authority.file) == "ann"
        assert await asked(edge, other.file) == "UNAVAILABLE"
        assert await asked(edge, None) == "UNAVAILABLE", "a call in the clear was answered"


async def test_a_certificate_for_another_host_is_not_taken(
    authority: Authority, tmp_path: Path
) -> None:
    pair = authority.issue("rules", hosts=["rules.example"])
    async with running(
        tmp_path / "data", certificate=pair.certificate, private_key=pair.key
    ) as edge:
        assert await asked(edge, authority.file) == "UNAVAILABLE"


async def test_a_renewed_certificate_needs_no_restart(authority: Authority, tmp_path: Path) -> None:
    old = authority.issue("rules")
    async with running(tmp_path / "data", certificate=old.certificate, private_key=old.key) as edge:
        assert await asked(edge, authority.file) == "ann"
        old.certificate.write_bytes(b"half of a cer")
        assert await asked(edge, authority.file) == "ann", "a broken file took the old one away"
        newer = Authority(tmp_path / "newer")
        made = newer.issue("rules", until=2 * HOUR)
        old.key.write_bytes(made.key.read_bytes())
        old.certificate.write_bytes(made.certificate.read_bytes())
        assert await asked(edge, newer.file) == "ann"
        assert await asked(edge, authority.file) == "UNAVAILABLE"
        until = edge.metrics.registry.get_sample_value("tally_certificate_until_seconds") or 0.0
    expected = (datetime.datetime.now(datetime.UTC) + 2 * HOUR).timestamp()
    assert until == pytest.approx(expected, abs=60)


def unusable(authority: Authority) -> dict[str, Pair]:
    """Pairs with something wrong about them, by what the refusal says."""
    good, stranger = authority.issue("good"), authority.issue("stranger")
    locked = authority.issue("locked")
    locked.key.write_bytes(private(ec.generate_private_key(ec.SECP256R1()), b"word"))
    text = authority.folder / "text.pem"
    text.write_text("no PEM\n")
    edwards = ed25519.Ed25519PrivateKey.generate()
    gone = authority.issue("gone")
    gone.key.unlink()
    return {
        r"KEY_FILE: .*stranger\.key is not the key of .*good\.crt": Pair(
            good.certificate, stranger.key
        ),
        r"CERTIFICATE_FILE: .*old\.crt expired on \d{4}-\d\d-\d\d: renew it": authority.issue(
            "old", since=-3 * HOUR, until=-2 * HOUR
        ),
        r"CERTIFICATE_FILE: .*early\.crt holds from .* UTC: wait": authority.issue(
            "early", since=HOUR, until=2 * HOUR
        ),
        r"CERTIFICATE_FILE: .*nobody\.crt names no host": authority.issue("nobody", hosts=()),
        r"CERTIFICATE_FILE: .*text\.pem holds no certificate": Pair(text, good.key),
        r"KEY_FILE: .*text\.pem holds no private key": Pair(good.certificate, text),
        r"KEY_FILE: .*locked\.key is locked with a password": locked,
        r"KEY_FILE: .*edwards\.key: TLS needs an RSA or": authority.issue("edwards", key=edwards),
        r"KEY_FILE: cannot read .*gone\.key: No such file": gone,
    }


def test_a_pair_that_is_of_no_use_is_refused_with_the_reason(authority: Authority) -> None:
    for reason, pair in unusable(authority).items():
        with pytest.raises(SettingsError, match=f"^TALLY_TLS_{reason}"):
            Identity.read(pair.certificate, pair.key)
    assert Identity.read(*authority.issue("fine")).names == ("localhost", "127.0.0.1")


def test_half_a_pair_stops_the_start(
    authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = authority.issue("rules")
    monkeypatch.setenv("TALLY_DEV_AUTH", "true")
    monkeypatch.setenv("TALLY_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("TALLY_TLS_KEY_FILE", str(pair.key))
    with pytest.raises(SettingsError, match="TALLY_TLS_CERTIFICATE_FILE: set it too"):
        ServiceSettings.load("rules")
    monkeypatch.delenv("TALLY_TLS_KEY_FILE")
    monkeypatch.setenv("TALLY_TLS_CERTIFICATE_FILE", str(pair.certificate))
    with pytest.raises(SettingsError, match="TALLY_TLS_KEY_FILE: set it too"):
        ServiceSettings.load("rules")


def test_a_service_does_not_start_with_an_expired_certificate(
    authority: Authority, tmp_path: Path
) -> None:
    pair = authority.issue("bots", since=-3 * HOUR, until=-2 * HOUR)
    environment = {
        "TALLY_DEV_AUTH": "true",
        "TALLY_DATA_DIR": str(tmp_path),
        "TALLY_LISTEN": "127.0.0.1:0",
        "TALLY_TLS_CERTIFICATE_FILE": str(pair.certificate),
        "TALLY_TLS_KEY_FILE": str(pair.key),
    }
    command = [sys.executable, "-m", "services.bots"]
    done = subprocess.run(command, env=environment, capture_output=True, timeout=60, text=True)
    assert done.returncode == 2
    assert "cannot start" in done.stderr
    assert "bots.crt expired on" in done.stderr


async def test_a_service_calls_the_others_encrypted_once_it_believes_somebody(
    authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = authority.issue("rules")
    monkeypatch.setenv("TALLY_DEV_AUTH", "true")
    monkeypatch.setenv("TALLY_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("TALLY_TLS_CA_FILE", str(authority.file))
    settings = ServiceSettings.load("scoring")
    trust = wiring.local_issuer(settings).trust()
    async with (
        running(
            tmp_path / "data", trust, certificate=pair.certificate, private_key=pair.key
        ) as edge,
        wiring.peer_channel(settings, f"127.0.0.1:{edge.port}") as channel,
    ):
        answer = await RulesServiceStub(channel).PlayMove(MOVE)
    assert (answer.hash, list(answer.sentences)) == ("service:scoring", ["service"])
    authority.file.write_text("no PEM\n")
    with pytest.raises(SettingsError, match=r"TALLY_TLS_CA_FILE: .* holds no certificate"):
        wiring.peer_channel(settings, "127.0.0.1:1")


async def test_the_health_probe_believes_the_certificate_of_its_own_service(
    authority: Authority, tmp_path: Path
) -> None:
    pair = authority.issue("rules", hosts=["*.club.example"])
    outside = authority.issue("outside")
    command = [sys.executable, "-m", "shared.platform.health_probe"]

    def probed(environment: dict[str, str]) -> tuple[int, str]:
        done = subprocess.run(command, env=environment, capture_output=True, timeout=30, text=True)
        return done.returncode, (done.stdout or done.stderr).split(" ", 1)[-1].strip()

    async with running(
        tmp_path / "data", certificate=pair.certificate, private_key=pair.key
    ) as edge:

        async def tried(**more: Path) -> tuple[int, str]:
            files = {f"TALLY_TLS_{name}_FILE": str(path) for name, path in more.items()}
            listen = {"TALLY_LISTEN": f"0.0.0.0:{edge.port}"}
            return await asyncio.to_thread(probed, listen | files)

        assert await tried(CERTIFICATE=pair.certificate, KEY=pair.key) == (0, "SERVING")
        assert (await tried())[0] == 1
        wrong = await tried(CERTIFICATE=outside.certificate, KEY=outside.key)
        assert wrong == (1, "UNAVAILABLE")
        code, said = await tried(CERTIFICATE=pair.certificate, KEY=outside.key)
        assert code == 1
        assert "is not the key of" in said
