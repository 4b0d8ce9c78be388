"""The record: one appended log entry, its canonical bytes, and the hash that chains it.

What is hashed is exactly the stored bytes. Hidden parts are not in them: only a salted
commitment is, so the chain can be checked by anyone while the match runs, and the hidden parts
by anyone after they are opened.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import msgspec

from shared.engine.data import Data, encode
from shared.engine.errors import BadPayload, BadRecord

RECORD_TAG = b"tallystick/record/v1\n"
SECRET_TAG = b"tallystick/secret/v1\n"
SCHEMA = 1
GENESIS = "0" * 64
"""The `prev` of a stream's first record."""

NOBODY = -1
"""The audience of a secret that no seat may see."""


THE_MOVE = -1
"""In place of a fact's number: the secret is the move's notation."""


class Record(Data, frozen=True, gc=False):
    """The envelope of one log entry, as everyone may see it.

    `facts` is the JSON array of public facts; `secrets` the hex commitments of what they hide;
    `state` a keyed hash of the whole position after the record; `prev` the hash of the record
    before; `at` the time in milliseconds since the Unix epoch; `seat` -1 when no seat acted.
    """

    stream: str
    version: int
    type: str
    schema: int
    edition: str
    actor: str
    seat: int
    move: str
    facts: msgspec.Raw
    secrets: tuple[str, ...]
    barrier: bool
    state: str
    at: int
    prev: str


class Secret(Data, frozen=True, gc=False):
    """One hidden part of a record: the value of one field of one fact, and who may see it.

    `index` numbers the secrets of a record from 0 and matches its `secrets` commitments;
    `audience` is the seat that may see it, or `NOBODY`; `fact` is the number of the fact, or
    `THE_MOVE`, and `field` a dotted path in it; `salt` is hex and `value` canonical JSON.
    """

    index: int
    audience: int
    fact: int
    field: str
    salt: str
    value: msgspec.Raw

    def commitment(self) -> str:
        """The salted SHA-256 that stands for this secret in the record, as hex."""
        parts = encode([self.fact, self.field, self.audience]) + b"\n" + bytes(self.value)
        return hashlib.sha256(SECRET_TAG + bytes.fromhex(self.salt) + parts).hexdigest()


class Sealed(Data, frozen=True, gc=False):
    """A record ready for the store: its canonical bytes, their hash (hex) and its secrets."""

    stream: str
    version: int
    type: str
    body: bytes
    hash: str
    secrets: tuple[Secret, ...] = ()


def record_hash(body: bytes) -> str:
    """The hash of a record's stored bytes, as hex."""
    return hashlib.sha256(RECORD_TAG + body).hexdigest()


def seal(record: Record, secrets: tuple[Secret, ...] = ()) -> Sealed:
    """Freeze a record into the bytes that are stored, hashed and published."""
    body = encode(record)
    return Sealed(record.stream, record.version, record.type, body, record_hash(body), secrets)


_decoder = msgspec.json.Decoder(Record)


def open_record(body: bytes) -> Record:
    """The record behind stored bytes. Raises `BadPayload`."""
    try:
        return _decoder.decode(body)
    except msgspec.MsgspecError as error:
        raise BadPayload(str(error)) from error


def check_chain(entries: Iterable[tuple[bytes, str]], prev: str = GENESIS, after: int = 0) -> str:
    """Prove that stored records follow each other and were not altered; the last hash.

    `entries` are (body, hash) pairs in stream order, `prev` the hash of record `after`.
    Raises `BadRecord` at the first record whose bytes, hash, number or predecessor is wrong.
    """
    expected = after + 1
    for body, stored_hash in entries:
        if record_hash(body) != stored_hash:
            raise BadRecord(expected, "its bytes do not give its hash: it was altered")
        try:
            record = open_record(body)
        except BadPayload as error:
            raise BadRecord(expected, f"its bytes are not a record: {error}") from error
        if encode(msgspec.json.decode(body)) != body:
            raise BadRecord(expected, "its bytes are not canonical JSON")
        if record.version != expected:
            raise BadRecord(expected, f"it carries version {record.version}")
        if record.prev != prev:
            raise BadRecord(expected, "it does not follow the record before it")
        prev, expected = stored_hash, expected + 1
    return prev
