"""The locations: resource tiles, Guild Hall, Harbor, Lighthouse, Market, Workshop."""

from __future__ import annotations

import pytest

from shared.games.airship_city.facts import (
    ContractsRevealed,
    ContractTaken,
    CrewHired,
    CrewsRecalled,
    CrewUsed,
    GoodsGained,
    Paid,
    RenovationUnlocked,
    TileDeveloped,
    TilesSlid,
)
from tests.games.airship_city.box import CONTRACTS, LOCATIONS, RENOVATIONS, SHIPS, TILES
from tests.games.airship_city.kit import (
    ACTIVATE,
    DEVELOP,
    FINISH,
    LEAP,
    LIGHTHOUSE,
    NOTHING,
    USE,
    at,
    goods,
    in_words,
    less,
    table,
)

RESOURCE_TILES = [tile for tile in TILES if LOCATIONS[tile.rstrip("-12")].gives]


def kind(tile: str) -> str:
    return tile.rstrip("-12")


def test_there_are_eight_resource_tiles() -> None:
    assert len(RESOURCE_TILES) == 8 and len(TILES) == 16


# Resource tiles -------------------------------------------------------------------------------


@pytest.mark.parametrize("tile", RESOURCE_TILES)
def test_resource_tile(tile: str) -> None:
    """Forest 3 wood, Mine 2 metal, Factory 2 gears, Valley 1 wood and 1 metal."""
    game = at(tile)
    game.asks(0, USE, "use", "pass")
    game.does("use")
    given = LOCATIONS[kind(tile)].gives
    game.happened(CrewUsed(0, tile), GoodsGained(0, goods(given), NOTHING, tile))
    assert game.goods(0) == given


@pytest.mark.parametrize(
    ("tile", "have", "stored", "lost"),
    (
        ("forest-1", "9 wood", "1 wood", "2 wood"),
        ("mine-1", "9 metal", "1 metal", "1 metal"),
        ("factory-1", "10 gear", "", "2 gear"),
        ("valley-1", "10 wood 9 metal", "1 metal", "1 wood"),
    ),
)
def test_what_there_is_no_room_for_is_lost(tile: str, have: str, stored: str, lost: str) -> None:
    """The depot's tracks end at 10."""
    game = at(tile, seat0=dict(goods=have))
    game.does("use")
    game.happened(GoodsGained(0, goods(stored), goods(lost), tile))


@pytest.mark.parametrize(
    ("tile", "resource"), (("forest-1", "wood"), ("mine-1", "metal"), ("factory-1", "gear"))
)
def test_a_renovated_track_holds_twenty(tile: str, resource: str) -> None:
    game = at(tile, seat0=dict(goods=f"19 {resource}", renovated=resource))
    game.does("use")
    assert game.goods(0) == f"20 {resource}"


# Guild Hall -----------------------------------------------------------------------------------


def test_guild_hall_hires_a_crew_for_ten_gold() -> None:
    game = at("guild-hall", seat0=dict(goods="10 gold"))
    game.asks(0, USE, "use", "pass")
    game.does("use")
    game.happened(
        CrewUsed(0, "guild-hall"),
        Paid(0, goods("10 gold"), "guild-hall"),
        CrewHired(0, "harbor"),
    )
    assert game.goods(0) == "" and game.crew(0) == "guild-hall* harbor harbor*"


def test_guild_hall_asks_all_ten() -> None:
    game = at("guild-hall", seat0=dict(goods="9 gold 1 gear"))
    game.happened(CrewUsed(0, "guild-hall"))
    game = at("guild-hall", seat0=dict(goods="9 gold", ships="3 luxury-cruise"))
    game.refuses("use", "cannot-afford")


def test_a_new_crew_waits_for_the_next_round() -> None:
    game = at("guild-hall", last=True, seat0=dict(goods="10 gold", crew="market lighthouse*"))
    game.does("use")
    assert game.crew(0) == "guild-hall* harbor* lighthouse*"
    game.waits(1, ACTIVATE)
    game.ends_the_round()
    game.waits(0, ACTIVATE)
    game.offers("move harbor e", "move guild-hall n", "move lighthouse s")


