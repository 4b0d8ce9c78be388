# ruff: noqa
import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from protos.tallystick.match.v1 import match_pb2 as _match_pb2
from protos.tallystick.stream.v1 import stream_pb2 as _stream_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MatchFilter(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MATCH_FILTER_UNSPECIFIED: _ClassVar[MatchFilter]
    MATCH_FILTER_MINE: _ClassVar[MatchFilter]
    MATCH_FILTER_RUNNING: _ClassVar[MatchFilter]
    MATCH_FILTER_OVER: _ClassVar[MatchFilter]
MATCH_FILTER_UNSPECIFIED: MatchFilter
MATCH_FILTER_MINE: MatchFilter
MATCH_FILTER_RUNNING: MatchFilter
MATCH_FILTER_OVER: MatchFilter

class GetViewRequest(_message.Message):
    __slots__ = ("match_id", "seat")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: int
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[int] = ...) -> None: ...

class GetViewResponse(_message.Message):
    __slots__ = ("view",)
    VIEW_FIELD_NUMBER: _ClassVar[int]
    view: _match_pb2.View
    def __init__(self, view: _Optional[_Union[_match_pb2.View, _Mapping[str, object]]] = ...) -> None: ...

class ListDecisionsRequest(_message.Message):
    __slots__ = ("match_id", "seat")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: int
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[int] = ...) -> None: ...

class ListDecisionsResponse(_message.Message):
    __slots__ = ("version", "decisions")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    version: int
    decisions: _containers.RepeatedCompositeFieldContainer[_match_pb2.Decision]
    def __init__(self, version: _Optional[int] = ..., decisions: _Optional[_Iterable[_Union[_match_pb2.Decision, _Mapping[str, object]]]] = ...) -> None: ...

class PlayMoveRequest(_message.Message):
    __slots__ = ("match_id", "decision_id", "move", "command_id")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    MOVE_FIELD_NUMBER: _ClassVar[int]
    COMMAND_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    decision_id: str
    move: str
    command_id: str
    def __init__(self, match_id: _Optional[str] = ..., decision_id: _Optional[str] = ..., move: _Optional[str] = ..., command_id: _Optional[str] = ...) -> None: ...

class PlayMoveResponse(_message.Message):
    __slots__ = ("version", "hash", "sentences", "decisions", "over")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    SENTENCES_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    OVER_FIELD_NUMBER: _ClassVar[int]
    version: int
    hash: str
    sentences: _containers.RepeatedScalarFieldContainer[str]
    decisions: _containers.RepeatedCompositeFieldContainer[_match_pb2.Decision]
    over: bool
    def __init__(self, version: _Optional[int] = ..., hash: _Optional[str] = ..., sentences: _Optional[_Iterable[str]] = ..., decisions: _Optional[_Iterable[_Union[_match_pb2.Decision, _Mapping[str, object]]]] = ..., over: _Optional[bool] = ...) -> None: ...

class UndoMoveRequest(_message.Message):
    __slots__ = ("match_id", "to_version", "command_id", "seat")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    TO_VERSION_FIELD_NUMBER: _ClassVar[int]
    COMMAND_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    to_version: int
    command_id: str
    seat: int
    def __init__(self, match_id: _Optional[str] = ..., to_version: _Optional[int] = ..., command_id: _Optional[str] = ..., seat: _Optional[int] = ...) -> None: ...

class UndoMoveResponse(_message.Message):
    __slots__ = ("version", "hash", "decisions")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    version: int
    hash: str
    decisions: _containers.RepeatedCompositeFieldContainer[_match_pb2.Decision]
    def __init__(self, version: _Optional[int] = ..., hash: _Optional[str] = ..., decisions: _Optional[_Iterable[_Union[_match_pb2.Decision, _Mapping[str, object]]]] = ...) -> None: ...

class ResignMatchRequest(_message.Message):
    __slots__ = ("match_id", "command_id", "seat")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    COMMAND_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    command_id: str
    seat: int
    def __init__(self, match_id: _Optional[str] = ..., command_id: _Optional[str] = ..., seat: _Optional[int] = ...) -> None: ...

class ResignMatchResponse(_message.Message):
    __slots__ = ("version", "hash", "over")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    OVER_FIELD_NUMBER: _ClassVar[int]
    version: int
    hash: str
    over: bool
    def __init__(self, version: _Optional[int] = ..., hash: _Optional[str] = ..., over: _Optional[bool] = ...) -> None: ...

class WatchMatchRequest(_message.Message):
    __slots__ = ("match_id", "after_version", "seat")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    AFTER_VERSION_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    after_version: int
    seat: int
    def __init__(self, match_id: _Optional[str] = ..., after_version: _Optional[int] = ..., seat: _Optional[int] = ...) -> None: ...

class WatchMatchResponse(_message.Message):
    __slots__ = ("record", "heartbeat", "ended")
    RECORD_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    record: WatchedRecord
    heartbeat: _stream_pb2.Heartbeat
    ended: _stream_pb2.Ended
    def __init__(self, record: _Optional[_Union[WatchedRecord, _Mapping[str, object]]] = ..., heartbeat: _Optional[_Union[_stream_pb2.Heartbeat, _Mapping[str, object]]] = ..., ended: _Optional[_Union[_stream_pb2.Ended, _Mapping[str, object]]] = ...) -> None: ...

