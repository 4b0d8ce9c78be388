"""The mine: levels, carts, the foreman's ride."""

from __future__ import annotations

from collections import Counter

import pytest

from shared.games.dwergar.facts import (
    CartLoaded,
    CartUnloaded,
    DwarfPlaced,
    ForemanBoarded,
    LiftMoved,
)
from tests.games.dwergar.kit import goods, table

YIELD = {
    "mine-1": "3 stone",
    "mine-2": "1 stone 1 iron",
    "mine-3": "1 iron 1 gold",
    "mine-4": "1 crystal",
}


@pytest.mark.parametrize("level", YIELD)
def test_each_level_loads_its_goods_into_the_own_empty_cart(level: str) -> None:
    game = table(3)
    game.does(f"place engineer {level}")
    game.asks(0, "Use the space", "use basic", "done")
    game.does("use basic")
    game.happened(CartLoaded(0, level, goods(YIELD[level])))
    assert game.cart(level, 0) == YIELD[level]
    assert (game.cart(level, 1), game.cart(level, 2)) == ("", "")
    assert game.goods(0) == ""
    game.chooses(0, left=2)


@pytest.mark.parametrize("dwarf", ("ironworker", "blacksmith", "engineer", "foreman"))
@pytest.mark.parametrize("level", YIELD)
def test_the_mine_has_no_specialists(level: str, dwarf: str) -> None:
    game = table()
    game.does(f"place {dwarf} {level}")
    game.asks(0, "Use the space", "use basic", "done")


def test_a_cart_with_goods_is_full() -> None:
    """The action gives no new goods, even beside a single stone; a dwarf there is taken."""
    game = table(
        board={"mine-3": "ironworker"},
        carts={"mine-3": {0: "1 stone"}},
        seat0=dict(pool="engineer foreman"),
    )
    game.does("place engineer mine-3")
    game.never(CartLoaded)
    assert game.cart("mine-3", 0) == "1 stone"
    assert game.pool(0) == Counter(ironworker=1, foreman=1)
    game.chooses(0, left=2)


def test_loading_a_full_cart_is_refused() -> None:
    game = table(carts={"mine-1": {0: "1 iron"}}, seat0=dict(goods="2 stone"))
    game.does("place foreman mine-1")
    game.refuses("use basic", "cart-not-empty")


def test_a_cart_is_loaded_once_an_action() -> None:
    game = table(seat0=dict(goods="2 stone"))
    game.does("place foreman mine-1", "use basic")
    game.lacks("use basic")
    game.refuses("use basic")


def test_the_cart_of_another_player_on_the_same_tile_does_not_matter() -> None:
    game = table(carts={"mine-2": {1: "3 stone"}})
    game.does("place engineer mine-2", "use basic")
    assert (game.cart("mine-2", 0), game.cart("mine-2", 1)) == ("1 stone 1 iron", "3 stone")


def test_a_load_may_be_declined() -> None:
    game = table()
    game.does("place engineer mine-4", "done")
    assert game.cart("mine-4", 0) == ""


def test_goods_in_a_cart_cannot_be_spent() -> None:
    game = table(carts={"transit": {0: "4 iron"}}, display="rails")
    game.does("place blacksmith studio")
    game.chooses(0, left=2)
    assert game.player(0).projects == ()


# The foreman in the mine ----------------------------------------------------------------------


@pytest.mark.parametrize("level", YIELD)
def test_the_foreman_boards_the_cart_with_its_load(level: str) -> None:
    game = table()
    game.does(f"place foreman {level}", "use basic")
    game.happened(ForemanBoarded(0, level))
    game.leaves()
    assert game.cart(level, 0) == f"{YIELD[level]} foreman"
    assert game.stands(level) == ""
    assert game.pool(0)["foreman"] == 0


def test_the_foreman_boards_a_full_cart_too() -> None:
    game = table(carts={"mine-1": {0: "1 iron"}})
    game.does("place foreman mine-1")
    game.leaves()
    assert game.cart("mine-1", 0) == "1 iron foreman"


def test_the_foreman_boards_without_a_load() -> None:
    game = table()
    game.does("place foreman mine-2", "done")
    assert game.cart("mine-2", 0) == "foreman"


