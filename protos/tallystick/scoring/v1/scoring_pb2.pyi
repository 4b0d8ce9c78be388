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

class Agreement(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    AGREEMENT_UNSPECIFIED: _ClassVar[Agreement]
    AGREEMENT_PENDING: _ClassVar[Agreement]
    AGREEMENT_AGREES: _ClassVar[Agreement]
    AGREEMENT_DISAGREES: _ClassVar[Agreement]
    AGREEMENT_UNCOUNTED: _ClassVar[Agreement]
AGREEMENT_UNSPECIFIED: Agreement
AGREEMENT_PENDING: Agreement
AGREEMENT_AGREES: Agreement
AGREEMENT_DISAGREES: Agreement
AGREEMENT_UNCOUNTED: Agreement

class ScoreLine(_message.Message):
    __slots__ = ("seat", "reason", "reason_text", "points")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    REASON_TEXT_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    reason: str
    reason_text: str
    points: int
    def __init__(self, seat: _Optional[int] = ..., reason: _Optional[str] = ..., reason_text: _Optional[str] = ..., points: _Optional[int] = ...) -> None: ...

class SeatTotal(_message.Message):
    __slots__ = ("seat", "account", "name", "points", "rank")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    RANK_FIELD_NUMBER: _ClassVar[int]
    seat: int
    account: str
    name: str
    points: int
    rank: int
    def __init__(self, seat: _Optional[int] = ..., account: _Optional[str] = ..., name: _Optional[str] = ..., points: _Optional[int] = ..., rank: _Optional[int] = ...) -> None: ...

class ScoreSheet(_message.Message):
    __slots__ = ("match_id", "game", "version", "final", "lines", "totals", "agreement")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    FINAL_FIELD_NUMBER: _ClassVar[int]
    LINES_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    AGREEMENT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    game: str
    version: int
    final: bool
    lines: _containers.RepeatedCompositeFieldContainer[ScoreLine]
    totals: _containers.RepeatedCompositeFieldContainer[SeatTotal]
    agreement: Agreement
    def __init__(self, match_id: _Optional[str] = ..., game: _Optional[str] = ..., version: _Optional[int] = ..., final: _Optional[bool] = ..., lines: _Optional[_Iterable[_Union[ScoreLine, _Mapping[str, object]]]] = ..., totals: _Optional[_Iterable[_Union[SeatTotal, _Mapping[str, object]]]] = ..., agreement: _Optional[_Union[Agreement, str]] = ...) -> None: ...

class GetScoreSheetRequest(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class GetScoreSheetResponse(_message.Message):
    __slots__ = ("sheet",)
    SHEET_FIELD_NUMBER: _ClassVar[int]
    sheet: ScoreSheet
    def __init__(self, sheet: _Optional[_Union[ScoreSheet, _Mapping[str, object]]] = ...) -> None: ...

class ListResultsRequest(_message.Message):
    __slots__ = ("account", "game", "page_size", "page_token")
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    account: str
    game: str
    page_size: int
    page_token: str
    def __init__(self, account: _Optional[str] = ..., game: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListResultsResponse(_message.Message):
    __slots__ = ("results", "next_page_token")
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[Result]
    next_page_token: str
    def __init__(self, results: _Optional[_Iterable[_Union[Result, _Mapping[str, object]]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class Result(_message.Message):
    __slots__ = ("match_id", "game", "edition", "finished_at", "totals", "reason", "agreement", "rated")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    EDITION_FIELD_NUMBER: _ClassVar[int]
    FINISHED_AT_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    AGREEMENT_FIELD_NUMBER: _ClassVar[int]
    RATED_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    game: str
    edition: str
    finished_at: _timestamp_pb2.Timestamp
    totals: _containers.RepeatedCompositeFieldContainer[SeatTotal]
    reason: str
    agreement: Agreement
    rated: bool
    def __init__(self, match_id: _Optional[str] = ..., game: _Optional[str] = ..., edition: _Optional[str] = ..., finished_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping[str, object]]] = ..., totals: _Optional[_Iterable[_Union[SeatTotal, _Mapping[str, object]]]] = ..., reason: _Optional[str] = ..., agreement: _Optional[_Union[Agreement, str]] = ..., rated: _Optional[bool] = ...) -> None: ...

class Rating(_message.Message):
    __slots__ = ("account", "game", "ordinal", "mu", "sigma", "matches")
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    ORDINAL_FIELD_NUMBER: _ClassVar[int]
    MU_FIELD_NUMBER: _ClassVar[int]
    SIGMA_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    account: str
    game: str
    ordinal: float
    mu: float
    sigma: float
    matches: int
    def __init__(self, account: _Optional[str] = ..., game: _Optional[str] = ..., ordinal: _Optional[float] = ..., mu: _Optional[float] = ..., sigma: _Optional[float] = ..., matches: _Optional[int] = ...) -> None: ...

class GetRatingRequest(_message.Message):
    __slots__ = ("account", "game")
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    account: str
    game: str
    def __init__(self, account: _Optional[str] = ..., game: _Optional[str] = ...) -> None: ...

class GetRatingResponse(_message.Message):
    __slots__ = ("rating",)
    RATING_FIELD_NUMBER: _ClassVar[int]
    rating: Rating
    def __init__(self, rating: _Optional[_Union[Rating, _Mapping[str, object]]] = ...) -> None: ...

class GetLeaderboardRequest(_message.Message):
    __slots__ = ("game", "page_size", "page_token")
    GAME_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    game: str
    page_size: int
    page_token: str
    def __init__(self, game: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class GetLeaderboardResponse(_message.Message):
    __slots__ = ("entries", "next_page_token")
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[LeaderboardEntry]
    next_page_token: str
    def __init__(self, entries: _Optional[_Iterable[_Union[LeaderboardEntry, _Mapping[str, object]]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class LeaderboardEntry(_message.Message):
    __slots__ = ("rank", "rating")
    RANK_FIELD_NUMBER: _ClassVar[int]
    RATING_FIELD_NUMBER: _ClassVar[int]
    rank: int
    rating: Rating
    def __init__(self, rank: _Optional[int] = ..., rating: _Optional[_Union[Rating, _Mapping[str, object]]] = ...) -> None: ...

class GetPlayerStatisticsRequest(_message.Message):
    __slots__ = ("account",)
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    account: str
    def __init__(self, account: _Optional[str] = ...) -> None: ...

class GetPlayerStatisticsResponse(_message.Message):
    __slots__ = ("games",)
    GAMES_FIELD_NUMBER: _ClassVar[int]
    games: _containers.RepeatedCompositeFieldContainer[GameStatistics]
    def __init__(self, games: _Optional[_Iterable[_Union[GameStatistics, _Mapping[str, object]]]] = ...) -> None: ...

class GameStatistics(_message.Message):
    __slots__ = ("game", "matches", "wins", "best_points", "average_points", "average_rank", "resigned", "rating")
    GAME_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    WINS_FIELD_NUMBER: _ClassVar[int]
    BEST_POINTS_FIELD_NUMBER: _ClassVar[int]
    AVERAGE_POINTS_FIELD_NUMBER: _ClassVar[int]
    AVERAGE_RANK_FIELD_NUMBER: _ClassVar[int]
    RESIGNED_FIELD_NUMBER: _ClassVar[int]
    RATING_FIELD_NUMBER: _ClassVar[int]
    game: str
    matches: int
    wins: int
    best_points: int
    average_points: float
    average_rank: float
    resigned: int
    rating: Rating
    def __init__(self, game: _Optional[str] = ..., matches: _Optional[int] = ..., wins: _Optional[int] = ..., best_points: _Optional[int] = ..., average_points: _Optional[float] = ..., average_rank: _Optional[float] = ..., resigned: _Optional[int] = ..., rating: _Optional[_Union[Rating, _Mapping[str, object]]] = ...) -> None: ...
