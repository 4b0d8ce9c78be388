"""Every golden playthrough, replayed: same moves, same log to the last bit, same result."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared.games import GAMES
from tests.playthroughs.playthrough import paths, read, replayed, result


@pytest.mark.parametrize("path", paths(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_playthrough_gives_the_same_game_again(path: Path) -> None:
    playthrough = read(path)
    header = playthrough.header
    assert header.edition == GAMES[header.game].edition, "a new edition needs `make golden`"
    played = replayed(path)
    assert tuple(played.moves) == playthrough.moves
    assert result(played) == playthrough.result
