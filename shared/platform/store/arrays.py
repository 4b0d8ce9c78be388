"""Columns sent to PostgreSQL as binary arrays, packed in one go.

The driver's own lists are written one item at a time and pick the smallest integer type that
fits, which would prepare the same statement again for every mix of sizes.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import Any

import psycopg
from psycopg.abc import Buffer
from psycopg.adapt import Dumper
from psycopg.pq import Format

NULL = struct.pack(">i", -1)


class Numbers:
    """A column of integers (bigint[])."""

    def __init__(self, items: Iterable[int]) -> None:
        self.items = list(items)


class Blobs:
    """A column of bytes, with gaps (bytea[])."""

    def __init__(self, items: Iterable[bytes | None]) -> None:
        self.items = list(items)


class Texts:
    """A column of texts, with gaps (text[])."""

    def __init__(self, items: Iterable[str | None]) -> None:
        self.items = list(items)


def _head(count: int, type_: int) -> bytes:
    """The start of a one-dimensional array that may hold NULL."""
    if count == 0:
        return struct.pack(">iiI", 0, 0, type_)
    return struct.pack(">iiIii", 1, 1, type_, count, 1)


def _packed(items: list[bytes | None], type_: int) -> bytes:
    parts = [_head(len(items), type_)]
    for item in items:
        if item is None:
            parts.append(NULL)
        else:
            parts.append(len(item).to_bytes(4, "big"))
            parts.append(item)
    return b"".join(parts)


INT8, BYTEA, TEXT = (psycopg.adapters.types[name] for name in ("int8", "bytea", "text"))


class _NumbersDumper(Dumper):
    format = Format.BINARY
    oid = INT8.array_oid
    item = INT8.oid

    def dump(self, obj: Numbers) -> Buffer | None:
        items = obj.items
        flat = [8] * (2 * len(items))
        flat[1::2] = items
        return _head(len(items), self.item) + struct.pack(">" + "iq" * len(items), *flat)


class _BlobsDumper(Dumper):
    format = Format.BINARY
    oid = BYTEA.array_oid
    item = BYTEA.oid

    def dump(self, obj: Blobs) -> Buffer | None:
        return _packed(obj.items, self.item)


class _TextsDumper(Dumper):
    format = Format.BINARY
    oid = TEXT.array_oid
    item = TEXT.oid

    def dump(self, obj: Texts) -> Buffer | None:
        items = [None if text is None else text.encode() for text in obj.items]
        return _packed(items, self.item)


def register_arrays(connection: psycopg.Connection[Any]) -> None:
    """Teach a connection to send these columns."""
    connection.adapters.register_dumper(Numbers, _NumbersDumper)
    connection.adapters.register_dumper(Blobs, _BlobsDumper)
    connection.adapters.register_dumper(Texts, _TextsDumper)
