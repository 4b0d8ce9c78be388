"""What a service counts and traces while it runs.

Metrics are for the operator's graphs; a trace follows one move from the client's call through the
log and the bus into the other services. Both are off until a setting turns them on, and cost next
to nothing while off.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from opentelemetry.context import Context
from opentelemetry.trace import Span, Tracer, format_trace_id, get_current_span
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server

from shared.platform.logging import get_logger

if TYPE_CHECKING:  # a second of imports that only a traced process should pay
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter

log = get_logger("telemetry")

_LATENCY = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)


class Metrics:
    """The figures one service process keeps. Labels are few and bounded: never a match id."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self.registry = own = registry or CollectorRegistry()
        self.request_seconds = Histogram(
            "tally_request_seconds",
            "Time to answer a request, by method and gRPC status.",
            ("method", "code"),
            buckets=_LATENCY,
            registry=own,
        )
        self.moves = Counter("tally_moves", "Moves accepted.", ("game",), registry=own)
        self.append_seconds = Histogram(
            "tally_append_seconds",
            "Time until a commit is durable.",
            buckets=_LATENCY,
            registry=own,
        )
        self.append_batch = Histogram(
            "tally_append_batch_size",
            "Appends that one commit made durable together.",
            buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256),
            registry=own,
        )
        self.store_failures = Counter(
            "tally_store_failures", "Times that the database was lost or not found.", registry=own
        )
        self.relay_lag = Gauge(
            "tally_relay_lag_records", "Committed records not on the bus yet.", registry=own
        )
        self.consumer_lag = Gauge(
            "tally_consumer_lag_records",
            "Records of a source that are on the bus and not applied here yet.",
            ("source",),
            registry=own,
        )
        self.consumer_seconds = Gauge(
            "tally_consumer_lag_seconds",
            "For how long what happened at a source may be unknown here; some seconds when idle.",
            ("source",),
            registry=own,
        )
        self.dead_letters = Counter(
            "tally_dead_letters",
            "Records of a source that could not be applied here and were put aside.",
            ("source",),
            registry=own,
        )
        self.open_watches = Gauge("tally_open_watches", "Watch streams being served.", registry=own)
        self.certificate_until = Gauge(
            "tally_certificate_until_seconds",
            "When the certificate that is shown ends, in seconds since 1970; 0: none.",
            registry=own,
        )
        self.cached_matches = Gauge(
            "tally_cached_matches", "Live matches kept in memory.", registry=own
        )


@contextmanager
def serve_metrics(metrics: Metrics, address: str | None) -> Iterator[int | None]:
    """Serve the figures over HTTP inside the block; yields the port, or None without an address."""
    if address is None:
        yield None
        return
    host, port = address.rsplit(":", 1)
    server, thread = start_http_server(int(port), host.strip("[]"), metrics.registry)
    log.info("metrics are served", port=server.server_port)
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class Tracing:
    """Makes spans, or nothing at all when it has nowhere to send them."""

    def __init__(self) -> None:
        self._provider: TracerProvider | None = None
        self._tracer: Tracer | None = None
        self._carrier = TraceContextTextMapPropagator()

    def start(self, service: str, exporter: SpanExporter, *, batch: bool = True) -> None:
        """Send spans from now on; `batch=False` hands over each span as it ends."""
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor

        self.stop()
        processor = BatchSpanProcessor(exporter) if batch else SimpleSpanProcessor(exporter)
        resource = Resource.create({"service.name": service})
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._provider.add_span_processor(processor)
        self._tracer = self._provider.get_tracer("tallystick")

    def stop(self) -> None:
        """Hand over what is left and make no more spans."""
        if self._provider is not None:
            self._provider.shutdown()
        self._provider = self._tracer = None

    def span(
        self, name: str, parent: Context | None = None, **attributes: Any
    ) -> AbstractContextManager[Span | None]:
        """Time the block as one step of the trace, below `parent` or the step around it."""
        if self._tracer is None:
            return _NO_SPAN
        return self._tracer.start_as_current_span(name, parent, attributes=attributes)

    def follow(
        self, name: str, headers: Mapping[str, str] | None, **attributes: Any
    ) -> AbstractContextManager[Span | None]:
        """Time the block as a step of the trace that headers belong to; of none, if to none."""
        if self._tracer is None or not headers or TRACEPARENT not in headers:
            return _NO_SPAN
        return self.span(name, self.extract(headers), **attributes)

    def followed(
        self, name: str, headers: Mapping[str, str] | None, since: int, **attributes: Any
    ) -> None:
        """Note a step that began at `since` (ns) for many at once and has just been done."""
        if self._tracer is not None and headers and TRACEPARENT in headers:
            parent = self.extract(headers)
            self._tracer.start_span(name, parent, attributes=attributes, start_time=since).end()

    def traceparent(self) -> str:
        """The running trace in one word (W3C), to be kept beside what it causes; empty if none."""
        if self._tracer is None or not get_current_span().get_span_context().trace_flags.sampled:
            return ""
        headers: dict[str, str] = {}
        self._carrier.inject(headers)
        return headers.get(TRACEPARENT, "")

    @property
    def on(self) -> bool:
        """Whether spans have somewhere to go."""
        return self._tracer is not None

    def inject(self, headers: MutableMapping[str, str]) -> None:
        """Put the running trace into headers (gRPC metadata or NATS headers) that leave us."""
        if self._tracer is not None:
            self._carrier.inject(headers)

    def extract(self, headers: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> Context | None:
        """The trace that arriving headers belong to, to be given to `span` as parent."""
        if self._tracer is None:
            return None
        return self._carrier.extract(
            {key.lower(): str(value) for key, value in dict(headers).items()}
        )


TRACEPARENT = "traceparent"
"""The header by which a trace travels (W3C)."""

_NO_SPAN: AbstractContextManager[Span | None] = nullcontext()

_tracing = Tracing()
span = _tracing.span
inject = _tracing.inject
extract = _tracing.extract
follow = _tracing.follow
followed = _tracing.followed
traceparent = _tracing.traceparent


def start_tracing(service: str, endpoint: str) -> None:
    """Send this process's spans to the OpenTelemetry collector at `endpoint` (gRPC)."""
    from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter

    _tracing.start(service, OTLPSpanExporter(endpoint, insecure=endpoint.startswith("http://")))


def tracing() -> bool:
    """Whether this process traces."""
    return _tracing.on


def stop_tracing() -> None:
    """Hand over the spans that are left, at the end of the process."""
    _tracing.stop()


def trace_id() -> str:
    """The id of the running trace, for log lines; empty when there is none."""
    context = get_current_span().get_span_context()
    return format_trace_id(context.trace_id) if context.is_valid else ""
