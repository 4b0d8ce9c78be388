"""The foreman, and the furnaces that he installs."""

from __future__ import annotations

import pytest

from shared.games.dwergar.facts import (
    FurnaceInstalled,
    FurnacesLit,
    HeatGained,
    Paid,
)
from tests.games.dwergar.kit import goods, table

PRICES = {
    "laboratory": "1 iron",
    "bellows": "2 stone",
    "lift": "1 gold",
    "workshop": "2 stone",
    "forge": "1 iron",
    "studio": "1 gold",
    "mine-1": "2 stone",
    "mine-2": "1 iron",
    "mine-3": "1 stone 1 iron",
    "mine-4": "1 gold",
}
"""Printed on a board we could not read: reconstructed."""

OUTSIDE = ("laboratory", "bellows", "lift", "workshop", "forge", "studio")


# Installing -----------------------------------------------------------------------------------


@pytest.mark.parametrize("location", PRICES)
def test_the_foreman_installs_a_furnace_for_the_printed_price(location: str) -> None:
    game = table(seat0=dict(goods=PRICES[location], cool=2))
    game.does(f"place foreman {location}", "install cool")
    game.happened(Paid(0, 0, 0, goods(PRICES[location])), FurnaceInstalled(0, location, "cool", 2))
    assert game.furnace(location) == 0
    assert (game.player(0).cool, game.goods(0)) == (1, "")
    assert (game.points(0), game.points(0, "furnaces")) == (2, 2)


@pytest.mark.parametrize("location", PRICES)
def test_without_the_price_nothing_is_installed(location: str) -> None:
    short = {"2 stone": "1 stone", "1 stone 1 iron": "1 iron"}.get(PRICES[location], "")
    game = table(seat0=dict(goods=short))
    game.does(f"place foreman {location}")
    game.refuses("install cool")
    game.leaves()
    assert game.furnace(location) == -1


def test_installing_without_the_price_is_called_unaffordable() -> None:
    game = table(seat0=dict(goods="1 stone"))
    game.does("place foreman bellows")
    game.refuses("install cool", "cannot-afford")


def test_a_hot_or_a_cool_furnace_may_be_installed() -> None:
    game = table(seat0=dict(goods="2 stone", hot=1, cool=1))
    game.does("place foreman bellows")
    game.offers("install hot", "install cool")
    game.does("install hot")
    assert (game.player(0).hot, game.player(0).cool) == (0, 1)
    game.happened(FurnaceInstalled(0, "bellows", "hot", 2))


def test_only_the_furnaces_on_the_player_board_can_be_installed() -> None:
    game = table(seat0=dict(goods="2 stone", hot=0, cool=1))
    game.does("place foreman bellows")
    game.lacks("install hot")
    game.refuses("install hot", "no-furnace-left")


def test_without_any_furnace_on_the_player_board() -> None:
    game = table(seat0=dict(goods="2 stone", hot=0, cool=0), furnaces={"forge": 0, "lift": 0})
    game.does("place foreman mine-1")
    game.refuses("install cool", "no-furnace-left")


def test_installing_is_optional() -> None:
    game = table(seat0=dict(goods="2 stone"))
    game.does("place foreman mine-1", "use basic", "done")
    assert game.furnace("mine-1") == -1 and game.goods(0) == "2 stone"


def test_installing_before_or_after_the_action() -> None:
    game = table(seat0=dict(goods="2 stone"))
    game.does("place foreman bellows", "install cool", "use basic")
    game.happened(FurnaceInstalled(0, "bellows", "cool", 2), FurnacesLit(0, 1))

    game = table(seat0=dict(goods="2 stone"))
    game.does("place foreman bellows", "use basic", "install hot")
    game.happened(FurnacesLit(0, 1), FurnaceInstalled(0, "bellows", "hot", 2))


def test_the_laboratory_may_pay_the_price() -> None:
    game = table(seat0=dict(goods="1 gold"))
    game.does("place foreman laboratory")
    game.lacks("install cool")
    game.does("exchange gold iron", "install cool")
    assert game.goods(0) == "1 iron"


@pytest.mark.parametrize("dwarf", ("ironworker", "blacksmith", "engineer"))
def test_workers_install_nothing(dwarf: str) -> None:
    game = table(seat0=dict(goods="2 stone 1 iron"))
    game.does(f"place {dwarf} mine-1")
    game.lacks("install cool")
    game.refuses("install cool", "only-the-foreman-installs")


