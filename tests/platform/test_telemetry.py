"""Metrics over HTTP, and traces that cross the wire."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from shared.platform import telemetry
from shared.platform.telemetry import Metrics, Tracing, serve_metrics


@pytest.fixture
def spans() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def tracing(spans: InMemorySpanExporter) -> Iterator[Tracing]:
    tracing = Tracing()
    tracing.start("rules", spans, batch=False)
    yield tracing
    tracing.stop()


def test_a_trace_crosses_grpc_metadata_and_nats_headers(
    tracing: Tracing, spans: InMemorySpanExporter
) -> None:
    metadata: dict[str, str] = {}
    with tracing.span("client"):
        tracing.inject(metadata)
    arrived = tracing.extract(tuple(metadata.items()))  # gRPC hands over pairs
    headers: dict[str, str] = {}
    with tracing.span("PlayMove", arrived, match="m-7"):
        tracing.inject(headers)
    titled = {key.title(): value for key, value in headers.items()}  # NATS keeps any case
    with tracing.span("consume", tracing.extract(titled)):
        assert telemetry.trace_id() == headers["traceparent"].split("-")[1]

    client, play, consume = spans.get_finished_spans()
    assert {span.context.trace_id for span in (client, play, consume) if span.context} == {
        int(headers["traceparent"].split("-")[1], 16)
    }
    assert play.parent is not None and client.context is not None
    assert play.parent.span_id == client.context.span_id
    assert consume.parent is not None and play.context is not None
    assert consume.parent.span_id == play.context.span_id
    assert dict(play.attributes or {}) == {"match": "m-7"}
    assert play.resource.attributes["service.name"] == "rules"


def test_a_failure_is_recorded_on_its_span(tracing: Tracing, spans: InMemorySpanExporter) -> None:
    with pytest.raises(KeyError), tracing.span("PlayMove"):
        raise KeyError("bug")
    (span,) = spans.get_finished_spans()
    assert not span.status.is_ok
    assert span.events[0].name == "exception"


def test_a_foreign_or_broken_traceparent_starts_a_new_trace(
    tracing: Tracing, spans: InMemorySpanExporter
) -> None:
    with tracing.span("PlayMove", tracing.extract({"traceparent": "garbage"})):
        pass
    (span,) = spans.get_finished_spans()
    assert span.parent is None


def test_tracing_is_off_until_told_where_to_send() -> None:
    headers: dict[str, str] = {}
    tracing = Tracing()
    with tracing.span("PlayMove", match="m-7") as span:
        tracing.inject(headers)
    assert span is None
    assert headers == {}
    assert tracing.extract({"traceparent": f"00-{'1' * 32}-{'2' * 16}-01"}) is None
    assert telemetry.trace_id() == ""
    assert tracing.span("a") is tracing.span("b"), "an unused span allocates nothing"


def test_metrics_are_served_on_loopback_and_stop() -> None:
    metrics = Metrics()
    metrics.moves.labels(game="harbour").inc()
    metrics.request_seconds.labels(method="PlayMove", code="OK").observe(0.003)
    with serve_metrics(metrics, "127.0.0.1:0") as port:
        url = f"http://127.0.0.1:{port}/metrics"
        with urllib.request.urlopen(url, timeout=30) as response:
            text = response.read().decode()
    assert 'tally_moves_total{game="harbour"} 1.0' in text
    assert 'tally_request_seconds_bucket{code="OK",le="0.005",method="PlayMove"} 1.0' in text
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(url, timeout=30)


def test_no_address_no_server() -> None:
    with serve_metrics(Metrics(), None) as port:
        assert port is None
