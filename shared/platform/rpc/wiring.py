"""The edge of a service as its settings want it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from shared.platform.logging import get_logger
from shared.platform.rpc.auth import Trust, Verifier
from shared.platform.rpc.client import CallerChannel, bearer, open_channel
from shared.platform.rpc.config import ServerConfig
from shared.platform.rpc.issuer import LocalIssuer
from shared.platform.settings import ServiceSettings, SettingsError

TOKEN_LIFE = 900.0
READ_AGAIN = 30.0

log = get_logger("rpc")


def server_config(settings: ServiceSettings) -> ServerConfig:
    """The limits that the operator set."""
    rpc = settings.rpc
    return ServerConfig(
        listen=settings.listen,
        reflection=rpc.reflection,
        max_message=rpc.max_message_bytes,
        rate_per_second=rpc.rate_per_second,
        rate_burst=rpc.rate_burst,
        max_streams=rpc.max_watches,
        drain=rpc.drain_seconds,
        certificate=settings.tls.tls_certificate_file,
        private_key=settings.tls.tls_key_file,
    )


def local_issuer(settings: ServiceSettings) -> LocalIssuer:
    """The development issuer, which all services that share the data folder share."""
    return LocalIssuer(issuer_folder(settings.store.data_dir), audience=settings.auth.audience)


def issuer_folder(data_dir: Path) -> Path:
    """Where the development issuer keeps its keys."""
    return data_dir / "issuer"


def verifier(settings: ServiceSettings) -> Verifier:
    """Belief in the issuers that the operator named."""
    auth = settings.auth
    trusts = []
    keys = auth.jwks_file or auth.jwks_url
    if auth.issuer is not None and keys is not None:
        trusts.append(Trust(auth.issuer, auth.audience, keys))
    if auth.dev_auth:
        trusts.append(local_issuer(settings).trust())
    return Verifier(*trusts)


def service_token(settings: ServiceSettings, role: str = "service") -> Callable[[], str]:
    """The token by which this service calls the others, always a fresh one."""
    file = settings.auth.service_token_file
    if file is not None:
        return _renewed(READ_AGAIN, lambda: _token_in(file))
    if not settings.auth.dev_auth:
        raise SettingsError(
            "TALLY_SERVICE_TOKEN_FILE", f"set it to a file with a token that has the role `{role}`"
        )
    issuer = local_issuer(settings)
    return _renewed(
        TOKEN_LIFE / 2, lambda: issuer.issue(f"service:{settings.name}", [role], TOKEN_LIFE)
    )


def peer_channel(settings: ServiceSettings, address: str, role: str = "service") -> CallerChannel:
    """A channel to another service as this one, encrypted where authorities are set."""
    token = bearer(service_token(settings, role))
    return open_channel(address, token, ca_file=settings.tls.tls_ca_file)


def _token_in(file: Path) -> str:
    """The token in a file. Raises `OSError` while it is away, or empty: it may be in exchange."""
    token = file.read_text(encoding="utf-8").strip()
    if not token:
        raise OSError(f"{file} is empty: put the service's token there")
    return token


def _renewed(after: float, make: Callable[[], str]) -> Callable[[], str]:
    """What `make` gives, made anew when it is older than `after` seconds and that is possible."""
    made, at = "", float("-inf")

    def current() -> str:
        nonlocal made, at
        now = time.monotonic()
        if now - at > after:
            try:
                made = make()
            except OSError as error:
                if not made:
                    raise
                log.warning("no new token; the one we have stays in use", reason=str(error))
            at = now
        return made

    return current