def test_between_a_hire_and_the_end_of_the_turn() -> None:
    """Slides and contracts are still allowed, and the new crew does not hold the turn up."""
    seat = dict(goods="10 gold 5 gear", crew="market lighthouse*", contracts="contract-3")
    game = at("guild-hall", seat0=seat)
    game.does("use")
    game.waits(0, FINISH)
    game.does("slide row 3 east", "complete contract-3", "end turn")
    game.waits(1, ACTIVATE)


def test_four_crews_are_all_there_are() -> None:
    game = at(
        "guild-hall",
        seat0=dict(goods="10 gold", crew="market mine-1 forest-1", ships="3 luxury-cruise"),
    )
    game.does("use")
    assert len(game.player(0).ready + game.player(0).used) == 4
    game = at(
        "guild-hall",
        seat0=dict(goods="10 gold", crew="market mine-1 forest-1 mine-2", ships="3 luxury-cruise"),
    )
    game.refuses("use", "no-crew-left")


MARKERS = ((1, 2, 1), (1, 1, 1), (1, 0, 2), (2, 1, 3), (3, 0, 4))
"""Own and another's markers in a row, and how many count: the majority marker is one more."""


@pytest.mark.parametrize(("mine", "theirs", "count"), MARKERS)
def test_passenger_ships_make_hiring_cheaper(mine: int, theirs: int, count: int) -> None:
    """One gold less for each own marker."""
    cost = f"{10 - count} gold"
    row = dict(seat1=dict(ships=f"{theirs} passenger"))
    game = at("guild-hall", seat0=dict(goods=cost, ships=f"{mine} passenger"), **row)
    game.does("use")
    game.happened(Paid(0, goods(cost), "guild-hall"), CrewHired(0, "harbor"))
    seat = dict(goods=less(cost, "1 gold"), ships=f"{mine} passenger 2 luxury-cruise")
    at("guild-hall", seat0=seat, **row).refuses("use", "cannot-afford")


@pytest.mark.parametrize("ship", [name for name in SHIPS if name != "passenger"])
def test_other_ships_do_not_make_hiring_cheaper(ship: str) -> None:
    game = at("guild-hall", seat0=dict(goods="9 gold", ships=f"3 {ship}"))
    game.refuses("use", "cannot-afford")


# Harbor ---------------------------------------------------------------------------------------


def test_harbor_brings_all_own_crews_back() -> None:
    """Those that have acted stay face down, the others may still move from there."""
    game = at("harbor", seat0=dict(crew="mine-1 market* workshop forest-1"))
    game.does("use")
    game.happened(CrewUsed(0, "harbor"), CrewsRecalled(0, "harbor"))
    assert game.crew(0) == "harbor harbor harbor* harbor*"
    game.asks(0, ACTIVATE, "move harbor n", "move harbor e", "move harbor s")
    game.does("move harbor n")
    game.waits(0, USE)
    assert game.crew(0) == "harbor harbor* harbor* valley-2"


def test_harbor_leaves_other_players_where_they_are() -> None:
    game = at("harbor", seat1=dict(crew="market mine-1"))
    game.does("use")
    assert game.crew(1) == "market mine-1"


def test_harbor_need_not_recall() -> None:
    game = at("harbor", seat0=dict(crew="mine-1 mine-2"))
    game.does("pass")
    assert game.crew(0) == "harbor* mine-2"


def test_after_a_recall_no_move_ends_on_the_harbor() -> None:
    game = at("harbor", seat0=dict(crew="mine-1 lighthouse"))
    game.does("use", "move harbor e", "pass")
    game.waits(1, ACTIVATE)
    game = table(seat0=dict(crew="harbor* mine-1"))
    game.does("move mine-1 w")
    game.waits(0, LEAP)


# Lighthouse -----------------------------------------------------------------------------------


def test_lighthouse_slides_up_to_twice_without_a_gear() -> None:
    game = at("lighthouse")
    game.asks(0, USE, "use", "pass")
    game.does("use")
    game.waits(0, LIGHTHOUSE)
    assert len(game.moves()) == 17
    game.does("slide row 3 east")
    game.happened(TilesSlid(0, "row", 3, "east"))
    game.never(Paid)
    game.waits(0, LIGHTHOUSE)
    game.does("slide column 1 north")
    game.happened(TilesSlid(0, "column", 1, "north"))
    game.never(Paid)
    game.waits(0, ACTIVATE)
    assert game.column(1) == "valley-2 guild-hall mine-2 forest-1"


