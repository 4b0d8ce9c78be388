"""Only a trusted issuer's token, for us, signed as its key says and not expired, is believed."""

from __future__ import annotations

import asyncio
import base64
import http.server
import json
import stat
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from structlog.testing import capture_logs

from shared.platform.rpc.auth import KeySet, KeysUnusable, Trust, Verifier
from shared.platform.rpc.errors import Unauthenticated
from shared.platform.rpc.issuer import LocalIssuer

ISSUER, AUDIENCE = "https://club.example", "tallystick"


class Club:
    """An outside issuer with an Ed25519 and a P-256 key, and the JWKS file that it publishes."""

    def __init__(self, folder: Path) -> None:
        self.ed = ed25519.Ed25519PrivateKey.generate()
        self.ec = ec.generate_private_key(ec.SECP256R1())
        self.file = folder / "jwks.json"
        self.publish({"ed": self.ed, "ec": self.ec})

    def publish(self, keys: dict[str, Any]) -> None:
        entries = []
        for name, key in keys.items():
            algorithm: Any = jwt.algorithms.RSAAlgorithm
            if isinstance(key, ed25519.Ed25519PrivateKey):
                algorithm = jwt.algorithms.OKPAlgorithm
            elif isinstance(key, ec.EllipticCurvePrivateKey):
                algorithm = jwt.algorithms.ECAlgorithm
            entries.append({**json.loads(algorithm.to_jwk(key.public_key())), "kid": name})
        self.file.write_text(json.dumps({"keys": entries}))

    def verifier(self) -> Verifier:
        return Verifier(Trust(ISSUER, AUDIENCE, self.file))


@pytest.fixture
def club(tmp_path: Path) -> Club:
    return Club(tmp_path)


def claims(**changes: Any) -> dict[str, Any]:
    now = int(time.time())
    whole = {"iss": ISSUER, "aud": AUDIENCE, "sub": "ann", "exp": now + 60, **changes}
    return {name: value for name, value in whole.items() if value is not None}


def unsigned(header: dict[str, Any], body: dict[str, Any]) -> str:
    parts = [base64.urlsafe_b64encode(json.dumps(p).encode()).rstrip(b"=") for p in (header, body)]
    return b".".join([*parts, b""]).decode()


def public_pem(key: Any) -> bytes:
    pem: bytes = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return pem


@pytest.mark.parametrize(("algorithm", "name"), [("EdDSA", "ed"), ("ES256", "ec")])
async def test_a_sound_token_is_believed_and_remembered(
    club: Club, algorithm: str, name: str
) -> None:
    verifier = club.verifier()
    await verifier.load()
    token = jwt.encode(
        claims(roles=["auditor"]), getattr(club, name), algorithm, headers={"kid": name}
    )
    principal = await verifier.verify(token)
    assert (principal.account, principal.roles) == ("ann", frozenset({"auditor"}))
    assert verifier.remembered(token) is principal


def signed(club: Club, kid: str | None = "ed", key: Any = None, **changes: Any) -> str:
    headers = {} if kid is None else {"kid": kid}
    return jwt.encode(claims(**changes), key or club.ed, "EdDSA", headers=headers)


UNSOUND: dict[str, Callable[[Club], str]] = {
    "alg none": lambda club: unsigned({"alg": "none", "kid": "ed"}, claims()),
    "HS256 with the public key as secret": lambda club: _hs256(club),
    "another algorithm than the key's": lambda club: jwt.encode(
        claims(), club.ec, "ES256", headers={"kid": "ed"}
    ),
    "wrong key": lambda club: signed(club, key=ed25519.Ed25519PrivateKey.generate()),
    "unknown key id": lambda club: signed(club, kid="other"),
    "no key id": lambda club: signed(club, kid=None),
    "wrong audience": lambda club: signed(club, aud="elsewhere"),
    "no audience": lambda club: signed(club, aud=None),
    "wrong issuer": lambda club: signed(club, iss="https://evil.example"),
    "no issuer": lambda club: signed(club, iss=None),
    "no expiry": lambda club: signed(club, exp=None),
    "no subject": lambda club: signed(club, sub=None),
    "empty subject": lambda club: signed(club, sub=""),
    "line break in subject": lambda club: signed(club, sub="ann\nroot"),
    "roles not a list": lambda club: signed(club, roles="service"),
    "not yet valid": lambda club: signed(club, nbf=int(time.time()) + 60),
    "cut short": lambda club: signed(club)[:-8],
    "changed body": lambda club: _changed_body(signed(club)),
    "no token at all": lambda club: "knock knock",
    "empty": lambda club: "",
    "huge": lambda club: "a" * 5000,
}


def _hs256(club: Club) -> str:
    import hashlib
    import hmac

    token = unsigned({"alg": "HS256", "kid": "ed", "typ": "JWT"}, claims()).rstrip(".")
    mac = hmac.new(public_pem(club.ed), token.encode(), hashlib.sha256).digest()
    return f"{token}.{base64.urlsafe_b64encode(mac).rstrip(b'=').decode()}"


def _changed_body(token: str) -> str:
    head, _, mac = token.split(".")
    body = base64.urlsafe_b64encode(json.dumps(claims(sub="root")).encode()).rstrip(b"=").decode()
    return f"{head}.{body}.{mac}"


