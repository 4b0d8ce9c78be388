# ruff: noqa
from collections.abc import AsyncIterator

import grpc
from grpc import aio

from protos.tallystick.lobby.v1 import lobby_pb2 as pb

class LobbyServiceStub:
    def __init__(self, channel: aio.Channel | grpc.Channel) -> None: ...
    ListGames: aio.UnaryUnaryMultiCallable[pb.ListGamesRequest, pb.ListGamesResponse]
    DescribeGame: aio.UnaryUnaryMultiCallable[pb.DescribeGameRequest, pb.DescribeGameResponse]
    OpenTable: aio.UnaryUnaryMultiCallable[pb.OpenTableRequest, pb.OpenTableResponse]
    JoinTable: aio.UnaryUnaryMultiCallable[pb.JoinTableRequest, pb.JoinTableResponse]
    LeaveTable: aio.UnaryUnaryMultiCallable[pb.LeaveTableRequest, pb.LeaveTableResponse]
    SeatBot: aio.UnaryUnaryMultiCallable[pb.SeatBotRequest, pb.SeatBotResponse]
    KickSeat: aio.UnaryUnaryMultiCallable[pb.KickSeatRequest, pb.KickSeatResponse]
    AddEntropy: aio.UnaryUnaryMultiCallable[pb.AddEntropyRequest, pb.AddEntropyResponse]
    StartTable: aio.UnaryUnaryMultiCallable[pb.StartTableRequest, pb.StartTableResponse]
    GetTable: aio.UnaryUnaryMultiCallable[pb.GetTableRequest, pb.GetTableResponse]
    ListTables: aio.UnaryUnaryMultiCallable[pb.ListTablesRequest, pb.ListTablesResponse]
    QuickMatch: aio.UnaryUnaryMultiCallable[pb.QuickMatchRequest, pb.QuickMatchResponse]
    CancelQuickMatch: aio.UnaryUnaryMultiCallable[pb.CancelQuickMatchRequest, pb.CancelQuickMatchResponse]
    WatchLobby: aio.UnaryStreamMultiCallable[pb.WatchLobbyRequest, pb.WatchLobbyResponse]
    WatchTable: aio.UnaryStreamMultiCallable[pb.WatchTableRequest, pb.WatchTableResponse]
    CreateInvitation: aio.UnaryUnaryMultiCallable[pb.CreateInvitationRequest, pb.CreateInvitationResponse]

class LobbyServiceServicer:
    async def ListGames(
        self, request: pb.ListGamesRequest, context: aio.ServicerContext[pb.ListGamesRequest, pb.ListGamesResponse]
    ) -> pb.ListGamesResponse: ...
    async def DescribeGame(
        self, request: pb.DescribeGameRequest, context: aio.ServicerContext[pb.DescribeGameRequest, pb.DescribeGameResponse]
    ) -> pb.DescribeGameResponse: ...
    async def OpenTable(
        self, request: pb.OpenTableRequest, context: aio.ServicerContext[pb.OpenTableRequest, pb.OpenTableResponse]
    ) -> pb.OpenTableResponse: ...
    async def JoinTable(
        self, request: pb.JoinTableRequest, context: aio.ServicerContext[pb.JoinTableRequest, pb.JoinTableResponse]
    ) -> pb.JoinTableResponse: ...
    async def LeaveTable(
        self, request: pb.LeaveTableRequest, context: aio.ServicerContext[pb.LeaveTableRequest, pb.LeaveTableResponse]
    ) -> pb.LeaveTableResponse: ...
    async def SeatBot(
        self, request: pb.SeatBotRequest, context: aio.ServicerContext[pb.SeatBotRequest, pb.SeatBotResponse]
    ) -> pb.SeatBotResponse: ...
    async def KickSeat(
        self, request: pb.KickSeatRequest, context: aio.ServicerContext[pb.KickSeatRequest, pb.KickSeatResponse]
    ) -> pb.KickSeatResponse: ...
    async def AddEntropy(
        self, request: pb.AddEntropyRequest, context: aio.ServicerContext[pb.AddEntropyRequest, pb.AddEntropyResponse]
    ) -> pb.AddEntropyResponse: ...
    async def StartTable(
        self, request: pb.StartTableRequest, context: aio.ServicerContext[pb.StartTableRequest, pb.StartTableResponse]
    ) -> pb.StartTableResponse: ...
    async def GetTable(
        self, request: pb.GetTableRequest, context: aio.ServicerContext[pb.GetTableRequest, pb.GetTableResponse]
    ) -> pb.GetTableResponse: ...
    async def ListTables(
        self, request: pb.ListTablesRequest, context: aio.ServicerContext[pb.ListTablesRequest, pb.ListTablesResponse]
    ) -> pb.ListTablesResponse: ...
    async def QuickMatch(
        self, request: pb.QuickMatchRequest, context: aio.ServicerContext[pb.QuickMatchRequest, pb.QuickMatchResponse]
    ) -> pb.QuickMatchResponse: ...
    async def CancelQuickMatch(
        self, request: pb.CancelQuickMatchRequest, context: aio.ServicerContext[pb.CancelQuickMatchRequest, pb.CancelQuickMatchResponse]
    ) -> pb.CancelQuickMatchResponse: ...
    def WatchLobby(
        self, request: pb.WatchLobbyRequest, context: aio.ServicerContext[pb.WatchLobbyRequest, pb.WatchLobbyResponse]
    ) -> AsyncIterator[pb.WatchLobbyResponse]: ...
    def WatchTable(
        self, request: pb.WatchTableRequest, context: aio.ServicerContext[pb.WatchTableRequest, pb.WatchTableResponse]
    ) -> AsyncIterator[pb.WatchTableResponse]: ...
    async def CreateInvitation(
        self, request: pb.CreateInvitationRequest, context: aio.ServicerContext[pb.CreateInvitationRequest, pb.CreateInvitationResponse]
    ) -> pb.CreateInvitationResponse: ...

def add_LobbyServiceServicer_to_server(
    servicer: LobbyServiceServicer, server: aio.Server | grpc.Server
) -> None: ...
