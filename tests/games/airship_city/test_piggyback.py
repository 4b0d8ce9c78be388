"""Piggybacking: others on a developed resource tile gain when somebody works there."""

from __future__ import annotations

from typing import Any

import pytest

from shared.games.airship_city.facts import GoodsGained
from tests.games.airship_city.box import LOCATIONS, TILES
from tests.games.airship_city.kit import ACTIVATE, NOTHING, PIGGYBACK, Play, at, goods, table

RESOURCE_TILES = [tile for tile in TILES if LOCATIONS[tile.rstrip("-12")].gives]
SINGLE = [tile for tile in RESOURCE_TILES if not tile.startswith("valley")]


def works(tile: str, players: int = 3, *, developed: bool = True, **position: Any) -> Play:
    """Seat 0 performs the action of a tile."""
    game = at(tile, players, developed=tile if developed else "", **position)
    game.does("use")
    return game


def piggybacked(game: Play) -> list[tuple[int, tuple[int, ...]]]:
    return [(f.seat, f.goods) for f in game.all_of(GoodsGained) if f.reason == "piggyback"]


@pytest.mark.parametrize("tile", SINGLE)
def test_one_of_the_tiles_resource(tile: str) -> None:
    """Forest 1 wood, Mine 1 metal, Factory 1 gear; the acting player gains the full action."""
    game = works(tile, seat1=dict(crew=f"{tile} harbor"))
    location = LOCATIONS[tile.rstrip("-12")]
    game.happened(
        GoodsGained(0, goods(location.gives), NOTHING, tile),
        GoodsGained(1, goods(f"1 {location.piggyback}"), NOTHING, "piggyback"),
    )
    assert game.goods(0) == location.gives
    game.waits(0, ACTIVATE)


@pytest.mark.parametrize("tile", ("valley-1", "valley-2"))
@pytest.mark.parametrize("chosen", ("wood", "metal"))
def test_valley_one_wood_or_metal(tile: str, chosen: str) -> None:
    game = works(tile, seat1=dict(crew=f"{tile} harbor"))
    game.asks(1, PIGGYBACK, "take wood", "take metal")
    game.refuses("take gold", "not-in-the-bonus")
    game.does(f"take {chosen}")
    assert game.goods(1) == f"1 {chosen}"
    game.waits(0, ACTIVATE)


@pytest.mark.parametrize("tile", RESOURCE_TILES)
def test_not_on_a_basic_tile(tile: str) -> None:
    game = works(tile, developed=False, seat1=dict(crew=f"{tile} harbor"))
    assert piggybacked(game) == []
    game.waits(0, ACTIVATE)


def test_several_players_at_once() -> None:
    game = works(
        "mine-1",
        4,
        seat1=dict(crew="mine-1 harbor"),
        seat2=dict(crew="harbor harbor"),
        seat3=dict(crew="market mine-1"),
    )
    assert piggybacked(game) == [(1, goods("1 metal")), (3, goods("1 metal"))]


def test_clockwise_from_the_acting_player() -> None:
    game = works(
        "mine-1",
        4,
        turn=2,
        seat0=dict(crew="mine-1 harbor"),
        seat1=dict(crew="mine-1 harbor"),
        seat3=dict(crew="mine-1 harbor"),
    )
    assert [seat for seat, _ in piggybacked(game)] == [3, 0, 1]


def test_several_players_choose_at_the_same_time() -> None:
    """In whatever order they answer, each gets its own."""
    for order in ((1, 2), (2, 1)):
        game = works(
            "valley-1", seat1=dict(crew="valley-1 harbor"), seat2=dict(crew="valley-1 harbor")
        )
        assert sorted(one.seat for one in game.decisions()) == [1, 2]
        wishes = {1: "wood", 2: "metal"}
        for seat in order:
            game.does(f"take {wishes[seat]}", seat=seat)
        assert (game.goods(1), game.goods(2)) == ("1 wood", "1 metal")
        game.waits(0, ACTIVATE)


def test_face_down_crews_count_too() -> None:
    game = works("mine-1", turn=1, seat0=dict(crew="mine-1 harbor"))
    assert game.crew(0) == "harbor* mine-1*"
    assert piggybacked(game) == [(0, goods("1 metal"))]


def test_only_with_a_crew_there() -> None:
    game = works("mine-1", seat1=dict(crew="mine-2 forest-2"))
    assert piggybacked(game) == []


def test_not_for_an_action_of_ones_own() -> None:
    assert piggybacked(works("mine-1")) == []


def test_not_when_the_other_passes() -> None:
    game = at("mine-1", developed="mine-1", seat1=dict(crew="mine-1 harbor"))
    game.does("pass")
    game.never(GoodsGained)


def test_not_when_the_other_moves_over_the_tile() -> None:
    game = table(
        developed="forest-2",
        seat0=dict(crew="valley-2 forest-2"),
        seat1=dict(crew="forest-2 harbor"),
    )
    game.does("move valley-2 e", "leap n", "use")
    assert piggybacked(game) == []


def test_not_on_tiles_that_produce_nothing() -> None:
    """A crest bonus is no such gain."""
    game = at(
        "harbor",
        developed="harbor",
        seat0=dict(renovated="wood"),
        seat1=dict(crew="harbor harbor", renovated="wood"),
    )
    game.does("use")
    assert game.goods(0) == "1 wood"
    assert piggybacked(game) == []


def test_a_crest_bonus_on_top_is_not_shared() -> None:
    game = works("forest-1", seat0=dict(renovated="wood"), seat1=dict(crew="forest-1 harbor"))
    assert (game.goods(0), game.goods(1)) == ("4 wood", "1 wood")


def test_the_crest_bonus_comes_first() -> None:
    game = works("forest-1", seat0=dict(renovated="wood"), seat1=dict(crew="forest-1 harbor"))
    assert [fact.reason for fact in game.all_of(GoodsGained)] == ["forest-1", "crest", "piggyback"]


def test_no_renovation_is_needed_and_none_helps() -> None:
    game = works("forest-1", seat1=dict(crew="forest-1 harbor", renovated="wood"))
    assert game.goods(1) == "1 wood"


def test_the_acting_players_full_stores_do_not_matter() -> None:
    game = works("forest-1", seat0=dict(goods="10 wood"), seat1=dict(crew="forest-1 harbor"))
    game.happened(GoodsGained(0, NOTHING, goods("3 wood"), "forest-1"))
    assert piggybacked(game) == [(1, goods("1 wood"))]


def test_a_piggybackers_own_excess_is_lost() -> None:
    game = works("forest-1", seat1=dict(goods="10 wood", crew="forest-1 harbor"))
    assert game.goods(1) == "10 wood"
    game.waits(0, ACTIVATE)


def test_with_one_track_full_the_valley_gives_the_other() -> None:
    game = works("valley-1", seat1=dict(goods="10 wood", crew="valley-1 harbor"))
    game.waits(0, ACTIVATE)
    assert game.goods(1) == "10 wood 1 metal"


def test_a_tile_that_slid_away_takes_its_bonus_along() -> None:
    game = at(
        "mine-1", developed="mine-1", seat0=dict(goods="1 gear"), seat1=dict(crew="mine-1 harbor")
    )
    game.does("slide row 3 east", "use")
    assert piggybacked(game) == [(1, goods("1 metal"))]