@pytest.mark.parametrize("fault", UNSOUND)
async def test_an_unsound_token_is_refused(club: Club, fault: str) -> None:
    verifier = club.verifier()
    await verifier.load()
    token = UNSOUND[fault](club)
    with pytest.raises(Unauthenticated) as refused:
        await verifier.verify(token)
    assert refused.value.reason == "TOKEN_INVALID"
    assert verifier.remembered(token) is None


async def test_an_expired_token_is_refused_and_forgotten(club: Club) -> None:
    verifier = club.verifier()
    await verifier.load()
    with pytest.raises(Unauthenticated) as refused:
        await verifier.verify(signed(club, exp=int(time.time()) - 1))
    assert refused.value.reason == "TOKEN_EXPIRED"
    short = signed(club, exp=int(time.time()) + 1)
    await verifier.verify(short)
    await asyncio.sleep(1.1)
    assert verifier.remembered(short) is None


async def test_a_new_key_is_found_and_a_withdrawn_one_is_not_believed(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shared.platform.rpc.auth.RELOAD_PAUSE", 0.0)
    verifier = club.verifier()
    await verifier.load()
    fresh = ed25519.Ed25519PrivateKey.generate()
    club.publish({"new": fresh})
    assert (await verifier.verify(signed(club, "new", fresh))).account == "ann"
    with pytest.raises(Unauthenticated):
        await verifier.verify(signed(club))


async def test_a_token_of_a_withdrawn_key_is_not_believed_for_as_long_as_it_says(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has stolen a key signs for years."""
    verifier = club.verifier()
    await verifier.load()
    token = signed(club, exp=int(time.time()) + 10**8)
    await verifier.verify(token)
    club.publish({"ec": club.ec})
    assert verifier.remembered(token)
    monkeypatch.setattr("shared.platform.rpc.auth.RELOAD_AFTER", 0.0)
    assert verifier.remembered(token) is None and verifier.knows(token)
    with pytest.raises(Unauthenticated, match="names no key"):
        await verifier.verify(token)
    assert not verifier.knows(token)


async def test_keys_that_cannot_be_reloaded_stay_in_use(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shared.platform.rpc.auth.RELOAD_PAUSE", 0.0)
    verifier = club.verifier()
    await verifier.load()
    club.file.unlink()
    with pytest.raises(Unauthenticated):
        await verifier.verify(signed(club, "other"))
    assert (await verifier.verify(signed(club))).account == "ann"


async def test_keys_of_other_kinds_are_left_alone(club: Club) -> None:
    strong = rsa.generate_private_key(65537, 2048)
    club.publish({"rsa": strong, "p384": ec.generate_private_key(ec.SECP384R1()), "ed": club.ed})
    verifier = club.verifier()
    await verifier.load()
    for key, algorithm, kid in ((strong, "RS256", "rsa"), (strong, "RS256", "ed")):
        with pytest.raises(Unauthenticated):
            await verifier.verify(jwt.encode(claims(), key, algorithm, headers={"kid": kid}))


@pytest.mark.parametrize("content", ["", "[]", '{"keys": 3}', '{"keys": []}', '{"keys": [{}]}'])
async def test_unusable_keys_stop_the_start(tmp_path: Path, content: str) -> None:
    file = tmp_path / "jwks.json"
    file.write_text(content)
    with pytest.raises(KeysUnusable, match=r"jwks\.json"):
        await KeySet(file).load()


async def test_missing_keys_and_plain_http_stop_the_start(tmp_path: Path) -> None:
    with pytest.raises(KeysUnusable, match="cannot read"):
        await KeySet(tmp_path / "none.json").load()
    with pytest.raises(KeysUnusable, match="https only"):
        await KeySet("http://club.example/jwks.json").load()


@pytest.fixture
def club_url(club: Club) -> Iterator[str]:
    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(club.file.read_bytes())

        def log_message(self, *_: Any) -> None:
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/jwks.json"
    server.shutdown()
    thread.join()
    server.server_close()


async def test_keys_can_be_fetched(club: Club, club_url: str) -> None:
    verifier = Verifier(Trust(ISSUER, AUDIENCE, club_url))
    await verifier.load()
    assert (await verifier.verify(signed(club))).account == "ann"


async def test_the_local_issuer_keeps_its_key_and_says_that_it_is_there(tmp_path: Path) -> None:
    with capture_logs() as lines:
        trust = LocalIssuer(tmp_path).trust()
    assert any("DEVELOPMENT" in line["event"] for line in lines)
    verifier = Verifier(trust)
    await verifier.load()
    again = LocalIssuer(tmp_path).issue("bot:7", ["bots"], ttl=30)
    principal = await verifier.verify(again)
    assert (principal.account, principal.roles) == ("bot:7", frozenset({"bots"}))
    assert stat.S_IMODE((tmp_path / "issuer.pem").stat().st_mode) == 0o600
    assert "PRIVATE" not in (tmp_path / "issuer.jwks.json").read_text()


def test_processes_that_start_together_share_one_key(tmp_path: Path) -> None:
    seen: list[bytes] = []

    def start() -> None:
        LocalIssuer(tmp_path)
        seen.append((tmp_path / "issuer.pem").read_bytes())

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 8
    assert len(set(seen)) == 1
    assert sorted(p.name for p in tmp_path.iterdir()) == ["issuer.jwks.json", "issuer.pem"]
