"""What a caller is told when a call fails: one table from exceptions to google.rpc.Status.

    Refusal
      InvalidArgument(field, advice)     the request itself is wrong
      Unauthenticated(reason, ...)       no token, or none we believe
      PermissionDenied(reason, ...)      known, but may not do that
      NotFound(reason, ...)              no such thing, or not for these eyes
      AlreadyExists(reason, ...)         the name is taken, e.g. a command id with another body
      FailedPrecondition(reason, ...)    not in this state of things
      Stale(reason, ..., current_version)  someone was faster: look again
      TooMuch(reason, ..., retry_after)  slow down
      Unavailable(reason, ..., retry_after)  not now: try again as it is
      Overdue(seconds)                   it took too long
      Unknown(...), Internal(number)     no such RPC; our own bug

Every failure carries an `ErrorInfo` whose reason is for programs; the message is for people and
says what to do. Anything that is not in the table is our bug: the caller gets a number, the log
the traceback.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, PreconditionFailure, RetryInfo
from google.rpc.status_pb2 import Status
from grpc import StatusCode

from shared.engine.errors import BadOption, BadPayload, RuleViolation, StaleDecision
from shared.platform.logging import get_logger
from shared.platform.store.errors import StoreBusy, StoreUnavailable, VersionConflict

DOMAIN = "tallystick"

log = get_logger("rpc")


class Refusal(Exception):
    """A failure that the caller can act on. Nothing was changed."""

    code: ClassVar[StatusCode] = StatusCode.UNKNOWN

    def __init__(self, reason: str, message: str, **metadata: str | int) -> None:
        """`reason` is UPPER_SNAKE for programs, `message` for people."""
        self.reason = reason
        self.message = message
        self.metadata = {key: str(value) for key, value in metadata.items()}
        super().__init__(f"{reason}: {message}")

    def details(self) -> tuple[Message, ...]:
        """What Status carries besides ErrorInfo."""
        return ()


class InvalidArgument(Refusal):
    """A field of the request is wrong; `advice` says what it must be."""

    code = StatusCode.INVALID_ARGUMENT

    def __init__(self, field: str, advice: str, reason: str = "INVALID_FIELD") -> None:
        self.field = field
        super().__init__(reason, f"{field}: {advice}" if field else advice)
        self.advice = advice

    def details(self) -> tuple[Message, ...]:
        violation = BadRequest.FieldViolation(field=self.field, description=self.advice)
        return (BadRequest(field_violations=[violation]),)


class Unauthenticated(Refusal):
    """The caller did not say who it is, or not believably."""

    code = StatusCode.UNAUTHENTICATED


class PermissionDenied(Refusal):
    """The caller is known and may not do that."""

    code = StatusCode.PERMISSION_DENIED


class NotFound(Refusal):
    """There is no such thing, or the caller may not know of it."""

    code = StatusCode.NOT_FOUND


class AlreadyExists(Refusal):
    """The name that the caller chose means something else already."""

    code = StatusCode.ALREADY_EXISTS


class FailedPrecondition(Refusal):
    """The request is sound but does not fit the state of things."""

    code = StatusCode.FAILED_PRECONDITION

    def __init__(self, reason: str, message: str, subject: str = "", **metadata: str | int) -> None:
        self.subject = subject
        super().__init__(reason, message, **metadata)

    def details(self) -> tuple[Message, ...]:
        violation = PreconditionFailure.Violation(
            type=self.reason, subject=self.subject, description=self.message
        )
        return (PreconditionFailure(violations=[violation]),)


class Stale(Refusal):
    """Someone was faster: what the caller looked at has moved on to `current_version`."""

    code = StatusCode.ABORTED

    def __init__(self, reason: str, message: str, current_version: int | None = None) -> None:
        known = {} if current_version is None else {"current_version": current_version}
        super().__init__(reason, message, **known)


class _Later(Refusal):
    def __init__(
        self, reason: str, message: str, retry_after: float = 1.0, **metadata: str | int
    ) -> None:
        self.retry_after = retry_after
        super().__init__(reason, message, **metadata)

    def details(self) -> tuple[Message, ...]:
        delay = Duration()
        delay.FromNanoseconds(int(self.retry_after * 1e9))
        return (RetryInfo(retry_delay=delay),)


class TooMuch(_Later):
    """The caller asks more than its share; after `retry_after` seconds it may go on."""

    code = StatusCode.RESOURCE_EXHAUSTED


class Unavailable(_Later):
    """The service cannot answer now; the same call may succeed after `retry_after` seconds."""

    code = StatusCode.UNAVAILABLE


class Overdue(Refusal):
    """The call took longer than the server allows."""

    code = StatusCode.DEADLINE_EXCEEDED

    def __init__(self, seconds: float) -> None:
        super().__init__(
            "DEADLINE",
            f"the call took longer than {seconds:g} s; it may or may not have been done: repeat it "
            "with the same command_id to find out",
        )


class Unknown(Refusal):
    """No such RPC on this server."""

    code = StatusCode.UNIMPLEMENTED


class Internal(Refusal):
    """Our bug. The caller gets a number under which the log holds the traceback."""

    code = StatusCode.INTERNAL

    def __init__(self, number: str) -> None:
        super().__init__(
            "INTERNAL",
            f"the server failed; nothing you did is wrong. Report number {number}",
            correlation_id=number,
        )


def _illegal_move(error: RuleViolation) -> Refusal:
    return FailedPrecondition(
        "ILLEGAL_MOVE",
        f"the rules do not allow that now: {error}; choose one of the listed options",
        code=error.code,
        clause=error.clause,
    )


def _store_lost(_: StoreUnavailable) -> Refusal:
    return Unavailable(
        "STORE_UNAVAILABLE",
        "the database does not answer: repeat the call with the same command_id",
    )


Translation = Callable[[Any], Refusal]

TABLE: Mapping[type[Exception], Translation] = {
    RuleViolation: _illegal_move,
    StaleDecision: lambda error: Stale("STALE_DECISION", str(error)),
    BadOption: lambda error: InvalidArgument("", str(error), "BAD_OPTION"),
    BadPayload: lambda error: InvalidArgument("", str(error), "BAD_PAYLOAD"),
    VersionConflict: lambda error: Stale(
        "STALE_VERSION", f"someone was faster: {error}; look again", error.actual
    ),
    StoreBusy: lambda _: Unavailable("STORE_BUSY", "too much is being written: try again", 0.5),
    StoreUnavailable: _store_lost,
}
"""Exceptions of the layers below that are a caller's business, and what the caller is told."""


def refusal_of(error: Exception) -> Refusal:
    """What the caller is told about an exception. If it is our bug: a number, and a log line."""
    if isinstance(error, Refusal):
        return error
    for kind in type(error).__mro__:
        if kind in TABLE:
            return TABLE[kind](error)
    number = uuid.uuid4().hex[:12]
    log.error("internal error", correlation_id=number, exc_info=error)
    return Internal(number)


def status_of(refusal: Refusal) -> Status:
    """The refusal as it travels."""
    status = Status(code=refusal.code.value[0], message=refusal.message)
    info = ErrorInfo(reason=refusal.reason, domain=DOMAIN, metadata=refusal.metadata)
    for detail in (info, *refusal.details()):
        status.details.add().Pack(detail)
    return status
