"""An authority of the tests' own, and the certificates that it gives to services."""

from __future__ import annotations

import datetime
import ipaddress
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

LOOPBACK = ("localhost", "127.0.0.1")
HOUR = datetime.timedelta(hours=1)


class Pair(NamedTuple):
    """The two files that a service is given."""

    certificate: Path
    key: Path


class Authority:
    """Gives certificates; `file` is what a caller believes."""

    def __init__(self, folder: Path, name: str = "ca") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.file = folder / f"{name}.crt"
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _named(name)
        made = _builder(self._name, self._name, self._key.public_key(), -HOUR, HOUR)
        made = made.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        self.file.write_bytes(_pem(made.sign(self._key, hashes.SHA256())))

    def issue(
        self,
        name: str,
        hosts: Sequence[str] = LOOPBACK,
        *,
        since: datetime.timedelta = -HOUR,
        until: datetime.timedelta = HOUR,
        key: Any = None,
    ) -> Pair:
        """A certificate for some hosts with its key, in files; times from now."""
        own = key or ec.generate_private_key(ec.SECP256R1())
        made = _builder(_named(name), self._name, own.public_key(), since, until)
        if hosts:
            names = x509.SubjectAlternativeName([_host(host) for host in hosts])
            made = made.add_extension(names, critical=False)
        pair = Pair(self.folder / f"{name}.crt", self.folder / f"{name}.key")
        pair.certificate.write_bytes(_pem(made.sign(self._key, hashes.SHA256())))
        pair.key.write_bytes(private(own))
        return pair


def private(key: Any, password: bytes | None = None) -> bytes:
    """A private key in PEM form."""
    locked: Any = serialization.NoEncryption()
    if password is not None:
        locked = serialization.BestAvailableEncryption(password)
    form = serialization.PrivateFormat.PKCS8
    pem: bytes = key.private_bytes(serialization.Encoding.PEM, form, locked)
    return pem


def _builder(
    subject: x509.Name,
    issuer: x509.Name,
    key: Any,
    since: datetime.timedelta,
    until: datetime.timedelta,
) -> x509.CertificateBuilder:
    now = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now + since)
        .not_valid_after(now + until)
    )


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])


def _host(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)
