"""The one table from exceptions to what a caller is told, and how that travels.

Anything that is not in the table is our bug: the caller gets a number, the log the traceback.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from typing import Any

from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status
from sqlalchemy.exc import OperationalError

from shared.engine.errors import BadOption, BadPayload, NotInstalled, RuleViolation, StaleDecision
from shared.platform.logging import get_logger
from shared.platform.rpc.errors import (
    FailedPrecondition,
    Internal,
    InvalidArgument,
    Refusal,
    Stale,
    Unavailable,
)
from shared.platform.store.errors import StoreBusy, StoreUnavailable, VersionConflict

DOMAIN = "tallystick"

log = get_logger("rpc")


def _illegal_move(error: RuleViolation) -> Refusal:
    return FailedPrecondition(
        "ILLEGAL_MOVE",
        f"the rules do not allow that now: {error}; choose one of the listed options",
        code=error.code,
        clause=error.clause,
    )


def _not_installed(error: NotInstalled) -> Refusal:
    return FailedPrecondition(
        f"{error.missing.upper()}_NOT_INSTALLED",
        str(error),
        game=error.game,
        edition=error.edition,
        installed=error.here,
    )


def _store_lost(error: StoreUnavailable | OperationalError) -> Refusal:
    # What a driver says is for the operator; the statement with its values is for nobody.
    cause = error.orig if isinstance(error, OperationalError) else error
    log.warning("the database does not answer", reason=str(cause))
    return Unavailable(
        "STORE_UNAVAILABLE",
        "the database does not answer: repeat the call with the same command_id",
    )


Translation = Callable[[Any], Refusal]

TABLE: Mapping[type[Exception], Translation] = {
    RuleViolation: _illegal_move,
    StaleDecision: lambda error: Stale("STALE_DECISION", str(error)),
    BadOption: lambda error: InvalidArgument("", str(error), "BAD_OPTION"),
    NotInstalled: _not_installed,
    BadPayload: lambda error: InvalidArgument("", str(error), "BAD_PAYLOAD"),
    VersionConflict: lambda error: Stale(
        "STALE_VERSION", f"someone was faster: {error}; look again", error.actual
    ),
    StoreBusy: lambda _: Unavailable("STORE_BUSY", "too much is being written: try again", 0.5),
    StoreUnavailable: _store_lost,
    OperationalError: _store_lost,
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
