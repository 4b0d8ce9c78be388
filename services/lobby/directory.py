"""Tables in memory, folded from the lobby's log, and who wants to hear of their changes.

Those that are over change no more. The newest of them are kept, so that memory has an end; the
others are in the log, where they are found by their id.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from services.lobby.table import CLOSED, FINISHED, GATHERING, OPEN, PLAYING, Table

KEPT_OVER = 10_000
"""Tables without a match, or whose match is over, that are kept: some 10 MB."""

Listener = Callable[[Table], None]
Mode = tuple[str, int]


class Directory:
    """The newest known version of every table that goes on, and of the last that are over."""

    def __init__(self) -> None:
        self._over: dict[str, None] = {}  # oldest first
        self._tables: dict[str, Table] = {}
        self._of_account: dict[str, set[str]] = defaultdict(set)
        self._in_status: dict[str, set[str]] = {OPEN: set(), GATHERING: set(), PLAYING: set()}
        self._newest_quick: dict[Mode, Table] = {}
        self._listeners: set[Listener] = set()

    def find(self, table_id: str) -> Table | None:
        """The table of that id."""
        return self._tables.get(table_id)

    def put(self, table: Table) -> None:
        """Take note of a table; an older version than the known one is no news."""
        before = self._tables.get(table.id)
        if before is not None and before.version >= table.version:
            return
        self._tables[table.id] = table
        self._index(before, table)
        for listener in tuple(self._listeners):
            listener(table)
        if table.status in (CLOSED, FINISHED):
            self._over[table.id] = None
            if len(self._over) > KEPT_OVER:
                self._forget(self._tables[next(iter(self._over))])

    def _forget(self, table: Table) -> None:
        del self._over[table.id], self._tables[table.id]
        for account in table.accounts():
            self._of_account[account].discard(table.id)
            if not self._of_account[account]:
                del self._of_account[account]

    def _index(self, before: Table | None, table: Table) -> None:
        gone = before.accounts() - table.accounts() if before is not None else ()
        for account in gone:
            self._of_account[account].discard(table.id)
        for account in table.accounts():
            self._of_account[account].add(table.id)
        for status, members in self._in_status.items():
            (members.add if table.status == status else members.discard)(table.id)
        newest = self._newest_quick.get(table.mode)
        if table.quick and (newest is None or table.quick >= newest.quick):
            self._newest_quick[table.mode] = table

    def newest_quick(self, mode: Mode) -> Table | None:
        """The quick table opened last for a mode: the only one of that mode that can be open."""
        return self._newest_quick.get(mode)

    def open_tables(self) -> Iterator[Table]:
        """Tables at which seats can change, unlisted ones too."""
        return self._those(self._in_status[OPEN])

    def waiting_tables(self) -> list[Table]:
        """Tables to which something may happen by time alone."""
        return [*self.open_tables(), *self._those(self._in_status[GATHERING])]

    def playing_tables(self) -> Iterator[Table]:
        """Tables whose match runs."""
        return self._those(self._in_status[PLAYING])

    def tables_of(self, account: str) -> Iterator[Table]:
        """Tables in memory that an account owns, sits at, or is awaited at."""
        return self._those(self._of_account.get(account, set()))

    def _those(self, ids: Iterable[str]) -> Iterator[Table]:
        return (self._tables[one] for one in ids)

    @contextmanager
    def hearing(self, listener: Listener) -> Iterator[None]:
        """Call the listener with every changed table inside the block; it must not wait."""
        self._listeners.add(listener)
        try:
            yield
        finally:
            self._listeners.discard(listener)

    async def until(
        self, table_id: str, reached: Callable[[Table], bool], seconds: float
    ) -> Table | None:
        """The table once that holds of it, or as it stands when the time is up."""
        there = asyncio.get_running_loop().create_future()

        def hear(table: Table) -> None:
            if table.id == table_id and reached(table) and not there.done():
                there.set_result(None)

        table = self.find(table_id)
        if table is not None and not reached(table):
            with self.hearing(hear):
                await asyncio.wait((there,), timeout=seconds)
        return self.find(table_id)