@pytest.mark.parametrize("slides", (0, 1))
def test_lighthouse_may_slide_less(slides: int) -> None:
    game = at("lighthouse")
    game.does("use", *["slide row 4 west"] * slides, "done")
    assert len(game.all_of(TilesSlid)) == slides
    game.happened(CrewUsed(0, "lighthouse"))
    game.waits(0, ACTIVATE)


def test_lighthouse_takes_its_crew_along() -> None:
    game = at("lighthouse")
    game.does("use", "slide row 1 east", "done")
    assert game.row(1) == "workshop forest-1 factory-1 lighthouse"
    assert game.crew(0) == "harbor lighthouse*"


def test_lighthouse_keeps_the_gears() -> None:
    game = at("lighthouse", seat0=dict(goods="2 gear"))
    game.does("use", "slide row 4 west", "slide row 4 west")
    assert game.goods(0) == "2 gear"


# Market ---------------------------------------------------------------------------------------


def test_market_takes_a_contract_and_draws_the_next() -> None:
    game = at("market", offer="contract-3 contract-9 contract-15", deck="contract-20 contract-1")
    game.asks(0, USE, "take contract-3", "take contract-9", "take contract-15", "pass")
    game.does("take contract-9")
    game.happened(
        CrewUsed(0, "market"),
        ContractTaken(0, "contract-9", 2),
        ContractsRevealed(("contract-20",)),
    )
    assert sorted(game.state.offer) == sorted(("contract-3", "contract-15", "contract-20"))
    assert game.state.deck == ("contract-1",)
    assert game.player(0).contracts == (("contract-9", 2),)


@pytest.mark.parametrize("contract", CONTRACTS)
def test_market_puts_it_under_its_own_number(contract: str) -> None:
    game = at("market", offer=contract)
    game.does(f"take {contract}")
    game.happened(ContractTaken(0, contract, CONTRACTS[contract].term))
    assert game.player(0).contracts == ((contract, CONTRACTS[contract].term),)


def test_market_gives_only_what_is_on_offer() -> None:
    game = at("market", offer="contract-3 contract-9")
    game.refuses("take contract-20", "not-on-offer")


def test_market_with_an_empty_deck_is_not_replenished() -> None:
    game = at("market", offer="contract-3 contract-9", deck="")
    game.does("take contract-3")
    game.never(ContractsRevealed)
    assert game.state.offer == ("contract-9",)


def test_market_with_nothing_on_offer_has_no_action() -> None:
    game = at("market", offer="", deck="")
    game.happened(CrewUsed(0, "market"))
    game.waits(0, ACTIVATE)


def test_market_any_number_of_contracts_may_be_held() -> None:
    held = " ".join(f"contract-{n}" for n in range(1, 13))
    game = at("market", seat0=dict(contracts=held), offer="contract-20")
    game.does("take contract-20")
    assert len(game.player(0).contracts) == 13


# Workshop -------------------------------------------------------------------------------------


@pytest.mark.parametrize("resource", RENOVATIONS)
def test_workshop_unlocks(resource: str) -> None:
    """Pay, flip a basic tile of that colour, score 3."""
    game = at("workshop", seat0=dict(goods="5 gold 5 gear"))
    game.does(f"renovate {resource}")
    game.happened(
        CrewUsed(0, "workshop"),
        Paid(0, goods(RENOVATIONS[resource]), "renovation"),
        RenovationUnlocked(0, resource, 3),
    )
    assert game.points(0, "renovations") == 3
    assert game.player(0).renovated == (resource,)
    assert game.goods(0) == less("5 gold 5 gear", RENOVATIONS[resource])
    fitting = [tile for tile in TILES if resource in LOCATIONS[kind(tile)].crests.split()]
    game.asks(0, DEVELOP, *(f"develop {tile}" for tile in fitting))
    game.does(f"develop {fitting[0]}")
    game.happened(TileDeveloped(0, fitting[0]))
    assert game.state.developed == (fitting[0],)


