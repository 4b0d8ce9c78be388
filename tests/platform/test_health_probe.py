"""The health probe that containers run."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health import HealthServicer

from shared.platform.health_probe import probe


@pytest.fixture
def serving() -> Iterator[tuple[HealthServicer, int]]:
    server = grpc.server(ThreadPoolExecutor(2))
    servicer = HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield servicer, port
    server.stop(0).wait()


def test_it_says_what_the_service_says(serving: tuple[HealthServicer, int]) -> None:
    servicer, port = serving
    assert probe(f"127.0.0.1:{port}") == "SERVING"
    assert probe(f"0.0.0.0:{port}") == "SERVING"
    servicer.set("", health_pb2.HealthCheckResponse.NOT_SERVING)
    assert probe(f"127.0.0.1:{port}") == "NOT_SERVING"


def test_nobody_there() -> None:
    assert probe("127.0.0.1:1") == "UNAVAILABLE"


def test_the_command_tells_by_its_exit(serving: tuple[HealthServicer, int]) -> None:
    _, port = serving
    command = [sys.executable, "-m", "shared.platform.health_probe"]
    well = subprocess.run(
        command, env={"TALLY_LISTEN": f"0.0.0.0:{port}"}, capture_output=True, timeout=30
    )
    assert (well.returncode, well.stdout.decode()) == (0, f"0.0.0.0:{port} SERVING\n")
    ill = subprocess.run([*command, "127.0.0.1:1"], env={}, capture_output=True, timeout=30)
    assert (ill.returncode, ill.stdout.decode()) == (1, "127.0.0.1:1 UNAVAILABLE\n")
    unset = subprocess.run(command, env={}, capture_output=True, timeout=30)
    assert unset.returncode == 1
    assert b"TALLY_LISTEN" in unset.stderr
    wrong = subprocess.run([*command, "rules"], env={}, capture_output=True, timeout=30)
    assert (wrong.returncode, wrong.stderr.decode()) == (1, "give HOST:PORT, not 'rules'\n")
