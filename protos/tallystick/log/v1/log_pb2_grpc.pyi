# ruff: noqa
from collections.abc import AsyncIterator

import grpc
from grpc import aio

from protos.tallystick.log.v1 import log_pb2 as pb

class LogServiceStub:
    def __init__(self, channel: aio.Channel | grpc.Channel) -> None: ...
    ReadLog: aio.UnaryStreamMultiCallable[pb.ReadLogRequest, pb.ReadLogResponse]

class LogServiceServicer:
    def ReadLog(
        self, request: pb.ReadLogRequest, context: aio.ServicerContext[pb.ReadLogRequest, pb.ReadLogResponse]
    ) -> AsyncIterator[pb.ReadLogResponse]: ...

def add_LogServiceServicer_to_server(
    servicer: LogServiceServicer, server: aio.Server | grpc.Server
) -> None: ...
