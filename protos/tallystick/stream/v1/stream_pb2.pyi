# ruff: noqa
import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class EndReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    END_REASON_UNSPECIFIED: _ClassVar[EndReason]
    END_REASON_COMPLETE: _ClassVar[EndReason]
    END_REASON_TOKEN_EXPIRED: _ClassVar[EndReason]
    END_REASON_DRAINING: _ClassVar[EndReason]
    END_REASON_TOO_SLOW: _ClassVar[EndReason]
    END_REASON_MAX_AGE: _ClassVar[EndReason]
END_REASON_UNSPECIFIED: EndReason
END_REASON_COMPLETE: EndReason
END_REASON_TOKEN_EXPIRED: EndReason
END_REASON_DRAINING: EndReason
END_REASON_TOO_SLOW: EndReason
END_REASON_MAX_AGE: EndReason

class Heartbeat(_message.Message):
    __slots__ = ("at", "reached")
    AT_FIELD_NUMBER: _ClassVar[int]
    REACHED_FIELD_NUMBER: _ClassVar[int]
    at: _timestamp_pb2.Timestamp
    reached: int
    def __init__(self, at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping[str, object]]] = ..., reached: _Optional[int] = ...) -> None: ...

class Ended(_message.Message):
    __slots__ = ("reason", "detail", "resume_after")
    REASON_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    RESUME_AFTER_FIELD_NUMBER: _ClassVar[int]
    reason: EndReason
    detail: str
    resume_after: int
    def __init__(self, reason: _Optional[_Union[EndReason, str]] = ..., detail: _Optional[str] = ..., resume_after: _Optional[int] = ...) -> None: ...
