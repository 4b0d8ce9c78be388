"""The server admits whom the policies admit, within limits, and ends politely."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from grpc import StatusCode, aio
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2

from protos.tallystick.rules.v1 import rules_pb2 as pb
from protos.tallystick.rules.v1.rules_pb2_grpc import add_RulesServiceServicer_to_server
from protos.tallystick.stream.v1 import stream_pb2
from shared.platform.rpc.auth import Verifier
from shared.platform.rpc.call import Call
from shared.platform.rpc.client import Problem, problem
from shared.platform.rpc.config import ServerConfig
from shared.platform.rpc.limits import Buckets
from shared.platform.rpc.policy import ACCOUNT, MissingPolicy
from shared.platform.rpc.server import PortUnusable, RpcServer
from tests.platform.rpc.edge import MOVE, POLICIES, WATCH, Edge, Service, running

SERVICE = "tallystick.rules.v1.RulesService"


async def refused(call: Awaitable[Any]) -> Problem:
    with pytest.raises(aio.AioRpcError) as failed:
        await call
    return problem(failed.value)


# Who may call


async def test_the_caller_is_known_to_the_service(tmp_path: Path) -> None:
    async with running(tmp_path) as edge:
        token = edge.issuer.issue("bob", ["auditor"])
        async with edge.calls(token) as stub:
            for _ in range(2):
                answer = await stub.PlayMove(MOVE)
                assert (answer.hash, list(answer.sentences)) == ("bob", ["auditor"])


async def test_policies_hold_for_strangers_accounts_and_roles(tmp_path: Path) -> None:
    export = pb.ExportMatchRequest(match_id="m-1")
    async with running(tmp_path) as edge:
        async with edge.stranger() as stub:
            assert (await stub.ListMatches(pb.ListMatchesRequest())).next_page_token == ""
            problem_ = await refused(stub.PlayMove(MOVE))
            assert (problem_.code, problem_.reason) == (
                StatusCode.UNAUTHENTICATED,
                "TOKEN_MISSING",
            )
            assert (await refused(stub.WatchMatch(WATCH).read())).reason == "TOKEN_MISSING"
        async with edge.calls() as stub:
            assert (await stub.ListMatches(pb.ListMatchesRequest())).next_page_token == "ann"
            assert (await refused(stub.ExportMatch(export).read())).reason == "ROLE_MISSING"
        async with edge.calls(edge.issuer.issue("eve", ["auditor"])) as stub:
            lines = [line async for each in stub.ExportMatch(export) for line in each.lines]
            assert lines == ["one"]
        async with edge.calls("nonsense") as stub:
            problem_ = await refused(stub.ListMatches(pb.ListMatchesRequest()))
            assert problem_.reason == "TOKEN_INVALID"
        assert edge.service.finished == 0


@pytest.mark.parametrize("scheme", ["Bearer ", "bearer ", "BEARER  "])
async def test_the_case_of_the_scheme_does_not_matter(scheme: str, tmp_path: Path) -> None:
    async with running(tmp_path) as edge, edge.stranger() as stub:
        sent = (("authorization", scheme + edge.issuer.issue("bob")),)
        assert (await stub.PlayMove(MOVE, metadata=sent)).hash == "bob"


@pytest.mark.parametrize("sent", ["Basic YW5uOmFubg==", "Bearer", "Bearer ", "eyJ", ""])
async def test_whatever_is_no_bearer_token_gets_to_know_what_to_send(
    sent: str, tmp_path: Path
) -> None:
    async with running(tmp_path) as edge, edge.stranger() as stub:
        problem_ = await refused(stub.PlayMove(MOVE, metadata=(("authorization", sent),)))
        assert (problem_.code, problem_.reason) == (StatusCode.UNAUTHENTICATED, "TOKEN_MISSING")
        assert "authorization: Bearer <token>" in problem_.message


async def test_a_missing_or_superfluous_policy_stops_the_start() -> None:
    server = RpcServer(ServerConfig(), Verifier())
    lacking = {name: policy for name, policy in POLICIES.items() if name != "PlayMove"}
    with pytest.raises(MissingPolicy, match=f"/{SERVICE}/PlayMove has no policy"):
        server.add(add_RulesServiceServicer_to_server, Service(), lacking)
    with pytest.raises(MissingPolicy, match="/Cheat has a policy but is no RPC"):
        server.add(add_RulesServiceServicer_to_server, Service(), {**POLICIES, "Cheat": ACCOUNT})


async def test_a_port_that_is_taken_is_an_error(tmp_path: Path) -> None:
    async with running(tmp_path) as edge:
        second = RpcServer(ServerConfig(listen=f"127.0.0.1:{edge.port}"), Verifier())
        with pytest.raises(PortUnusable, match="TALLY_LISTEN"):
            await second.start()


# Limits


async def test_an_oversized_request_is_refused(tmp_path: Path) -> None:
    async with running(tmp_path) as edge, edge.calls() as stub:
        problem_ = await refused(stub.PlayMove(pb.PlayMoveRequest(move="x" * 70_000)))
        assert problem_.code is StatusCode.RESOURCE_EXHAUSTED
        assert (await stub.PlayMove(pb.PlayMoveRequest(move="x" * 60_000))).version == 1


async def test_a_flood_is_held_back_for_that_account_only(tmp_path: Path) -> None:
    async with running(tmp_path, rate_per_second=1.0, rate_burst=5.0) as edge:
        async with edge.calls() as stub:
            for _ in range(5):
                await stub.PlayMove(MOVE)
            problem_ = await refused(stub.PlayMove(MOVE))
            assert (problem_.code, problem_.reason) == (
                StatusCode.RESOURCE_EXHAUSTED,
                "RATE_LIMITED",
            )
            assert problem_.retry_after is not None
            assert 0 < problem_.retry_after <= 1
        async with edge.calls(edge.issuer.issue("bob")) as stub:
            await stub.PlayMove(MOVE)
        async with edge.calls(edge.issuer.issue("service:scoring", ["service"])) as stub:
            for _ in range(20):
                await stub.PlayMove(MOVE)


async def test_guessing_tokens_is_held_back(tmp_path: Path) -> None:
    async with running(tmp_path, strangers_per_second=1.0) as edge:
        reasons = set()
        for guess in range(4):
            async with edge.calls(f"guess-{guess}") as stub:
                reasons.add((await refused(stub.PlayMove(MOVE))).reason)
        assert reasons == {"TOKEN_INVALID", "RATE_LIMITED"}


def test_a_bucket_refills_and_is_forgotten_when_full(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    buckets = Buckets(2.0, 4.0, lambda: now)
    assert [buckets.take("a") for _ in range(5)] == [0, 0, 0, 0, 0.5]
    now = 0.5
    assert buckets.take("a") == 0
    assert buckets.take("a") > 0
    now = 10.0
    monkeypatch.setattr("shared.platform.rpc.limits.MAX_BUCKETS", 3)
    for key in "bcde":
        assert buckets.take(key) == 0
    assert len(buckets._buckets) <= 3


async def test_a_call_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    async with running(tmp_path, deadline=0.2) as edge, edge.calls() as stub:
        edge.service.delay = 60.0
        problem_ = await refused(stub.PlayMove(MOVE, timeout=30))
        # The reason is the server's: a deadline of the client's own would have none.
        assert (problem_.code, problem_.reason) == (StatusCode.DEADLINE_EXCEEDED, "DEADLINE")
        edge.service.delay = 0.0
        assert (await stub.PlayMove(MOVE)).version == 1


async def test_streams_are_bounded_for_an_account_and_in_all(tmp_path: Path) -> None:
    async with (
        running(tmp_path, max_streams=3, max_streams_per_account=2) as edge,
        edge.calls() as ann,
        edge.calls(edge.issuer.issue("bob")) as bob,
    ):
        first, second = ann.WatchMatch(WATCH), ann.WatchMatch(WATCH)
        await first.read()
        await second.read()
        assert (await refused(ann.WatchMatch(WATCH).read())).reason == "TOO_MANY_STREAMS"
        third = bob.WatchMatch(WATCH)
        await third.read()
        assert (await refused(bob.WatchMatch(WATCH).read())).reason == "TOO_MANY_STREAMS"
        first.cancel()
        await _until(lambda: len(edge.service.boxes) == 2)
        again = ann.WatchMatch(WATCH)
        await again.read()


# Streams


async def test_a_watcher_gets_items_signs_of_life_and_the_end(tmp_path: Path) -> None:
    async with running(tmp_path) as edge, edge.calls() as stub:
        edge.service.beat = 0.05
        watch = stub.WatchMatch(WATCH)
        assert (await _next(watch)).heartbeat.reached == 7
        box = edge.service.boxes[0]
        box.put(8)
        box.put(9)
        versions = [(await _next(watch)).record.record.version for _ in range(2)]
        assert versions == [8, 9]
        assert (await _next(watch)).heartbeat.reached == 9
        box.put(10)
        box.close()
        box.put(11)
        rest = await _rest(watch)
        records = [m.record.record.version for m in rest if m.HasField("record")]
        assert records == [10]
        assert rest[-1].ended.reason == stream_pb2.END_REASON_COMPLETE
        assert rest[-1].ended.resume_after == 10
        assert await watch.code() is StatusCode.OK


async def test_a_stream_ends_when_its_token_does(tmp_path: Path) -> None:
    async with running(tmp_path) as edge:
        async with edge.calls(edge.issuer.issue("ann", ttl=2)) as stub:
            messages = [message async for message in stub.WatchMatch(WATCH)]
        assert messages[-1].ended.reason == stream_pb2.END_REASON_TOKEN_EXPIRED
        assert messages[-1].ended.resume_after == 7


async def test_a_stream_that_does_not_end_itself_is_cut_off(tmp_path: Path) -> None:
    async with running(tmp_path, stream_grace=0.1) as edge:
        edge.service.polite = False
        async with edge.calls(edge.issuer.issue("ann", ttl=2)) as stub:
            watch = stub.WatchMatch(WATCH)
            await watch.read()
            problem_ = await refused(watch.read())
            assert (problem_.code, problem_.reason) == (
                StatusCode.UNAUTHENTICATED,
                "TOKEN_EXPIRED",
            )
        await _until(lambda: not edge.service.boxes)


async def test_a_stream_has_a_maximum_age(tmp_path: Path) -> None:
    async with running(tmp_path, stream_max_age=1.0) as edge, edge.calls() as stub:
        messages = [message async for message in stub.WatchMatch(WATCH)]
        assert messages[-1].ended.reason == stream_pb2.END_REASON_MAX_AGE


async def test_a_slow_reader_is_sent_away_without_a_gap(tmp_path: Path) -> None:
    async with running(tmp_path) as edge, edge.calls() as stub:
        edge.service.capacity = 3
        watch = stub.WatchMatch(WATCH)
        await watch.read()
        for version in range(8, 20):
            edge.service.boxes[0].put(version)
        messages = await _rest(watch)
        assert [m.record.record.version for m in messages[:-1]] == [8, 9, 10]
        assert messages[-1].ended.reason == stream_pb2.END_REASON_TOO_SLOW
        assert messages[-1].ended.resume_after == 10


async def test_a_reader_that_stopped_reading_is_let_go(tmp_path: Path) -> None:
    """Flow control holds the stream's writes: the server must not wait for ever."""
    async with running(tmp_path, stream_grace=0.2) as edge, edge.calls() as stub:
        watch = stub.WatchMatch(WATCH)
        await watch.read()
        box = edge.service.boxes[0]
        for batch in range(400):
            for version in range(1000):
                box.put(batch * 1000 + version)
            await asyncio.sleep(0)
            if box not in edge.service.boxes:
                break
        await _until(lambda: not edge.service.boxes)
        watch.cancel()


