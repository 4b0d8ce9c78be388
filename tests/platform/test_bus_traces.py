"""One trace from the command over the store and the bus to the service that applies its record."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import nats
import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from shared.platform import telemetry
from shared.platform.bus import Bus, Consumer, Relay, stream_name
from shared.platform.store import LogEntry, Store, VersionConflict, open_store
from tests.platform.bus_world import Projection, eventually, running
from tests.platform.store_samples import append

CLIENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
NOT_RECORDED = CLIENT.removesuffix("01") + "00"


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'store.sqlite3'}"
    else:
        yield request.getfixturevalue("postgres_url")


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    """This process traces, into memory."""
    kept = InMemorySpanExporter()
    telemetry._tracing.start("rules", kept, batch=False)
    yield kept
    telemetry.stop_tracing()


async def play(store: Store, match: str, moves: int, traceparent: str = CLIENT) -> None:
    """Moves that a client's traced calls make, as the edge of a service carries them out."""
    for version in range(moves):
        with telemetry.span("PlayMove", telemetry.extract({"traceparent": traceparent})):
            await store.append(append(match, version))


async def kept(store: Store) -> dict[str, str]:
    """The traces that wait in the store."""
    records = [*await store.load("match-1"), *await store.load("match-2")]
    return await store.traces([record.hash for record in records])


async def forgotten(store: Store) -> bool:
    return not await kept(store)


async def headers_of(url: str, service: str) -> list[dict[str, str]]:
    """The headers of every message on the bus."""
    client = await nats.connect(url)
    try:
        js = client.jetstream()
        last = (await js.stream_info(stream_name(service))).state.last_seq
        found = [await js.get_msg(stream_name(service), seq=each + 1) for each in range(last)]
        return [message.headers or {} for message in found]
    finally:
        await client.close()


@asynccontextmanager
async def two_services(
    url: str, service: str, store: Store, projection: Projection, together: bool
) -> AsyncIterator[list[str]]:
    """A relay and a consumer over it; yields what the running trace was for each entry applied."""
    during: list[str] = []

    async def handle(entry: LogEntry) -> None:
        during.append(telemetry.trace_id())
        await projection.handle(entry)

    async def handle_all(entries: Sequence[LogEntry]) -> None:
        for entry in entries:
            await projection.handle(entry)

    async with AsyncExitStack() as stack:
        own = await stack.enter_async_context(await Bus.connect(url, service))
        other = await stack.enter_async_context(await Bus.connect(url, f"{service}-hearer"))
        consumer = Consumer(
            other,
            name=f"hearer-{service}",
            service=service,
            handler=handle,
            batch=handle_all if together else None,
            checkpoint=projection.checkpoint,
            read_log=lambda after, limit: _nothing(),
            dead_letter=projection.bury,
        )
        async with running(Relay(own, store, service, traces=store), consumer):
            yield during


async def _nothing() -> list[LogEntry]:
    """The owner's log is not asked: what is seen came over the bus."""
    return []


def named(spans: InMemorySpanExporter, name: str) -> list[ReadableSpan]:
    return [span for span in spans.get_finished_spans() if span.name == name]


@pytest.mark.parametrize(("moves", "together"), [(1, False), (40, False), (40, True)])
async def test_a_record_is_applied_in_the_trace_of_its_command(
    nats_url: str,
    service: str,
    database: str,
    tmp_path: Path,
    spans: InMemorySpanExporter,
    moves: int,
    together: bool,
) -> None:
    projection = Projection(tmp_path / "projection.sqlite3")
    async with open_store(database) as store:
        await play(store, "match-1", moves)
        async with two_services(nats_url, service, store, projection, together) as during:
            await eventually(lambda: len(named(spans, f"hearer-{service}")) >= moves)
            await eventually(lambda: forgotten(store), what="the store forgets the traces")
    commands, applied = named(spans, "PlayMove"), named(spans, f"hearer-{service}")
    assert len(applied) == moves
    assert {span.context.trace_id for span in (*commands, *applied)} == {int(CLIENT[3:35], 16)}
    assert [span.parent.span_id for span in applied if span.parent] == [
        span.context.span_id for span in commands
    ]
    assert set(during) <= {CLIENT[3:35]}, "the handler does not run inside the trace"
    assert together or len(during) == moves
    headers = await headers_of(nats_url, service)
    assert [each["traceparent"].split("-")[1] for each in headers] == [CLIENT[3:35]] * moves


async def test_a_trace_changes_no_record(database: str, spans: InMemorySpanExporter) -> None:
    async with open_store(database) as store:
        await play(store, "match-1", 2)
        traced = await kept(store)
        assert {trace[:35] for trace in traced.values()} == {CLIENT[:35]}
        stored = await store.load("match-1")
    for one, record in zip(stored, (append("match-1", n).records[0] for n in (0, 1)), strict=True):
        assert (one.body, one.hash) == (record.body, record.hash)
        assert traced[one.hash].encode() not in one.body


async def test_what_is_not_recorded_or_not_committed_leaves_nothing(
    database: str, spans: InMemorySpanExporter
) -> None:
    async with open_store(database) as store:
        await play(store, "match-1", 1, NOT_RECORDED)
        assert await kept(store) == {}
        with telemetry.span("PlayMove"), pytest.raises(VersionConflict):
            await store.append(append("match-1", 7))
        assert await store.traces([append("match-1", 7).records[0].hash]) == {}
        await play(store, "match-2", 1)
        assert len(await kept(store)) == 1
    async with open_store(database) as store:
        assert await kept(store) == {}, "a start forgets the traces of the run before"


async def test_without_tracing_nothing_is_kept_and_no_header_sent(
    nats_url: str, service: str, database: str, tmp_path: Path
) -> None:
    projection = Projection(tmp_path / "projection.sqlite3")
    async with open_store(database) as store:
        await play(store, "match-1", 3)
        assert await kept(store) == {}
        async with two_services(nats_url, service, store, projection, False) as during:
            await eventually(lambda: len(during) >= 3)
    assert during == [""] * 3
    assert all("traceparent" not in headers for headers in await headers_of(nats_url, service))
