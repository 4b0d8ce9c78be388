"""Ask a running service whether it is well: `python -m shared.platform.health_probe [HOST:PORT]`.

For container health checks: exits 0 if it serves, 1 if not, and says what it found.
"""

from __future__ import annotations

import sys
from typing import cast

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from shared.platform.settings import RpcSettings, SettingsError, load

SECONDS = 3.0
"""Longer than this is not well."""

_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}
"""A service that listens on every interface is asked on the loopback one."""


def probe(address: str) -> str:
    """The health of the service at `address`: SERVING, NOT_SERVING, or the gRPC error."""
    host, port = address.rsplit(":", 1)
    with grpc.insecure_channel(f"{_EVERYWHERE.get(host, host)}:{port}") as channel:
        try:
            answer = health_pb2_grpc.HealthStub(channel).Check(
                health_pb2.HealthCheckRequest(), timeout=SECONDS
            )
        except grpc.RpcError as error:
            return str(cast(grpc.Call, error).code().name)
    return str(health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status))


def main() -> int:
    """Probe the address given, or the one that this environment's service listens on."""
    try:
        address = sys.argv[1] if len(sys.argv) > 1 else load(RpcSettings).listen
    except SettingsError as error:
        print(error, file=sys.stderr)
        return 1
    if address is None:
        print("TALLY_LISTEN: set it, or give HOST:PORT", file=sys.stderr)
        return 1
    health = probe(address)
    print(f"{address} {health}")
    return 0 if health == "SERVING" else 1


if __name__ == "__main__":
    sys.exit(main())