async def test_cancelled_watches_leave_nothing_behind(tmp_path: Path) -> None:
    async with (
        running(tmp_path, rate_per_second=1e6, rate_burst=1e6) as edge,
        edge.calls() as stub,
    ):
        await _cancel_watches(stub, edge, 200)
        gc.collect()
        tasks, objects = len(asyncio.all_tasks()), len(gc.get_objects())
        await _cancel_watches(stub, edge, 2000)
        gc.collect()
        assert len(asyncio.all_tasks()) <= tasks
        # Not the memory of the process: what tests before this one left moves that by more.
        assert len(gc.get_objects()) - objects < 1000
        assert not edge.service.boxes
        assert not edge.server._gate._streams
        assert not edge.server._gate._streams_of


async def _cancel_watches(stub: Any, edge: Edge, count: int) -> None:
    for _ in range(count // 20):
        watches = [stub.WatchMatch(WATCH) for _ in range(20)]
        await asyncio.gather(*(watch.read() for watch in watches[:10]))
        for watch in watches:
            watch.cancel()
    await _until(lambda: not edge.service.boxes)
    await _until(lambda: not edge.server._gate._streams)
    await asyncio.sleep(0.2)


# Health, reflection, metrics


async def test_health_and_reflection_need_no_token(tmp_path: Path) -> None:
    async with (
        running(tmp_path) as edge,
        aio.insecure_channel(f"127.0.0.1:{edge.port}") as channel,
    ):
        health = health_pb2_grpc.HealthStub(channel)
        for name in ("", SERVICE):
            answer = await health.Check(health_pb2.HealthCheckRequest(service=name))
            assert answer.status == health_pb2.HealthCheckResponse.SERVING
        for version in ("v1", "v1alpha"):
            assert SERVICE in await _listed(channel, version)


async def _listed(channel: aio.Channel, version: str) -> set[str]:
    call = channel.stream_stream(
        f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo",
        request_serializer=reflection_pb2.ServerReflectionRequest.SerializeToString,
        response_deserializer=reflection_pb2.ServerReflectionResponse.FromString,
    )(iter([reflection_pb2.ServerReflectionRequest(list_services="")]))
    answer: Any = await call.read()
    return {service.name for service in answer.list_services_response.service}


async def test_reflection_can_be_switched_off(tmp_path: Path) -> None:
    async with (
        running(tmp_path, reflection=False) as edge,
        aio.insecure_channel(f"127.0.0.1:{edge.port}") as channel,
    ):
        with pytest.raises(aio.AioRpcError) as failed:
            await _listed(channel, "v1")
        assert failed.value.code() is StatusCode.UNIMPLEMENTED


async def test_a_stock_client_can_call_by_reflection(tmp_path: Path) -> None:
    buf = Path(sys.executable).with_name("buf")
    async with running(tmp_path) as edge:
        process = await asyncio.create_subprocess_exec(
            str(buf), "curl", "--protocol", "grpc", "--http2-prior-knowledge",
            "-H", f"Authorization: Bearer {edge.issuer.issue('ann')}",
            "-d", '{"matchId": "m-1", "move": "pass"}',
            f"http://127.0.0.1:{edge.port}/{SERVICE}/PlayMove",
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, "HOME": str(tmp_path)},
        )  # fmt: skip
        out, err = await asyncio.wait_for(process.communicate(), 30)
        assert process.returncode == 0, err.decode()
        assert json.loads(out) == {"version": 1, "hash": "ann"}


