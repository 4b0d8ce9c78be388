# ruff: noqa
from collections.abc import AsyncIterator

import grpc
from grpc import aio

from protos.tallystick.scoring.v1 import scoring_pb2 as pb

class ScoringServiceStub:
    def __init__(self, channel: aio.Channel | grpc.Channel) -> None: ...
    GetScoreSheet: aio.UnaryUnaryMultiCallable[pb.GetScoreSheetRequest, pb.GetScoreSheetResponse]
    ListResults: aio.UnaryUnaryMultiCallable[pb.ListResultsRequest, pb.ListResultsResponse]
    GetRating: aio.UnaryUnaryMultiCallable[pb.GetRatingRequest, pb.GetRatingResponse]
    GetLeaderboard: aio.UnaryUnaryMultiCallable[pb.GetLeaderboardRequest, pb.GetLeaderboardResponse]
    GetPlayerStatistics: aio.UnaryUnaryMultiCallable[pb.GetPlayerStatisticsRequest, pb.GetPlayerStatisticsResponse]

class ScoringServiceServicer:
    async def GetScoreSheet(
        self, request: pb.GetScoreSheetRequest, context: aio.ServicerContext[pb.GetScoreSheetRequest, pb.GetScoreSheetResponse]
    ) -> pb.GetScoreSheetResponse: ...
    async def ListResults(
        self, request: pb.ListResultsRequest, context: aio.ServicerContext[pb.ListResultsRequest, pb.ListResultsResponse]
    ) -> pb.ListResultsResponse: ...
    async def GetRating(
        self, request: pb.GetRatingRequest, context: aio.ServicerContext[pb.GetRatingRequest, pb.GetRatingResponse]
    ) -> pb.GetRatingResponse: ...
    async def GetLeaderboard(
        self, request: pb.GetLeaderboardRequest, context: aio.ServicerContext[pb.GetLeaderboardRequest, pb.GetLeaderboardResponse]
    ) -> pb.GetLeaderboardResponse: ...
    async def GetPlayerStatistics(
        self, request: pb.GetPlayerStatisticsRequest, context: aio.ServicerContext[pb.GetPlayerStatisticsRequest, pb.GetPlayerStatisticsResponse]
    ) -> pb.GetPlayerStatisticsResponse: ...

def add_ScoringServiceServicer_to_server(
    servicer: ScoringServiceServicer, server: aio.Server | grpc.Server
) -> None: ...
