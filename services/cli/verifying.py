"""Proving a match from a file, with nothing running."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from services.cli.errors import CliError
from shared.engine.verify import Proof, verify
from shared.games import GAMES


def verify_file(
    file: Path, kept: Sequence[str] = (), commitment: str = "", entropy: Sequence[str] = ()
) -> Proof:
    """Prove an exported match.

    Raises `BadRecord`, `NotInstalled`, or `CliError` if the file or a note cannot be read.
    """
    for note in (*kept, *entropy, *([commitment] if commitment else ())):
        _check_hex(note)
    try:
        lines = file.read_bytes().splitlines()
    except OSError as error:
        raise CliError(f"cannot read {file}: {error.strerror}") from error
    return verify(lines, GAMES, kept, commitment, entropy)


def _check_hex(note: str) -> None:
    """A note in another form is a slip of whoever gives it, and says nothing of the match."""
    try:
        bytes.fromhex(note)
    except ValueError:
        raise CliError(
            f"{note!r} is not hex: give hashes, commitment and entropy as digits 0-9 and a-f"
        ) from None
