"""Crest bonuses: developed tiles give more to those who unlocked their colour."""

from __future__ import annotations

import pytest

from shared.games.airship_city.facts import CrewUsed, GoodsGained, Paid
from tests.games.airship_city.box import LOCATIONS, RESOURCES, TILES
from tests.games.airship_city.kit import ACTIVATE, CREST, DEVELOP, NOTHING, Play, at, goods

ACTIONS = {
    "forest": "use",
    "mine": "use",
    "factory": "use",
    "valley": "use",
    "shipyard": "ship sightseeing donate",
    "workshop": "",
    "harbor": "use",
    "market": "take contract-3",
    "guild-hall": "use",
    "architects-office": "build park",
    "lighthouse": "use",
}
"""A way to perform the action of each location; the Workshop has tests of its own."""

ONE_KIND = {
    tile: LOCATIONS[name].crest_bonus
    for tile in TILES
    for name in LOCATIONS
    if tile.rstrip("-12") == name and LOCATIONS[name].crest_bonus[0].isdigit()
}
ANY = ("shipyard-1", "shipyard-2", "harbor")


def acts(tile: str, renovated: str, have: str = "", *, developed: bool = True) -> Play:
    """A player with those renovations performs the tile's action."""
    means = have or "6 wood 2 metal 10 gold 2 gear"
    game = at(
        tile,
        developed=tile if developed else "",
        offer="contract-3",
        seat0=dict(goods=means, renovated=renovated, ships="wooden-private"),
    )
    name = tile.rstrip("-12")
    game.does(ACTIONS[name], *(["slide row 4 east", "done"] if name == "lighthouse" else []))
    return game


def crest(text: str, lost: str = "") -> GoodsGained:
    return GoodsGained(0, goods(text), goods(lost), "crest")


def has_crest(game: Play) -> bool:
    return any(fact.reason == "crest" for fact in game.all_of(GoodsGained))


def test_each_tile_has_its_bonus() -> None:
    assert len(ONE_KIND) == 6 + 4 and set(ONE_KIND.values()) == {
        "1 wood", "1 metal", "1 gear", "2 gold", "1 gold",
    }  # fmt: skip


@pytest.mark.parametrize(("tile", "bonus"), ONE_KIND.items())
def test_bonus_of_one_kind(tile: str, bonus: str) -> None:
    """With its colour unlocked."""
    game = acts(tile, bonus.split()[1])
    game.happened(CrewUsed(0, tile), crest(bonus))
    game.waits(0, ACTIVATE)


@pytest.mark.parametrize(("tile", "bonus"), ONE_KIND.items())
def test_no_bonus_without_its_colour(tile: str, bonus: str) -> None:
    others = " ".join(name for name in RESOURCES if name not in bonus)
    assert not has_crest(acts(tile, others))


@pytest.mark.parametrize(("tile", "bonus"), ONE_KIND.items())
def test_no_bonus_on_a_basic_tile(tile: str, bonus: str) -> None:
    assert not has_crest(acts(tile, " ".join(RESOURCES), developed=False))


@pytest.mark.parametrize("tile", ANY)
@pytest.mark.parametrize("resource", RESOURCES)
def test_any_of_four_in_the_only_colour_unlocked(tile: str, resource: str) -> None:
    game = acts(tile, resource)
    game.happened(crest(f"1 {resource}"))
    game.waits(0, ACTIVATE)


@pytest.mark.parametrize("tile", ANY)
@pytest.mark.parametrize("chosen", ("wood", "gear"))
def test_any_of_four_one_of_several_unlocked(tile: str, chosen: str) -> None:
    game = acts(tile, "wood gear")
    game.asks(0, CREST, "take wood", "take gear")
    game.refuses("take metal", "crest-not-yours")
    game.does(f"take {chosen}")
    game.happened(crest(f"1 {chosen}"))
    assert len(game.all_of(GoodsGained)) == 1


def test_nothing_unlocked_no_bonus() -> None:
    assert not has_crest(acts("harbor", ""))


