# ruff: noqa
from protos.tallystick.stream.v1 import stream_pb2 as _stream_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ReadLogRequest(_message.Message):
    __slots__ = ("after_position", "limit", "follow", "stream", "with_secrets")
    AFTER_POSITION_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    FOLLOW_FIELD_NUMBER: _ClassVar[int]
    STREAM_FIELD_NUMBER: _ClassVar[int]
    WITH_SECRETS_FIELD_NUMBER: _ClassVar[int]
    after_position: int
    limit: int
    follow: bool
    stream: str
    with_secrets: bool
    def __init__(self, after_position: _Optional[int] = ..., limit: _Optional[int] = ..., follow: _Optional[bool] = ..., stream: _Optional[str] = ..., with_secrets: _Optional[bool] = ...) -> None: ...

class ReadLogResponse(_message.Message):
    __slots__ = ("batch", "heartbeat", "ended")
    BATCH_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    batch: LogBatch
    heartbeat: _stream_pb2.Heartbeat
    ended: _stream_pb2.Ended
    def __init__(self, batch: _Optional[_Union[LogBatch, _Mapping[str, object]]] = ..., heartbeat: _Optional[_Union[_stream_pb2.Heartbeat, _Mapping[str, object]]] = ..., ended: _Optional[_Union[_stream_pb2.Ended, _Mapping[str, object]]] = ...) -> None: ...

class LogBatch(_message.Message):
    __slots__ = ("entries", "head")
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    HEAD_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[LogEntry]
    head: int
    def __init__(self, entries: _Optional[_Iterable[_Union[LogEntry, _Mapping[str, object]]]] = ..., head: _Optional[int] = ...) -> None: ...

class LogEntry(_message.Message):
    __slots__ = ("position", "stream", "version", "type", "body", "hash", "secrets")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    STREAM_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    BODY_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    SECRETS_FIELD_NUMBER: _ClassVar[int]
    position: int
    stream: str
    version: int
    type: str
    body: bytes
    hash: str
    secrets: _containers.RepeatedCompositeFieldContainer[LogSecret]
    def __init__(self, position: _Optional[int] = ..., stream: _Optional[str] = ..., version: _Optional[int] = ..., type: _Optional[str] = ..., body: _Optional[bytes] = ..., hash: _Optional[str] = ..., secrets: _Optional[_Iterable[_Union[LogSecret, _Mapping[str, object]]]] = ...) -> None: ...

class LogSecret(_message.Message):
    __slots__ = ("index", "audience", "fact", "field", "salt", "value")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    AUDIENCE_FIELD_NUMBER: _ClassVar[int]
    FACT_FIELD_NUMBER: _ClassVar[int]
    FIELD_FIELD_NUMBER: _ClassVar[int]
    SALT_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    index: int
    audience: int
    fact: int
    field: str
    salt: bytes
    value: bytes
    def __init__(self, index: _Optional[int] = ..., audience: _Optional[int] = ..., fact: _Optional[int] = ..., field: _Optional[str] = ..., salt: _Optional[bytes] = ..., value: _Optional[bytes] = ...) -> None: ...
