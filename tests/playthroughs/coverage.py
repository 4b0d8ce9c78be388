"""What the golden games of one game show between them."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import msgspec

from shared.engine.record import open_record
from tests.playthroughs.playthrough import FOLDER, Header, Played, read, replayed


def folder_of(game: str) -> str:
    """Where the games of a game lie: its id as a package name."""
    return game.replace("-", "_")


def headers(game: str) -> list[Header]:
    return [read(path).header for path in sorted((FOLDER / folder_of(game)).glob("*.play"))]


def games(game: str) -> list[Played]:
    """All its golden games, replayed."""
    return [replayed(path) for path in sorted((FOLDER / folder_of(game)).glob("*.play"))]


@cache
def facts(game: str) -> list[list[dict[str, Any]]]:
    """Every fact as the public log has it, game by game."""
    return [
        [
            fact
            for record in played.records
            for fact in msgspec.json.decode(open_record(record.body).facts)
        ]
        for played in games(game)
    ]


def fact_counts(game: str) -> list[Counter[str]]:
    """How often each kind of fact came about, game by game."""
    return [Counter(fact["@type"] for fact in log) for log in facts(game)]


def seen(game: str, kind: str, *fields: str) -> set[Any]:
    """The values that facts of a kind had in a field (several: as tuples), over all games."""
    found = [fact for log in facts(game) for fact in log if fact["@type"] == kind]
    if len(fields) == 1:
        return {fact[fields[0]] for fact in found}
    return {tuple(fact[field] for field in fields) for fact in found}


def kinds_of_choices_made(game: str) -> set[str]:
    return {
        type(option.choice).__name__
        for played in games(game)
        for decision, (_, move) in zip(played.decisions, played.moves, strict=True)
        for option in decision.options
        if option.notation == move
    }