@pytest.mark.parametrize("resource", ("wood", "metal"))
def test_valley_wood_or_metal(resource: str) -> None:
    game = acts("valley-1", resource)
    game.happened(
        GoodsGained(0, goods("1 wood 1 metal"), NOTHING, "valley-1"), crest(f"1 {resource}")
    )


def test_valley_with_both_unlocked_gives_one_of_them() -> None:
    game = acts("valley-2", "metal wood gold gear")
    game.asks(0, CREST, "take wood", "take metal")
    game.refuses("take gold", "crest-not-yours")
    game.does("take metal")
    game.happened(crest("1 metal"))


@pytest.mark.parametrize("resource", ("gold", "gear"))
def test_valley_gives_no_other(resource: str) -> None:
    assert not has_crest(acts("valley-1", resource))


def test_a_crew_that_passes_gets_no_bonus() -> None:
    game = at("forest-1", developed="forest-1", seat0=dict(renovated="wood"))
    game.does("pass")
    game.never(GoodsGained)


def test_no_slide_at_the_lighthouse_is_no_action() -> None:
    game = at("lighthouse", developed="lighthouse", seat0=dict(renovated="gear"))
    game.does("use", "done")
    game.never(GoodsGained)


def test_two_slides_at_the_lighthouse_are_one_action() -> None:
    game = at("lighthouse", developed="lighthouse", seat0=dict(renovated="gear"))
    game.does("use", "slide row 4 east", "slide row 4 east")
    assert [fact for fact in game.all_of(GoodsGained)] == [crest("1 gear")]


def test_the_bonus_cannot_pay_for_the_action() -> None:
    game = at(
        "guild-hall",
        developed="guild-hall",
        seat0=dict(goods="9 gold", renovated="gold", ships="3 sightseeing"),
    )
    game.refuses("use", "cannot-afford")


def test_the_bonus_comes_after_the_payment_so_there_is_room() -> None:
    game = at("guild-hall", developed="guild-hall", seat0=dict(goods="20 gold", renovated="gold"))
    game.does("use")
    game.happened(Paid(0, goods("10 gold"), "guild-hall"), crest("1 gold"))
    assert game.goods(0) == "11 gold"


def test_what_there_is_no_room_for_is_lost() -> None:
    game = at("market", developed="market", seat0=dict(goods="19 gold", renovated="gold"))
    game.does(sorted(game.moves() - {"pass"})[0])
    game.happened(crest("1 gold", "1 gold"))


def test_a_full_track_is_no_choice() -> None:
    """Of two colours one is full: the other is gained."""
    game = at("harbor", developed="harbor", seat0=dict(goods="20 wood", renovated="wood metal"))
    game.does("use")
    game.happened(crest("1 metal"))


def test_whoever_developed_the_tile_does_not_matter() -> None:
    """It is the own renovation that counts."""
    game = at(
        "mine-1", developed="mine-1", seat0=dict(renovated="wood"), seat1=dict(renovated="metal")
    )
    game.does("use")
    assert game.goods(0) == "2 metal"


def test_a_workshop_that_flips_itself_gives_none_yet() -> None:
    game = at("workshop", seat0=dict(goods="4 gold 4 gear", renovated="gold"))
    game.does("renovate wood", "develop workshop")
    game.never(GoodsGained)
    game.waits(0, ACTIVATE)


def test_a_colour_just_unlocked_gives_none_yet() -> None:
    game = at("workshop", developed="workshop", seat0=dict(goods="4 gold 4 gear"))
    game.does("renovate wood", "develop forest-1")
    game.never(GoodsGained)


def test_a_developed_workshop_gives_a_colour_unlocked_before() -> None:
    game = at(
        "workshop", developed="workshop", seat0=dict(goods="4 gold 4 gear", renovated="metal")
    )
    game.does("renovate wood")
    game.waits(0, DEVELOP)
    game.does("develop forest-1")
    game.happened(crest("1 metal"))


def test_a_track_unlocked_in_the_action_holds_twenty_for_what_follows() -> None:
    game = at(
        "workshop",
        developed="workshop",
        seat0=dict(goods="10 metal 4 gold 4 gear", renovated="wood"),
    )
    game.does("renovate metal", "develop mine-1")
    game.happened(crest("1 wood"))
