"""Ask a running service whether it is well: `python -m shared.platform.health_probe [HOST:PORT]`.

For container health checks: exits 0 if it serves, 1 if not, and says what it found. An encrypted
service is believed if it shows the certificate that this environment sets for it, under whatever
address it is asked; another one by the authorities that are set.
"""

from __future__ import annotations

import sys
from typing import cast

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from shared.platform.rpc.tls import Identity, authorities
from shared.platform.settings import RpcSettings, SettingsError, TlsSettings, load

SECONDS = 3.0
"""Longer than this is not well."""

_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}
"""A service that listens on every interface is asked on the loopback one."""


def probe(address: str, tls: TlsSettings | None = None) -> str:
    """The health of the service at `address`: SERVING, NOT_SERVING, or the gRPC error.

    Raises `SettingsError` for files that cannot be used.
    """
    host, port = address.rsplit(":", 1)
    with _channel(f"{_EVERYWHERE.get(host, host)}:{port}", tls) as channel:
        try:
            answer = health_pb2_grpc.HealthStub(channel).Check(
                health_pb2.HealthCheckRequest(), timeout=SECONDS
            )
        except grpc.RpcError as error:
            return str(cast(grpc.Call, error).code().name)
    return str(health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status))


def _channel(address: str, tls: TlsSettings | None) -> grpc.Channel:
    if tls is None:
        return grpc.insecure_channel(address)
    if tls.tls_certificate_file is not None and tls.tls_key_file is not None:
        own = Identity.read(tls.tls_certificate_file, tls.tls_key_file)
        believed = grpc.ssl_channel_credentials(own.certificate)
        name = ("grpc.ssl_target_name_override", own.names[0].replace("*", "any"))
        return grpc.secure_channel(address, believed, options=[name])
    if tls.tls_ca_file is not None:
        return grpc.secure_channel(
            address, grpc.ssl_channel_credentials(authorities(tls.tls_ca_file))
        )
    return grpc.insecure_channel(address)


def main() -> int:
    """Probe the address given, or the one that this environment's service listens on."""
    try:
        address = sys.argv[1] if len(sys.argv) > 1 else load(RpcSettings).listen
        if address is None:
            raise SettingsError("TALLY_LISTEN", "set it, or give HOST:PORT")
        if not address.rpartition(":")[2].isdecimal():
            print(f"give HOST:PORT, not {address!r}", file=sys.stderr)
            return 1
        health = probe(address, load(TlsSettings))
    except SettingsError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{address} {health}")
    return 0 if health == "SERVING" else 1


if __name__ == "__main__":
    sys.exit(main())
