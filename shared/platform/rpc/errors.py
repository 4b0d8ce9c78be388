"""What a caller can be told when a call fails.

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
says what to do. `table` adds the exceptions of the layers below.
"""

from __future__ import annotations

from typing import ClassVar

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest, PreconditionFailure, RetryInfo
from grpc import StatusCode

LONGEST = 400
"""Bytes of a text that travels: a failure must fit into the trailers of a call (8 KiB), where
what is not ASCII takes three times the room."""

LONGEST_FIELD = 100
"""Bytes of a field's name, which leaves room for what is wrong with it."""


def shortened(text: str, room: int = LONGEST) -> str:
    """As much of a text as travels."""
    return text.encode(errors="replace")[:room].decode(errors="ignore")


class Refusal(Exception):
    """A failure that the caller can act on. Nothing was changed."""

    code: ClassVar[StatusCode] = StatusCode.UNKNOWN

    def __init__(self, reason: str, message: str, **metadata: str | int) -> None:
        """`reason` is UPPER_SNAKE for programs, `message` for people."""
        self.reason = reason
        self.message = shortened(message)
        self.metadata = {key: shortened(str(value)) for key, value in metadata.items()}
        super().__init__(f"{reason}: {message}")

    def details(self) -> tuple[Message, ...]:
        """What Status carries besides ErrorInfo."""
        return ()


class InvalidArgument(Refusal):
    """A field of the request is wrong; `advice` says what it must be."""

    code = StatusCode.INVALID_ARGUMENT

    def __init__(self, field: str, advice: str, reason: str = "INVALID_FIELD") -> None:
        self.field = shortened(field, LONGEST_FIELD)
        super().__init__(reason, f"{self.field}: {advice}" if field else advice)
        self.advice = shortened(advice)

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
