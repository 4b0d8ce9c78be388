"""Following rules: it commits to a table's seed, sets the match up, and closes it in the end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import msgspec

from services.lobby import starting
from services.lobby.app import Lobby
from shared.engine.record import open_record
from shared.platform.bus import Bus, Consumer, EpochChanged
from shared.platform.logging import get_logger
from shared.platform.store import LogEntry, Store
from shared.platform.telemetry import Metrics

COMMITTED, REFUSED, CREATED, CLOSED = "committed", "refused", "created", "closed"
"""The types of rules' records that concern a table."""

CURSOR_EVERY = 256
"""Entries of no concern after which the cursor is moved all the same."""

log = get_logger("lobby")

ReadLog = Callable[[int, int], Awaitable[Sequence[LogEntry]]]


class _Committed(msgspec.Struct):
    """What rules says of a seed before anything is drawn from it."""

    commitment: str


class _Refused(msgspec.Struct):
    """Why rules does not set a match up, in words."""

    reason: str


class _Closing(msgspec.Struct):
    """What a table needs to know of a match's last fact."""

    reason: str


class MatchFollower:
    """Follows the log of rules. What it does is idempotent, so its cursor may lag behind.

    Should rules begin a new log, its positions start again at 1; then so does this, with a new
    cursor. The known logs are numbered, and their names kept in the store.
    """

    def __init__(
        self,
        lobby: Lobby,
        store: Store,
        bus: Bus,
        read_log: ReadLog,
        attempts: int = 5,
        metrics: Metrics | None = None,
    ) -> None:
        self._lobby = lobby
        self._store = store
        self._bus = bus
        self._read_log = read_log
        self._attempts = attempts
        self._metrics = metrics
        self._number = 1
        self._consumer: Consumer | None = None

    async def run(self) -> None:
        """Follow until cancelled."""
        epoch = ""
        while (known := await self._store.get_private(self._epoch_key(self._number))) is not None:
            epoch = known.decode()
            self._number += 1
        self._number = max(1, self._number - 1)
        while True:
            try:
                await self._follow(epoch)
            except EpochChanged as change:
                log.warning("rules has begun a new log; reading it from its start")
                self._number += 1
                epoch = change.heard
                await self._store.put_private(self._epoch_key(self._number), epoch.encode())

    async def _follow(self, epoch: str) -> None:
        self._consumer = Consumer(
            self._bus,
            name="lobby-rules",
            service="rules",
            handler=self._handle,
            checkpoint=lambda: self._store.cursor(self._cursor()),
            read_log=self._read_log,
            dead_letter=self._give_up,
            epoch=epoch,
            attempts=self._attempts,
            metrics=self._metrics,
        )
        await self._consumer.run()

    def _cursor(self) -> str:
        return f"rules-log-{self._number}"

    def _epoch_key(self, number: int) -> str:
        return f"rules-epoch-{number}"

    async def _handle(self, entry: LogEntry) -> None:
        _, _, table_id = entry.stream.partition("-")
        if entry.type == COMMITTED:
            facts = open_record(entry.body).facts
            (seed,) = msgspec.json.decode(facts, type=list[_Committed])
            await self._lobby.note(table_id, lambda t: starting.commit(t, seed.commitment))
        elif entry.type == REFUSED:
            facts = open_record(entry.body).facts
            (refused,) = msgspec.json.decode(facts, type=list[_Refused])
            await self._lobby.note(table_id, lambda t: starting.refuse(t, refused.reason))
        elif entry.type == CREATED:
            await self._lobby.note(table_id, starting.begin)
        elif entry.type == CLOSED:
            facts = open_record(entry.body).facts
            reason = msgspec.json.decode(facts, type=list[_Closing])[0].reason
            await self._lobby.note(table_id, lambda t: starting.finish(t, reason))
        elif entry.position % CURSOR_EVERY:
            return
        await self._move(entry)

    async def _move(self, entry: LogEntry) -> None:
        if self._consumer is not None and self._consumer.epoch:
            epoch = self._consumer.epoch.encode()
            await self._store.put_private(self._epoch_key(self._number), epoch)
        await self._store.move_cursor(self._cursor(), entry.position)

    async def _give_up(self, entry: LogEntry, error: Exception, attempts: int) -> None:
        """A record that cannot be understood concerns one table only; the others go on."""
        await self._move(entry)
