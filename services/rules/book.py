"""The book of matches: those in play are kept in memory, the others are opened from the log.

The log is the truth. A match in memory is always a version that the log has; whether the log has
gone on without us is found out by the append, which names the version it follows.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from grpc import StatusCode

from services.rules.happened import Happened, follow_as, happened_then
from services.rules.live import Live
from shared.engine.acts import Made, close, state_hash
from shared.engine.chance import seed_commitment
from shared.engine.data import replace
from shared.engine.errors import BadPayload, BadRecord, NotInstalled
from shared.engine.game import Game
from shared.engine.match import Match, stream_of
from shared.engine.record import Record, Secret, check_chain, open_record, record_hash
from shared.engine.replay import restore
from shared.platform.logging import get_logger
from shared.platform.rpc.errors import NotFound, Refusal
from shared.platform.store import Append, Store, Stored, StoreUnavailable, VersionConflict

log = get_logger("matches")

OPENED_HERE = 40
"""A log with more records is opened on another thread, so that nobody waits for it."""


class LogDamaged(Refusal):
    """What lies in the database is not what was written: the match does not go on."""

    code = StatusCode.DATA_LOSS

    def __init__(self, match_id: str, error: Exception) -> None:
        super().__init__(
            "LOG_DAMAGED",
            f"the stored log of match {match_id} does not hold together: {error}; nothing was "
            "changed, and the match stays closed until its records are restored from a backup",
            match_id=match_id,
        )


class MatchBook:
    """All matches of this service; at most `capacity` in memory, besides those in use."""

    def __init__(self, store: Store, games: Mapping[str, Game], capacity: int) -> None:
        self._store = store
        self._games = games
        self._capacity = capacity
        self._live: dict[str, Live] = {}
        self._opening: dict[str, asyncio.Task[Live]] = {}
        self._catching_up: dict[str, asyncio.Task[None]] = {}

    def __len__(self) -> int:
        return len(self._live)

    def cached(self, match_id: str) -> Live | None:
        """The match if it lies in memory."""
        return self._live.get(match_id)

    async def open(self, match_id: str) -> Live:
        """The match. Raises `NotFound`, `LogDamaged` or the engine's `NotInstalled`."""
        live = self._live.pop(match_id, None)
        if live is not None:
            self._live[match_id] = live  # the end of the line is the last to be put away
            return live
        opening = self._opening.get(match_id)
        if opening is None:
            opening = asyncio.create_task(self._open(match_id))
            self._opening[match_id] = opening
            opening.add_done_callback(lambda _: self._opening.pop(match_id, None))
        return await asyncio.shield(opening)

    async def current(self, match_id: str) -> Live:
        """The match, with whatever is known to have happened elsewhere."""
        live = await self.open(match_id)
        if live.behind:
            async with live.lock:
                await self.catch_up(live)
        return live

    def adopt(self, match: Match) -> None:
        """Keep a match in memory that was just created here."""
        if match.id not in self._live:
            self._keep(Live(match))

    def heard(self, match_id: str, version: int) -> None:
        """A match is said to have reached a version. If we did not bring it there, look."""
        live = self._live.get(match_id)
        if live is None or version <= live.match.version:
            return
        live.behind = True
        if live.watched and match_id not in self._catching_up:
            task = asyncio.create_task(self._catch_up_soon(live))
            self._catching_up[match_id] = task
            task.add_done_callback(lambda _: self._catching_up.pop(match_id, None))

    async def _catch_up_soon(self, live: Live) -> None:
        """For those who watch: they wait for nobody's call."""
        try:
            async with live.lock:
                if live.behind:
                    await self.catch_up(live)
        except (StoreUnavailable, LogDamaged) as error:
            log.warning("cannot read on; will hear of it again", reason=str(error))

    async def catch_up(self, live: Live) -> bool:
        """Read what the log has beyond a match; whether there was anything. Needs its lock."""
        match = live.match
        stream = stream_of(match.id)
        stored = await self._store.load(stream, match.version)
        if stored:
            secrets = await self._store.secrets(stream, match.version)
            steps = _steps(match, stored, secrets)
            for step in steps:
                match = follow_as(None, match, step)
            live.advance_read(match, steps)
        live.behind = False
        return bool(stored)

    async def seen_by(self, live: Live, viewer: int) -> Match:
        """The match as its log looks to a viewer, at the version at which it stands."""
        seen = live.seen_by(viewer)
        if seen is not None:
            return seen
        async with live.lock:
            version = live.match.version
            stream = stream_of(live.match.id)
            stored = await self._store.load(stream, 0, version)
            secrets = await self._store.secrets(stream, 0, version)
            with _proving(live.match.id):
                seen = await _aside(len(stored), self._restore, stored, secrets, b"", viewer)
            live.keep_seen(viewer, replace(seen, content=live.match.content))
        found = live.seen_by(viewer)
        assert found is not None
        return found

    async def steps(self, match: Match, after: int, limit: int) -> list[Happened]:
        """Some records of a match from the log, in full."""
        stream = stream_of(match.id)
        stored = await self._store.load(stream, after, limit)
        if not stored:
            return []
        secrets = await self._store.secrets(stream, after, stored[-1].version)
        return _steps(match, stored, secrets)

    async def closing(self, made: Made) -> tuple[Made, ...]:
        """What was decided, with the closing record behind it if the match ended by it."""
        match = made.match
        if match.ended is None:
            return (made,)
        secrets = await self._store.secrets(stream_of(match.id), 0, made.record.version - 1)
        secrets[made.record.version] = made.record.secrets
        at = open_record(made.record.body).at
        return (made, close(match, secrets, at))

    # -- opening from the log --------------------------------------------------------------

    async def _open(self, match_id: str) -> Live:
        stream = stream_of(match_id)
        while True:
            stored = await self._store.load(stream)
            if not stored:
                raise NotFound("MATCH_NOT_FOUND", f"there is no match {match_id!r}")
            secrets = await self._store.secrets(stream, 0, stored[-1].version)
            seed = await self._store.get_private(seed_key(match_id)) or b""
            try:
                with _proving(match_id):
                    match = await _aside(len(stored), self._prove, stored, secrets, seed)
            except NotInstalled as error:
                log.error("match of another installation", match=match_id, reason=str(error))
                raise
            if match.ended is None or match.closed is not None:
                return self._keep(Live(match))
            await self._close(match, secrets, open_record(stored[-1].body).at)

    def _prove(
        self, stored: Sequence[Stored], secrets: Mapping[int, tuple[Secret, ...]], seed: bytes
    ) -> Match:
        """The match that a log gives, once every byte of it has been checked."""
        check_chain((one.body, one.hash) for one in stored)
        records = [open_record(one.body) for one in stored]
        for record in records:
            _check_hidden(record, secrets)
        match = self._restore(stored, secrets, seed, None)
        if seed_commitment(seed) != match.created.commitment:
            raise BadRecord(1, "the seed kept for it is not the one it committed to")
        if state_hash(match.seed, match.state) != records[-1].state:
            raise BadRecord(records[-1].version, "its facts fold to another position")
        return match

    def _restore(
        self,
        stored: Sequence[Stored],
        secrets: Mapping[int, tuple[Secret, ...]],
        seed: bytes,
        viewer: int | None,
    ) -> Match:
        entries = ((one.body, one.hash) for one in stored)
        return restore(self._games, entries, secrets, seed, viewer)

    async def _close(
        self, match: Match, secrets: Mapping[int, tuple[Secret, ...]], at: int
    ) -> None:
        """Close a match that ended without being closed."""
        made = close(match, secrets, at)
        log.warning("closing a match that ended earlier", match=match.id, version=match.version)
        try:
            await self._store.append(Append(stream_of(match.id), match.version, (made.record,)))
        except VersionConflict:
            log.info("another process closed it", match=match.id)

    def _keep(self, live: Live) -> Live:
        self._live[live.match.id] = live
        if len(self._live) > self._capacity:
            self._put_away()
        return live

    def _put_away(self) -> None:
        """Forget the match that was not asked for the longest and is not in use."""
        for match_id, live in self._live.items():
            if not live.in_use:
                del self._live[match_id]
                return


