"""Publishing: entries go out in order, fenced, and count as published once the broker has them.

A few go one behind the other without waiting for answers. Many go as one atomic batch: the broker
keeps all or none, and pays for the disk once instead of for each.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import nats.js.errors
from nats.aio.client import Client
from nats.js import JetStreamContext, api

from shared.platform.bus import message
from shared.platform.store.entries import LogEntry

BATCH_FROM = 4
"""From how many entries on a batch is sent: it costs this process much less than single messages,
each of which waits for an answer of its own (a quarter of all, with 64 matches in play)."""

BATCH_LIMIT = 1000
"""The broker takes no more in one batch."""

_NOT_BEHIND = (10070, 10071)  # wrong last message id, wrong last sequence
_KNOWN_IN_BATCH = 10201


class Fenced(Exception):
    """Another relay published in between."""


class Sent(NamedTuple):
    """What became of a run of entries."""

    taken: int
    """How many of them, from the first, the stream has or had."""
    sequence: int
    """The stream's last sequence number now."""
    lost_before: bool = False
    """The broker had the next one, lost it, and refuses to take its id again."""


class Publisher:
    """Publishes entries of one log to its stream."""

    def __init__(self, service: str, epoch: str, seconds: float) -> None:
        self._service = service
        self._epoch = epoch
        self._seconds = seconds
        self._traces: Mapping[str, str] = {}

    async def publish(
        self,
        client: Client,
        js: JetStreamContext,
        entries: Sequence[LogEntry],
        behind: int,
        traces: Mapping[str, str],
    ) -> Sent:
        """Send entries that follow each other, behind sequence `behind`. Raises `Fenced`.

        `traces` of some of them, by hash, go along.
        """
        self._traces = traces
        if len(entries) < BATCH_FROM:
            return await self._one_by_one(js, entries, behind)
        return await self._together(client, js, entries, behind)

    async def _together(
        self, client: Client, js: JetStreamContext, entries: Sequence[LogEntry], behind: int
    ) -> Sent:
        """All or none. What goes out before the last message is nothing without it."""
        batch = {message.BATCH_ID: uuid.uuid4().hex}
        for number, entry in enumerate(entries[:-1], 1):
            headers = self._headers(entry) | batch | {message.BATCH_SEQUENCE: str(number)}
            if number == 1:
                headers[message.EXPECTED_SEQUENCE] = str(behind)
            await client.publish(self._subject(entry), entry.body, headers=headers)
        last = entries[-1]
        headers = self._headers(last) | batch | {message.BATCH_SEQUENCE: str(len(entries))}
        headers[message.BATCH_COMMIT] = "1"
        try:
            ack = await js.publish(
                self._subject(last), last.body, timeout=self._seconds, headers=headers
            )
        except nats.js.errors.APIError as error:
            if error.err_code == _KNOWN_IN_BATCH:
                return Sent(0, behind, lost_before=True)
            raise _meaning(error) from error
        return Sent(len(entries), ack.seq)

    async def _one_by_one(
        self, js: JetStreamContext, entries: Sequence[LogEntry], behind: int
    ) -> Sent:
        """Each fenced by the one before.

        The tasks of a `gather` start in order, so the messages leave in order; if they did not,
        the fence would refuse them. The sequence number alone would not do as a fence here: when
        the first is refused because another relay is ahead, a later number may fit. The message
        id alone would not do for the first: a broker forgets the last id when it restarts after a
        long silence.
        """
        answers = await asyncio.gather(
            *(self._send(js, entry, behind, number) for number, entry in enumerate(entries)),
            return_exceptions=True,
        )
        for taken, answer in enumerate(answers):
            if isinstance(answer, BaseException):
                raise _meaning(answer) from answer
            if answer.duplicate:
                # What was sent behind it was refused: it does not follow the stream's last.
                return Sent(taken + 1, behind, lost_before=True)
            behind = answer.seq
        return Sent(len(answers), behind)

    async def _send(
        self, js: JetStreamContext, entry: LogEntry, behind: int, number: int
    ) -> api.PubAck:
        headers = self._headers(entry)
        headers[message.EXPECTED_SEQUENCE] = str(behind + number)
        if number:
            headers[message.EXPECTED_ID] = message.identity(self._epoch, entry.position - 1)
        return await js.publish(
            self._subject(entry), entry.body, timeout=self._seconds, headers=headers
        )

    def _headers(self, entry: LogEntry) -> dict[str, str]:
        return message.headers(self._service, self._epoch, entry, self._traces.get(entry.hash, ""))

    def _subject(self, entry: LogEntry) -> str:
        return message.subject(self._service, entry)


def _meaning(error: BaseException) -> BaseException:
    if isinstance(error, nats.js.errors.APIError) and error.err_code in _NOT_BEHIND:
        return Fenced(str(error))
    return error
