"""How a command reaches the services, and as whom."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import grpc
from grpc import aio

from protos.tallystick.lobby.v1.lobby_pb2_grpc import LobbyServiceStub
from protos.tallystick.rules.v1.rules_pb2_grpc import RulesServiceStub
from protos.tallystick.scoring.v1.scoring_pb2_grpc import ScoringServiceStub
from services.cli.errors import CliError
from services.cli.system import ADDRESSES
from shared.platform.rpc.client import bearer, open_channel, problem
from shared.platform.rpc.issuer import LocalIssuer
from shared.platform.rpc.tls import authorities
from shared.platform.rpc.wiring import issuer_folder
from shared.platform.settings import SERVICE_PORTS, SettingsError, TlsSettings, load

T = TypeVar("T")

TOKEN_SECONDS = 12 * 3600.0


class Where(NamedTuple):
    """What a person says on the command line about where and as whom."""

    data_dir: Path
    account: str
    token_file: Path | None = None
    host: str | None = None
    ca_file: Path | None = None


class Connection(NamedTuple):
    """The public services as one account."""

    account: str
    lobby: LobbyServiceStub
    rules: RulesServiceStub
    scoring: ScoringServiceStub


def addresses(where: Where) -> dict[str, str]:
    """Where the services answer: a host's ordinary ports, or the system that runs here."""
    if where.host is not None:
        return {name: f"{where.host}:{port}" for name, port in SERVICE_PORTS.items()}
    file = where.data_dir / ADDRESSES
    if not file.is_file():
        raise CliError(
            f"no system is running on {where.data_dir}; start one with `tally up`, "
            "or name one with --host or --data-dir"
        )
    return dict(line.split(" ", 1) for line in file.read_text().splitlines())


def token(where: Where, roles: tuple[str, ...] = (), seconds: float = TOKEN_SECONDS) -> str:
    """The caller's token: from a file, or signed with the local development key."""
    if where.token_file is not None:
        try:
            given = where.token_file.read_text(errors="replace").strip()
        except OSError as error:
            raise CliError(
                f"cannot read the token file {where.token_file}: {error.strerror}"
            ) from error
        if not re.fullmatch(r"[!-~]+", given):
            raise CliError(
                f"{where.token_file} holds no token: it is one word, as of `tally token`"
            )
        return given
    folder = issuer_folder(where.data_dir)
    if not (folder / "issuer.pem").is_file():
        raise CliError(
            f"there is no development key in {folder}; start a system with `tally up`, "
            "or give a token with --token-file"
        )
    return LocalIssuer(folder).issue(where.account, roles, seconds)


@asynccontextmanager
async def connect(where: Where) -> AsyncIterator[Connection]:
    """Stubs for all public services, closed at the end."""
    found = addresses(where)
    headers = bearer(token(where))
    try:
        ca_file = where.ca_file or load(TlsSettings).tls_ca_file
        if ca_file is not None:
            authorities(ca_file)
    except SettingsError as error:
        raise CliError(f"--ca-file or {error}") from error
    async with AsyncExitStack() as stack:
        channels = [
            await stack.enter_async_context(
                open_channel(found[name], headers, timeout=10.0, ca_file=ca_file)
            )
            for name in ("lobby", "rules", "scoring")
        ]
        yield Connection(
            where.account,
            LobbyServiceStub(channels[0]),
            RulesServiceStub(channels[1]),
            ScoringServiceStub(channels[2]),
        )


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a command's coroutine; a failed call becomes one plain message."""
    try:
        return asyncio.run(work)
    except aio.AioRpcError as error:
        trouble = problem(error)
        if trouble.reason == grpc.StatusCode.UNAVAILABLE.name:  # not a word of ours: nobody there
            raise CliError(
                "the services do not answer; start them with `tally up`, or check --host and "
                "--ca-file: "
                f"{trouble.message}"
            ) from error
        more = (f"{name}: {text}" for name, text in trouble.fields.items())
        details = "".join(f"\n  {each}" for each in more if each not in trouble.message)
        raise CliError(f"{trouble.message} [{trouble.reason}]{details}") from error
    except KeyboardInterrupt:
        sys.exit(130)
