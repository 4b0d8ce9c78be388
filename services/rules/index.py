"""The match index: which matches there are and whom they wait on, kept in tables of its own.

It follows this service's log by position and may lag behind it. Nothing is decided by it: losing
it costs a rebuild. Several processes may write it, because a newer version always wins.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from sqlalchemy import (
    URL,
    Connection,
    Engine,
    Select,
    create_engine,
    delete,
    event,
    exists,
    make_url,
    not_,
    or_,
    select,
    tuple_,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from services.rules.rights import PLAYER
from services.rules.summary import Summary
from services.rules.tables import matches, metadata, progress, seats, unlisted
from shared.engine.data import decode, encode
from shared.platform.store.migrate import alone
from shared.platform.store.opening import opening
from shared.platform.store.postgres import manners
from shared.platform.store.wal import BUSY_SECONDS

POOL = 2


class Wanted(NamedTuple):
    """Which matches a list shows, newest change first; `after` is where the page before ended.

    `viewer` is who looks: of unlisted matches nobody sees others than their own.
    """

    viewer: str
    mine: bool = False
    game: str = ""
    over: bool | None = None
    after: tuple[int, str] | None = None
    limit: int = 50


class MatchIndex:
    """The tables, from any task."""

    def __init__(self, url: str) -> None:
        self._address = make_url(url)
        self._engine = _engine(self._address)
        self._threads = ThreadPoolExecutor(POOL, thread_name_prefix="match-index")

    async def open(self) -> None:
        """Make the tables if they are not there. Raises `CannotOpen`."""
        with opening(self._address):
            await self._run(_make)

    async def close(self) -> None:
        """Let go of the database."""
        await asyncio.to_thread(self._threads.shutdown)
        self._engine.dispose()

    async def position(self) -> int:
        """The position of the log up to which the index is right."""
        return int(await self._run(_position))

    async def write(
        self,
        changed: Collection[Summary],
        born: Collection[Summary],
        hidden: Collection[str],
        position: int,
    ) -> None:
        """Put down how matches stand, new and hidden ones, the log known up to a position."""
        rising = sorted(changed, key=lambda one: one.match)
        await self._run(_write, rising, born, sorted(hidden), position)

    async def forget(self) -> None:
        """Empty the index; what follows the log then fills it from the start."""
        await self._run(_forget)

    async def find(self, match_ids: Iterable[str]) -> list[Summary]:
        """Those of the matches that are in the index."""
        return await self._summaries(
            select(matches.c.summary).where(matches.c.match.in_(list(match_ids)))
        )

    async def page(self, wanted: Wanted) -> list[Summary]:
        """One page of matches."""
        query = select(matches.c.summary)
        if wanted.mine:
            query = query.join(seats, seats.c.match == matches.c.match)
            query = query.where(seats.c.account == wanted.viewer)
        else:
            hidden = exists().where(unlisted.c.match == matches.c.match)
            theirs = exists().where(
                seats.c.match == matches.c.match, seats.c.account == wanted.viewer
            )
            query = query.where(or_(not_(hidden), theirs))
        if wanted.game:
            query = query.where(matches.c.game == wanted.game)
        if wanted.over is not None:
            query = query.where(matches.c.over.is_(wanted.over))
        if wanted.after is not None:
            query = query.where(tuple_(matches.c.changed_at, matches.c.match) < wanted.after)
        query = query.order_by(matches.c.changed_at.desc(), matches.c.match.desc())
        return await self._summaries(query.limit(wanted.limit))

    async def running_of(self, account: str) -> list[Summary]:
        """The running matches in which a person has a seat."""
        query = select(matches.c.summary).join(seats, seats.c.match == matches.c.match)
        return await self._summaries(
            query.where(seats.c.account == account, matches.c.over.is_(False))
        )

    async def asking_bots(self) -> list[Summary]:
        """The matches that wait on a bot."""
        return await self._summaries(select(matches.c.summary).where(matches.c.asks_bots))

    async def _summaries(self, query: Select[tuple[bytes]]) -> list[Summary]:
        rows = await self._run(lambda connection: connection.execute(query).scalars().all())
        return [decode(bytes(row), Summary) for row in rows]

    async def _run(self, work: Any, *arguments: Any) -> Any:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._in_transaction, work, arguments)

    def _in_transaction(self, work: Any, arguments: tuple[Any, ...]) -> Any:
        with self._engine.begin() as connection:
            return work(connection, *arguments)


def _engine(url: URL) -> Engine:
    """Connections that do not wait for the disk: what is lost is read from the log again."""
    if url.get_backend_name() == "sqlite":
        engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS})
        # Only the store's own connection may write the file's pages back.
        settings = ("PRAGMA synchronous = NORMAL", "PRAGMA wal_autocheckpoint = 0")
    else:
        engine = create_engine(
            url.set(drivername="postgresql+psycopg"), pool_size=POOL, pool_pre_ping=True,
            connect_args=manners(url.query),
        )  # fmt: skip
        settings = ("SET synchronous_commit = off", "SET statement_timeout = '30s'")

    def prepare(connection: Any, _: object) -> None:
        cursor = connection.cursor()
        for setting in settings:
            cursor.execute(setting)
        cursor.close()
        connection.commit()

    event.listen(engine, "connect", prepare)
    return engine


def _make(connection: Connection) -> None:
    alone(connection)
    metadata.create_all(connection)
    if connection.execute(select(progress.c.id)).first() is None:
        connection.execute(_insert(connection, progress).values(id=1, position=0))


def _position(connection: Connection) -> int:
    return int(connection.execute(select(progress.c.position)).scalar_one())


def _forget(connection: Connection) -> None:
    for table in (matches, seats, unlisted):
        connection.execute(delete(table))
    connection.execute(update(progress).values(position=0))


def _write(
    connection: Connection,
    changed: Sequence[Summary],
    born: Collection[Summary],
    hidden: Sequence[str],
    position: int,
) -> None:
    """One transaction, in the order of ids so that two processes cannot block each other."""
    rows = [_row(one) for one in changed]
    if rows:
        put = _insert(connection, matches)
        new = put.excluded
        put = put.on_conflict_do_update(
            index_elements=[matches.c.match],
            set_={name: new[name] for name in rows[0] if name not in ("match", "game")},
            where=matches.c.version < new.version,
        )
        connection.execute(put, rows)
    if hidden:
        connection.execute(
            _insert(connection, unlisted).on_conflict_do_nothing(),
            [{"match": match} for match in hidden],
        )
    sitting = {
        (one.match, seat.account) for one in born for seat in one.seats if seat.kind == PLAYER
    }
    if sitting:
        connection.execute(
            _insert(connection, seats).on_conflict_do_nothing(),
            [{"match": match, "account": account} for match, account in sorted(sitting)],
        )
    connection.execute(
        update(progress).where(progress.c.position < position).values(position=position)
    )


def _row(one: Summary) -> dict[str, Any]:
    return {
        "match": one.match,
        "game": one.game,
        "changed_at": one.changed_at,
        "version": one.version,
        "over": one.over,
        "asks_bots": one.asks_bots,
        "summary": encode(one),
    }


def _insert(connection: Connection, table: Any) -> Any:
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    return dialect.insert(table)
