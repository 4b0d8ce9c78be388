"""Proving a match from a file, with nothing running."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from services.cli.errors import CliError
from shared.engine.verify import Proof, verify
from shared.games import GAMES

HASH_DIGITS = 64


def verify_file(
    file: Path,
    kept: Sequence[str] = (),
    commitment: str | None = None,
    entropy: Sequence[str] = (),
) -> Proof:
    """Prove an exported match.

    Raises `BadRecord`, `NotInstalled`, or `CliError` if the file or a note cannot be read.
    """
    kept, entropy = [_hash(note) for note in kept], [_hex(note) for note in entropy]
    promised = "" if commitment is None else _hash(commitment)
    try:
        lines = file.read_bytes().splitlines()
    except OSError as error:
        raise CliError(f"cannot read {file}: {error.strerror}") from error
    return verify(lines, GAMES, kept, promised, entropy)


def _hex(note: str) -> str:
    """A note as logs write it. Another form is a slip of the giver, and says nothing of the match.

    An empty one, as of a shell variable that is not set, is a slip too: it would prove nothing.
    """
    if not re.fullmatch(r"([0-9A-Fa-f]{2})+", note):
        raise CliError(
            f"{note!r} is not hex: give hashes, commitment and entropy as digits 0-9 and a-f"
        )
    return note.lower()


def _hash(note: str) -> str:
    """A hash or commitment as logs write it."""
    if len(_hex(note)) != HASH_DIGITS:
        raise CliError(f"{note!r} is no whole hash or commitment: they have {HASH_DIGITS} digits")
    return note.lower()