def seed_key(match_id: str) -> str:
    """Where the server's seed of a match is kept."""
    return f"seed/{match_id}"


async def _aside(records: int, work: Callable[..., Match], *arguments: Any) -> Match:
    """Make a match of a log: here if the log is short, else on another thread."""
    if records <= OPENED_HERE:
        return work(*arguments)
    return await asyncio.to_thread(work, *arguments)


def _steps(
    match: Match, stored: Sequence[Stored], secrets: Mapping[int, tuple[Secret, ...]]
) -> list[Happened]:
    """What stored records say, if they are as they were written. Raises `LogDamaged`."""
    with _proving(match.id):
        for one in stored:
            if record_hash(one.body) != one.hash:
                raise BadRecord(one.version, "its bytes do not give its hash: it was altered")
        steps = [happened_then(match.game, one, secrets.get(one.version, ())) for one in stored]
        for step in steps:
            _check_hidden(step.record, secrets)
        return steps


def _check_hidden(record: Record, secrets: Mapping[int, tuple[Secret, ...]]) -> None:
    """Raises `BadRecord` unless what is hidden in a record is what it committed to."""
    hidden = secrets.get(record.version, ())
    if tuple(secret.commitment() for secret in hidden) != record.secrets:
        raise BadRecord(record.version, "its hidden parts are not those it committed to")


@contextmanager
def _proving(match_id: str) -> Iterator[None]:
    """Whatever in the block turns out not to be what was written is told as `LogDamaged`."""
    try:
        yield
    except (BadRecord, BadPayload) as error:
        log.critical("match log damaged", match=match_id, reason=str(error))
        raise LogDamaged(match_id, error) from error
