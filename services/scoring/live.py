"""Running matches in memory, as every spectator knows them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence

from services.scoring.count import Count, Entry, count
from shared.engine.errors import BadRecord
from shared.engine.game import Game
from shared.engine.match import Match
from shared.engine.record import GENESIS, Record
from shared.engine.replay import begin, follow, restore
from shared.platform.logging import get_logger

log = get_logger("scoring")

Load = Callable[[], Sequence[Entry]]
"""The kept public records of a running match, oldest first."""

MAX_GIVEN_UP = 10_000


class LiveMatches:
    """The newest known position of running matches; what was put out is folded again if need be.

    A match whose public log does not fold, or whose points cannot be counted, is left alone until
    it is closed: a fault in one must not keep the others from being counted.
    """

    def __init__(self, games: Mapping[str, Game], capacity: int) -> None:
        self._games = games
        self._capacity = capacity
        self._matches: OrderedDict[str, Match] = OrderedDict()
        self._given_up: set[str] = set()

    def forget(self, match_id: str, for_good: bool = False) -> None:
        """Drop a match: it is over, or what was done with it was not committed."""
        self._matches.pop(match_id, None)
        if for_good:
            self._given_up.discard(match_id)

    def forget_all(self) -> None:
        """Know nothing any more."""
        self._matches.clear()
        self._given_up.clear()

    def trim(self) -> None:
        """Put out those that nothing happened to for the longest time."""
        while len(self._matches) > self._capacity:
            self._matches.popitem(last=False)

    def take(self, match_id: str, record: Record, hash_: str, load: Load) -> None:
        """Follow one more record of a match. Raises only what `load` raises."""
        if match_id in self._given_up:
            return
        match = self._matches.get(match_id)
        if match is not None and match.head != record.prev:
            match = None  # another process has followed it meanwhile
        earlier = load() if match is None and record.version > 1 else ()
        try:
            if record.version == 1:
                match = begin(self._games, record, GENESIS)
            elif match is None:
                match = restore(self._games, earlier)
            if match.version + 1 != record.version or match.head != record.prev:
                raise BadRecord(record.version, f"it does not follow version {match.version}")
            self._matches[match_id] = follow(match, record, record.facts, hash_)
            self._matches.move_to_end(match_id)
        except Exception as error:
            self._give_up(match_id, record.version, error)

    def count(self, match_id: str) -> tuple[Match, Count] | None:
        """The match and its points as they stand, if it can be counted."""
        match = self._matches.get(match_id)
        if match is None:
            return None
        try:
            return match, count(match)
        except Exception as error:
            self._give_up(match_id, match.version, error)
            return None

    def _give_up(self, match_id: str, version: int, error: Exception) -> None:
        log.error(
            "a running match cannot be counted; its sheet stays as it is until the match is over",
            match=match_id, version=version, problem=f"{type(error).__name__}: {error}",
        )  # fmt: skip
        self.forget(match_id)
        if len(self._given_up) >= MAX_GIVEN_UP:
            self._given_up.clear()
        self._given_up.add(match_id)
