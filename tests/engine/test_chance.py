"""Chance is uniform, reproducible everywhere, and each draw stands alone."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import permutations

import pytest

from shared.engine.chance import Chance, Words, hkdf, match_seed, seed_commitment

SEED = bytes(range(32))


def test_hkdf_is_rfc_5869() -> None:
    """Appendix A.3 (zero-length salt and info): the first 32 bytes of its output."""
    expected = "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"
    assert hkdf(b"\x0b" * 22, b"").hex() == expected


def test_words_are_the_chacha20_key_stream_of_rfc_8439() -> None:
    """Appendix A.1, test vector 1: all-zero key, nonce and counter."""
    words = Words(bytes(32))
    stream = b"".join(words.next().to_bytes(8, "little") for _ in range(8))
    assert stream.hex().startswith("76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1a")


VECTORS = ((5, 0, 1, 4, 9, 7, 8, 2, 3, 6), 2, 666, ("c", "f", "e", "d", "a", "b"), "x")
MATCH_SEED = "b94f3d07710c8cff87ea11c43378216ac3a78f7aae4994578bb25a901670a33d"
COMMITMENT = "6f89c8daad943f414aeaf97496d8e7138ce921e840b466b858a5161bb7193e7c"


def test_golden_vectors() -> None:
    """These never change: an old match must verify with any later version."""
    chance = Chance(SEED, 1)
    drawn = (chance.shuffle(tuple(range(10))), chance.below(6), chance.below(1000))
    later = Chance(SEED, 2)
    drawn += (later.shuffle(tuple("abcdef")), later.pick("xyz"))
    assert drawn == VECTORS
    assert match_seed(SEED, "m1", ["a", "b"]).hex() == MATCH_SEED
    assert seed_commitment(SEED) == COMMITMENT


def test_an_independent_computation_gives_the_same_draw() -> None:
    """The draw by the description in words: HKDF, ChaCha20, rejection, Fisher-Yates."""
    from cryptography.hazmat.primitives.ciphers import Cipher
    from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    info = b"tallystick/draw/v1/7/0"
    key = HKDF(SHA256(), 32, salt=None, info=info).derive(SEED)
    stream = Cipher(ChaCha20(key, bytes(16)), None).encryptor().update(bytes(8 * 100))
    words = [int.from_bytes(stream[i : i + 8], "little") for i in range(0, 800, 8)]
    order = list("tallystick")
    for last in range(len(order) - 1, 0, -1):
        word = words.pop(0)
        while word >= 2**64 - 2**64 % (last + 1):
            word = words.pop(0)
        other = word % (last + 1)
        order[last], order[other] = order[other], order[last]
    assert Chance(SEED, 7).shuffle("tallystick") == tuple(order)


def test_draws_do_not_shift_each_other() -> None:
    one, two = Chance(SEED, 3), Chance(SEED, 3)
    one.shuffle(range(50))
    two.below(2)
    assert one.below(10**9) == two.below(10**9)


def test_every_order_of_three_cards_is_equally_likely() -> None:
    """Chi-square with 5 degrees of freedom below its 99.9 % point, over fixed seeds."""
    draws = 6000
    counts = Counter(
        Chance(hashlib.sha256(bytes([i % 256, i // 256])).digest(), 1).shuffle("abc")
        for i in range(draws)
    )
    assert set(counts) == set(permutations("abc"))
    expected = draws / 6
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 20.5


def test_the_last_card_can_stay_and_the_bound_is_never_reached() -> None:
    chance = Chance(SEED, 9)
    shuffles = [chance.shuffle(range(4)) for _ in range(200)]
    assert any(order[-1] == 3 for order in shuffles)
    assert {chance.below(3) for _ in range(200)} == {0, 1, 2}


def test_nothing_drawn_is_not_used_and_an_impossible_draw_is_refused() -> None:
    chance = Chance(SEED, 1)
    assert not chance.used
    with pytest.raises(ValueError, match="below 0"):
        chance.below(0)
    chance.below(1)
    assert chance.used


def test_the_seed_depends_on_every_part_and_its_place() -> None:
    seeds = {
        match_seed(SEED, "m1", ["a", "b"]),
        match_seed(SEED, "m2", ["a", "b"]),
        match_seed(SEED, "m1", ["ab", ""]),
        match_seed(SEED, "m1", ["b", "a"]),
        match_seed(bytes(32), "m1", ["a", "b"]),
    }
    assert len(seeds) == 5
