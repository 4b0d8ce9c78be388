"""The lobby's RPCs: each reads the request, lets the lobby do it, and answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, TypeVar

from google.protobuf.message import Message

from protos.tallystick.lobby.v1 import lobby_pb2 as pb
from protos.tallystick.lobby.v1 import lobby_pb2_grpc
from services.lobby import decisions, lists, starting
from services.lobby.app import Lobby
from services.lobby.commands import command_of
from services.lobby.messages import table_message, timestamp
from services.lobby.offer import Terms
from services.lobby.plan import planned
from services.lobby.table import CLOSED, FINISHED, Table
from shared.platform.rpc.call import caller
from shared.platform.rpc.errors import InvalidArgument
from shared.platform.rpc.policy import ACCOUNT, PUBLIC, Policy
from shared.platform.rpc.streams import HEARTBEAT, Beat, End, Mailbox, ended, heartbeat

ENTROPY = (16, 64)
"""How many bytes a seat may add: fewer could be guessed."""

INVITATION_SECONDS = 7 * 24 * 3600
MAX_INVITATION_SECONDS = 30 * 24 * 3600

LOBBY_POLICIES: Mapping[str, Policy] = {
    **dict.fromkeys(("ListGames", "DescribeGame"), PUBLIC),
    **dict.fromkeys(
        (
            "OpenTable", "JoinTable", "LeaveTable", "SeatBot", "KickSeat", "AddEntropy",
            "StartTable", "GetTable", "ListTables", "QuickMatch", "CancelQuickMatch", "WatchLobby",
            "WatchTable", "CreateInvitation",
        ),
        ACCOUNT,
    ),
}  # fmt: skip

M = TypeVar("M", bound=Message)


class LobbyService(lobby_pb2_grpc.LobbyServiceServicer):
    """Tallystick's lobby."""

    def __init__(self, lobby: Lobby, heartbeat_seconds: float = HEARTBEAT) -> None:
        self._lobby = lobby
        self._heartbeat = heartbeat_seconds
        self._reading = asyncio.Lock()

    # -- games -----------------------------------------------------------------------------

    async def ListGames(self, request: pb.ListGamesRequest, context: Any) -> pb.ListGamesResponse:
        offer = self._lobby.offer
        return pb.ListGamesResponse(games=[offer.summary(game) for game in offer.games.values()])

    async def DescribeGame(
        self, request: pb.DescribeGameRequest, context: Any
    ) -> pb.DescribeGameResponse:
        return self._lobby.offer.describe(request.game, request.edition)

    # -- seats -----------------------------------------------------------------------------

    async def OpenTable(self, request: pb.OpenTableRequest, context: Any) -> pb.OpenTableResponse:
        command = command_of(caller().account, request, request.command_id)
        terms = await self._terms(request)
        steps = planned(request, self._lobby.offer, command.account)
        answer = await self._lobby.open_table(
            command, terms, steps, request.unlisted,
            lambda table: pb.OpenTableResponse(table=table_message(table)),
        )  # fmt: skip
        return pb.OpenTableResponse.FromString(answer)

    async def _terms(self, request: pb.OpenTableRequest) -> Terms:
        """What is to be played.

        An override takes long to read, so that is done on another thread, and for one at a time.
        """
        override, terms = request.content_override, self._lobby.offer.terms
        asked = request.game, request.players, dict(request.options), override
        if not override:
            return terms(*asked)
        async with self._reading:
            return await asyncio.to_thread(terms, *asked)

    async def JoinTable(self, request: pb.JoinTableRequest, context: Any) -> pb.JoinTableResponse:
        seat = request.seat if request.HasField("seat") else None
        code, account, now = request.invitation_code, caller().account, self._lobby.clock()
        return await self._change(
            request, pb.JoinTableResponse,
            lambda table: decisions.join(table, account, seat, code, now), code,
        )  # fmt: skip

    async def LeaveTable(
        self, request: pb.LeaveTableRequest, context: Any
    ) -> pb.LeaveTableResponse:
        account = caller().account
        return await self._change(
            request, pb.LeaveTableResponse, lambda table: decisions.leave(table, account)
        )

    async def SeatBot(self, request: pb.SeatBotRequest, context: Any) -> pb.SeatBotResponse:
        seat = request.seat if request.HasField("seat") else None
        account, name = caller().account, self._lobby.offer.bot_name(request.bot, "bot")
        return await self._change(
            request, pb.SeatBotResponse,
            lambda table: decisions.seat_bot(table, account, seat, request.bot, name),
        )  # fmt: skip

    async def KickSeat(self, request: pb.KickSeatRequest, context: Any) -> pb.KickSeatResponse:
        if not request.HasField("seat"):
            raise InvalidArgument("seat", "say which seat to free")
        account = caller().account
        return await self._change(
            request, pb.KickSeatResponse,
            lambda table: decisions.kick(table, account, request.seat),
        )  # fmt: skip

    async def CreateInvitation(
        self, request: pb.CreateInvitationRequest, context: Any
    ) -> pb.CreateInvitationResponse:
        command = command_of(caller().account, request, request.command_id)
        seat = request.seat if request.HasField("seat") else None
        now = self._lobby.clock()
        expires = now + 1000 * _valid_seconds(request)
        code = self._lobby.invitation_code(command)
        answer = await self._lobby.change(
            command, request.table_id,
            lambda table: decisions.invite(table, command.account, code, seat, expires, now),
            lambda _: pb.CreateInvitationResponse(expires_at=timestamp(expires)),
        )  # fmt: skip
        response = pb.CreateInvitationResponse.FromString(answer)
        response.code = code
        return response

    async def AddEntropy(
        self, request: pb.AddEntropyRequest, context: Any
    ) -> pb.AddEntropyResponse:
        account, entropy = caller().account, _entropy(request.entropy)
        return await self._change(
            request, pb.AddEntropyResponse,
            lambda table: starting.add_entropy(table, account, request.seed_commitment, entropy),
        )  # fmt: skip

    async def StartTable(
        self, request: pb.StartTableRequest, context: Any
    ) -> pb.StartTableResponse:
        """Waits a little for rules, so that the match is there when the caller looks."""
        account = caller().account
        await self._lobby.wait_until_committed(request.table_id)
        response = await self._change(
            request, pb.StartTableResponse,
            lambda table: starting.start(table, account),
        )  # fmt: skip
        table = await self._lobby.wait_until_playing(request.table_id)
        return pb.StartTableResponse(table=table_message(table)) if table else response

    # -- quick match -----------------------------------------------------------------------

    async def QuickMatch(
        self, request: pb.QuickMatchRequest, context: Any
    ) -> pb.QuickMatchResponse:
        command = command_of(caller().account, request, request.command_id)
        terms = self._lobby.offer.terms(request.game, request.players, {}, "")
        answer = await self._lobby.quick_match(
            command, terms, lambda table: pb.QuickMatchResponse(table=table_message(table))
        )
        return pb.QuickMatchResponse.FromString(answer)

    async def CancelQuickMatch(
        self, request: pb.CancelQuickMatchRequest, context: Any
    ) -> pb.CancelQuickMatchResponse:
        command = command_of(caller().account, request, request.command_id)
        await self._lobby.change(
            command, request.table_id,
            lambda table: decisions.cancel_quick(table, command.account),
            lambda _: pb.CancelQuickMatchResponse(),
        )  # fmt: skip
        return pb.CancelQuickMatchResponse()

    # -- looking ---------------------------------------------------------------------------

    async def GetTable(self, request: pb.GetTableRequest, context: Any) -> pb.GetTableResponse:
        table = await self._lobby.see(caller().account, request.table_id, request.invitation_code)
        return pb.GetTableResponse(table=table_message(table))

    async def ListTables(
        self, request: pb.ListTablesRequest, context: Any
    ) -> pb.ListTablesResponse:
        tables, token = lists.page(self._lobby, request, caller().account)
        return pb.ListTablesResponse(tables=map(table_message, tables), next_page_token=token)

    async def WatchLobby(
        self, request: pb.WatchLobbyRequest, context: Any
    ) -> AsyncIterator[pb.WatchLobbyResponse]:
        box: Mailbox[Table] = Mailbox()
        directory = self._lobby.directory

        def hear(table: Table) -> None:
            if not table.unlisted and request.game in ("", table.game):
                box.put(table)

        with directory.hearing(hear):
            tables = [t for t in lists.joinable(self._lobby) if request.game in ("", t.game)]
            yield pb.WatchLobbyResponse(
                snapshot=pb.LobbySnapshot(tables=map(table_message, _newest_first(tables)))
            )
            async for step in box.steps(self._heartbeat):
                match step:
                    case Beat():
                        yield pb.WatchLobbyResponse(heartbeat=heartbeat(0))
                    case End():
                        yield pb.WatchLobbyResponse(ended=ended(step.reason, 0))
                    case Table():
                        yield pb.WatchLobbyResponse(table=table_message(step))

    async def WatchTable(
        self, request: pb.WatchTableRequest, context: Any
    ) -> AsyncIterator[pb.WatchTableResponse]:
        account, code = caller().account, request.invitation_code
        table = await self._lobby.see(account, request.table_id, code)
        box: Mailbox[Table] = Mailbox()

        def hear(changed: Table) -> None:
            if changed.id != request.table_id:
                return
            seen = decisions.visible(changed, account, code, self._lobby.clock())
            if seen:
                box.put(changed)
            if not seen or changed.status in (FINISHED, CLOSED):
                box.close()

        with self._lobby.directory.hearing(hear):
            hear(table)
            reached = table.version
            async for step in box.steps(self._heartbeat):
                match step:
                    case Beat():
                        yield pb.WatchTableResponse(heartbeat=heartbeat(reached))
                    case End():
                        yield pb.WatchTableResponse(ended=ended(step.reason, reached))
                    case Table():
                        reached = step.version
                        yield pb.WatchTableResponse(table=table_message(step))

    async def _change(self, request: Any, response: type[M], decide: Any, code: str = "") -> M:
        """Change a table; the answer of all these RPCs is the table after it."""
        command = command_of(caller().account, request, request.command_id)
        kind: Any = response
        answer = await self._lobby.change(
            command, request.table_id, decide,
            lambda table: kind(table=table_message(table)), code,
        )  # fmt: skip
        return response.FromString(answer)


def _newest_first(tables: Sequence[Table]) -> list[Table]:
    return sorted(tables, key=lambda table: (table.opened_at, table.id), reverse=True)


def _entropy(given: bytes) -> str:
    least, most = ENTROPY
    if not least <= len(given) <= most:
        raise InvalidArgument("entropy", f"{least} to {most} random bytes")
    return given.hex()


def _valid_seconds(request: pb.CreateInvitationRequest) -> int:
    if not request.HasField("valid_for"):
        return INVITATION_SECONDS
    if not 0 < request.valid_for.seconds <= MAX_INVITATION_SECONDS:
        raise InvalidArgument("valid_for", "it is 1 second to 30 days")
    return int(request.valid_for.seconds)
