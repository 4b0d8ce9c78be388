# ruff: noqa
import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from protos.tallystick.stream.v1 import stream_pb2 as _stream_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SeatKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SEAT_KIND_UNSPECIFIED: _ClassVar[SeatKind]
    SEAT_KIND_OPEN: _ClassVar[SeatKind]
    SEAT_KIND_PLAYER: _ClassVar[SeatKind]
    SEAT_KIND_BOT: _ClassVar[SeatKind]
    SEAT_KIND_INVITED: _ClassVar[SeatKind]

class TableStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TABLE_STATUS_UNSPECIFIED: _ClassVar[TableStatus]
    TABLE_STATUS_OPEN: _ClassVar[TableStatus]
    TABLE_STATUS_STARTING: _ClassVar[TableStatus]
    TABLE_STATUS_PLAYING: _ClassVar[TableStatus]
    TABLE_STATUS_FINISHED: _ClassVar[TableStatus]
    TABLE_STATUS_CLOSED: _ClassVar[TableStatus]

class TableFilter(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TABLE_FILTER_UNSPECIFIED: _ClassVar[TableFilter]
    TABLE_FILTER_MINE: _ClassVar[TableFilter]
    TABLE_FILTER_PLAYING: _ClassVar[TableFilter]
SEAT_KIND_UNSPECIFIED: SeatKind
SEAT_KIND_OPEN: SeatKind
SEAT_KIND_PLAYER: SeatKind
SEAT_KIND_BOT: SeatKind
SEAT_KIND_INVITED: SeatKind
TABLE_STATUS_UNSPECIFIED: TableStatus
TABLE_STATUS_OPEN: TableStatus
TABLE_STATUS_STARTING: TableStatus
TABLE_STATUS_PLAYING: TableStatus
TABLE_STATUS_FINISHED: TableStatus
TABLE_STATUS_CLOSED: TableStatus
TABLE_FILTER_UNSPECIFIED: TableFilter
TABLE_FILTER_MINE: TableFilter
TABLE_FILTER_PLAYING: TableFilter

class GameSummary(_message.Message):
    __slots__ = ("game", "title", "edition", "players")
    GAME_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    EDITION_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    game: str
    title: str
    edition: str
    players: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, game: _Optional[str] = ..., title: _Optional[str] = ..., edition: _Optional[str] = ..., players: _Optional[_Iterable[int]] = ...) -> None: ...

class GameOption(_message.Message):
    __slots__ = ("name", "title", "choices", "default_choice")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    CHOICES_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_CHOICE_FIELD_NUMBER: _ClassVar[int]
    name: str
    title: str
    choices: _containers.RepeatedScalarFieldContainer[str]
    default_choice: str
    def __init__(self, name: _Optional[str] = ..., title: _Optional[str] = ..., choices: _Optional[_Iterable[str]] = ..., default_choice: _Optional[str] = ...) -> None: ...

class ListGamesRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListGamesResponse(_message.Message):
    __slots__ = ("games",)
    GAMES_FIELD_NUMBER: _ClassVar[int]
    games: _containers.RepeatedCompositeFieldContainer[GameSummary]
    def __init__(self, games: _Optional[_Iterable[_Union[GameSummary, _Mapping[str, object]]]] = ...) -> None: ...

class DescribeGameRequest(_message.Message):
    __slots__ = ("game", "edition")
    GAME_FIELD_NUMBER: _ClassVar[int]
    EDITION_FIELD_NUMBER: _ClassVar[int]
    game: str
    edition: str
    def __init__(self, game: _Optional[str] = ..., edition: _Optional[str] = ...) -> None: ...

class DescribeGameResponse(_message.Message):
    __slots__ = ("game", "options", "board_schema_json", "fact_schemas_json", "choice_schemas_json", "rules_text", "rules_digest", "content_digest", "messages", "bots")
    class FactSchemasJsonEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    class ChoiceSchemasJsonEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    class MessagesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    GAME_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    BOARD_SCHEMA_JSON_FIELD_NUMBER: _ClassVar[int]
    FACT_SCHEMAS_JSON_FIELD_NUMBER: _ClassVar[int]
    CHOICE_SCHEMAS_JSON_FIELD_NUMBER: _ClassVar[int]
    RULES_TEXT_FIELD_NUMBER: _ClassVar[int]
    RULES_DIGEST_FIELD_NUMBER: _ClassVar[int]
    CONTENT_DIGEST_FIELD_NUMBER: _ClassVar[int]
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    game: GameSummary
    options: _containers.RepeatedCompositeFieldContainer[GameOption]
    board_schema_json: str
    fact_schemas_json: _containers.ScalarMap[str, str]
    choice_schemas_json: _containers.ScalarMap[str, str]
    rules_text: str
    rules_digest: str
    content_digest: str
    messages: _containers.ScalarMap[str, str]
    bots: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, game: _Optional[_Union[GameSummary, _Mapping[str, object]]] = ..., options: _Optional[_Iterable[_Union[GameOption, _Mapping[str, object]]]] = ..., board_schema_json: _Optional[str] = ..., fact_schemas_json: _Optional[_Mapping[str, str]] = ..., choice_schemas_json: _Optional[_Mapping[str, str]] = ..., rules_text: _Optional[str] = ..., rules_digest: _Optional[str] = ..., content_digest: _Optional[str] = ..., messages: _Optional[_Mapping[str, str]] = ..., bots: _Optional[_Iterable[str]] = ...) -> None: ...

