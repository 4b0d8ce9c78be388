"""TLS: the certificate that a service shows, and the authorities that a caller believes.

A certificate that is renewed needs no restart: the files are looked at for each new connection.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import grpc
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_private_key,
)

from shared.platform.logging import get_logger
from shared.platform.settings import SettingsError

CERTIFICATE = "TALLY_TLS_CERTIFICATE_FILE"
KEY = "TALLY_TLS_KEY_FILE"
AUTHORITIES = "TALLY_TLS_CA_FILE"

Until = Callable[[float], None]
"""Is told when the certificate in use ends, in seconds since 1970."""

log = get_logger("tls")


class Identity(NamedTuple):
    """What a service shows to its callers: a certificate that its key fits and that holds now."""

    certificate: bytes
    key: bytes
    names: tuple[str, ...]
    """The hosts that it is for."""
    until: datetime

    @classmethod
    def read(cls, certificate_file: Path, key_file: Path) -> Identity:
        """Read and check both files. Raises `SettingsError`."""
        certificate, key = _bytes(CERTIFICATE, certificate_file), _bytes(KEY, key_file)
        leaf = _certificates(CERTIFICATE, certificate_file, certificate)[0]
        if _public(leaf.public_key()) != _key_inside(key_file, key):
            raise SettingsError(KEY, f"{key_file} is not the key of {certificate_file}")
        names, now = _names(leaf), datetime.now(UTC)
        if now > leaf.not_valid_after_utc:
            raise SettingsError(
                CERTIFICATE,
                f"{certificate_file} expired on {leaf.not_valid_after_utc:%Y-%m-%d}: renew it",
            )
        if now < leaf.not_valid_before_utc:
            raise SettingsError(
                CERTIFICATE,
                f"{certificate_file} holds from {leaf.not_valid_before_utc:%Y-%m-%d %H:%M} UTC:"
                " wait, or check this machine's clock",
            )
        if not names:
            raise SettingsError(
                CERTIFICATE,
                f"{certificate_file} names no host (subjectAltName), so no client would take it",
            )
        return cls(certificate, key, names, leaf.not_valid_after_utc)


def server_credentials(certificate_file: Path, key_file: Path, until: Until) -> object:
    """Credentials that follow the files: a renewed pair serves every connection made after it.

    Raises `SettingsError` if the pair is of no use now. Later the one in use stays until a usable
    one is there.
    """
    identity = Identity.read(certificate_file, key_file)
    until(identity.until.timestamp())
    lock, seen = threading.Lock(), _stamp(certificate_file, key_file)

    def renewed() -> grpc.ServerCertificateConfiguration | None:
        nonlocal seen
        with lock:  # gRPC asks on threads of its own
            found = _stamp(certificate_file, key_file)
            if found == seen:
                return None
            seen = found
            try:
                newer = Identity.read(certificate_file, key_file)
            except SettingsError as error:
                log.error("the new certificate is of no use; the old one stays", reason=str(error))
                return None
            until(newer.until.timestamp())
            log.info("certificate renewed", names=newer.names, until=newer.until.isoformat())
            return _shown(newer)

    return grpc.dynamic_ssl_server_credentials(
        _shown(identity),
        renewed,  # type: ignore[arg-type]  # None says: nothing new
    )


def authorities(file: Path) -> bytes:
    """The authorities in a file, as a channel wants them. Raises `SettingsError`."""
    found = _bytes(AUTHORITIES, file)
    _certificates(AUTHORITIES, file, found)
    return found


def _shown(identity: Identity) -> grpc.ServerCertificateConfiguration:
    return grpc.ssl_server_certificate_configuration([(identity.key, identity.certificate)])


def _stamp(*files: Path) -> tuple[tuple[int, int, int], ...]:
    """What changes when one of the files does; a file that is away for a moment has changed."""
    stamps = []
    for file in files:
        try:
            found = file.stat()
            stamps.append((found.st_mtime_ns, found.st_ino, found.st_size))
        except OSError:
            stamps.append((0, 0, 0))
    return tuple(stamps)


def _bytes(variable: str, file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise SettingsError(variable, f"cannot read {file}: {error.strerror}") from error


def _certificates(variable: str, file: Path, pem: bytes) -> list[x509.Certificate]:
    try:
        return x509.load_pem_x509_certificates(pem)
    except ValueError as error:
        raise SettingsError(variable, f"{file} holds no certificate in PEM form") from error


def _key_inside(file: Path, pem: bytes) -> bytes:
    """The public half of the key in a file."""
    try:
        key = load_pem_private_key(pem, password=None)
    except TypeError as error:
        raise SettingsError(KEY, f"{file} is locked with a password: give it unlocked") from error
    except ValueError as error:
        raise SettingsError(KEY, f"{file} holds no private key in PEM form") from error
    if not isinstance(key, rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey):
        raise SettingsError(KEY, f"{file}: TLS needs an RSA or an elliptic curve (P-256) key")
    return _public(key.public_key())


def _public(key: object) -> bytes:
    if not isinstance(key, rsa.RSAPublicKey | ec.EllipticCurvePublicKey):
        return b""
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def _names(certificate: x509.Certificate) -> tuple[str, ...]:
    try:
        listed = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return ()
    addresses = listed.get_values_for_type(x509.IPAddress)
    return (*listed.get_values_for_type(x509.DNSName), *map(str, addresses))
