"""Canonical bytes, the hash chain, and what a commitment binds."""

from __future__ import annotations

import msgspec
import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from shared.engine.data import decode, encode, replace
from shared.engine.errors import BadPayload, BadRecord
from shared.engine.record import GENESIS, Record, Secret, check_chain, open_record, seal

plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.text("abcdefghij_XYZ09-", max_size=8), inner)
    ),
    max_leaves=20,
)


@given(plain)
def test_our_bytes_are_rfc_8785(value: object) -> None:
    """Checked against an independent implementation of the standard."""
    assert encode(value) == rfc8785.dumps(value)  # type: ignore[arg-type]


def record(version: int, prev: str, move: str = "pass") -> Record:
    return Record(
        "match-m1", version, "move", 1, "1", "ann", 0, move,
        msgspec.Raw(b"[]"), (), False, "", 5, prev,
    )  # fmt: skip


def chain(length: int) -> list[tuple[bytes, str]]:
    entries: list[tuple[bytes, str]] = []
    for version in range(1, length + 1):
        sealed = seal(record(version, entries[-1][1] if entries else GENESIS))
        entries.append((sealed.body, sealed.hash))
    return entries


def test_an_unbroken_chain_gives_its_last_hash() -> None:
    entries = chain(4)
    assert check_chain(entries) == entries[-1][1]
    assert check_chain(entries[2:], prev=entries[1][1], after=2) == entries[-1][1]


def test_every_flipped_byte_is_found_at_its_record() -> None:
    entries = chain(3)
    body, hash_ = entries[1]
    for at in range(len(body)):
        flipped = body[:at] + bytes([body[at] ^ 1]) + body[at + 1 :]
        with pytest.raises(BadRecord) as found:
            check_chain([entries[0], (flipped, hash_), entries[2]])
        assert found.value.version == 2


def resealed(body: bytes) -> tuple[bytes, str]:
    from shared.engine.record import record_hash

    return body, record_hash(body)


@pytest.mark.parametrize(
    ("forge", "wrong", "reason"),
    [
        (lambda e: [e[0], e[2]], 2, "version 3"),
        (lambda e: [e[1], e[0], e[2]], 1, "version 2"),
        (lambda e: [e[0], e[0], e[2]], 2, "version 1"),
        (lambda e: [e[0], resealed(e[1][0].replace(b"pass", b"move")), e[2]], 3, "follow"),
        (lambda e: [e[0], resealed(e[1][0] + b" "), e[2]], 2, "canonical"),
        (lambda e: [e[0], resealed(b"{}"), e[2]], 2, "not a record"),
    ],
    ids=["dropped", "swapped", "doubled", "rewritten", "spaced", "emptied"],
)
def test_a_forged_chain_names_its_first_wrong_record(forge, wrong, reason) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(BadRecord, match=reason) as found:
        check_chain(forge(chain(3)))
    assert found.value.version == wrong


def test_a_commitment_binds_value_place_and_audience_and_hides_the_value() -> None:
    secret = Secret(0, 1, 2, "cards", "00" * 32, msgspec.Raw(b'["rope"]'))
    others = [
        replace(secret, value=msgspec.Raw(b'["sail"]')),
        replace(secret, audience=0),
        replace(secret, fact=1),
        replace(secret, field="deck"),
        replace(secret, salt="01" * 32),
    ]
    assert len({one.commitment() for one in [secret, *others]}) == 6


def test_bytes_that_are_no_record_are_refused() -> None:
    for body in (b"", b"null", b"[]", b'{"stream":1}', b"\xff"):
        with pytest.raises(BadPayload):
            open_record(body)
    with pytest.raises(BadPayload):
        decode(b'{"type":"Nonsense"}', Record)