async def test_calls_are_counted_by_method_and_status(tmp_path: Path) -> None:
    async with running(tmp_path) as edge:
        async with edge.calls() as stub, edge.stranger() as nobody:
            await stub.PlayMove(MOVE)
            await refused(nobody.PlayMove(MOVE))
            watch = stub.WatchMatch(WATCH)
            await watch.read()
            assert edge.metrics.registry.get_sample_value("tally_open_watches") == 1
            watch.cancel()
        for code in ("OK", "UNAUTHENTICATED"):
            labels = {"method": f"/{SERVICE}/PlayMove", "code": code}
            count = edge.metrics.registry.get_sample_value("tally_request_seconds_count", labels)
            assert count == 1


# The end


async def test_draining_ends_streams_and_finishes_calls(tmp_path: Path) -> None:
    async with running(tmp_path, drain=3.0) as edge, edge.calls() as stub:
        edge.service.delay = 0.3
        watch = stub.WatchMatch(WATCH)
        await watch.read()
        move = asyncio.ensure_future(stub.PlayMove(MOVE))
        await asyncio.sleep(0.1)
        stopped = asyncio.create_task(edge.server.drain())
        last = (await _rest(watch))[-1]
        assert last.ended.reason == stream_pb2.END_REASON_DRAINING
        assert edge.server.draining.is_set()
        assert (await move).version == 1
        await asyncio.wait_for(stopped, 2.5)


