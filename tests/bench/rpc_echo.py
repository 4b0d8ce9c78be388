"""What the gate costs: a bare grpc.aio echo against the same echo behind our server.

python tests/bench/rpc_echo.py [--seconds 1] [--rounds 9]    prints JSON

One server process and one client process, uvloop, 64 calls in flight, 300 bytes, in short
rounds by turns so that both see the same machine; the figures are medians over the rounds.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from grpc import aio

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from protos.tallystick.rules.v1 import rules_pb2, rules_pb2_grpc  # noqa: E402
from shared.platform.logging import configure_logging  # noqa: E402
from shared.platform.rpc.auth import Verifier  # noqa: E402
from shared.platform.rpc.client import bearer, open_channel  # noqa: E402
from shared.platform.rpc.config import ServerConfig  # noqa: E402
from shared.platform.rpc.issuer import LocalIssuer  # noqa: E402
from shared.platform.rpc.policy import ACCOUNT  # noqa: E402
from shared.platform.rpc.server import RpcServer, run, termination  # noqa: E402
from shared.platform.settings import TelemetrySettings  # noqa: E402
from tests.bench.rounds import ratio, spread  # noqa: E402

IN_FLIGHT = 64
SECONDS = 1.0
ROUNDS = 9
BODY = "m" * 300


class Echo(rules_pb2_grpc.RulesServiceServicer):
    """Answers with what it was sent."""

    async def PlayMove(
        self,
        request: rules_pb2.PlayMoveRequest,
        context: aio.ServicerContext[rules_pb2.PlayMoveRequest, rules_pb2.PlayMoveResponse],
    ) -> rules_pb2.PlayMoveResponse:
        return rules_pb2.PlayMoveResponse(version=1, hash=request.move)


async def serve_bare() -> None:
    """The comparator: grpc.aio as it comes."""
    server = aio.server()
    rules_pb2_grpc.add_RulesServiceServicer_to_server(Echo(), server)
    print(server.add_insecure_port("127.0.0.1:0"), flush=True)
    await server.start()
    await termination()
    await server.stop(0)


async def serve_guarded(folder: Path) -> None:
    """The same servicer behind the gate."""
    config = ServerConfig(rate_per_second=1e9, rate_burst=1e9, drain=0)
    server = RpcServer(config, Verifier(LocalIssuer(folder).trust()))
    methods = rules_pb2.DESCRIPTOR.services_by_name["RulesService"].methods_by_name
    server.add(
        rules_pb2_grpc.add_RulesServiceServicer_to_server, Echo(), dict.fromkeys(methods, ACCOUNT)
    )
    print(await server.start(), flush=True)
    await termination()
    await server.drain()


async def drive(port: int, seconds: float, token: str) -> tuple[float, float, float]:
    """Calls a second, and the median and 99th percentile of their milliseconds."""
    times: list[float] = []
    async with open_channel(f"127.0.0.1:{port}", bearer(token)) as channel:
        await channel.channel_ready()
        stub = rules_pb2_grpc.RulesServiceStub(channel)
        request = rules_pb2.PlayMoveRequest(match_id="m-1", move=BODY, command_id="c")
        started = time.perf_counter()
        stop = started + seconds

        async def caller() -> None:
            while (sent := time.perf_counter()) < stop:
                await stub.PlayMove(request)
                times.append(time.perf_counter() - sent)

        await asyncio.gather(*(caller() for _ in range(IN_FLIGHT)))
        took = time.perf_counter() - started
    times.sort()
    half, high = times[len(times) // 2], times[int(len(times) * 0.99)]
    return len(times) / took, half * 1e3, high * 1e3


def measure(seconds: float, times: int) -> dict[str, float]:
    """Run both servers side by side and call them in turn."""
    with tempfile.TemporaryDirectory() as folder:
        token = LocalIssuer(Path(folder)).issue("bench", ttl=3600)
        servers = {
            kind: subprocess.Popen(
                [sys.executable, __file__, "--serve", kind, "--folder", folder],
                stdout=subprocess.PIPE,
                text=True,
            )
            for kind in ("bare", "guarded")
        }
        results: dict[str, list[tuple[float, float, float]]] = {kind: [] for kind in servers}
        try:
            ports = {
                kind: int(server.stdout.readline()) if server.stdout else 0
                for kind, server in servers.items()
            }
            for _ in range(times):
                for kind, port in ports.items():
                    results[kind].append(run(drive(port, seconds, token)))
        finally:
            for server in servers.values():
                server.terminate()
                server.wait(10)
    rates = {kind: [one[0] for one in rounds] for kind, rounds in results.items()}
    figures = ratio("gate_ratio", rates["guarded"], rates["bare"])
    for kind, rounds in results.items():
        figures |= spread(f"{kind}_calls_per_second", rates[kind])
        figures |= spread(f"{kind}_p50_ms", [one[1] for one in rounds])
        figures |= spread(f"{kind}_p99_ms", [one[2] for one in rounds])
    return {name: round(value, 3) for name, value in figures.items()}


def run_both() -> dict[str, float]:
    """The figures by name."""
    return measure(SECONDS, ROUNDS)


def main() -> None:
    """Serve one of the two, or measure both."""
    configure_logging("bench", TelemetrySettings(log_level="error"))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--serve", choices=("bare", "guarded"))
    parser.add_argument("--folder", type=Path)
    arguments = parser.parse_args()
    if arguments.serve == "bare":
        run(serve_bare())
    elif arguments.serve == "guarded":
        run(serve_guarded(arguments.folder))
    else:
        print(json.dumps(measure(arguments.seconds, arguments.rounds), indent=1))


if __name__ == "__main__":
    main()