@pytest.mark.parametrize("owner", (0, 1))
def test_each_location_has_one_furnace(owner: int) -> None:
    game = table(seat0=dict(goods="4 stone"), furnaces={"bellows": owner})
    game.does("place foreman bellows")
    game.lacks("install cool")
    game.refuses("install cool", "furnace-already-there")


def test_one_furnace_an_action() -> None:
    game = table(seat0=dict(goods="4 stone", cool=3))
    game.does("place foreman bellows", "install cool")
    game.lacks("install cool", "install hot")
    game.refuses("install cool")


def test_the_foreman_may_install_again_elsewhere() -> None:
    game = table(seat0=dict(goods="4 stone", cool=2), board={"bellows": "foreman-1"})
    game.does("place foreman bellows", "install cool")
    game.leaves()
    game.visits("engineer", "bellows")
    game.does("place foreman mine-1", "install cool")
    game.leaves()
    assert (game.furnace("bellows"), game.furnace("mine-1")) == (0, 0)
    assert game.points(0, "furnaces") == 4


def test_an_installed_furnace_gives_no_heat_and_is_never_lit() -> None:
    game = table(furnaces={"forge": 0, "lift": 0}, seat0=dict(hot=0, cool=1))
    game.does("place ironworker bellows", "use ironworker")
    game.happened(FurnacesLit(0, 1))
    assert (game.player(0).hot, game.player(0).cool) == (1, 0)


# Installed outside the mine -------------------------------------------------------------------


@pytest.mark.parametrize("location", OUTSIDE)
def test_an_opponent_placing_there_heats_the_owner(location: str) -> None:
    game = table(3, furnaces={location: 2})
    game.visits("engineer", location)
    game.happened(HeatGained(2, 1, "furnace"))
    assert [game.player(seat).heat for seat in range(3)] == [0, 0, 1]


def test_the_owner_placing_there_gains_no_heat() -> None:
    game = table(furnaces={"forge": 0})
    game.visits("ironworker", "forge")
    assert game.player(0).heat == 0


def test_an_opponents_foreman_heats_too() -> None:
    game = table(furnaces={"forge": 1})
    game.visits("foreman", "forge")
    assert game.player(1).heat == 1


def test_once_for_each_placement_whatever_is_done_there() -> None:
    game = table(furnaces={"lift": 1}, seat0=dict(heat=3))
    game.does("place ironworker lift", "lift 4")
    assert game.player(1).heat == 1
    game.visits("engineer", "lift")
    assert game.player(1).heat == 2


def test_the_owners_track_ends_at_10() -> None:
    game = table(furnaces={"lift": 1}, seat1=dict(heat=10))
    game.visits("blacksmith", "lift")
    assert game.player(1).heat == 10
    game.never(HeatGained)


def test_not_on_the_action_in_which_it_is_installed() -> None:
    game = table(seat0=dict(goods="2 stone"))
    game.does("place foreman bellows", "install cool")
    game.leaves()
    assert game.player(0).heat == 0


# Installed in the mine ------------------------------------------------------------------------

WITH_FURNACE = {
    "mine-1": "5 stone",
    "mine-2": "1 stone 2 iron",
    "mine-3": "2 iron 1 gold",
    "mine-4": "1 gold 1 crystal",
}


@pytest.mark.parametrize("level", WITH_FURNACE)
def test_the_owner_mines_more(level: str) -> None:
    game = table(furnaces={level: 0})
    game.does(f"place engineer {level}", "use basic")
    assert game.cart(level, 0) == WITH_FURNACE[level]


def test_others_mine_as_usual_and_heat_nobody() -> None:
    game = table(furnaces={"mine-1": 1})
    game.does("place engineer mine-1", "use basic")
    assert game.cart("mine-1", 0) == "3 stone"
    game.never(HeatGained)


def test_the_furnace_gives_nothing_into_a_full_cart() -> None:
    game = table(furnaces={"mine-1": 0}, carts={"mine-1": {0: "1 stone"}})
    game.visits("engineer", "mine-1")
    assert game.cart("mine-1", 0) == "1 stone"


def test_not_on_the_mining_during_which_it_is_installed() -> None:
    game = table(seat0=dict(goods="2 stone"))
    game.does("place foreman mine-1", "install cool", "use basic")
    assert game.cart("mine-1", 0) == "3 stone foreman"


def test_from_the_next_mining_on() -> None:
    game = table(seat0=dict(goods="2 stone"))
    game.does("place foreman mine-1", "install cool", "done")
    game.does("place engineer mine-1", "use basic")
    assert game.cart("mine-1", 0) == "5 stone foreman"
