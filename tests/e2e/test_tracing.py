"""Traces of a whole system, as a collector gets them: one for what one call brings about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as pb
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2_grpc as pb_grpc

from tests.e2e.product import tally_up

Steps = set[tuple[str, str]]


class Collector(pb_grpc.TraceServiceServicer):
    """Keeps, for every trace, which service did what in it."""

    def __init__(self) -> None:
        self.traces: dict[bytes, Steps] = defaultdict(set)

    def Export(
        self, request: pb.ExportTraceServiceRequest, context: Any
    ) -> pb.ExportTraceServiceResponse:
        for resource in request.resource_spans:
            names = {each.key: each.value.string_value for each in resource.resource.attributes}
            for scope in resource.scope_spans:
                for span in scope.spans:
                    step = (names["service.name"], span.name.rpartition("/")[2])
                    self.traces[span.trace_id].add(step)
        return pb.ExportTraceServiceResponse()


@contextmanager
def collecting() -> Iterator[tuple[Collector, str]]:
    """An OpenTelemetry collector on loopback, and its address."""
    collector, server = Collector(), grpc.server(ThreadPoolExecutor(4))
    pb_grpc.add_TraceServiceServicer_to_server(collector, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield collector, f"http://127.0.0.1:{port}"
    finally:
        server.stop(1).wait()


def test_a_trace_goes_from_a_call_over_the_bus_into_the_other_services(tmp_path: Path) -> None:
    with collecting() as (collector, endpoint):
        with tally_up(tmp_path / "data", TALLY_OTLP_ENDPOINT=endpoint) as up:
            # The match of welcome is played; a second one begins when all services hear each other.
            assert up.run("play", "--seats", "me,random", stdin="1\n").returncode == 0
        traces = list(collector.traces.values())
    everybody = {("rules", "PlayMove"), ("scoring", "scoring-rules"), ("lobby", "lobby-rules")}
    assert everybody in traces
    moves = [steps for steps in traces if ("rules", "PlayMove") in steps]
    scored = [steps for steps in moves if ("scoring", "scoring-rules") in steps]
    assert len(scored) > 0.9 * len(moves) > 20
    started: Steps = {
        ("lobby", "StartTable"),
        ("rules", "rules-lobby"),
        ("scoring", "scoring-rules"),
        ("lobby", "lobby-rules"),
    }
    assert any(started <= steps for steps in traces), "a started table leads to its match"
