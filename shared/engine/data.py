"""Frozen records and their codec: what a state, a fact, an effect and a choice are made of.

The wire form is canonical JSON (RFC 8785, restricted to objects, arrays, strings, integers,
booleans and null), so the same value always has the same bytes and the same hash.
"""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

UNKNOWN = "?"
"""What a viewer sees in place of a hidden name."""


TAG = "@type"
"""The key that names a fact's, effect's or choice's class. Canonical JSON sorts it before every
field, so a decoder knows the class before it reads the first of them."""


class Data(msgspec.Struct, frozen=True, gc=False):
    """An immutable record of plain values: integers, strings, tuples and other records."""


class Fact(Data, frozen=True, gc=False, tag_field=TAG, tag=True):
    """One change at the table, past tense, in rulebook words. Its class name is its wire name."""


class Effect(Data, frozen=True, gc=False, tag_field=TAG, tag=True):
    """One piece of pending work on the agenda. Its class name is its wire name."""


class Choice(Data, frozen=True, gc=False, tag_field=TAG, tag=True):
    """The typed meaning of an option, for drawing and for the handler that carries it out."""


T = TypeVar("T")

_encoder = msgspec.json.Encoder(order="sorted")


def encode(value: Any) -> bytes:
    """Canonical JSON bytes of a record (RFC 8785 for the values that records may hold)."""
    return _encoder.encode(value)


def decode(data: bytes | str | msgspec.Raw, type_: type[T]) -> T:
    """The record behind canonical bytes. Raises `BadPayload` if they are not of that type."""
    try:
        return msgspec.json.decode(data, type=type_)
    except msgspec.MsgspecError as error:
        from shared.engine.errors import BadPayload

        raise BadPayload(str(error)) from error


replace = msgspec.structs.replace
"""A copy of a record with some fields changed."""