class WatchedRecord(_message.Message):
    __slots__ = ("record", "decisions", "scores", "over")
    RECORD_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    OVER_FIELD_NUMBER: _ClassVar[int]
    record: _match_pb2.MatchRecord
    decisions: _containers.RepeatedCompositeFieldContainer[_match_pb2.Decision]
    scores: _containers.RepeatedCompositeFieldContainer[_match_pb2.Score]
    over: bool
    def __init__(self, record: _Optional[_Union[_match_pb2.MatchRecord, _Mapping[str, object]]] = ..., decisions: _Optional[_Iterable[_Union[_match_pb2.Decision, _Mapping[str, object]]]] = ..., scores: _Optional[_Iterable[_Union[_match_pb2.Score, _Mapping[str, object]]]] = ..., over: _Optional[bool] = ...) -> None: ...

class GetHistoryRequest(_message.Message):
    __slots__ = ("match_id", "after_version", "page_size", "seat")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    AFTER_VERSION_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    after_version: int
    page_size: int
    seat: int
    def __init__(self, match_id: _Optional[str] = ..., after_version: _Optional[int] = ..., page_size: _Optional[int] = ..., seat: _Optional[int] = ...) -> None: ...

class GetHistoryResponse(_message.Message):
    __slots__ = ("records", "next_after_version")
    RECORDS_FIELD_NUMBER: _ClassVar[int]
    NEXT_AFTER_VERSION_FIELD_NUMBER: _ClassVar[int]
    records: _containers.RepeatedCompositeFieldContainer[_match_pb2.MatchRecord]
    next_after_version: int
    def __init__(self, records: _Optional[_Iterable[_Union[_match_pb2.MatchRecord, _Mapping[str, object]]]] = ..., next_after_version: _Optional[int] = ...) -> None: ...

class ExportMatchRequest(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class ExportMatchResponse(_message.Message):
    __slots__ = ("lines",)
    LINES_FIELD_NUMBER: _ClassVar[int]
    lines: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, lines: _Optional[_Iterable[str]] = ...) -> None: ...

class ListMatchesRequest(_message.Message):
    __slots__ = ("filter", "game", "page_size", "page_token")
    FILTER_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    filter: MatchFilter
    game: str
    page_size: int
    page_token: str
    def __init__(self, filter: _Optional[_Union[MatchFilter, str]] = ..., game: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListMatchesResponse(_message.Message):
    __slots__ = ("matches", "next_page_token")
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedCompositeFieldContainer[MatchSummary]
    next_page_token: str
    def __init__(self, matches: _Optional[_Iterable[_Union[MatchSummary, _Mapping[str, object]]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class MatchSummary(_message.Message):
    __slots__ = ("match_id", "game", "edition", "status", "version", "seats", "waiting_on", "started_at", "changed_at", "table_id")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    EDITION_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    WAITING_ON_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_FIELD_NUMBER: _ClassVar[int]
    CHANGED_AT_FIELD_NUMBER: _ClassVar[int]
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    game: str
    edition: str
    status: _match_pb2.MatchStatus
    version: int
    seats: _containers.RepeatedCompositeFieldContainer[_match_pb2.Seat]
    waiting_on: _containers.RepeatedScalarFieldContainer[int]
    started_at: _timestamp_pb2.Timestamp
    changed_at: _timestamp_pb2.Timestamp
    table_id: str
    def __init__(self, match_id: _Optional[str] = ..., game: _Optional[str] = ..., edition: _Optional[str] = ..., status: _Optional[_Union[_match_pb2.MatchStatus, str]] = ..., version: _Optional[int] = ..., seats: _Optional[_Iterable[_Union[_match_pb2.Seat, _Mapping[str, object]]]] = ..., waiting_on: _Optional[_Iterable[int]] = ..., started_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping[str, object]]] = ..., changed_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping[str, object]]] = ..., table_id: _Optional[str] = ...) -> None: ...

class WatchTurnsRequest(_message.Message):
    __slots__ = ("bots",)
    BOTS_FIELD_NUMBER: _ClassVar[int]
    bots: bool
    def __init__(self, bots: _Optional[bool] = ...) -> None: ...

class WatchTurnsResponse(_message.Message):
    __slots__ = ("snapshot", "changed", "heartbeat", "ended")
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    CHANGED_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    snapshot: TurnSnapshot
    changed: Turn
    heartbeat: _stream_pb2.Heartbeat
    ended: _stream_pb2.Ended
    def __init__(self, snapshot: _Optional[_Union[TurnSnapshot, _Mapping[str, object]]] = ..., changed: _Optional[_Union[Turn, _Mapping[str, object]]] = ..., heartbeat: _Optional[_Union[_stream_pb2.Heartbeat, _Mapping[str, object]]] = ..., ended: _Optional[_Union[_stream_pb2.Ended, _Mapping[str, object]]] = ...) -> None: ...

class TurnSnapshot(_message.Message):
    __slots__ = ("turns",)
    TURNS_FIELD_NUMBER: _ClassVar[int]
    turns: _containers.RepeatedCompositeFieldContainer[Turn]
    def __init__(self, turns: _Optional[_Iterable[_Union[Turn, _Mapping[str, object]]]] = ...) -> None: ...

class Turn(_message.Message):
    __slots__ = ("match_id", "game", "version", "seat", "decision_ids", "bot", "over")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    DECISION_IDS_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    OVER_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    game: str
    version: int
    seat: int
    decision_ids: _containers.RepeatedScalarFieldContainer[str]
    bot: str
    over: bool
    def __init__(self, match_id: _Optional[str] = ..., game: _Optional[str] = ..., version: _Optional[int] = ..., seat: _Optional[int] = ..., decision_ids: _Optional[_Iterable[str]] = ..., bot: _Optional[str] = ..., over: _Optional[bool] = ...) -> None: ...
