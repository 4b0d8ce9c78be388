"""A command: who wants what, and the promise that it is carried out once."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from google.protobuf.message import Message

from shared.platform.rpc.errors import AlreadyExists, InvalidArgument, PermissionDenied
from shared.platform.store import Receipt


class Command(NamedTuple):
    """Who wants something, under which id, and the hash of what exactly is wanted."""

    account: str
    id: str
    request_hash: str


def command_of(account: str, request: Message, command_id: str) -> Command:
    """The command behind a request. Raises `InvalidArgument` or `PermissionDenied`."""
    if not 0 < len(command_id) <= 64 or not command_id.isprintable():
        raise InvalidArgument("command_id", "choose one, best a UUID: 1 to 64 printable characters")
    if account.startswith("bot-"):
        raise PermissionDenied("RESERVED_ACCOUNT", "accounts that begin with `bot-` are for bots")
    body = request.SerializeToString(deterministic=True)
    name = request.DESCRIPTOR.full_name.encode()
    return Command(account, command_id, hashlib.sha256(name + b"\n" + body).hexdigest())


def first_answer(command: Command, receipt: Receipt) -> bytes:
    """What the command was answered. Raises `AlreadyExists` if it was another command."""
    if receipt.request_hash != command.request_hash:
        raise AlreadyExists(
            "COMMAND_ID_REUSED",
            "this command_id was used for another request: choose a new one for each command",
        )
    return receipt.response
