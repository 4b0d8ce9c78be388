"""Whose turn it is: follows this service's log, keeps the match index, tells who watches turns.

Being behind every position of the log, it also hears of moves made by other processes.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable, Sequence

from msgspec import MsgspecError
from sqlalchemy.exc import SQLAlchemyError

from protos.tallystick.rules.v1.rules_pb2 import Turn, TurnSnapshot, WatchTurnsResponse
from services.rules.index import MatchIndex
from services.rules.notices import UNLISTED
from services.rules.rights import PLAYER
from services.rules.summary import Summary, first_summary, next_summary, undone_to
from shared.engine.errors import BadPayload
from shared.engine.match import CREATED, UNDO
from shared.engine.record import Record, open_record
from shared.platform.logging import get_logger
from shared.platform.rpc.streams import Beat, End, Mailbox, ended, heartbeat
from shared.platform.store import LogEntry, Store, StoreUnavailable

PAGE = 500
WRITE_SECONDS = 1.0
"""How far the tables may lag behind what is known here; whoever reads them has them written."""

BREATH_SECONDS = (0.02, 0.2)
"""Between two pages, so that many moves a second are taken up together: while somebody watches
turns, and while nobody does."""

IDLE_SECONDS = 5.0
RETRY_SECONDS = 1.0
WAITING = 4096
REMEMBERED = 20_000

log = get_logger("turns")

Box = Mailbox[Turn]
Heard = Callable[[str, int], None]


class Turns:
    """The follower of the log. `heard(match, version)` is told of each record."""

    def __init__(self, store: Store, index: MatchIndex, heard: Heard) -> None:
        self._store = store
        self._index = index
        self._heard = heard
        self._position = 0
        self._known: OrderedDict[str, Summary] = OrderedDict()
        self._unwritten = _Unwritten()
        self._writing = asyncio.Lock()
        self._of_account: dict[str, set[Box]] = {}
        self._of_bots: set[Box] = set()

    async def run(self) -> None:
        """Follow until cancelled; a database that is away comes back."""
        writer = asyncio.create_task(self._keep_writing(), name="match-index")
        try:
            self._position = await self._index.position()
            while True:
                try:
                    await self._follow()
                except (StoreUnavailable, SQLAlchemyError) as error:
                    log.warning("cannot read the log; trying again", reason=str(error))
                    await asyncio.sleep(RETRY_SECONDS)
        finally:
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)

    # -- following -------------------------------------------------------------------------

    async def _follow(self) -> None:
        while True:
            head = await self._store.positions_after(self._position, IDLE_SECONDS)
            if head > self._position:
                page = await self._store.read_log(self._position, PAGE)
                await self._take(page)
                if any(map(_match_of, page)):
                    await asyncio.sleep(self._breath())

    def _breath(self) -> float:
        watched, unwatched = BREATH_SECONDS
        return watched if self._of_bots or self._of_account else unwatched

    async def _take(self, page: Sequence[LogEntry]) -> None:
        await self._recall({_match_of(entry) for entry in page} - {""})
        for entry in page:
            match_id = _match_of(entry)
            if match_id:
                await self._take_step(match_id, entry)
            elif entry.type == UNLISTED:
                self._unwritten.hidden.add(entry.stream.partition("-")[2])
            self._position = entry.position
            if match_id:
                self._heard(match_id, entry.version)
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)

    async def _take_step(self, match_id: str, entry: LogEntry) -> None:
        """Note what a record changes. One that cannot be read concerns its own match only."""
        before = self._known.get(match_id)
        if before is not None and before.version >= entry.version:
            return
        if before is None and entry.type != CREATED:
            log.error("the log goes on with a match that has not begun", match=match_id)
            return
        try:
            after = await self._after(before, entry)
        except (BadPayload, MsgspecError) as error:
            log.error(
                "a record is damaged; the match is listed without it", match=match_id,
                version=entry.version, problem=str(error),
            )  # fmt: skip
            return
        self._known[match_id] = after
        self._unwritten.note(before, after)
        self._tell(before, after)

    async def _recall(self, match_ids: set[str]) -> None:
        """Have the summaries of these matches at hand.

        Another process may have written them ahead of us, so who watches here is told of them.
        """
        for match_id in match_ids & self._known.keys():
            self._known.move_to_end(match_id)
        missing = match_ids - self._known.keys()
        if missing:
            await self.flush()
            for summary in await self._index.find(missing):
                self._known[summary.match] = summary
                self._tell(None, summary)

    async def _after(self, before: Summary | None, entry: LogEntry) -> Summary:
        if before is None:
            return first_summary(entry)
        to = undone_to(open_record(entry.body))
        return next_summary(before, entry, await self._restored(entry.stream, to) if to else None)

    async def _restored(self, stream: str, version: int) -> Record:
        """The record whose position holds at a version: itself, unless it is an undo, too."""
        while True:
            (stored,) = await self._store.load(stream, version - 1, 1)
            record = open_record(stored.body)
            if record.type != UNDO:
                return record
            version = undone_to(record)

    # -- writing ---------------------------------------------------------------------------

    async def flush(self) -> None:
        """Bring the tables up to what is known here."""
        async with self._writing:
            batch, position = self._unwritten, self._position
            if position == batch.since:
                return
            self._unwritten = _Unwritten(position)
            try:
                changed = batch.changed.values()
                await self._index.write(changed, batch.born, batch.hidden, position)
            except BaseException:
                self._unwritten = batch.and_then(self._unwritten)
                raise

    async def _keep_writing(self) -> None:
        while True:
            await asyncio.sleep(WRITE_SECONDS)
            try:
                await self.flush()
            except SQLAlchemyError as error:
                log.warning("cannot write the match index; trying again", reason=str(error))
                await asyncio.sleep(RETRY_SECONDS)

    # -- telling ---------------------------------------------------------------------------

    def _tell(self, before: Summary | None, after: Summary) -> None:
        """Tell whoever plays a seat when what it is asked has changed."""
        for seat, sits in enumerate(after.seats):
            kept, theirs = after.kept(seat), self._of_account.get(sits.account, set())
            boxes = self._of_bots if kept else theirs
            if not boxes and not theirs:
                continue
            asked = after.asks(seat)
            if kept and before is not None and not before.kept(seat):
                self._put(theirs, _turn(after, seat, ()))
            elif before is not None and asked == before.asks(seat) and not after.over:
                continue
            self._put(boxes, _turn(after, seat, asked))

    @staticmethod
    def _put(boxes: Iterable[Box], turn: Turn) -> None:
        for box in tuple(boxes):
            box.put(turn)

    async def watch(
        self, account: str, bots: bool, beat: float
    ) -> AsyncIterator[WatchTurnsResponse]:
        """All matches that wait on an account (or on a bot), then each change."""
        box: Box = Mailbox(WAITING)
        boxes = self._of_bots if bots else self._of_account.setdefault(account, set())
        boxes.add(box)
        try:
            snapshot = await self._snapshot(account, bots)
            yield WatchTurnsResponse(snapshot=TurnSnapshot(turns=snapshot))
            told = {turn.match_id: turn.version for turn in snapshot}
            async for step in box.steps(beat):
                match step:
                    case Beat():
                        yield WatchTurnsResponse(heartbeat=heartbeat(self._position))
                    case End(reason):
                        yield WatchTurnsResponse(ended=ended(reason, 0))
                    case turn:
                        if turn.version > told.get(turn.match_id, 0):
                            yield WatchTurnsResponse(changed=turn)
        finally:
            boxes.discard(box)
            if not boxes and not bots:
                self._of_account.pop(account, None)

    async def _snapshot(self, account: str, bots: bool) -> list[Turn]:
        await self.flush()
        found = await (self._index.asking_bots() if bots else self._index.running_of(account))
        return [
            _turn(summary, seat, summary.asks(seat))
            for summary in found
            for seat in summary.waiting_on()
            if summary.kept(seat) == bots and (bots or summary.seats[seat].account == account)
        ]


def _match_of(entry: LogEntry) -> str:
    """The match that an entry brings further; empty for what is said of a table beside it."""
    kind, _, match_id = entry.stream.partition("-")
    return match_id if kind == "match" else ""


class _Unwritten:
    """What is known beyond a position and not in the tables yet."""

    def __init__(self, since: int = 0) -> None:
        self.since = since
        self.changed: dict[str, Summary] = {}
        self.born: list[Summary] = []
        self.hidden: set[str] = set()

    def note(self, before: Summary | None, after: Summary) -> None:
        """A match is new or has changed."""
        self.changed[after.match] = after
        if before is None:
            self.born.append(after)

    def and_then(self, later: _Unwritten) -> _Unwritten:
        """This, and what came after it."""
        self.changed.update(later.changed)
        self.born += later.born
        self.hidden |= later.hidden
        return self


def _turn(summary: Summary, seat: int, asked: Sequence[str]) -> Turn:
    kind = summary.seats[seat].kind
    return Turn(
        match_id=summary.match,
        game=summary.game,
        version=summary.version,
        seat=seat,
        decision_ids=asked,
        bot="" if kind == PLAYER else kind,
        over=summary.over,
    )
