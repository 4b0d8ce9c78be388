# ruff: noqa
import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RecordType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RECORD_TYPE_UNSPECIFIED: _ClassVar[RecordType]
    RECORD_TYPE_CREATED: _ClassVar[RecordType]
    RECORD_TYPE_MOVE: _ClassVar[RecordType]
    RECORD_TYPE_UNDO: _ClassVar[RecordType]
    RECORD_TYPE_RESIGNED: _ClassVar[RecordType]
    RECORD_TYPE_CLOSED: _ClassVar[RecordType]

class MatchStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MATCH_STATUS_UNSPECIFIED: _ClassVar[MatchStatus]
    MATCH_STATUS_RUNNING: _ClassVar[MatchStatus]
    MATCH_STATUS_OVER: _ClassVar[MatchStatus]
RECORD_TYPE_UNSPECIFIED: RecordType
RECORD_TYPE_CREATED: RecordType
RECORD_TYPE_MOVE: RecordType
RECORD_TYPE_UNDO: RecordType
RECORD_TYPE_RESIGNED: RecordType
RECORD_TYPE_CLOSED: RecordType
MATCH_STATUS_UNSPECIFIED: MatchStatus
MATCH_STATUS_RUNNING: MatchStatus
MATCH_STATUS_OVER: MatchStatus

class Seat(_message.Message):
    __slots__ = ("seat", "account", "name", "bot", "resigned")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    RESIGNED_FIELD_NUMBER: _ClassVar[int]
    seat: int
    account: str
    name: str
    bot: str
    resigned: bool
    def __init__(self, seat: _Optional[int] = ..., account: _Optional[str] = ..., name: _Optional[str] = ..., bot: _Optional[str] = ..., resigned: _Optional[bool] = ...) -> None: ...

class Score(_message.Message):
    __slots__ = ("seat", "points", "rank")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    RANK_FIELD_NUMBER: _ClassVar[int]
    seat: int
    points: int
    rank: int
    def __init__(self, seat: _Optional[int] = ..., points: _Optional[int] = ..., rank: _Optional[int] = ...) -> None: ...

class Option(_message.Message):
    __slots__ = ("notation", "label", "arguments_json")
    NOTATION_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_JSON_FIELD_NUMBER: _ClassVar[int]
    notation: str
    label: str
    arguments_json: str
    def __init__(self, notation: _Optional[str] = ..., label: _Optional[str] = ..., arguments_json: _Optional[str] = ...) -> None: ...

class Decision(_message.Message):
    __slots__ = ("decision_id", "seat", "title", "options", "options_hidden")
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_HIDDEN_FIELD_NUMBER: _ClassVar[int]
    decision_id: str
    seat: int
    title: str
    options: _containers.RepeatedCompositeFieldContainer[Option]
    options_hidden: bool
    def __init__(self, decision_id: _Optional[str] = ..., seat: _Optional[int] = ..., title: _Optional[str] = ..., options: _Optional[_Iterable[_Union[Option, _Mapping[str, object]]]] = ..., options_hidden: _Optional[bool] = ...) -> None: ...

class Fact(_message.Message):
    __slots__ = ("type", "sentence", "message_key", "parameters", "fields_json", "seat")
    class ParametersEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    TYPE_FIELD_NUMBER: _ClassVar[int]
    SENTENCE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_KEY_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    FIELDS_JSON_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    type: str
    sentence: str
    message_key: str
    parameters: _containers.ScalarMap[str, str]
    fields_json: str
    seat: int
    def __init__(self, type: _Optional[str] = ..., sentence: _Optional[str] = ..., message_key: _Optional[str] = ..., parameters: _Optional[_Mapping[str, str]] = ..., fields_json: _Optional[str] = ..., seat: _Optional[int] = ...) -> None: ...

class MatchRecord(_message.Message):
    __slots__ = ("match_id", "version", "type", "seat", "actor", "move", "facts", "barrier", "recorded_at", "hash", "undone_to")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    MOVE_FIELD_NUMBER: _ClassVar[int]
    FACTS_FIELD_NUMBER: _ClassVar[int]
    BARRIER_FIELD_NUMBER: _ClassVar[int]
    RECORDED_AT_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    UNDONE_TO_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    version: int
    type: RecordType
    seat: int
    actor: str
    move: str
    facts: _containers.RepeatedCompositeFieldContainer[Fact]
    barrier: bool
    recorded_at: _timestamp_pb2.Timestamp
    hash: str
    undone_to: int
    def __init__(self, match_id: _Optional[str] = ..., version: _Optional[int] = ..., type: _Optional[_Union[RecordType, str]] = ..., seat: _Optional[int] = ..., actor: _Optional[str] = ..., move: _Optional[str] = ..., facts: _Optional[_Iterable[_Union[Fact, _Mapping[str, object]]]] = ..., barrier: _Optional[bool] = ..., recorded_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping[str, object]]] = ..., hash: _Optional[str] = ..., undone_to: _Optional[int] = ...) -> None: ...

class MatchResult(_message.Message):
    __slots__ = ("ranking", "winners", "reason")
    RANKING_FIELD_NUMBER: _ClassVar[int]
    WINNERS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    ranking: _containers.RepeatedCompositeFieldContainer[Score]
    winners: _containers.RepeatedScalarFieldContainer[int]
    reason: str
    def __init__(self, ranking: _Optional[_Iterable[_Union[Score, _Mapping[str, object]]]] = ..., winners: _Optional[_Iterable[int]] = ..., reason: _Optional[str] = ...) -> None: ...

class View(_message.Message):
    __slots__ = ("match_id", "game", "edition", "version", "hash", "viewer_seat", "seats", "scores", "decisions", "board_json", "picture", "status", "undo_to", "result", "options")
    class OptionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    EDITION_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    VIEWER_SEAT_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    BOARD_JSON_FIELD_NUMBER: _ClassVar[int]
    PICTURE_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    UNDO_TO_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    game: str
    edition: str
    version: int
    hash: str
    viewer_seat: int
    seats: _containers.RepeatedCompositeFieldContainer[Seat]
    scores: _containers.RepeatedCompositeFieldContainer[Score]
    decisions: _containers.RepeatedCompositeFieldContainer[Decision]
    board_json: str
    picture: str
    status: MatchStatus
    undo_to: int
    result: MatchResult
    options: _containers.ScalarMap[str, str]
    def __init__(self, match_id: _Optional[str] = ..., game: _Optional[str] = ..., edition: _Optional[str] = ..., version: _Optional[int] = ..., hash: _Optional[str] = ..., viewer_seat: _Optional[int] = ..., seats: _Optional[_Iterable[_Union[Seat, _Mapping[str, object]]]] = ..., scores: _Optional[_Iterable[_Union[Score, _Mapping[str, object]]]] = ..., decisions: _Optional[_Iterable[_Union[Decision, _Mapping[str, object]]]] = ..., board_json: _Optional[str] = ..., picture: _Optional[str] = ..., status: _Optional[_Union[MatchStatus, str]] = ..., undo_to: _Optional[int] = ..., result: _Optional[_Union[MatchResult, _Mapping[str, object]]] = ..., options: _Optional[_Mapping[str, str]] = ...) -> None: ...
