"""Expecting a call to be refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import grpc
import pytest
from grpc import StatusCode, aio

from shared.platform.rpc.client import Problem, problem


@contextmanager
def refused(code: StatusCode, reason: str, message: str = "") -> Iterator[list[Problem]]:
    """The block must fail with that code and reason, and say `message` among other things."""
    found: list[Problem] = []
    with pytest.raises(aio.AioRpcError) as caught:
        yield found
    error: grpc.RpcError = caught.value
    what = problem(error)
    assert (what.code, what.reason) == (code, reason), what
    assert message in what.message, what
    found.append(what)
