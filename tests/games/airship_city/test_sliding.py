"""Manipulating the grid: rows and columns slide for a gear, at any time in the own turn."""

from __future__ import annotations

import pytest

from shared.engine.chance import Chance
from shared.engine.errors import RuleViolation
from shared.engine.table import decide
from shared.games.airship_city.facts import Paid, TilesSlid
from tests.games.airship_city.box import GRID
from tests.games.airship_city.kit import ACTIVATE, FINISH, GAME, USE, at, goods, table

SLIDES = [
    *(f"slide row {n} {way}" for n in range(1, 5) for way in ("east", "west")),
    *(f"slide column {n} {way}" for n in range(1, 5) for way in ("north", "south")),
]


def slid(line: str, number: int, way: str) -> tuple[str, ...]:
    """The grid after a slide, worked out by hand."""
    tiles = [GRID.split()[4 * row : 4 * row + 4] for row in range(4)]
    if line == "column":
        tiles = [list(column) for column in zip(*tiles, strict=True)]
    moved = tiles[number - 1]
    forward = way in ("east", "south")
    tiles[number - 1] = [moved[3], *moved[:3]] if forward else [*moved[1:], moved[0]]
    if line == "column":
        tiles = [list(row) for row in zip(*tiles, strict=True)]
    return tuple(tile for row in tiles for tile in row)


@pytest.mark.parametrize("slide", SLIDES)
def test_every_row_and_column_in_both_directions(slide: str) -> None:
    """All four tiles move one space; the one that leaves comes back at the other end."""
    _, line, number, way = slide.split()
    game = table(seat0=dict(goods="3 gear"))
    game.does(slide)
    game.happened(Paid(0, goods("1 gear"), "slide"), TilesSlid(0, line, int(number), way))
    assert game.state.grid == slid(line, int(number), way)
    assert game.goods(0) == "2 gear"
    game.waits(0, ACTIVATE)


def test_all_slides_are_offered_with_a_gear() -> None:
    game = table(seat0=dict(goods="1 gear"))
    game.offers(*SLIDES)
    assert len([move for move in game.moves() if move.startswith("slide")]) == 16


def test_no_slide_without_a_gear() -> None:
    game = table(seat0=dict(goods="5 wood 5 metal 5 gold"))
    game.lacks(*SLIDES)
    game.refuses("slide row 1 east", "no-gear")


def test_as_often_as_there_are_gears() -> None:
    game = table(seat0=dict(goods="3 gear"))
    game.does("slide row 1 east", "slide row 1 east", "slide column 4 north")
    game.lacks(*SLIDES)
    assert game.goods(0) == ""


@pytest.mark.parametrize("slide", ("slide row 5 east", "slide row 1 north", "slide column 1 east"))
def test_only_rows_and_columns_there_are(slide: str) -> None:
    table(seat0=dict(goods="1 gear")).refuses(slide, "no-such-option")


def test_crews_ride_on_their_tiles_across_the_edge() -> None:
    """Everybody's: also those of other players, and those face down."""
    game = table(
        turn=1,
        seat0=dict(crew="guild-hall harbor"),
        seat1=dict(crew="guild-hall mine-1*", goods="1 gear"),
    )
    game.does("slide row 3 east")
    assert game.row(3) == "guild-hall harbor mine-1 architects-office"
    assert game.crew(0) == "guild-hall* harbor*"
    assert game.crew(1) == "guild-hall mine-1*"
    game.asks(1, ACTIVATE, "move guild-hall n", "move guild-hall e", "move guild-hall s")


def test_a_developed_tile_stays_developed() -> None:
    game = table(developed="guild-hall", seat0=dict(goods="1 gear"))
    game.does("slide row 3 east")
    assert game.state.developed == ("guild-hall",)


def test_between_arriving_and_acting() -> None:
    game = at("mine-1", seat0=dict(goods="1 gear"))
    game.waits(0, USE)
    game.does("slide row 3 west", "use")
    assert game.goods(0) == "2 metal"
    assert game.row(3) == "mine-1 architects-office guild-hall harbor"


def test_between_two_activations() -> None:
    game = table(seat0=dict(crew="harbor lighthouse", goods="1 gear"))
    game.does("move harbor e", "pass", "slide row 1 west", "move lighthouse w")
    assert game.goods(0) == ""


def test_after_the_last_activation() -> None:
    game = at("mine-1", last=True, seat0=dict(goods="2 gear"))
    game.does("use", "slide row 3 west")
    game.waits(0, FINISH)
    game.does("end turn")
    game.waits(1, ACTIVATE)
    assert game.goods(0) == "2 metal 1 gear"


def test_not_in_the_turn_of_another_player() -> None:
    game = table(turn=0, seat1=dict(goods="5 gear"))
    game.waits(0, ACTIVATE)
    with pytest.raises(RuleViolation) as refusal:
        decide(GAME, game.content, game.state, 1, "slide row 1 east", Chance(bytes(32), 1))
    assert refusal.value.code == "not-your-decision"
