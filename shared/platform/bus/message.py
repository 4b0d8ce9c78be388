"""What one log entry looks like on the bus: its subject, its headers, and back again.

The body is the record's stored bytes, untouched. The headers are CloudEvents in binary mode plus
our own `Tally-` ones, so that any NATS client can route and number messages without opening them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime

import msgspec

from shared.engine.record import record_hash
from shared.platform import telemetry
from shared.platform.store.entries import LogEntry

ROOT = "tally.v1"
MESSAGE_ID = "Nats-Msg-Id"
EXPECTED_SEQUENCE = "Nats-Expected-Last-Sequence"
EXPECTED_ID = "Nats-Expected-Last-Msg-Id"
BATCH_ID = "Nats-Batch-Id"
BATCH_SEQUENCE = "Nats-Batch-Sequence"
BATCH_COMMIT = "Nats-Batch-Commit"
POSITION = "Tally-Position"
VERSION = "Tally-Version"
HASH = "Tally-Hash"
TRACEPARENT = telemetry.TRACEPARENT

_NOT_IN_A_TOKEN = re.compile(r"[^A-Za-z0-9_-]")


class DamagedMessage(ValueError):
    """A message that is not, or is no longer, what a relay published."""


class _Time(msgspec.Struct):
    """The one field of a record that the headers repeat: when it happened (ms)."""

    at: int | None = None


def stream_name(service: str) -> str:
    """The JetStream stream that carries a service's log."""
    return f"TALLY_{_token(service).upper()}"


def subjects(service: str) -> str:
    """All subjects of a service."""
    return f"{ROOT}.{_token(service)}.>"


def subject(service: str, entry: LogEntry) -> str:
    """Where an entry is published: `tally.v1.<service>.<kind>.<id>.<type>`."""
    kind, _, key = entry.stream.partition("-")
    return ".".join((ROOT, *map(_token, (service, kind, key, entry.type))))


def identity(epoch: str, position: int) -> str:
    """What no other message of any log is called."""
    return f"{epoch}:{position}"


def headers(service: str, epoch: str, entry: LogEntry, trace: str = "") -> dict[str, str]:
    """What a reader may know about an entry without opening it; its trace, if it has one."""
    name = identity(epoch, entry.position)
    found = {
        "ce-specversion": "1.0",
        "ce-id": name,
        "ce-source": f"urn:tallystick:{service}",
        "ce-type": f"{ROOT}.{service}.{entry.type}",
        "ce-subject": entry.stream,
        "content-type": "application/json",
        POSITION: str(entry.position),
        VERSION: str(entry.version),
        HASH: entry.hash,
        MESSAGE_ID: name,
    }
    if trace:
        found[TRACEPARENT] = trace
    happened = _time(entry.body)
    if happened:
        found["ce-time"] = happened
    return found


def read(service: str, headers: Mapping[str, str] | None, body: bytes) -> tuple[str, LogEntry]:
    """The epoch and the entry behind a message. Raises `DamagedMessage`."""
    found = headers or {}
    try:
        epoch, _, position = found["ce-id"].rpartition(":")
        entry = LogEntry(
            position=int(found[POSITION]),
            stream=found["ce-subject"],
            version=int(found[VERSION]),
            type=found["ce-type"].removeprefix(f"{ROOT}.{service}."),
            body=body,
            hash=found[HASH],
        )
    except (KeyError, ValueError) as error:
        raise DamagedMessage(f"it lacks a header that every entry has: {error}") from error
    if position != str(entry.position):
        raise DamagedMessage("its id and its position differ")
    if record_hash(body) != entry.hash:
        raise DamagedMessage(f"the bytes at position {position} do not give their hash")
    return epoch, entry


def _token(text: str) -> str:
    """A part of a subject: NATS gives dots, stars and spaces a meaning of their own."""
    return _NOT_IN_A_TOKEN.sub("_", text) or "_"


def _time(body: bytes) -> str | None:
    try:
        at = msgspec.json.decode(body, type=_Time).at
        return None if at is None else _stamp(at)
    except (msgspec.MsgspecError, ValueError, OverflowError, OSError):
        return None


def _stamp(at: int) -> str:
    when = datetime.fromtimestamp(at / 1000, UTC)
    return when.isoformat(timespec="milliseconds").replace("+00:00", "Z")
