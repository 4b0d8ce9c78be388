"""The tables as the lobby's log gives them: read at the start, followed, brought up to date."""

from __future__ import annotations

import asyncio

from grpc import StatusCode

from services.lobby.directory import Directory
from services.lobby.table import Table, follow, stream_of, unopened
from shared.engine.errors import BadPayload, BadRecord
from shared.engine.record import record_hash
from shared.platform.logging import get_logger
from shared.platform.rpc.errors import Refusal
from shared.platform.store import LogEntry, Store, StoreUnavailable, VersionConflict

FOLLOW_SECONDS = 1.0
PAGE = 500

log = get_logger("lobby")


class Damaged(Refusal):
    """A table whose log was altered or lost a part. It is not touched any more."""

    code = StatusCode.DATA_LOSS


class TableKeeper:
    """Keeps a directory as new as the log. Run `follow` beside it: other processes append too."""

    def __init__(self, store: Store, directory: Directory) -> None:
        self._store = store
        self._directory = directory
        self._position = 0

    async def follow(self) -> None:
        """Take note of what is appended, here or by another process, until cancelled.

        A database that is away comes back: nobody at the tables has to be sent away for it.
        """
        while True:
            try:
                await self._store.positions_after(self._position, FOLLOW_SECONDS)
                await self.take_page()
            except StoreUnavailable as error:
                log.warning("cannot read the log; trying again", reason=str(error))
                await asyncio.sleep(FOLLOW_SECONDS)

    async def take_page(self) -> bool:
        """Read on in the log; whether there was more. A table is seen as its newest record says."""
        entries = await self._store.read_log(self._position, PAGE)
        changed: dict[str, Table] = {}
        for entry in entries:
            table_id = entry.stream.removeprefix("table-")
            known = changed.get(table_id) or self._directory.find(table_id) or unopened(table_id)
            after = _followed(known, entry) if entry.version > known.version else known
            if after is not known:
                changed[table_id] = after
            self._position = entry.position
        for table in changed.values():
            self._directory.put(table)
        return bool(entries)

    async def find(self, table_id: str) -> Table:
        """The table, which another process may have opened just now; at version 0 if nobody has.

        Raises `Damaged`.
        """
        return self._directory.find(table_id) or await self.renewed(unopened(table_id))

    async def renewed(self, table: Table) -> Table:
        """A table brought up to date from the store. Raises `Damaged`."""
        try:
            for stored in await self._store.load(stream_of(table.id), table.version):
                table = _checked(table, stored.version, stored.body, stored.hash)
        except (BadRecord, BadPayload) as error:
            log.error("the log of a table is damaged", table=table.id, problem=str(error))
            raise Damaged(
                "LOG_DAMAGED",
                f"the log of table {table.id} does not hold together any more: {error}. "
                "Nothing was changed; tell the operator",
            ) from error
        if table.version:
            self._directory.put(table)
        return table

    async def catch_up(self, table: Table, conflict: VersionConflict) -> None:
        """Load what another process appended to a table, if it is more than we know."""
        if conflict.actual <= table.version:
            raise conflict
        await self.renewed(table)


def _followed(table: Table, entry: LogEntry) -> Table:
    """The table after an entry; a damaged one is left out, and so is what follows it."""
    try:
        return _checked(table, entry.version, entry.body, entry.hash)
    except (BadRecord, BadPayload) as error:
        log.error("the log of a table is damaged", table=table.id, problem=str(error))
        return table


def _checked(table: Table, version: int, body: bytes, hash_: str) -> Table:
    """The table after a record whose bytes are as they were sealed. Raises `BadRecord`."""
    if record_hash(body) != hash_:
        raise BadRecord(version, "its bytes do not give its hash: it was altered")
    return follow(table, body, hash_)