class TableSeat(_message.Message):
    __slots__ = ("seat", "kind", "account", "name", "bot", "entropy_added")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    ENTROPY_ADDED_FIELD_NUMBER: _ClassVar[int]
    seat: int
    kind: SeatKind
    account: str
    name: str
    bot: str
    entropy_added: bool
    def __init__(self, seat: _Optional[int] = ..., kind: _Optional[_Union[SeatKind, str]] = ..., account: _Optional[str] = ..., name: _Optional[str] = ..., bot: _Optional[str] = ..., entropy_added: _Optional[bool] = ...) -> None: ...

class Table(_message.Message):
    __slots__ = ("table_id", "version", "game", "edition", "options", "status", "owner", "seats", "unlisted", "match_id", "opened_at", "quick", "closed_reason", "content_digest", "seed_commitment", "changed_at", "closed_detail")
    class OptionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    EDITION_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    UNLISTED_FIELD_NUMBER: _ClassVar[int]
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    OPENED_AT_FIELD_NUMBER: _ClassVar[int]
    QUICK_FIELD_NUMBER: _ClassVar[int]
    CLOSED_REASON_FIELD_NUMBER: _ClassVar[int]
    CONTENT_DIGEST_FIELD_NUMBER: _ClassVar[int]
    SEED_COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    CHANGED_AT_FIELD_NUMBER: _ClassVar[int]
    CLOSED_DETAIL_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    version: int
    game: str
    edition: str
    options: _containers.ScalarMap[str, str]
    status: TableStatus
    owner: str
    seats: _containers.RepeatedCompositeFieldContainer[TableSeat]
    unlisted: bool
    match_id: str
    opened_at: _timestamp_pb2.Timestamp
    quick: bool
    closed_reason: str
    content_digest: str
    seed_commitment: str
    changed_at: _timestamp_pb2.Timestamp
    closed_detail: str
    def __init__(self, table_id: _Optional[str] = ..., version: _Optional[int] = ..., game: _Optional[str] = ..., edition: _Optional[str] = ..., options: _Optional[_Mapping[str, str]] = ..., status: _Optional[_Union[TableStatus, str]] = ..., owner: _Optional[str] = ..., seats: _Optional[_Iterable[_Union[TableSeat, _Mapping[str, object]]]] = ..., unlisted: _Optional[bool] = ..., match_id: _Optional[str] = ..., opened_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping[str, object]]] = ..., quick: _Optional[bool] = ..., closed_reason: _Optional[str] = ..., content_digest: _Optional[str] = ..., seed_commitment: _Optional[str] = ..., changed_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping[str, object]]] = ..., closed_detail: _Optional[str] = ...) -> None: ...

class SeatPlan(_message.Message):
    __slots__ = ("kind", "account", "bot")
    KIND_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    kind: SeatKind
    account: str
    bot: str
    def __init__(self, kind: _Optional[_Union[SeatKind, str]] = ..., account: _Optional[str] = ..., bot: _Optional[str] = ...) -> None: ...

class OpenTableRequest(_message.Message):
    __slots__ = ("game", "players", "options", "content_override", "seats", "unlisted", "command_id")
    class OptionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    GAME_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    CONTENT_OVERRIDE_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    UNLISTED_FIELD_NUMBER: _ClassVar[int]
    COMMAND_ID_FIELD_NUMBER: _ClassVar[int]
    game: str
    players: int
    options: _containers.ScalarMap[str, str]
    content_override: str
    seats: _containers.RepeatedCompositeFieldContainer[SeatPlan]
    unlisted: bool
    command_id: str
    def __init__(self, game: _Optional[str] = ..., players: _Optional[int] = ..., options: _Optional[_Mapping[str, str]] = ..., content_override: _Optional[str] = ..., seats: _Optional[_Iterable[_Union[SeatPlan, _Mapping[str, object]]]] = ..., unlisted: _Optional[bool] = ..., command_id: _Optional[str] = ...) -> None: ...

