"""Every failure tells the caller what went wrong and what to do, and never what is inside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, PreconditionFailure
from grpc import StatusCode, aio
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs

from protos.tallystick.rules.v1 import rules_pb2 as pb
from shared.engine import errors as engine
from shared.platform.rpc import errors
from shared.platform.rpc.client import problem
from shared.platform.rpc.table import TABLE, refusal_of, status_of
from shared.platform.store import errors as store
from tests.platform.rpc.edge import MOVE, running

CASES: dict[str, tuple[Exception, StatusCode, str, dict[str, str]]] = {
    "illegal move": (
        engine.RuleViolation("no-such-option", "4.2", "that dwarf is asleep"),
        StatusCode.FAILED_PRECONDITION,
        "ILLEGAL_MOVE",
        {"code": "no-such-option", "clause": "4.2"},
    ),
    "stale decision": (engine.StaleDecision("d-3"), StatusCode.ABORTED, "STALE_DECISION", {}),
    "stale, with version": (
        errors.Stale("STALE_DECISION", "look again", 12),
        StatusCode.ABORTED,
        "STALE_DECISION",
        {"current_version": "12"},
    ),
    "bad option": (
        engine.BadOption("events: 12 is not one of 7, 9"),
        StatusCode.INVALID_ARGUMENT,
        "BAD_OPTION",
        {},
    ),
    "not installed": (
        engine.NotInstalled("edition", "dwergar", "3", ["2", "1"]),
        StatusCode.FAILED_PRECONDITION,
        "EDITION_NOT_INSTALLED",
        {"game": "dwergar", "edition": "3", "installed": "2, 1"},
    ),
    "bad payload": (
        engine.BadPayload("not JSON"),
        StatusCode.INVALID_ARGUMENT,
        "BAD_PAYLOAD",
        {},
    ),
    "version conflict": (
        store.VersionConflict("match-1", 3, 5),
        StatusCode.ABORTED,
        "STALE_VERSION",
        {"current_version": "5"},
    ),
    "store busy": (store.StoreBusy(), StatusCode.UNAVAILABLE, "STORE_BUSY", {}),
    "store gone": (store.StoreUnavailable(), StatusCode.UNAVAILABLE, "STORE_UNAVAILABLE", {}),
    "database gone": (
        OperationalError("SELECT", {}, Exception("the server closed the connection")),
        StatusCode.UNAVAILABLE,
        "STORE_UNAVAILABLE",
        {},
    ),
    "bad field": (
        errors.InvalidArgument("command_id", "must be 1 to 64 characters"),
        StatusCode.INVALID_ARGUMENT,
        "INVALID_FIELD",
        {},
    ),
    "not found": (
        errors.NotFound("MATCH_NOT_FOUND", "no match m-1"),
        StatusCode.NOT_FOUND,
        "MATCH_NOT_FOUND",
        {},
    ),
    "not yours": (
        errors.PermissionDenied("NOT_YOUR_SEAT", "seat 2 is asked"),
        StatusCode.PERMISSION_DENIED,
        "NOT_YOUR_SEAT",
        {},
    ),
    "who are you": (
        errors.Unauthenticated("TOKEN_INVALID", "sign in"),
        StatusCode.UNAUTHENTICATED,
        "TOKEN_INVALID",
        {},
    ),
    "command id reused": (
        errors.AlreadyExists("COMMAND_ID_REUSED", "take a new command_id", command_id="c-1"),
        StatusCode.ALREADY_EXISTS,
        "COMMAND_ID_REUSED",
        {"command_id": "c-1"},
    ),
    "wrong state": (
        errors.FailedPrecondition("UNDO_BARRIER", "a card was drawn", "m-1"),
        StatusCode.FAILED_PRECONDITION,
        "UNDO_BARRIER",
        {},
    ),
    "too much": (
        errors.TooMuch("RATE_LIMITED", "wait", 2.5),
        StatusCode.RESOURCE_EXHAUSTED,
        "RATE_LIMITED",
        {},
    ),
    "not now": (
        errors.Unavailable("STARTING", "try again", 1.5),
        StatusCode.UNAVAILABLE,
        "STARTING",
        {},
    ),
    "late": (errors.Overdue(10), StatusCode.DEADLINE_EXCEEDED, "DEADLINE", {}),
    "unknown": (
        errors.Unknown("UNKNOWN_METHOD", "no such RPC"),
        StatusCode.UNIMPLEMENTED,
        "UNKNOWN_METHOD",
        {},
    ),
    "our bug": (errors.Internal("abc"), StatusCode.INTERNAL, "INTERNAL", {"correlation_id": "abc"}),
}


@pytest.mark.parametrize("case", CASES)
def test_each_failure_has_its_status_and_reason(case: str) -> None:
    error, code, reason, metadata = CASES[case]
    status = status_of(refusal_of(error))
    info = ErrorInfo()
    assert status.code == code.value[0]
    assert status.details[0].Unpack(info)
    assert (info.reason, info.domain, dict(info.metadata)) == (reason, "tallystick", metadata)
    assert status.message


def test_no_failure_is_left_out_of_the_cases() -> None:
    tested = {type(error) for error, *_ in CASES.values()}
    refusals = {
        kind
        for kind in vars(errors).values()
        if isinstance(kind, type)
        and issubclass(kind, errors.Refusal)
        and not kind.__name__.startswith("_")
    }
    assert refusals - {errors.Refusal} <= tested
    assert TABLE.keys() <= tested


def test_a_bad_field_and_a_wrong_state_carry_their_details() -> None:
    bad, wrong = BadRequest(), PreconditionFailure()
    status = status_of(errors.InvalidArgument("move", "must not be empty"))
    assert status.details[1].Unpack(bad)
    assert bad.field_violations[0].field == "move"
    assert bad.field_violations[0].description == "must not be empty"
    status = status_of(errors.FailedPrecondition("SEATS_OPEN", "fill them", "table-1"))
    assert status.details[1].Unpack(wrong)
    assert (wrong.violations[0].type, wrong.violations[0].subject) == ("SEATS_OPEN", "table-1")


async def test_a_refusal_arrives_as_a_problem(tmp_path: Path) -> None:
    async with running(tmp_path) as edge, edge.calls() as stub:
        edge.service.failure = engine.RuleViolation("no-such-option", "4.2")
        with pytest.raises(aio.AioRpcError) as failed:
            await stub.PlayMove(MOVE)
        seen = problem(failed.value)
        assert (seen.code, seen.reason) == (StatusCode.FAILED_PRECONDITION, "ILLEGAL_MOVE")
        assert seen.metadata == {"code": "no-such-option", "clause": "4.2"}
        edge.service.failure = errors.TooMuch("RATE_LIMITED", "wait", 2.5)
        with pytest.raises(aio.AioRpcError) as failed:
            await stub.PlayMove(MOVE)
        assert problem(failed.value).retry_after == 2.5
        edge.service.failure = errors.Stale("STALE_DECISION", "look again", 12)
        with pytest.raises(aio.AioRpcError) as failed:
            await stub.PlayMove(MOVE)
        assert problem(failed.value).current_version == 12


async def test_a_refusal_inside_a_stream_arrives_too(tmp_path: Path) -> None:
    async with running(tmp_path) as edge:
        edge.service.failure = errors.NotFound("MATCH_NOT_FOUND", "no match m-1")
        async with edge.calls(edge.issuer.issue("eve", ["auditor"])) as stub:
            with pytest.raises(aio.AioRpcError) as failed:
                await stub.ExportMatch(pb.ExportMatchRequest(match_id="m-1")).read()
        assert problem(failed.value).reason == "MATCH_NOT_FOUND"


@pytest.mark.parametrize("letter", ["x", "\N{GAME DIE}"])
async def test_a_long_story_is_cut_and_still_arrives(tmp_path: Path, letter: str) -> None:
    """Also one that a client made long: in its own request, by a name of a hundred kilobytes."""
    long = letter * 100_000
    async with running(tmp_path / "issuer") as edge, edge.calls() as stub:
        for failure in (
            errors.NotFound("TABLE_NOT_FOUND", long, table=long),
            errors.FailedPrecondition("SEAT_TAKEN", long, code=long, clause=long),
            errors.InvalidArgument(f"options[{long}]", "no such option"),
        ):
            edge.service.failure = failure
            with pytest.raises(aio.AioRpcError) as caught:
                await stub.PlayMove(MOVE)
            what = problem(caught.value)
            assert (what.code, what.reason) == (failure.code, failure.reason)
        assert what.message.startswith("options[") and what.message.endswith(": no such option")


async def test_a_bug_gives_the_caller_a_number_and_the_log_the_traceback(tmp_path: Path) -> None:
    async with running(tmp_path) as edge, edge.calls() as stub:
        edge.service.failure = KeyError("the seed is 12345")
        with capture_logs() as lines, pytest.raises(aio.AioRpcError) as failed:
            await stub.PlayMove(MOVE)
        seen = problem(failed.value)
        assert (seen.code, seen.reason) == (StatusCode.INTERNAL, "INTERNAL")
        assert "12345" not in repr(failed.value)
        logged = [line for line in lines if line["event"] == "internal error"]
        assert [line["correlation_id"] for line in logged] == [seen.metadata["correlation_id"]]
        assert logged[0]["exc_info"] is edge.service.failure


async def test_what_is_no_request_or_no_method_is_refused_with_a_reason(tmp_path: Path) -> None:
    async with (
        running(tmp_path) as edge,
        aio.insecure_channel(f"127.0.0.1:{edge.port}") as channel,
    ):
        token = (("authorization", f"Bearer {edge.issuer.issue('ann')}"),)
        garbage: Any = channel.unary_unary("/tallystick.rules.v1.RulesService/PlayMove")
        with pytest.raises(aio.AioRpcError) as failed:
            await garbage(b"\xff\xff\xff", metadata=token)
        assert failed.value.code() is StatusCode.INVALID_ARGUMENT
        assert problem(failed.value).reason == "NOT_A_REQUEST"
        missing: Any = channel.unary_unary("/tallystick.rules.v1.RulesService/Cheat")
        with pytest.raises(aio.AioRpcError) as failed:
            await missing(b"", metadata=token)
        assert failed.value.code() is StatusCode.UNIMPLEMENTED
        assert problem(failed.value).reason == "UNKNOWN_METHOD"


def test_no_connection_is_a_problem_too() -> None:
    error = aio.AioRpcError(
        grpc.StatusCode.UNAVAILABLE, aio.Metadata(), aio.Metadata(), "connection refused"
    )
    assert problem(error).reason == "UNAVAILABLE"
