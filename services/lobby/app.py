"""The lobby's work: a command is decided on the newest table, appended, and answered once."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Sequence
from weakref import WeakValueDictionary

from google.protobuf.message import Message

from services.lobby import decisions
from services.lobby.commands import Command, first_answer
from services.lobby.directory import Directory, Mode
from services.lobby.facts import (
    BOT_SEATED,
    CALLED,
    OPENED,
    SEATED,
    STARTED,
    SeatTaken,
    TableOpened,
)
from services.lobby.keeping import TableKeeper
from services.lobby.offer import Offer, Terms
from services.lobby.table import (
    GATHERING,
    OPEN,
    STARTING,
    SYSTEM,
    Step,
    Table,
    advance,
    stream_of,
    unopened,
)
from shared.platform.rpc.errors import (
    FailedPrecondition,
    TooMuch,
    Unavailable,
)
from shared.platform.store import (
    AlreadyDone,
    Append,
    Receipt,
    Store,
    VersionConflict,
)

ATTEMPTS = 16
"""How often a command is decided anew because another process changed the table meanwhile."""

START_SECONDS = 5.0
ID_LENGTH = 64
MAX_OPEN_TABLES = 100
"""Tables that one account may have open at a time."""

TOWARDS_PLAY = (SEATED, BOT_SEATED, CALLED, STARTED)
"""Records that make no sense at a table whose match cannot begin here."""

INVITATION_KEY = "invitation-key"

Decide = Callable[[Table], Sequence[Step]]
Answer = Callable[[Table], Message]


def now_ms() -> int:
    """The time in milliseconds since the Unix epoch."""
    return time.time_ns() // 1_000_000


class Lobby:
    """Tables over one store. Run `keeper.follow` beside it, so that other processes are heard."""

    def __init__(
        self,
        store: Store,
        offer: Offer,
        clock: Callable[[], int] = now_ms,
        start_seconds: float = START_SECONDS,
    ) -> None:
        self.offer = offer
        self.directory = Directory()
        self.keeper = TableKeeper(store, self.directory)
        self.clock = clock
        self._store = store
        self._start_seconds = start_seconds
        self._invitation_key = b""
        self._locks: WeakValueDictionary[object, asyncio.Lock] = WeakValueDictionary()

    async def load(self) -> None:
        """Fold the whole log; must be done before anything else."""
        key = secrets.token_bytes(32)
        self._invitation_key = await self._store.put_private(INVITATION_KEY, key)
        while await self.keeper.take_page():
            pass

    # -- seeing ----------------------------------------------------------------------------

    async def see(self, account: str, table_id: str, code: str = "") -> Table:
        """A table that the account may know of. Raises `NotFound`."""
        if not 0 < len(table_id) <= ID_LENGTH or not table_id.isprintable():
            raise decisions.no_such_table(table_id)
        table = await self.keeper.find(table_id)
        if not table.version or not decisions.visible(table, account, code, self.clock()):
            raise decisions.no_such_table(table_id)
        return table

    # -- changing --------------------------------------------------------------------------

    async def open_table(
        self, command: Command, terms: Terms, steps: Sequence[Step], unlisted: bool, answer: Answer
    ) -> bytes:
        """A new table with a caller-made plan of its seats."""
        first = await self._first_answer(command)
        if first is not None:
            return first
        mine = (t for t in self.directory.tables_of(command.account) if t.owner == command.account)
        if sum(table.status == OPEN for table in mine) >= MAX_OPEN_TABLES:
            raise TooMuch(
                "TOO_MANY_TABLES", f"close one of your {MAX_OPEN_TABLES} open tables first", 60.0
            )
        opened = opening(terms, command.account, unlisted)
        plan = Step(opened.type, (*opened.facts, *(fact for s in steps for fact in s.facts)))
        table = unopened(secrets.token_hex(8))
        return await self._append(command, table, (plan,), answer)

    async def change(
        self, command: Command, table_id: str, decide: Decide, answer: Answer, code: str = ""
    ) -> bytes:
        """Carry out a command at a table, once; the serialized answer."""
        async with self._lock(table_id):
            for _ in range(ATTEMPTS):
                first = await self._first_answer(command)
                if first is not None:
                    return first
                table = await self.see(command.account, table_id, code)
                try:
                    return await self._append(command, table, decide(table), answer)
                except VersionConflict as conflict:
                    await self.keeper.catch_up(table, conflict)
        raise _too_busy(table_id)

    async def quick_match(self, command: Command, terms: Terms, answer: Answer) -> bytes:
        """Sit down at the open quick table of a mode, or open the next one.

        A mode has one open quick table at most: the id of the n-th follows from n, so two
        processes that open it at once collide, and the loser joins. That is what makes it
        impossible to wait twice for the same mode, or to meet oneself.
        """
        mode = (terms.game.id, terms.players)
        async with self._lock(mode):
            for _ in range(ATTEMPTS):
                first = await self._first_answer(command)
                if first is not None:
                    return first
                table = self.directory.newest_quick(mode)
                if table is None or not self._takes_more(table):
                    number = table.quick + 1 if table is not None else 1
                    table = unopened(self._quick_id(mode, number))
                    steps = self._quick_opening(terms, number, command.account)
                else:
                    steps = self._quick_join(table, command.account)
                try:
                    return await self._append(command, table, steps, answer)
                except VersionConflict as conflict:
                    await self.keeper.catch_up(table, conflict)
        raise _too_busy(f"for {terms.game.title}")

    def _takes_more(self, table: Table) -> bool:
        return table.status == OPEN and self.offer.plays(table.game, table.edition)

    def _quick_id(self, mode: Mode, number: int) -> str:
        text = f"{self._store.epoch}/{mode[0]}/{mode[1]}/{number}"
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def _quick_opening(self, terms: Terms, number: int, account: str) -> Sequence[Step]:
        opened = opening(terms, "", False, number)
        return (Step(OPENED, (*opened.facts, SeatTaken(0, account, account))),)

    def _quick_join(self, table: Table, account: str) -> Sequence[Step]:
        if table.seat_of(account) is not None:
            raise FailedPrecondition(
                "ALREADY_QUEUED", "you wait for such a match already", table_id=table.id
            )
        return decisions.join(table, account, None, "", self.clock())

    async def wait_until_committed(self, table_id: str) -> None:
        """Give rules a few seconds to commit to the seed of a table that has just opened."""
        await self.directory.until(
            table_id, lambda t: bool(t.commitment) or t.status != OPEN, self._start_seconds / 2
        )

    async def wait_until_playing(self, table_id: str) -> Table | None:
        """The table once rules has set its match up, or as it stands after a few seconds."""
        return await self.directory.until(
            table_id, lambda t: t.status not in (GATHERING, STARTING), self._start_seconds
        )

    def invitation_code(self, command: Command) -> str:
        """The code that an invitation command makes: the same on every retry, kept nowhere."""
        text = f"{command.account}\n{command.id}\n{command.request_hash}".encode()
        return hmac.digest(self._invitation_key, text, "sha256")[:20].hex()

    async def note(self, table_id: str, decide: Decide) -> None:
        """Append what rules reported, or time brought, if a table of that id waits for it."""
        async with self._lock(table_id):
            for _ in range(ATTEMPTS):
                table = await self.keeper.find(table_id)
                steps = decide(table) if table.version else ()
                if not steps:
                    return
                after, sealed = advance(table, steps, SYSTEM, self.clock())
                try:
                    await self._store.append(Append(stream_of(table.id), table.version, sealed))
                    self.directory.put(after)
                    return
                except VersionConflict as conflict:
                    await self.keeper.catch_up(table, conflict)
        raise _too_busy(table_id)

    async def _append(
        self, command: Command, table: Table, steps: Sequence[Step], answer: Answer
    ) -> bytes:
        """Write the steps with the command's receipt; the answer, or the first one if repeated."""
        if table.version and any(step.type in TOWARDS_PLAY for step in steps):
            self.offer.must_play(table.game, table.edition)
        after, sealed = advance(table, steps, command.account, self.clock())
        response = answer(after).SerializeToString(deterministic=True)
        receipt = Receipt(
            command.account, command.id, command.request_hash, stream_of(table.id), response
        )
        try:
            await self._store.append(Append(stream_of(table.id), table.version, sealed, receipt))
        except AlreadyDone as done:
            return first_answer(command, done.receipt)
        self.directory.put(after)
        return response

    async def _first_answer(self, command: Command) -> bytes | None:
        receipt = await self._store.receipt(command.account, command.id)
        return None if receipt is None else first_answer(command, receipt)

    def _lock(self, key: object) -> asyncio.Lock:
        """One command at a time per table in this process; between processes the store decides."""
        lock = self._locks.get(key)
        if lock is None:
            lock = self._locks[key] = asyncio.Lock()
        return lock


def opening(terms: Terms, owner: str, unlisted: bool, quick: int = 0) -> Step:
    """The first record of a table, before anybody sits down."""
    fact = TableOpened(
        terms.game.id, terms.game.edition, terms.players, terms.options, terms.content,
        terms.digest, owner, unlisted, quick,
    )  # fmt: skip
    return Step(OPENED, (fact,))


def _too_busy(table_id: str) -> Unavailable:
    return Unavailable(
        "TABLE_BUSY", f"table {table_id} changes too fast: repeat the call as it is", 0.5
    )
