"""Chance: the only source of randomness, reproducible on every platform and version.

Each draw has a ChaCha20 stream (RFC 8439) of its own, keyed by HKDF-SHA256 (RFC 5869) from the
match seed, the record version and the number of the draw, so adding a draw never shifts another.
Integers come from 64-bit little-endian words by rejection, so every outcome is equally likely.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import TypeVar

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20

T = TypeVar("T")

_BLOCK_WORDS = 32
_WORD = 2**64


def hkdf(key: bytes, info: bytes, salt: bytes = b"") -> bytes:
    """32 bytes derived from `key` for one purpose (RFC 5869 with SHA-256, one block)."""
    pseudo_random_key = hmac.digest(salt or bytes(32), key, "sha256")
    return hmac.digest(pseudo_random_key, info + b"\x01", "sha256")


def seed_commitment(server_seed: bytes) -> str:
    """What is published before the match about the seed that is published after it."""
    return hashlib.sha256(b"tallystick/seed/v1\n" + server_seed).hexdigest()


def match_seed(server_seed: bytes, match_id: str, entropy: Sequence[str]) -> bytes:
    """The seed of a match: the server's 32 bytes mixed with what the seats added, by seat."""
    parts = [match_id.encode(), *(word.encode() for word in entropy)]
    salt = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    return hkdf(server_seed, b"tallystick/match/v1", salt)


class Words:
    """An endless stream of uniform 64-bit integers under one key."""

    def __init__(self, key: bytes) -> None:
        self._stream = Cipher(ChaCha20(key, bytes(16)), mode=None).encryptor()
        self._block = b""
        self._at = 0

    def next(self) -> int:
        """The next word."""
        if self._at == len(self._block):
            self._block = self._stream.update(bytes(8 * _BLOCK_WORDS))
            self._at = 0
        word = int.from_bytes(self._block[self._at : self._at + 8], "little")
        self._at += 8
        return word

    def below(self, bound: int) -> int:
        """A uniform integer in [0, bound)."""
        limit = _WORD - _WORD % bound
        while (word := self.next()) >= limit:
            pass
        return word % bound


class Chance:
    """The random draws of one record of one match."""

    __slots__ = ("_draws", "_seed", "version")

    def __init__(self, seed: bytes, version: int) -> None:
        self._seed = seed
        self._draws = 0
        self.version = version

    @property
    def used(self) -> bool:
        """Whether anything was drawn."""
        return self._draws > 0

    def _words(self) -> Words:
        info = f"tallystick/draw/v1/{self.version}/{self._draws}".encode()
        self._draws += 1
        return Words(hkdf(self._seed, info))

    def below(self, bound: int) -> int:
        """A uniform integer in [0, bound); one draw. Raises `ValueError` unless bound >= 1."""
        if bound < 1:
            raise ValueError(f"nothing can be drawn below {bound}")
        return self._words().below(bound)

    def pick(self, items: Sequence[T]) -> T:
        """One of the items, each equally likely; one draw."""
        return items[self.below(len(items))]

    def shuffle(self, items: Sequence[T]) -> tuple[T, ...]:
        """The items in a uniformly random order (Fisher-Yates from the end); one draw."""
        words = self._words()
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = words.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order)