class OpenTableResponse(_message.Message):
    __slots__ = ("table",)
    TABLE_FIELD_NUMBER: _ClassVar[int]
    table: Table
    def __init__(self, table: _Optional[_Union[Table, _Mapping[str, object]]] = ...) -> None: ...

class JoinTableRequest(_message.Message):
    __slots__ = ("table_id", "seat", "invitation_code", "command_id")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    INVITATION_CODE_FIELD_NUMBER: _ClassVar[int]
    COMMAND_ID_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    seat: int
    invitation_code: str
    command_id: str
    def __init__(self, table_id: _Optional[str] = ..., seat: _Optional[int] = ..., invitation_code: _Optional[str] = ..., command_id: _Optional[str] = ...) -> None: ...

class JoinTableResponse(_message.Message):
    __slots__ = ("table",)
    TABLE_FIELD_NUMBER: _ClassVar[int]
    table: Table
    def __init__(self, table: _Optional[_Union[Table, _Mapping[str, object]]] = ...) -> None: ...

class LeaveTableRequest(_message.Message):
    __slots__ = ("table_id", "command_id")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    COMMAND_ID_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    command_id: str
    def __init__(self, table_id: _Optional[str] = ..., command_id: _Optional[str] = ...) -> None: ...

class LeaveTableResponse(_message.Message):
    __slots__ = ("table",)
    TABLE_FIELD_NUMBER: _ClassVar[int]
    table: Table
    def __init__(self, table: _Optional[_Union[Table, _Mapping[str, object]]] = ...) -> None: ...

class SeatBotRequest(_message.Message):
    __slots__ = ("table_id", "seat", "bot", "command_id")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    COMMAND_ID_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    seat: int
    bot: str
    command_id: str
    def __init__(self, table_id: _Optional[str] = ..., seat: _Optional[int] = ..., bot: _Optional[str] = ..., command_id: _Optional[str] = ...) -> None: ...

class SeatBotResponse(_message.Message):
    __slots__ = ("table",)
    TABLE_FIELD_NUMBER: _ClassVar[int]
    table: Table
    def __init__(self, table: _Optional[_Union[Table, _Mapping[str, object]]] = ...) -> None: ...

class KickSeatRequest(_message.Message):
    __slots__ = ("table_id", "seat", "command_id")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    COMMAND_ID_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    seat: int
    command_id: str
    def __init__(self, table_id: _Optional[str] = ..., seat: _Optional[int] = ..., command_id: _Optional[str] = ...) -> None: ...

class KickSeatResponse(_message.Message):
    __slots__ = ("table",)
    TABLE_FIELD_NUMBER: _ClassVar[int]
    table: Table
    def __init__(self, table: _Optional[_Union[Table, _Mapping[str, object]]] = ...) -> None: ...

class AddEntropyRequest(_message.Message):
    __slots__ = ("table_id", "seed_commitment", "entropy", "command_id")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    SEED_COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    ENTROPY_FIELD_NUMBER: _ClassVar[int]
    COMMAND_ID_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    seed_commitment: str
    entropy: bytes
    command_id: str
    def __init__(self, table_id: _Optional[str] = ..., seed_commitment: _Optional[str] = ..., entropy: _Optional[bytes] = ..., command_id: _Optional[str] = ...) -> None: ...

class AddEntropyResponse(_message.Message):
    __slots__ = ("table",)
    TABLE_FIELD_NUMBER: _ClassVar[int]
    table: Table
    def __init__(self, table: _Optional[_Union[Table, _Mapping[str, object]]] = ...) -> None: ...

class StartTableRequest(_message.Message):
    __slots__ = ("table_id", "command_id")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    COMMAND_ID_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    command_id: str
    def __init__(self, table_id: _Optional[str] = ..., command_id: _Optional[str] = ...) -> None: ...

class StartTableResponse(_message.Message):
    __slots__ = ("table",)
    TABLE_FIELD_NUMBER: _ClassVar[int]
    table: Table
    def __init__(self, table: _Optional[_Union[Table, _Mapping[str, object]]] = ...) -> None: ...

class GetTableRequest(_message.Message):
    __slots__ = ("table_id", "invitation_code")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    INVITATION_CODE_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    invitation_code: str
    def __init__(self, table_id: _Optional[str] = ..., invitation_code: _Optional[str] = ...) -> None: ...