SERVE = """
import asyncio, sys
from pathlib import Path
from shared.platform.rpc.server import run, termination
from tests.platform.rpc.edge import running

async def main():
    async with running(Path(sys.argv[1]), drain=2.0) as edge:
        print("PORT", edge.port, edge.issuer.issue("ann"), flush=True)
        print("SIGNAL", await termination(), flush=True)

run(main())
"""


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
async def test_a_signal_drains_the_process(tmp_path: Path, name: str) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).resolve().parents[3],
    )
    try:
        assert process.stdout is not None
        port, token = next(line.split()[1:] for line in process.stdout if line.startswith("PORT"))
        edge = Edge(None, None, None, None, int(port))  # type: ignore[arg-type]
        async with edge.calls(token) as stub:
            watch = stub.WatchMatch(WATCH)
            await watch.read()
            process.send_signal(getattr(signal, name))
            last = (await _rest(watch))[-1]
            assert last.ended.reason == stream_pb2.END_REASON_DRAINING
        assert await asyncio.to_thread(process.wait, 10) == 0
        assert f"SIGNAL {name}" in process.stdout.read()
    finally:
        process.kill()
        process.communicate()


async def test_one_connection_carries_many_streams_and_forgets_those_that_were_left(
    tmp_path: Path,
) -> None:
    """As a platform's backend has them, which watches for all of its people."""
    room = dict(max_streams_per_account=400, rate_per_second=1e6, rate_burst=1e6)
    async with running(tmp_path, **room) as edge, edge.calls() as stub:
        for _ in range(3):
            watches = [stub.WatchMatch(WATCH) for _ in range(300)]
            await asyncio.gather(*map(_next, watches))
            for watch in watches:
                watch.cancel()


async def test_a_stream_that_its_client_left_is_not_kept_in_memory(tmp_path: Path) -> None:
    def kept() -> int:
        return sum(isinstance(one, Call) for one in gc.get_objects())

    async with running(tmp_path) as edge, edge.calls() as stub:
        gc.collect()
        before = kept()
        gc.disable()  # services look for cycles so rarely that there should be none
        try:
            for _ in range(20):
                watch = stub.WatchMatch(WATCH)
                await _next(watch)
                watch.cancel()
            await _until(lambda: not edge.service.boxes)
            for _ in range(30):
                await asyncio.sleep(1)
                if kept() <= before + 1:
                    break
            assert kept() <= before + 1
        finally:
            gc.enable()


async def _next(watch: Any) -> pb.WatchMatchResponse:
    message: pb.WatchMatchResponse = await asyncio.wait_for(watch.read(), 30)
    return message


async def _rest(watch: Any) -> list[pb.WatchMatchResponse]:
    messages: list[pb.WatchMatchResponse] = []
    while (message := await asyncio.wait_for(watch.read(), 30)) is not aio.EOF:
        messages.append(message)
    return messages


async def _until(holds: Callable[[], bool], seconds: float = 30.0) -> None:
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.02)
