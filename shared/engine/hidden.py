"""Hidden information: which fields of a fact or effect are secret, and to whom.

A field is hidden by a mark on its type, and a mark is all a game writes:

    cards: Annotated[tuple[str, ...], SecretTo("seat")]   only the seat in field `seat` sees it
    pile: Annotated[tuple[str, ...], SECRET]              nobody sees it
    card: Annotated[str, REVEALED]                        open now, hidden until now

Hidden names become `UNKNOWN`; the length of a hidden tuple is public. Everything here works on
any fact, so no game writes redaction code, and a viewer's state is the game's ordinary `evolve`
folded over that viewer's facts.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, TypeVar, get_type_hints

import msgspec

from shared.engine.data import UNKNOWN, Data, Effect, replace
from shared.engine.record import NOBODY, THE_MOVE, Secret

SPECTATOR = -1
"""The viewer who holds no seat: sees what everyone sees."""


class SecretTo(Data, frozen=True, gc=False):
    """Marks a field as visible to the seat named by the record's field `seat_field` only."""

    seat_field: str


class Reveal(Data, frozen=True, gc=False):
    """Marks a field that makes public what was hidden before."""


SECRET = SecretTo("")
REVEALED = Reveal()

D = TypeVar("D", bound=Data)


class Marks(Data, frozen=True, gc=False):
    """What a record type hides: (field, field naming the audience), and fields of effects."""

    secret: tuple[tuple[str, str], ...]
    nested: tuple[str, ...]
    informs: bool
    """Whether recording such a fact tells somebody something new."""


@cache
def marks_of(type_: type[Data]) -> Marks:
    """The hidden parts that a record type declares."""
    secret: list[tuple[str, str]] = []
    nested: list[str] = []
    informs = False
    hints = get_type_hints(type_, include_extras=True)
    for field in type_.__struct_fields__:
        marks = getattr(hints[field], "__metadata__", ())
        for mark in marks:
            if isinstance(mark, SecretTo):
                secret.append((field, mark.seat_field))
            if isinstance(mark, SecretTo | Reveal):
                informs = True
        if field in getattr(type_, "NESTED", ()):
            nested.append(field)
    return Marks(tuple(secret), tuple(nested), informs)


def audience_of(data: Data, seat_field: str) -> int:
    """The seat that may see a field marked with that audience, or `NOBODY`."""
    return getattr(data, seat_field) if seat_field else NOBODY


def blank(value: Any) -> Any:
    """A hidden value as others see it: names unknown, length kept."""
    if isinstance(value, str):
        return UNKNOWN
    if isinstance(value, tuple):
        return (UNKNOWN,) * len(value)
    raise TypeError(f"only a name or a tuple of names can be hidden, not {type(value).__name__}")


def redact(data: D, viewer: int) -> D:
    """A fact or effect as `viewer` (a seat or `SPECTATOR`) may know it."""
    marks = marks_of(type(data))
    if not marks.secret and not marks.nested:
        return data
    changes: dict[str, Any] = {}
    for field, seat_field in marks.secret:
        audience = audience_of(data, seat_field)
        if audience == NOBODY or audience != viewer:
            changes[field] = blank(getattr(data, field))
    for field in marks.nested:
        changes[field] = tuple(redact(inner, viewer) for inner in getattr(data, field))
    return replace(data, **changes)


def hidden_parts(data: Data, path: str = "") -> Iterable[tuple[str, int, Any]]:
    """Every hidden value inside a fact: (dotted path, audience, value), in a fixed order."""
    marks = marks_of(type(data))
    for field, seat_field in marks.secret:
        yield path + field, audience_of(data, seat_field), getattr(data, field)
    for field in marks.nested:
        for index, inner in enumerate(getattr(data, field)):
            assert isinstance(inner, Effect)
            yield from hidden_parts(inner, f"{path}{field}.{index}.")


def reveal(facts: msgspec.Raw, secrets: Iterable[Secret]) -> bytes:
    """The facts of a record with some of its secrets put back in their places (JSON bytes)."""
    plain: Any = msgspec.json.decode(facts)
    for secret in secrets:
        if secret.fact == THE_MOVE:
            continue
        *parents, last = secret.field.split(".")
        target = plain[secret.fact]
        for step in parents:
            target = target[int(step)] if step.isdigit() else target[step]
        target[last] = msgspec.json.decode(secret.value)
    return msgspec.json.encode(plain, order="sorted")
