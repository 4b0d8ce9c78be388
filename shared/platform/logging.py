"""What a service writes about its work: one line an event, with context, and never a secret.

    with bound(match="m-7", command="c-1"):
        log.info("move accepted", version=12)

Lines go to standard error: JSON for programs, aligned text for people. Lines of the libraries
below us take the same road, so they are scrubbed too.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Mapping, MutableMapping
from contextlib import AbstractContextManager
from typing import Any, TextIO, cast

import structlog
from structlog.typing import EventDict, FilteringBoundLogger, Processor

from shared.platform.settings import TelemetrySettings

HIDDEN = "[hidden]"

_SECRET_KEY = re.compile(
    r"(?i)(seed|salt|token|authorization|password|passwd|secret|nkey|credential|api_?key|private)"
)
_NOT_SECRET = re.compile(r"(?i)(commitment|hash|_file|_count)$")
_SECRET_TEXT = (
    (re.compile(r"(?<=://)([^\s:/@]*):[^\s@/]+(?=@)"), rf"\1:{HIDDEN}"),  # a password in a URL
    (re.compile(r"\beyJ[\w-]{4,}\.[\w-]+\.[\w-]*"), HIDDEN),  # a token, wherever it stands
    (re.compile(r"\bS[ACNOUX][A-Z2-7]{56}\b"), HIDDEN),  # an nkey seed
    (re.compile(r"(?i)\b(bearer)\s+\S+"), rf"\1 {HIDDEN}"),
)


def get_logger(name: str) -> FilteringBoundLogger:
    """The logger of one part of a service; `name` says which."""
    return cast(FilteringBoundLogger, structlog.get_logger(part=name))


def bound(**context: Any) -> AbstractContextManager[Any]:
    """Add context (match, version, command, trace) to every line written inside the block."""
    return structlog.contextvars.bound_contextvars(**context)


def configure_logging(
    service: str, settings: TelemetrySettings, stream: TextIO | None = None
) -> None:
    """Send all lines of this process, ours and the libraries', to one place in one form."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
        _stamp(service),
        structlog.processors.format_exc_info,
        scrub,
    ]
    renderer: Processor = structlog.processors.JSONRenderer(sort_keys=True)
    if settings.log_format == "console":
        renderer = structlog.dev.ConsoleRenderer(colors=False)
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
    )
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(formatter)
    level = logging.getLevelName(settings.log_level.upper())
    logging.basicConfig(handlers=[handler], level=level, force=True)
    structlog.configure(
        processors=[
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.stdlib.LoggerFactory(),
    )


def scrub(_logger: Any, _method: str, event: EventDict) -> EventDict:
    """Take out everything that would let a reader of the log cheat or impersonate."""
    for key, value in event.items():
        if not key.startswith("_"):  # structlog keeps notes of its own there, never rendered
            event[key] = HIDDEN if _is_secret(key) else _scrubbed(value)
    return event


def _scrubbed(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {
            str(key): HIDDEN if _is_secret(key) else _scrubbed(part) for key, part in value.items()
        }
    if isinstance(value, str):
        for pattern, replacement in _SECRET_TEXT:
            value = pattern.sub(replacement, value)
        return value
    if isinstance(value, list | tuple | set | frozenset):
        return [_scrubbed(item) for item in value]
    if isinstance(value, bool | int | float | None):
        return value
    return _scrubbed(repr(value))


def _is_secret(key: Any) -> bool:
    name = str(key)
    return bool(_SECRET_KEY.search(name)) and not _NOT_SECRET.search(name)


def _stamp(service: str) -> Processor:
    def stamp(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> EventDict:
        event["service"] = service
        return event

    return stamp
