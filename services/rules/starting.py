"""Matches begin when the lobby starts a table: its log says so, and the match has the table's id.

Creating a match is idempotent, so an order that comes twice, or to two processes, makes one. Its
seed was committed to when the table opened, and the order names that commitment. An order that
cannot be carried out is refused, which is for good: the table then closes with the reason.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial

import msgspec

from services.rules.book import MatchBook
from services.rules.notices import (
    REFUSED,
    UNLISTED,
    MatchUnlisted,
    OrderRefused,
    notified,
    notify,
)
from services.rules.seeds import commit_to_seed, committed_seed
from shared.engine.acts import create
from shared.engine.errors import BadPayload, EngineError
from shared.engine.game import Game, installed
from shared.engine.match import Seat, stream_of
from shared.engine.record import open_record
from shared.platform.bus import Bus, Consumer, EpochChanged
from shared.platform.logging import get_logger
from shared.platform.store import Append, LogEntry, Store, VersionConflict
from shared.platform.telemetry import Metrics

OPENED, STARTED = "opened", "started"
"""The types of the lobby's records that ask for a seed, and order a match."""

UNEXPECTED = "rules failed to set the match up; its operator finds the cause in the log"

log = get_logger("starting")

ReadLog = Callable[[int, int], Awaitable[Sequence[LogEntry]]]


class Order(msgspec.Struct, frozen=True):
    """What the lobby's `started` record says: all terms of the match."""

    game: str
    edition: str
    options: dict[str, str]
    content: str
    seats: tuple[Seat, ...]
    entropy: tuple[str, ...]
    commitment: str = ""
    unlisted: bool = False


class MatchStarter:
    """Creates matches, ordered by the lobby."""

    def __init__(self, store: Store, book: MatchBook, games: Mapping[str, Game]) -> None:
        self._store = store
        self._book = book
        self._games = games

    async def prepare(self, match_id: str) -> None:
        """Commit to the seed of a match that may be ordered one day."""
        await commit_to_seed(self._store, match_id)

    async def start(self, match_id: str, order: Order) -> None:
        """Create a match unless it exists or was refused.

        Raises `NotInstalled`, or `BadOption` for terms that the game does not accept, and for a
        commitment that is not the one to the seed kept here.
        """
        if await notified(self._store, REFUSED, match_id):
            return
        game = installed(self._games, order.game, order.edition)
        seed = await committed_seed(self._store, match_id, order.commitment)
        setting_up = partial(
            create, game, match_id, order.seats, order.options, order.content, seed, order.entropy,
            at=int(time.time() * 1000),
        )  # fmt: skip
        # Content of its own takes long to read, and other matches are being played.
        made = await asyncio.to_thread(setting_up) if order.content else setting_up()
        if order.unlisted:
            # Before the match is there, so that no list ever shows it.
            await notify(self._store, UNLISTED, match_id, MatchUnlisted())
        steps = await self._book.closing(made)
        records = tuple(step.record for step in steps)
        try:
            await self._store.append(Append(stream_of(match_id), 0, records))
        except VersionConflict:
            return
        self._book.adopt(steps[-1].match)
        log.info("match created", match=match_id, game=game.id, players=len(order.seats))

    async def refuse(self, match_id: str, reason: str) -> None:
        """Say that there will be no match, in words for the people at the table.

        Not if there is one: an order that comes again may meet a release that lacks its edition.
        """
        if await self._store.load(stream_of(match_id), limit=1):
            return
        if await notify(self._store, REFUSED, match_id, OrderRefused(reason)):
            log.error("no match for a started table", table=match_id, reason=reason)


class LobbyFollower:
    """Follows the lobby's log. Should the lobby begin a new log, it is read from its start.

    The logs that were followed are numbered, and their names kept in the store.
    """

    def __init__(
        self,
        starter: MatchStarter,
        store: Store,
        bus: Bus,
        read_log: ReadLog,
        attempts: int,
        metrics: Metrics,
    ) -> None:
        self._starter = starter
        self._store = store
        self._bus = bus
        self._read_log = read_log
        self._attempts = attempts
        self._metrics = metrics
        self._number = 0
        self._epoch = ""
        self._consumer: Consumer | None = None

    async def run(self) -> None:
        """Follow until cancelled."""
        while known := await self._store.get_private(_epoch_key(self._number)):
            self._epoch = known.decode()
            self._number += 1
        while True:
            try:
                await self._follow()
            except EpochChanged as change:
                log.warning("the lobby has begun a new log; reading it from its start")
                await self._note_epoch(change.heard)

    async def _follow(self) -> None:
        self._consumer = Consumer(
            self._bus,
            name="rules-lobby",
            service="lobby",
            handler=self._handle,
            checkpoint=lambda: self._store.cursor(_cursor(self._number)),
            read_log=self._read_log,
            dead_letter=self._put_aside,
            epoch=self._epoch,
            attempts=self._attempts,
            metrics=self._metrics,
        )
        await self._consumer.run()

    async def _handle(self, entry: LogEntry) -> None:
        table_id = entry.stream.removeprefix("table-")
        if entry.type == OPENED:
            await self._starter.prepare(table_id)
        elif entry.type == STARTED:
            try:
                await self._starter.start(table_id, order_in(entry.body))
            except EngineError as error:
                await self._starter.refuse(table_id, str(error))
        await self._move(entry.position)

    async def _put_aside(self, entry: LogEntry, error: Exception, attempts: int) -> None:
        """A table that cannot be played concerns nobody else; the next ones can."""
        if entry.type == STARTED:
            table_id = entry.stream.removeprefix("table-")
            await self._starter.refuse(table_id, UNEXPECTED)
        note = {"stream": entry.stream, "version": entry.version, "error": str(error)}
        await self._store.put_private(
            f"dead-letter/lobby/{self._number}/{entry.position}", msgspec.json.encode(note)
        )
        await self._move(entry.position)

    async def _move(self, position: int) -> None:
        assert self._consumer is not None
        if self._consumer.epoch and not self._epoch:
            await self._note_epoch(self._consumer.epoch)
        await self._store.move_cursor(_cursor(self._number), position)

    async def _note_epoch(self, epoch: str) -> None:
        """Give a log the next number."""
        await self._store.put_private(_epoch_key(self._number), epoch.encode())
        self._epoch = epoch
        self._number += 1


def order_in(body: bytes) -> Order:
    """The terms in a `started` record. Raises `BadPayload`."""
    facts = open_record(body).facts
    try:
        return msgspec.json.decode(facts, type=list[Order])[0]
    except (msgspec.MsgspecError, IndexError) as error:
        raise BadPayload(f"this is no order for a match: {error}") from error


def _epoch_key(number: int) -> str:
    return f"lobby-epoch/{number}"


def _cursor(number: int) -> str:
    return f"lobby-log/{number}"
