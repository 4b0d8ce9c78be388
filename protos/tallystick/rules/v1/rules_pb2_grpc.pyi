# ruff: noqa
from collections.abc import AsyncIterator

import grpc
from grpc import aio

from protos.tallystick.rules.v1 import rules_pb2 as pb

class RulesServiceStub:
    def __init__(self, channel: aio.Channel | grpc.Channel) -> None: ...
    GetView: aio.UnaryUnaryMultiCallable[pb.GetViewRequest, pb.GetViewResponse]
    ListDecisions: aio.UnaryUnaryMultiCallable[pb.ListDecisionsRequest, pb.ListDecisionsResponse]
    PlayMove: aio.UnaryUnaryMultiCallable[pb.PlayMoveRequest, pb.PlayMoveResponse]
    UndoMove: aio.UnaryUnaryMultiCallable[pb.UndoMoveRequest, pb.UndoMoveResponse]
    ResignMatch: aio.UnaryUnaryMultiCallable[pb.ResignMatchRequest, pb.ResignMatchResponse]
    WatchMatch: aio.UnaryStreamMultiCallable[pb.WatchMatchRequest, pb.WatchMatchResponse]
    GetHistory: aio.UnaryUnaryMultiCallable[pb.GetHistoryRequest, pb.GetHistoryResponse]
    ExportMatch: aio.UnaryStreamMultiCallable[pb.ExportMatchRequest, pb.ExportMatchResponse]
    ListMatches: aio.UnaryUnaryMultiCallable[pb.ListMatchesRequest, pb.ListMatchesResponse]
    WatchTurns: aio.UnaryStreamMultiCallable[pb.WatchTurnsRequest, pb.WatchTurnsResponse]

class RulesServiceServicer:
    async def GetView(
        self, request: pb.GetViewRequest, context: aio.ServicerContext[pb.GetViewRequest, pb.GetViewResponse]
    ) -> pb.GetViewResponse: ...
    async def ListDecisions(
        self, request: pb.ListDecisionsRequest, context: aio.ServicerContext[pb.ListDecisionsRequest, pb.ListDecisionsResponse]
    ) -> pb.ListDecisionsResponse: ...
    async def PlayMove(
        self, request: pb.PlayMoveRequest, context: aio.ServicerContext[pb.PlayMoveRequest, pb.PlayMoveResponse]
    ) -> pb.PlayMoveResponse: ...
    async def UndoMove(
        self, request: pb.UndoMoveRequest, context: aio.ServicerContext[pb.UndoMoveRequest, pb.UndoMoveResponse]
    ) -> pb.UndoMoveResponse: ...
    async def ResignMatch(
        self, request: pb.ResignMatchRequest, context: aio.ServicerContext[pb.ResignMatchRequest, pb.ResignMatchResponse]
    ) -> pb.ResignMatchResponse: ...
    def WatchMatch(
        self, request: pb.WatchMatchRequest, context: aio.ServicerContext[pb.WatchMatchRequest, pb.WatchMatchResponse]
    ) -> AsyncIterator[pb.WatchMatchResponse]: ...
    async def GetHistory(
        self, request: pb.GetHistoryRequest, context: aio.ServicerContext[pb.GetHistoryRequest, pb.GetHistoryResponse]
    ) -> pb.GetHistoryResponse: ...
    def ExportMatch(
        self, request: pb.ExportMatchRequest, context: aio.ServicerContext[pb.ExportMatchRequest, pb.ExportMatchResponse]
    ) -> AsyncIterator[pb.ExportMatchResponse]: ...
    async def ListMatches(
        self, request: pb.ListMatchesRequest, context: aio.ServicerContext[pb.ListMatchesRequest, pb.ListMatchesResponse]
    ) -> pb.ListMatchesResponse: ...
    def WatchTurns(
        self, request: pb.WatchTurnsRequest, context: aio.ServicerContext[pb.WatchTurnsRequest, pb.WatchTurnsResponse]
    ) -> AsyncIterator[pb.WatchTurnsResponse]: ...

def add_RulesServiceServicer_to_server(
    servicer: RulesServiceServicer, server: aio.Server | grpc.Server
) -> None: ...
