"""The RPCs of rules: read the request, ask who may, hand over, answer."""

from __future__ import annotations

import base64
import binascii
import contextlib
import time
from collections.abc import AsyncIterator, Mapping
from typing import Any, Protocol, TypeVar

from google.protobuf.message import Message

from protos.tallystick.match.v1 import match_pb2
from protos.tallystick.rules.v1 import rules_pb2 as pb
from protos.tallystick.rules.v1.rules_pb2_grpc import RulesServiceServicer
from services.rules.acts import Decide, moving, request_hash, resigning, undoing
from services.rules.book import MatchBook
from services.rules.commands import Command, Commands
from services.rules.index import MatchIndex, Wanted
from services.rules.live import Live
from services.rules.render import decision_messages, record_message, stamp, view_message
from services.rules.rights import BOTS, PLAYER, rights
from services.rules.summary import Summary
from services.rules.turns import Turns
from services.rules.watching import watch
from shared.engine.errors import NotInstalled
from shared.engine.match import stream_of
from shared.engine.verify import export_lines
from shared.platform.rpc.call import caller
from shared.platform.rpc.errors import InvalidArgument, PermissionDenied
from shared.platform.rpc.policy import ACCOUNT, Policy
from shared.platform.rpc.streams import HEARTBEAT
from shared.platform.store import Store

RULES_POLICIES: Mapping[str, Policy] = {
    "GetView": ACCOUNT,
    "ListDecisions": ACCOUNT,
    "PlayMove": ACCOUNT,
    "UndoMove": ACCOUNT,
    "ResignMatch": ACCOUNT,
    "WatchMatch": ACCOUNT,
    "GetHistory": ACCOUNT,
    "ExportMatch": ACCOUNT,
    "ListMatches": ACCOUNT,
    "WatchTurns": ACCOUNT,
}

ID_LENGTH = 64
MOVE_LENGTH = 512
HISTORY_PAGE = (100, 500)
LIST_PAGE = (50, 200)
TIMESTAMP_DIGITS = 18
EXPORT_BYTES = 256_000
"""How much of an export goes into one message."""

M = TypeVar("M", bound=Message)


class _ForASeat(Protocol):
    """A request that may name a seat."""

    match_id: str
    seat: int

    def HasField(self, field_name: Any, /) -> bool: ...


class RulesService(RulesServiceServicer):
    """The matches, as everybody may see and play them."""

    def __init__(
        self,
        store: Store,
        book: MatchBook,
        commands: Commands,
        index: MatchIndex,
        turns: Turns,
        beat: float = HEARTBEAT,
    ) -> None:
        self._store = store
        self._book = book
        self._commands = commands
        self._index = index
        self._turns = turns
        self._beat = beat

    # -- seeing ----------------------------------------------------------------------------

    async def GetView(self, request: pb.GetViewRequest, context: Any) -> pb.GetViewResponse:
        """All that the caller may know."""
        live, viewer = await self._look(request)
        seen = await self._book.seen_by(live, viewer)
        view = view_message(live.match, seen, live.asked, viewer, _answers(live, viewer))
        return pb.GetViewResponse(view=view)

    async def ListDecisions(
        self, request: pb.ListDecisionsRequest, context: Any
    ) -> pb.ListDecisionsResponse:
        """What the match waits on."""
        live, viewer = await self._look(request)
        return pb.ListDecisionsResponse(
            version=live.match.version,
            decisions=decision_messages(
                live.match, live.asked, _answers(live, viewer), others=True
            ),
        )

    async def GetHistory(
        self, request: pb.GetHistoryRequest, context: Any
    ) -> pb.GetHistoryResponse:
        """Past records as the caller may know them."""
        limit = _size(request.page_size, *HISTORY_PAGE)
        after = _version("after_version", request.after_version)
        live, viewer = await self._look(request)
        steps = await self._book.steps(live.match, after, limit)
        records = [record_message(live.match, step, viewer) for step in steps]
        more = len(records) == limit and records[-1].version < live.match.version
        return pb.GetHistoryResponse(
            records=records, next_after_version=records[-1].version if more else None
        )

    async def WatchMatch(
        self, request: pb.WatchMatchRequest, context: Any
    ) -> AsyncIterator[pb.WatchMatchResponse]:
        """Every record after a version, and then as they come."""
        after = _version("after_version", request.after_version)
        live, viewer = await self._look(request)
        if after > live.match.version:
            async with live.lock:
                await self._book.catch_up(live)
        if after > live.match.version:
            raise InvalidArgument("after_version", f"the match is at version {live.match.version}")
        async for message in watch(self._book, request.match_id, viewer, after, self._beat):
            yield message

    async def ExportMatch(
        self, request: pb.ExportMatchRequest, context: Any
    ) -> AsyncIterator[pb.ExportMatchResponse]:
        """The log as everybody may have it, in lines; also of an edition that is not installed."""
        match_id = _id("match_id", request.match_id)
        with contextlib.suppress(NotInstalled):
            await self._book.current(match_id)
        stream = stream_of(match_id)
        stored = await self._store.load(stream)
        lines: list[str] = []
        size = 0
        for line in export_lines(stream, ((one.body, one.hash) for one in stored)):
            if lines and size + len(line) > EXPORT_BYTES:
                yield pb.ExportMatchResponse(lines=lines)
                lines, size = [], 0
            lines.append(line.decode())
            size += len(line)
        yield pb.ExportMatchResponse(lines=lines)

    # -- acting ----------------------------------------------------------------------------

    async def PlayMove(self, request: pb.PlayMoveRequest, context: Any) -> pb.PlayMoveResponse:
        """Answer a decision."""
        at = _now()
        _id("decision_id", request.decision_id)
        if not 0 < len(request.move) <= MOVE_LENGTH:
            raise InvalidArgument("move", f"1 to {MOVE_LENGTH} characters: an option's notation")
        return await self._act(request, moving(caller(), request, at), pb.PlayMoveResponse)

    async def UndoMove(self, request: pb.UndoMoveRequest, context: Any) -> pb.UndoMoveResponse:
        """Take steps back."""
        return await self._act(request, undoing(caller(), request, _now()), pb.UndoMoveResponse)

    async def ResignMatch(
        self, request: pb.ResignMatchRequest, context: Any
    ) -> pb.ResignMatchResponse:
        """Give up."""
        act = resigning(caller(), request, _now())
        return await self._act(request, act, pb.ResignMatchResponse)

    # -- many matches ----------------------------------------------------------------------

    async def ListMatches(
        self, request: pb.ListMatchesRequest, context: Any
    ) -> pb.ListMatchesResponse:
        """A page of matches, most recently changed first."""
        over = {pb.MATCH_FILTER_RUNNING: False, pb.MATCH_FILTER_OVER: True}
        mine = request.filter == pb.MATCH_FILTER_MINE
        if request.filter not in pb.MatchFilter.values():
            raise InvalidArgument("filter", "it is MINE, RUNNING or OVER, or left out")
        size = _size(request.page_size, *LIST_PAGE)
        wanted = Wanted(
            viewer=caller().account,
            mine=mine,
            game=_id("game", request.game) if request.game else "",
            over=over.get(request.filter),
            after=_page_after(request.page_token),
            limit=size + 1,
        )
        await self._turns.flush()
        found = await self._index.page(wanted)
        return pb.ListMatchesResponse(
            matches=[_summary_message(summary) for summary in found[:size]],
            next_page_token=_page_token(found[size - 1]) if len(found) > size else "",
        )

    async def WatchTurns(
        self, request: pb.WatchTurnsRequest, context: Any
    ) -> AsyncIterator[pb.WatchTurnsResponse]:
        """Whom matches wait on: all, then each change."""
        who = caller()
        if request.bots and BOTS not in who.roles:
            raise PermissionDenied("ROLE_MISSING", f"watching all bots needs the role {BOTS}")
        async for message in self._turns.watch(who.account, request.bots, self._beat):
            yield message

    # -- what they have in common ----------------------------------------------------------

    async def _look(self, request: _ForASeat) -> tuple[Live, int]:
        """The match, and whose view of it the caller gets."""
        live = await self._book.current(_id("match_id", request.match_id))
        wanted = request.seat if request.HasField("seat") else None
        return live, rights(caller(), live.match).viewer(wanted)

    async def _act(self, request: Any, act: Decide, answer: type[M]) -> M:
        command = Command(
            match_id=_id("match_id", request.match_id),
            principal=caller().account,
            command_id=_id("command_id", request.command_id),
            request_hash=request_hash(request),
            decide=act,
            answer_type=answer,
        )
        answered = await self._commands.run(command)
        assert isinstance(answered, answer)
        return answered


