"""Facts and choices as English sentences, from a message key and typed parameters.

The key is the class name and the parameters are the fields, so a client can translate both.
"""

from __future__ import annotations

from typing import Any

from shared.engine.data import UNKNOWN, Data, Fact
from shared.engine.game import AgendaSet, Game

SEAT_FIELDS = frozenset({"seat", "owner", "other"})
"""Fields that hold a seat number and read as that seat's name."""


def parameter(game: Game, field: str, value: Any, seats: tuple[str, ...]) -> str:
    """One parameter of a sentence in English."""
    if field in game.formats:
        return game.formats[field](value)
    if field in SEAT_FIELDS and isinstance(value, int):
        return seats[value] if 0 <= value < len(seats) else "nobody"
    if value == UNKNOWN:
        return "a hidden one"
    if isinstance(value, str):
        return game.names.get(value, value)
    if isinstance(value, tuple):
        return ", ".join(parameter(game, "", item, seats) for item in value) or "nothing"
    return str(value)


def sentence(game: Game, data: Data, seats: tuple[str, ...]) -> str:
    """A fact or choice as one English sentence; `seats` are the names to use."""
    template = game.messages[type(data).__name__]
    fields = {
        field: parameter(game, field, getattr(data, field), seats)
        for field in data.__struct_fields__
    }
    return template.format(**fields)


def sayable(facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """The facts that tell something at the table (all but the bookkeeping of pending work)."""
    return tuple(fact for fact in facts if type(fact) is not AgendaSet)
