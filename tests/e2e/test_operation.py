"""What an operator sees of a whole system: the traces a collector gets, the figures it serves."""

from __future__ import annotations

import json
import urllib.request
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import grpc
import pytest
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as pb
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2_grpc as pb_grpc
from prometheus_client.parser import text_string_to_metric_families

from tests.e2e.product import tally_up

Steps = set[tuple[str, str]]
Figures = dict[tuple[str, tuple[tuple[str, str], ...]], float]


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


class Seen(NamedTuple):
    """What was seen of a system while two matches began and one was played."""

    traces: list[Steps]
    figures: dict[str, Figures]


def figures_of(log: Path) -> Figures:
    """The figures that a service serves where its log says."""
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    (port,) = [line["port"] for line in lines if line["event"] == "metrics are served"]
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
        text = answer.read().decode()
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    data_dir = tmp_path_factory.mktemp("operation") / "data"
    settings = {"TALLY_METRICS_LISTEN": "127.0.0.1:0"}
    with collecting() as (collector, endpoint):
        with tally_up(data_dir, TALLY_OTLP_ENDPOINT=endpoint, **settings) as up:
            # The match of welcome is played; a second one begins when all services hear each other.
            assert up.run("play", "--seats", "me,random", stdin="1\n").returncode == 0
            names = ("lobby", "rules", "scoring", "bots")
            figures = {name: figures_of(data_dir / "logs" / f"{name}.log") for name in names}
        # The services hand over their spans at the end.
        return Seen(list(collector.traces.values()), figures)


def test_a_trace_goes_from_a_call_over_the_bus_into_the_other_services(seen: Seen) -> None:
    everybody = {("rules", "PlayMove"), ("scoring", "scoring-rules"), ("lobby", "lobby-rules")}
    assert everybody in seen.traces
    moves = [steps for steps in seen.traces if ("rules", "PlayMove") in steps]
    scored = [steps for steps in moves if ("scoring", "scoring-rules") in steps]
    assert len(scored) > 0.9 * len(moves) > 20
    started: Steps = {
        ("lobby", "StartTable"),
        ("rules", "rules-lobby"),
        ("scoring", "scoring-rules"),
        ("lobby", "lobby-rules"),
    }
    assert any(started <= steps for steps in seen.traces), "a started table leads to its match"


def test_the_figures_are_those_of_what_happened(seen: Seen) -> None:
    lobby, rules, scoring, bots = seen.figures.values()
    moves = rules["tally_moves_total", (("game", "dwergar"),)]
    assert moves > 20
    played = (("code", "OK"), ("method", "/tallystick.rules.v1.RulesService/PlayMove"))
    assert rules["tally_request_seconds_count", played] >= moves
    for keeper in (lobby, rules):
        commits = keeper["tally_append_seconds_count", ()]
        assert 0 < commits == keeper["tally_append_batch_size_count", ()]
        assert keeper["tally_append_batch_size_sum", ()] >= commits
    assert rules["tally_append_batch_size_sum", ()] >= moves
    assert rules["tally_cached_matches", ()] == 2
    assert rules["tally_open_watches", ()] > 0
    for service, source in ((lobby, "rules"), (rules, "lobby"), (scoring, "rules")):
        labels = (("source", source),)
        assert 0 <= service["tally_consumer_lag_records", labels] < 20
        assert 0 < service["tally_consumer_lag_seconds", labels] < 10
        assert service["tally_dead_letters_total", labels] == 0
    for service in (lobby, rules, scoring, bots):
        assert service["tally_store_failures_total", ()] == 0
        assert 0 <= service["tally_relay_lag_records", ()] < 20
        assert service["tally_certificate_until_seconds", ()] == 0