def _now() -> int:
    """The time of receipt, in milliseconds."""
    return int(time.time() * 1000)


def _answers(live: Live, viewer: int) -> tuple[int, ...]:
    """The seats that the caller answers for in a view: none once the seat was given up."""
    return (viewer,) if viewer in rights(caller(), live.match).plays else ()


def _id(field: str, value: str) -> str:
    if not 0 < len(value) <= ID_LENGTH or not value.isprintable():
        raise InvalidArgument(field, f"1 to {ID_LENGTH} printable characters")
    return value


def _version(field: str, value: int) -> int:
    if value < 0:
        raise InvalidArgument(field, "a version is never negative")
    return value


def _size(wanted: int, otherwise: int, most: int) -> int:
    if not 0 <= wanted <= most:
        raise InvalidArgument("page_size", f"1 to {most}, or 0 for {otherwise}")
    return wanted or otherwise


def _page_token(last: Summary) -> str:
    return base64.urlsafe_b64encode(f"{last.changed_at}/{last.match}".encode()).decode()


def _page_after(token: str) -> tuple[int, str] | None:
    if not token:
        return None
    try:
        changed_at, _, match_id = base64.urlsafe_b64decode(token).decode().partition("/")
        return _timestamp(changed_at), _id("page_token", match_id)
    except (binascii.Error, ValueError, InvalidArgument) as error:
        raise InvalidArgument("page_token", "use next_page_token of the page before") from error


def _timestamp(text: str) -> int:
    """A time in milliseconds. Raises `ValueError` for what no database holds."""
    if not text.isdecimal() or len(text) > TIMESTAMP_DIGITS:
        raise ValueError("that is no time")
    return int(text)


def _summary_message(summary: Summary) -> pb.MatchSummary:
    return pb.MatchSummary(
        match_id=summary.match,
        game=summary.game,
        edition=summary.edition,
        status=match_pb2.MATCH_STATUS_OVER if summary.over else match_pb2.MATCH_STATUS_RUNNING,
        version=summary.version,
        seats=[
            match_pb2.Seat(
                seat=number,
                account=seat.account,
                name=seat.name,
                bot="" if seat.kind == PLAYER else seat.kind,
                resigned=number in summary.resigned,
            )
            for number, seat in enumerate(summary.seats)
        ],
        waiting_on=summary.waiting_on(),
        started_at=stamp(summary.started_at),
        changed_at=stamp(summary.changed_at),
        table_id=summary.match,
    )
