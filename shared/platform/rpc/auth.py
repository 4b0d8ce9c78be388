"""Who a caller is: the tokens we believe, and the keys by which we believe them.

A token is a JWT signed with EdDSA or ES256 by a trusted issuer, for our audience, not expired.
The key says which algorithm it is for; the token has no say in it.
"""

from __future__ import annotations

import asyncio
import json
import time
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import jwt

from shared.platform.logging import get_logger
from shared.platform.rpc.errors import Unauthenticated

log = get_logger("auth")

ALGORITHMS = {"OKP Ed25519": "EdDSA", "EC P-256": "ES256"}
SEND_A_TOKEN = "send the metadata `authorization: Bearer <token>`"
MAX_TOKEN = 4096
MAX_KEYS_BYTES = 262_144
RELOAD_AFTER = 300.0
RELOAD_PAUSE = 10.0
MAX_REMEMBERED = 10_000


@dataclass(frozen=True, slots=True)
class Principal:
    """The account behind a call, what it may do besides playing, and until when we believe it."""

    account: str
    roles: frozenset[str]
    expires_at: float


ANONYMOUS = Principal("", frozenset(), float("inf"))


class KeysUnusable(Exception):
    """The issuer's public keys cannot be read; the message says from where and what to do."""


@dataclass(frozen=True, slots=True)
class Trust:
    """An issuer that we believe, and where its public keys are: a JWKS file, or the URL of one."""

    issuer: str
    audience: str
    keys: Path | str


class KeySet:
    """The public keys of one issuer by their key id, read again when they have changed."""

    def __init__(self, source: Path | str) -> None:
        self._source = source
        self._keys: Mapping[str, jwt.PyJWK] = {}
        self._read_at = float("-inf")
        self._lock = asyncio.Lock()

    async def load(self) -> None:
        """Read the keys; raises `KeysUnusable`."""
        raw = await asyncio.to_thread(_read, self._source)
        self._keys = _usable_keys(raw, self._source)
        self._read_at = time.monotonic()

    async def find(self, key_id: str) -> jwt.PyJWK | None:
        """The key of that id, looking for new keys if it is unknown or they are old."""
        age = time.monotonic() - self._read_at
        if age > RELOAD_AFTER or (key_id not in self._keys and age > RELOAD_PAUSE):
            async with self._lock:
                if time.monotonic() - self._read_at >= age:
                    await self._reload()
        return self._keys.get(key_id)

    async def _reload(self) -> None:
        try:
            await self.load()
        except KeysUnusable as error:
            self._read_at = time.monotonic() - RELOAD_AFTER + RELOAD_PAUSE
            log.warning("issuer keys not reloaded; the ones we have stay in use", reason=str(error))


def bearer_token(credentials: str) -> str:
    """The token in a value of `authorization` (RFC 6750; no scheme minds its case, RFC 9110).

    Raises `Unauthenticated` if there is none.
    """
    scheme, _, token = credentials.partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise Unauthenticated("TOKEN_MISSING", SEND_A_TOKEN)
    return token.strip()


