"""What was noted at the table binds the match: no other seed, and no entropy left out."""

from __future__ import annotations

import pytest

from shared.engine.chance import seed_commitment
from shared.engine.errors import BadRecord
from shared.engine.verify import export_lines, verify
from tests.conformance.playing import play_out
from tests.engine.harbour import HARBOUR

GAMES = {"harbour": HARBOUR}
SHOWN = seed_commitment((5).to_bytes(32, "big"))


def exported(seed: int) -> list[bytes]:
    """A whole match with that seed, whole and consistent in itself."""
    return export_lines("match-m1", play_out(HARBOUR, 2, seed).entries())


def test_a_match_with_what_was_noted_is_proved() -> None:
    proof = verify(exported(5), GAMES, commitment=SHOWN.upper(), entropy=["entropy-1"])
    assert "its seed is the one committed to when the table opened" in proof.proved
    assert "the entropy noted at the table went into its chance" in proof.proved
    assert not proof.open
    assert not any("table" in claim for claim in verify(exported(5), GAMES).proved)


def test_an_operator_who_swaps_the_seed_is_found_out_by_the_commitment() -> None:
    swapped = exported(6)
    assert not verify(swapped, GAMES).open, "in itself nothing is wrong with it"
    with pytest.raises(BadRecord, match="the table showed") as wrong:
        verify(swapped, GAMES, commitment=SHOWN)
    assert wrong.value.version == 1


def test_an_operator_who_leaves_entropy_out_is_found_out() -> None:
    with pytest.raises(BadRecord, match="not in it") as wrong:
        verify(exported(5), GAMES, commitment=SHOWN, entropy=["entropy-0", "entropy-7"])
    assert wrong.value.version == 1


def test_a_running_match_is_held_to_the_notes_too() -> None:
    running = export_lines("match-m1", play_out(HARBOUR, 2, 6).entries(upto=3))
    with pytest.raises(BadRecord, match="the table showed"):
        verify(running, GAMES, commitment=SHOWN)
