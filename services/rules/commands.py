"""Moves, undos and resignations: decided in memory, answered once they are durable.

A command is decided on the match in memory and appended at the version after it. If another
process was faster, the rest of the log is read and the command decided anew. The answer is kept
with the record, so a command that comes again gets the same answer, whatever has happened since.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from google.protobuf.message import Message

from services.rules.book import MatchBook
from services.rules.live import Live
from shared.engine.acts import Made
from shared.engine.errors import EngineError
from shared.engine.match import MOVE, stream_of
from shared.engine.table import Decision
from shared.platform.crashpoint import crashpoint
from shared.platform.rpc.errors import AlreadyExists, Refusal, Stale, TooMuch
from shared.platform.store import (
    AlreadyDone,
    Append,
    Receipt,
    Store,
    StoreUnavailable,
    VersionConflict,
)
from shared.platform.telemetry import Metrics

QUEUE_OF_MATCH = 8
QUEUE_OF_ALL = 2_000
ATTEMPTS = 3
RETRY_AFTER = 0.2

Key = tuple[str, str, str]
"""What makes two commands the same: who, which id, which body."""


class Decided(NamedTuple):
    """What a command comes to: the next match with its record, and what the caller is told.

    `asked` are the open decisions of the next match, listed once for the answer and for later.
    """

    made: Made
    asked: tuple[Decision, ...]
    answer: Message


class Command(NamedTuple):
    """Something that somebody wants to do at a match.

    `decide` makes the record and the answer, or raises why that is not possible now.
    """

    match_id: str
    principal: str
    command_id: str
    request_hash: str
    decide: Callable[[Live], Decided]
    answer_type: type[Message]


class Commands:
    """Carries commands out, one at a time for each match, many matches at once."""

    def __init__(self, store: Store, book: MatchBook, metrics: Metrics) -> None:
        self._store = store
        self._book = book
        self._metrics = metrics
        self._running: dict[Key, asyncio.Task[Message]] = {}

    async def run(self, command: Command) -> Message:
        """The answer to a command, once it is durable.

        A caller that goes away changes nothing: the command is carried out to its end. The same
        command while it is still being carried out waits for the one answer.
        """
        key = (command.principal, command.command_id, command.request_hash)
        task = self._running.get(key)
        if task is None:
            if len(self._running) >= QUEUE_OF_ALL:
                raise TooMuch("RATE_LIMITED", "too many moves at once: try again", RETRY_AFTER)
            task = self._running[key] = asyncio.create_task(self._queue(key, command))
        return await asyncio.shield(task)

    async def finish(self) -> None:
        """Wait until all commands that have begun are through."""
        if self._running:
            await asyncio.wait(self._running.values())

    async def _queue(self, key: Key, command: Command) -> Message:
        """Wait for the match, in a short line."""
        try:
            live = await self._book.open(command.match_id)
            if live.queued >= QUEUE_OF_MATCH:
                raise TooMuch(
                    "RATE_LIMITED", "too many moves wait at this match: try again", RETRY_AFTER
                )
            live.queued += 1
            try:
                async with live.lock:
                    return await self._carry_out(live, command)
            finally:
                live.queued -= 1
        finally:
            del self._running[key]

    async def _carry_out(self, live: Live, command: Command) -> Message:
        for _ in range(ATTEMPTS):
            if live.behind:
                await self._book.catch_up(live)
            try:
                decided = command.decide(live)
            except (EngineError, Refusal):
                done = await self._store.receipt(command.principal, command.command_id)
                if done is not None:
                    return first_answer(command, done)
                if await self._book.catch_up(live):
                    continue
                raise
            try:
                await self._append(live, command, decided)
            except AlreadyDone as done_before:
                live.behind = True
                return first_answer(command, done_before.receipt)
            except VersionConflict:
                live.behind = True
                continue
            return decided.answer
        version = live.match.version
        raise Stale("STALE_VERSION", "others were faster: look at the match again", version)

    async def _append(self, live: Live, command: Command, decided: Decided) -> None:
        """Make it durable together with the answer; only then does anybody hear of it."""
        made = await self._book.closing(decided.made)
        receipt = Receipt(
            command.principal,
            command.command_id,
            command.request_hash,
            stream_of(command.match_id),
            decided.answer.SerializeToString(deterministic=True),
        )
        records = tuple(one.record for one in made)
        crashpoint("before-commit")
        try:
            await self._store.append(Append(receipt.stream, live.match.version, records, receipt))
        except StoreUnavailable:
            live.behind = True  # it may be written all the same
            raise
        crashpoint("after-commit")
        if made[0].record.type == MOVE:
            self._metrics.moves.labels(live.match.game.id).inc()
        live.advance_made(made, decided.asked)


def first_answer(command: Command, done: Receipt) -> Message:
    """The answer that the command got when it was carried out."""
    if done.request_hash != command.request_hash:
        raise AlreadyExists(
            "COMMAND_ID_REUSED",
            "this command_id was used for another command: choose a new one for each command",
        )
    return command.answer_type.FromString(done.response)