class Verifier:
    """Turns tokens into principals, and remembers them for a time.

    Not until they expire: a key that its issuer has withdrawn, because somebody else has it,
    would vouch for as long as it says in the tokens that it signed.
    """

    def __init__(self, *trusts: Trust) -> None:
        self._trusts = {trust.issuer: (trust, KeySet(trust.keys)) for trust in trusts}
        self._remembered: dict[str, tuple[Principal, float]] = {}

    async def load(self) -> None:
        """Read the keys of every issuer; raises `KeysUnusable`."""
        for _, keys in self._trusts.values():
            await keys.load()

    def remembered(self, token: str) -> Principal | None:
        """The principal of a token that was verified a short time ago and still holds."""
        principal, verified_at = self._remembered.get(token, (None, 0.0))
        if principal is None or principal.expires_at <= time.time():
            return None
        return principal if time.monotonic() - verified_at < RELOAD_AFTER else None

    def knows(self, token: str) -> bool:
        """Whether a token was good when it was verified last."""
        return token in self._remembered

    async def verify(self, token: str) -> Principal:
        """The principal of a token; raises `Unauthenticated` with what is wrong with it."""
        self._remembered.pop(token, None)
        if len(token) > MAX_TOKEN:
            raise Unauthenticated("TOKEN_INVALID", f"the token is longer than {MAX_TOKEN} bytes")
        try:
            principal = await self._check(token)
        except jwt.ExpiredSignatureError as error:
            advice = "the token has expired: get a new one"
            raise Unauthenticated("TOKEN_EXPIRED", advice) from error
        except (jwt.PyJWTError, ValueError, TypeError) as error:
            raise Unauthenticated("TOKEN_INVALID", f"the token is not valid: {error}") from error
        self._remember(token, principal)
        return principal

    async def _check(self, token: str) -> Principal:
        header: Mapping[str, Any] = jwt.get_unverified_header(token)
        claimed = jwt.decode(token, options={"verify_signature": False})
        found = self._trusts.get(str(claimed.get("iss")))
        if found is None:
            raise jwt.InvalidIssuerError("its issuer is not one that this server trusts")
        trust, keys = found
        key = await keys.find(str(header.get("kid", "")))
        if key is None:
            raise jwt.InvalidKeyError("it names no key (`kid`) of its issuer")
        claims: Mapping[str, Any] = jwt.decode(
            token,
            key.key,
            algorithms=[key.algorithm_name],
            issuer=trust.issuer,
            audience=trust.audience,
            options={"require": ["iss", "aud", "exp", "sub"], "verify_iat": False},
        )
        return _principal(claims)

    def _remember(self, token: str, principal: Principal) -> None:
        if len(self._remembered) >= MAX_REMEMBERED:
            now = time.time()
            live = {t: known for t, known in self._remembered.items() if known[0].expires_at > now}
            self._remembered = live if len(live) < MAX_REMEMBERED else {}
        self._remembered[token] = principal, time.monotonic()


def _principal(claims: Mapping[str, Any]) -> Principal:
    account, roles = claims["sub"], claims.get("roles", [])
    if not isinstance(account, str) or not account.isprintable() or not 0 < len(account) <= 128:
        raise ValueError("its `sub` must be 1 to 128 printable characters")
    if not isinstance(roles, list) or not all(isinstance(role, str) for role in roles):
        raise ValueError("its `roles` must be a list of words")
    return Principal(account, frozenset(roles), float(claims["exp"]))


def _read(source: Path | str) -> bytes:
    try:
        if isinstance(source, Path):
            return source.read_bytes()[:MAX_KEYS_BYTES]
        url = urlsplit(source)
        if url.scheme != "https" and url.hostname not in {"127.0.0.1", "localhost", "::1"}:
            raise KeysUnusable(f"{source}: keys are fetched over https only")
        with urllib.request.urlopen(source, timeout=5) as answer:
            body: bytes = answer.read(MAX_KEYS_BYTES)
            return body
    except OSError as error:
        raise KeysUnusable(f"{source}: cannot read the issuer's keys (JWKS): {error}") from error


def _usable_keys(raw: bytes, source: Path | str) -> Mapping[str, jwt.PyJWK]:
    """The keys we accept: Ed25519 and P-256, each with an id. Others are for other uses."""
    try:
        listed = json.loads(raw)["keys"]
        usable = {
            str(entry["kid"]): jwt.PyJWK(entry, algorithm=algorithm)
            for entry in listed
            if "kid" in entry and (algorithm := _algorithm(entry))
        }
    except (ValueError, KeyError, TypeError, AttributeError, jwt.PyJWTError) as error:
        raise KeysUnusable(f"{source}: not a JSON Web Key Set: {error}") from error
    if not usable:
        raise KeysUnusable(f"{source}: holds no Ed25519 or P-256 key with a `kid`")
    return usable


def _algorithm(entry: Mapping[str, Any]) -> str:
    return ALGORITHMS.get(f"{entry.get('kty')} {entry.get('crv')}", "")
