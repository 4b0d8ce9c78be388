"""Our own issuer of tokens, for development.

Its private key lies in the data folder, readable by its owner only. Whoever can read that file
can be anyone, which is why a server that believes it says so.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shared.platform.logging import get_logger
from shared.platform.rpc.auth import Trust

log = get_logger("auth")

ISSUER = "tallystick-local"
AUDIENCE = "tallystick"


class LocalIssuer:
    """Signs tokens with the key in a folder, which it makes if it is not there."""

    def __init__(self, folder: Path, issuer: str = ISSUER, audience: str = AUDIENCE) -> None:
        self.issuer, self.audience = issuer, audience
        folder.mkdir(parents=True, exist_ok=True)
        self._key = _load_or_make(folder / "issuer.pem")
        public = self._key.public_key().public_bytes_raw()
        self.keys = folder / "issuer.jwks.json"
        self._key_id = hashlib.sha256(public).hexdigest()[:16]
        entry = {
            "kty": "OKP",
            "crv": "Ed25519",
            "alg": "EdDSA",
            "use": "sig",
            "kid": self._key_id,
            "x": base64.urlsafe_b64encode(public).rstrip(b"=").decode(),
        }
        _write_whole(self.keys, json.dumps({"keys": [entry]}, indent=1).encode(), 0o644)

    def issue(self, account: str, roles: Iterable[str] = (), ttl: float = 900.0) -> str:
        """A token for an account that holds for `ttl` seconds."""
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "aud": self.audience,
            "sub": account,
            "roles": sorted(roles),
            "iat": now,
            "exp": now + int(ttl),
        }
        return jwt.encode(claims, self._key, algorithm="EdDSA", headers={"kid": self._key_id})

    def trust(self) -> Trust:
        """What a server needs to believe this issuer; it says so loudly."""
        log.warning(
            "DEVELOPMENT SIGN-IN IS ON: whoever can read the issuer's key file can be anyone; "
            "set TALLY_JWKS_FILE or TALLY_JWKS_URL and TALLY_DEV_AUTH=false in production",
            issuer=self.issuer,
            folder=str(self.keys.parent),
        )
        return Trust(self.issuer, self.audience, self.keys)


def _load_or_make(path: Path) -> Ed25519PrivateKey:
    if not path.exists():
        made = Ed25519PrivateKey.generate().private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        _write_whole(path, made, 0o600, keep=True)
    key = serialization.load_pem_private_key(path.read_bytes(), password=None)
    if not isinstance(key, Ed25519PrivateKey):
        raise ValueError(f"{path} holds no Ed25519 key: move it away, and a new one is made")
    return key


def _write_whole(path: Path, content: bytes, mode: int, *, keep: bool = False) -> None:
    """Put a file there in one step, so that processes that start together all read the same."""
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(content)
        file.flush()
        os.fchmod(file.fileno(), mode)
        os.fsync(file.fileno())
    try:
        if keep:
            os.link(file.name, path)
        else:
            os.replace(file.name, path)
            return
    except FileExistsError:
        pass
    os.unlink(file.name)