@pytest.mark.parametrize("resource", RENOVATIONS)
@pytest.mark.parametrize("missing", ("gold", "gear"))
def test_workshop_needs_the_whole_price(resource: str, missing: str) -> None:
    have = less(RENOVATIONS[resource], f"1 {missing}")
    game = at("workshop", seat0=dict(goods=have, ships="3 luxury-cruise"))
    game.refuses(f"renovate {resource}", "cannot-afford")


WORKSHOP = {"wooden-residential": "gear", "metal-residential": "gear", "sightseeing": "gold"}


@pytest.mark.parametrize(("ship", "saved"), WORKSHOP.items())
@pytest.mark.parametrize(("mine", "theirs", "count"), MARKERS)
@pytest.mark.parametrize("resource", RENOVATIONS)
def test_residential_and_sightseeing_ships_make_renovations_cheaper(
    ship: str, saved: str, mine: int, theirs: int, count: int, resource: str
) -> None:
    """One gear, or one gold, less for each own marker; never below nothing."""
    seat = dict(goods="5 gold 5 gear", ships=f"{mine} {ship}")
    game = at("workshop", seat0=seat, seat1=dict(ships=f"{theirs} {ship}"))
    game.does(f"renovate {resource}")
    cost = less(RENOVATIONS[resource], f"{count} {saved}")
    game.happened(Paid(0, goods(cost), "renovation"))


def test_discounts_of_both_residential_ships_add_up() -> None:
    ships = "2 wooden-residential metal-residential sightseeing"
    game = at("workshop", seat0=dict(goods="2 gold", ships=ships))
    game.does("renovate wood")
    game.happened(Paid(0, goods("2 gold"), "renovation"))


@pytest.mark.parametrize("ship", [name for name in SHIPS if name not in WORKSHOP])
def test_other_ships_make_no_renovation_cheaper(ship: str) -> None:
    game = at("workshop", seat0=dict(goods="4 gold 4 gear", ships=f"3 {ship}"))
    game.does("renovate wood")
    game.happened(Paid(0, goods("4 gold 4 gear"), "renovation"))


def test_workshop_each_renovation_once() -> None:
    game = at("workshop", seat0=dict(goods="5 gold 5 gear", renovated="metal"))
    game.lacks("renovate metal")
    game.refuses("renovate metal", "already-unlocked")
    game.offers("renovate wood", "renovate gold", "renovate gear")


def test_workshop_flips_only_basic_tiles_of_the_colour() -> None:
    game = at("workshop", developed="forest-1 harbor", seat0=dict(goods="4 gold 4 gear"))
    game.does("renovate wood")
    game.lacks("develop forest-1", "develop harbor", "develop mine-1")
    game.refuses("develop forest-1", "wrong-crest")
    game.refuses("develop mine-1", "wrong-crest")
    game.does("develop forest-2")
    assert game.state.developed == ("forest-1", "harbor", "forest-2")


def test_workshop_the_last_basic_tile_of_the_colour_is_flipped_without_asking() -> None:
    others = [t for t in TILES if "wood" in LOCATIONS[kind(t)].crests and t != "valley-2"]
    game = at("workshop", developed=" ".join(others), seat0=dict(goods="4 gold 4 gear"))
    game.does("renovate wood")
    game.happened(RenovationUnlocked(0, "wood", 3), TileDeveloped(0, "valley-2"))


def test_workshop_without_a_basic_tile_left_still_unlocks_and_scores() -> None:
    done = [tile for tile in TILES if "gear" in LOCATIONS[kind(tile)].crests]
    game = at("workshop", developed=" ".join(done), seat0=dict(goods="5 gold 3 gear"))
    game.does("renovate gear")
    game.happened(RenovationUnlocked(0, "gear", 3))
    game.never(TileDeveloped)
    assert game.points(0) == 3 and game.player(0).renovated == ("gear",)


def test_workshop_may_flip_itself() -> None:
    game = at("workshop", seat0=dict(goods="4 gold 4 gear"))
    game.does("renovate wood", "develop workshop")
    assert game.state.developed == ("workshop",)
    assert in_words(game.player(0).goods) == ""


def test_a_new_track_holds_twenty_from_then_on() -> None:
    game = at("workshop", seat0=dict(goods="10 wood 4 gold 4 gear", crew="lighthouse factory-1"))
    game.does("renovate wood", "develop valley-1", "move factory-1 s", "use")
    assert game.goods(0) == "13 wood"
