"""Every golden playthrough, replayed: same moves, same log to the last bit, same result."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared.games import GAMES
from tests.playthroughs.playthrough import make, paths, read, replayed, result, write


@pytest.mark.parametrize("path", paths(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_playthrough_gives_the_same_game_again(path: Path) -> None:
    playthrough = read(path)
    header = playthrough.header
    assert header.edition == GAMES[header.game].edition, "a new edition needs `make golden`"
    played = replayed(path)
    assert tuple(played.moves) == playthrough.moves
    assert result(played) == playthrough.result


def test_a_header_alone_is_enough_to_make_a_playthrough(tmp_path: Path) -> None:
    path = tmp_path / "new.play"
    path.write_text("game: dwergar\nedition: 1\nplayers: 2\nseed: 7\nstyle: random\n")
    header = read(path).header
    played = make(header, "dwergar")
    write(path, header, played)
    made = read(path)
    assert made.header == header
    assert made.moves == tuple(played.moves) and made.moves
    assert made.result == result(played)