def test_the_foreman_takes_the_worker_found_there() -> None:
    game = table(board={"mine-1": "blacksmith"}, seat0=dict(pool="foreman"))
    game.does("place foreman mine-1", "use basic")
    game.happened(DwarfPlaced(0, "foreman", "mine-1", "blacksmith"), ForemanBoarded(0, "mine-1"))
    assert game.pool(0) == Counter(blacksmith=1)
    assert game.stands("mine-1") == ""


def test_the_foreman_comes_home_when_his_cart_reaches_the_surface() -> None:
    game = table(carts={"transit": {0: "3 stone foreman"}})
    game.does("place blacksmith lift", "lift 1")
    game.happened(LiftMoved(), CartUnloaded(0, goods("3 stone"), True))
    assert game.pool(0)["foreman"] == 1
    assert game.goods(0) == "3 stone"


def test_the_foreman_comes_home_alone() -> None:
    game = table(carts={"transit": {1: "foreman"}})
    game.does("place blacksmith lift", "lift 1")
    game.happened(CartUnloaded(1, goods(""), True))
    assert game.pool(1)["foreman"] == 1


def test_the_foreman_rides_on_when_others_lift() -> None:
    game = table(carts={"mine-3": {1: "1 iron foreman"}})
    game.does("place blacksmith lift", "lift 1")
    assert game.cart("mine-2", 1) == "1 iron foreman"


def test_a_cart_with_the_foreman_alone_counts_as_empty() -> None:
    game = table(carts={"mine-4": {0: "foreman"}})
    game.does("place engineer mine-4", "use basic")
    assert game.cart("mine-4", 0) == "1 crystal foreman"


def test_a_foreman_home_again_in_the_same_turn_may_work_again() -> None:
    game = table(carts={"mine-1": {0: "foreman"}}, seat0=dict(heat=1))
    game.does("place blacksmith lift", "lift 2")
    game.offers("place foreman mine-1")


# Carts and tiles ------------------------------------------------------------------------------


def test_one_lift_step_moves_every_tile_with_its_loads() -> None:
    game = table(
        carts={
            "transit": {0: "1 gold"},
            "mine-1": {0: "1 stone"},
            "mine-2": {1: "2 stone"},
            "mine-3": {0: "1 iron", 1: "1 crystal"},
            "mine-4": {1: "1 iron"},
        }
    )
    game.does("place blacksmith lift", "lift 1")
    game.happened(LiftMoved(), CartUnloaded(0, goods("1 gold"), False))
    assert game.goods(0) == "1 gold" and game.goods(1) == ""
    assert game.cart("transit", 0) == "1 stone"
    assert game.cart("mine-1", 1) == "2 stone"
    assert (game.cart("mine-2", 0), game.cart("mine-2", 1)) == ("1 iron", "1 crystal")
    assert game.cart("mine-3", 1) == "1 iron"


def test_the_unloaded_tile_goes_to_the_bottom_empty() -> None:
    game = table(carts={"transit": {0: "1 gold", 1: "1 iron"}})
    game.does("place blacksmith lift", "lift 1")
    assert (game.cart("mine-4", 0), game.cart("mine-4", 1)) == ("", "")
    game.does("place engineer mine-4", "use basic")
    assert game.cart("mine-4", 0) == "1 crystal"


def test_lifting_helps_everyone_with_a_cart_on_the_tile() -> None:
    game = table(4, carts={"transit": {0: "1 gold", 1: "1 iron", 3: "2 stone"}})
    game.does("place blacksmith lift", "lift 1")
    assert [game.goods(seat) for seat in range(4)] == ["1 gold", "1 iron", "", "2 stone"]
    assert {fact.seat for fact in game.all_of(CartUnloaded)} == {0, 1, 3}


def test_five_steps_bring_every_tile_back() -> None:
    game = table(carts={"mine-4": {0: "1 crystal"}}, seat0=dict(heat=4))
    game.does("place blacksmith lift", "lift 5")
    assert len(game.all_of(LiftMoved)) == 5
    assert game.goods(0) == "1 crystal"
    assert all(cart == (0, 0, 0, 0, 0) for tile in game.state.carts for cart in tile)


def test_a_level_lifted_from_may_be_mined_again_in_the_same_turn() -> None:
    game = table(seat0=dict(pool="engineer blacksmith ironworker foreman"))
    game.does("place engineer mine-1", "use basic")
    game.does("place blacksmith lift", "lift 1")
    game.does("place ironworker mine-1", "use basic")
    assert (game.cart("transit", 0), game.cart("mine-1", 0)) == ("3 stone", "3 stone")