class GetTableResponse(_message.Message):
    __slots__ = ("table",)
    TABLE_FIELD_NUMBER: _ClassVar[int]
    table: Table
    def __init__(self, table: _Optional[_Union[Table, _Mapping[str, object]]] = ...) -> None: ...

class ListTablesRequest(_message.Message):
    __slots__ = ("filter", "game", "page_size", "page_token")
    FILTER_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    filter: TableFilter
    game: str
    page_size: int
    page_token: str
    def __init__(self, filter: _Optional[_Union[TableFilter, str]] = ..., game: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListTablesResponse(_message.Message):
    __slots__ = ("tables", "next_page_token")
    TABLES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    tables: _containers.RepeatedCompositeFieldContainer[Table]
    next_page_token: str
    def __init__(self, tables: _Optional[_Iterable[_Union[Table, _Mapping[str, object]]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class QuickMatchRequest(_message.Message):
    __slots__ = ("game", "players", "command_id")
    GAME_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    COMMAND_ID_FIELD_NUMBER: _ClassVar[int]
    game: str
    players: int
    command_id: str
    def __init__(self, game: _Optional[str] = ..., players: _Optional[int] = ..., command_id: _Optional[str] = ...) -> None: ...

class QuickMatchResponse(_message.Message):
    __slots__ = ("table",)
    TABLE_FIELD_NUMBER: _ClassVar[int]
    table: Table
    def __init__(self, table: _Optional[_Union[Table, _Mapping[str, object]]] = ...) -> None: ...

class CancelQuickMatchRequest(_message.Message):
    __slots__ = ("table_id", "command_id")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    COMMAND_ID_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    command_id: str
    def __init__(self, table_id: _Optional[str] = ..., command_id: _Optional[str] = ...) -> None: ...

class CancelQuickMatchResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class WatchLobbyRequest(_message.Message):
    __slots__ = ("game",)
    GAME_FIELD_NUMBER: _ClassVar[int]
    game: str
    def __init__(self, game: _Optional[str] = ...) -> None: ...

class WatchLobbyResponse(_message.Message):
    __slots__ = ("snapshot", "table", "heartbeat", "ended")
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    snapshot: LobbySnapshot
    table: Table
    heartbeat: _stream_pb2.Heartbeat
    ended: _stream_pb2.Ended
    def __init__(self, snapshot: _Optional[_Union[LobbySnapshot, _Mapping[str, object]]] = ..., table: _Optional[_Union[Table, _Mapping[str, object]]] = ..., heartbeat: _Optional[_Union[_stream_pb2.Heartbeat, _Mapping[str, object]]] = ..., ended: _Optional[_Union[_stream_pb2.Ended, _Mapping[str, object]]] = ...) -> None: ...

class LobbySnapshot(_message.Message):
    __slots__ = ("tables",)
    TABLES_FIELD_NUMBER: _ClassVar[int]
    tables: _containers.RepeatedCompositeFieldContainer[Table]
    def __init__(self, tables: _Optional[_Iterable[_Union[Table, _Mapping[str, object]]]] = ...) -> None: ...

class WatchTableRequest(_message.Message):
    __slots__ = ("table_id", "invitation_code")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    INVITATION_CODE_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    invitation_code: str
    def __init__(self, table_id: _Optional[str] = ..., invitation_code: _Optional[str] = ...) -> None: ...

class WatchTableResponse(_message.Message):
    __slots__ = ("table", "heartbeat", "ended")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    table: Table
    heartbeat: _stream_pb2.Heartbeat
    ended: _stream_pb2.Ended
    def __init__(self, table: _Optional[_Union[Table, _Mapping[str, object]]] = ..., heartbeat: _Optional[_Union[_stream_pb2.Heartbeat, _Mapping[str, object]]] = ..., ended: _Optional[_Union[_stream_pb2.Ended, _Mapping[str, object]]] = ...) -> None: ...

class CreateInvitationRequest(_message.Message):
    __slots__ = ("table_id", "seat", "valid_for", "command_id")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    VALID_FOR_FIELD_NUMBER: _ClassVar[int]
    COMMAND_ID_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    seat: int
    valid_for: _duration_pb2.Duration
    command_id: str
    def __init__(self, table_id: _Optional[str] = ..., seat: _Optional[int] = ..., valid_for: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping[str, object]]] = ..., command_id: _Optional[str] = ...) -> None: ...

class CreateInvitationResponse(_message.Message):
    __slots__ = ("code", "expires_at")
    CODE_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    code: str
    expires_at: _timestamp_pb2.Timestamp
    def __init__(self, code: _Optional[str] = ..., expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping[str, object]]] = ...) -> None: ...
