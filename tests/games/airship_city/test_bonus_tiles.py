"""Bonus effect tiles: Long Distance Flight, Skilled Negotiator, Barter."""

from __future__ import annotations

import pytest

from shared.games.airship_city.facts import (
    BonusTileEarned,
    BonusTilesRefreshed,
    BonusTileUsed,
    CrewMoved,
    CrewUsed,
    GoodsBartered,
    GoodsGained,
)
from tests.games.airship_city.box import BONUS_TILES, RESOURCES, SHIPS, UTILITIES
from tests.games.airship_city.kit import (
    ACTIVATE,
    FINISH,
    LEAP,
    NOTHING,
    PIGGYBACK,
    USE,
    Play,
    at,
    goods,
    last_turn,
    table,
)

FLYER = "3 luxury-cruise"
"""Three donated airships that save nothing where these tests go."""
BUILDER = "park clock-tower theatre"


def negotiates(tile: str, **seat: str) -> Play:
    """Seat 0 works on a developed tile where seat 1, a skilled negotiator, has a crew."""
    stands = dict(crew=f"{tile} harbor", utilities=BUILDER) | seat
    game = at(tile, developed=tile, seat1=stands)
    game.does("use")
    return game


# Earning them ---------------------------------------------------------------------------------


def test_long_distance_flight_with_the_third_donated_airship() -> None:
    game = at("shipyard-1", seat0=dict(goods="2 wood 2 metal 2 gear", ships="2 luxury-cruise"))
    assert game.player(0).flight == "reserve"
    game.does("ship sightseeing donate")
    game.happened(BonusTileEarned(0, "flight"))
    game.never(BonusTileUsed)
    assert game.player(0).flight == "ready"
    assert (game.player(0).negotiator, game.player(0).barter) == ("reserve", "reserve")


def test_two_ships_and_their_majorities_are_not_three() -> None:
    game = at("shipyard-1", seat0=dict(goods="2 wood 2 metal 2 gear", ships="luxury-cruise"))
    game.does("ship sightseeing donate")
    game.never(BonusTileEarned)


def test_three_markers_in_one_row_do() -> None:
    game = at("shipyard-1", seat0=dict(goods="2 wood 2 metal 2 gear", ships="2 sightseeing"))
    game.does("ship sightseeing donate")
    game.happened(BonusTileEarned(0, "flight"))


def test_selling_earns_nothing() -> None:
    game = at("shipyard-1", seat0=dict(goods="4 wood 2 gear", ships="2 sightseeing"))
    game.does("ship wooden-private sell")
    game.never(BonusTileEarned)


def test_negotiator_and_barter_with_the_third_public_utility() -> None:
    game = at(
        "architects-office",
        seat0=dict(goods="6 wood 4 gold", ships="wooden-private", utilities="library theatre"),
    )
    game.does("build park")
    game.happened(BonusTileEarned(0, "negotiator"))
    game.happened(BonusTileEarned(0, "barter"))
    assert game.player(0).flight == "reserve"


def test_two_utilities_and_their_majorities_are_not_three() -> None:
    game = at(
        "architects-office",
        seat0=dict(goods="6 wood 4 gold", ships="wooden-private", utilities="library"),
    )
    game.does("build park")
    game.never(BonusTileEarned)


def test_a_tile_is_earned_once() -> None:
    game = at("shipyard-1", seat0=dict(goods="2 wood 2 metal 2 gear", ships=FLYER, flight="used"))
    game.does("ship sightseeing donate")
    game.never(BonusTileEarned)
    assert game.player(0).flight == "used"


# Long Distance Flight -------------------------------------------------------------------------


def test_flight_moves_the_crew_one_more_space() -> None:
    game = table(seat0=dict(crew="valley-2 workshop", ships=FLYER))
    game.does("move valley-2 e")
    game.offers("use", "pass", "fly n", "fly e", "fly s", "fly w")
    game.does("fly s")
    game.happened(BonusTileUsed(0, "flight"), CrewMoved(0, "forest-2", "mine-1"))
    assert game.player(0).flight == "used"
    game.waits(0, USE)
    game.does("use")
    assert game.goods(0) == "2 metal"


def test_no_action_on_the_tile_passed_through() -> None:
    game = table(seat0=dict(crew="valley-2 workshop", ships=FLYER))
    game.does("move valley-2 e", "fly n", "pass")
    game.never(GoodsGained)
    assert game.crew(0) == "factory-1* workshop"


def test_flight_once_a_stage() -> None:
    game = table(seat0=dict(crew="valley-2 workshop", ships=FLYER))
    game.does("move valley-2 e", "fly s")
    game.refuses("fly n", "bonus-tile-used")
    game.does("pass", "move workshop w")
    game.refuses("fly n", "bonus-tile-used")


def test_flight_has_to_be_earned() -> None:
    game = table(seat0=dict(crew="valley-2 workshop", ships="2 luxury-cruise"))
    game.does("move valley-2 e")
    game.refuses("fly s", "bonus-tile-not-earned")


def test_flight_does_not_leave_the_grid() -> None:
    game = table(seat0=dict(crew="forest-2 workshop", ships=FLYER))
    game.does("move forest-2 w")
    game.refuses("fly w", "off-the-grid")


def test_flight_where_the_tile_offers_nothing() -> None:
    """Without goods there is nothing to do at the Shipyard, but the crew may fly on."""
    game = table(seat0=dict(crew="market harbor", ships=FLYER))
    game.does("move market w")
    game.asks(0, USE, "fly n", "fly e", "fly w", "pass")


def test_flight_onto_an_own_crew_becomes_a_leap() -> None:
    game = table(seat0=dict(crew="valley-2 mine-1", ships=FLYER))
    game.does("move valley-2 e", "fly s")
    game.waits(0, LEAP)
    game.happened(BonusTileUsed(0, "flight"), CrewMoved(0, "forest-2", "mine-1"))
    game.does("leap e")
    game.happened(CrewMoved(0, "mine-1", "architects-office"))


def test_flight_after_a_leap() -> None:
    game = table(seat0=dict(crew="valley-2 forest-2", ships=FLYER))
    game.does("move valley-2 e", "leap e", "fly e")
    game.waits(0, USE)
    game.does("use")
    assert game.goods(0) == "2 gear"


def test_flight_back_to_where_the_crew_came_from() -> None:
    game = table(seat0=dict(crew="valley-2 workshop", ships=FLYER))
    game.does("move valley-2 e", "fly w", "use")
    assert game.goods(0) == "1 wood 1 metal"


# Skilled Negotiator ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tile", "resource"), (("forest-1", "wood"), ("mine-2", "metal"), ("factory-2", "gear"))
)
def test_negotiator_one_more(tile: str, resource: str) -> None:
    game = negotiates(tile)
    game.asks(1, PIGGYBACK, f"take {resource}", f"negotiate {resource} {resource}")
    game.does(f"negotiate {resource} {resource}")
    game.happened(BonusTileUsed(1, "negotiator"))
    assert game.goods(1) == f"2 {resource}"
    assert game.player(1).negotiator == "used" and game.player(1).barter == "ready"
    game.waits(0, ACTIVATE)


def test_negotiator_is_not_spent_unasked() -> None:
    game = negotiates("mine-1")
    game.does("take metal")
    game.never(BonusTileUsed)
    assert game.goods(1) == "1 metal" and game.player(1).negotiator == "ready"


@pytest.mark.parametrize("first, second", (("wood", "wood"), ("wood", "metal"), ("metal", "metal")))
def test_negotiator_on_the_valley_either_type_for_each(first: str, second: str) -> None:
    game = negotiates("valley-1")
    game.asks(
        1, PIGGYBACK, "take wood", "take metal",
        "negotiate wood wood", "negotiate wood metal", "negotiate metal metal",
    )  # fmt: skip
    game.does(f"negotiate {first} {second}")
    game.happened(GoodsGained(1, goods(f"1 {first} 1 {second}"), NOTHING, "piggyback"))


def test_negotiator_takes_only_what_there_is_room_for() -> None:
    game = negotiates("valley-1", goods="10 wood 8 metal")
    game.asks(1, PIGGYBACK, "take metal", "negotiate metal metal")
    game.refuses("take wood", "storage-full")
    game.refuses("negotiate wood metal", "storage-full")
    game = negotiates("valley-1", goods="9 wood 9 metal")
    game.asks(1, PIGGYBACK, "take wood", "take metal", "negotiate wood metal")


def test_negotiator_names_the_two_in_the_order_of_resources() -> None:
    negotiates("valley-1").refuses("negotiate metal wood", "no-such-option")


def test_negotiator_once_a_stage() -> None:
    game = negotiates("mine-1", negotiator="used")
    game.waits(0, ACTIVATE)
    assert game.goods(1) == "1 metal"
    game = negotiates("valley-1", negotiator="used")
    game.refuses("negotiate wood wood", "bonus-tile-used")


def test_negotiator_has_to_be_earned() -> None:
    game = negotiates("valley-1", utilities="park theatre")
    game.refuses("negotiate wood wood", "bonus-tile-not-earned")


def test_negotiator_does_not_help_the_acting_player() -> None:
    game = at("mine-1", developed="mine-1", seat0=dict(utilities=BUILDER))
    game.does("use")
    assert game.goods(0) == "2 metal" and game.player(0).negotiator == "ready"


def test_several_negotiators_answer_at_the_same_time() -> None:
    game = at(
        "mine-1",
        developed="mine-1",
        seat1=dict(crew="mine-1 harbor", utilities="3 park"),
        seat2=dict(crew="mine-1 harbor", utilities="3 library"),
    )
    game.does("use")
    assert sorted(one.seat for one in game.decisions()) == [1, 2]
    game.does("negotiate metal metal", seat=2)
    game.waits(1, PIGGYBACK)
    game.does("take metal", seat=1)
    assert (game.goods(1), game.goods(2)) == ("1 metal", "2 metal")


# Barter ---------------------------------------------------------------------------------------

PAIRS = [(gave, got) for gave in RESOURCES for got in RESOURCES if gave != got]


@pytest.mark.parametrize(("gave", "got"), PAIRS)
def test_barter_one_resource_for_another(gave: str, got: str) -> None:
    game = table(seat0=dict(goods=f"1 {gave}", utilities=BUILDER))
    game.does(f"barter {gave} {got}")
    game.happened(BonusTileUsed(0, "barter"))
    game.happened(GoodsBartered(0, gave, got))
    assert game.goods(0) == f"1 {got}"
    assert game.player(0).barter == "used" and game.player(0).negotiator == "ready"
    game.waits(0, ACTIVATE)


def test_barter_needs_the_resource() -> None:
    game = table(seat0=dict(goods="1 wood", utilities=BUILDER))
    game.refuses("barter metal wood", "cannot-afford")


def test_barter_needs_room() -> None:
    game = table(seat0=dict(goods="1 wood 10 metal", utilities=BUILDER))
    game.lacks("barter wood metal")
    game.refuses("barter wood metal", "storage-full")


def test_barter_for_the_same_is_no_exchange() -> None:
    game = table(seat0=dict(goods="1 wood", utilities=BUILDER))
    assert not any(move.startswith("barter wood wood") for move in game.moves())


def test_barter_once_a_stage() -> None:
    game = table(seat0=dict(goods="2 wood", utilities=BUILDER))
    game.does("barter wood gold")
    game.refuses("barter wood gold", "bonus-tile-used")


def test_barter_has_to_be_earned() -> None:
    game = table(seat0=dict(goods="2 wood", utilities="park theatre"))
    game.refuses("barter wood gold", "bonus-tile-not-earned")


def test_barter_at_any_time_in_the_turn() -> None:
    """Between arriving and acting it can bring what the action asks."""
    seat = dict(goods="9 gold 1 metal", utilities=BUILDER)
    game = at("guild-hall", seat0=seat)
    game.does("barter metal gold", "use")
    assert game.goods(0) == ""


def test_barter_during_a_leap() -> None:
    game = table(seat0=dict(crew="valley-2 forest-2", goods="1 wood", utilities=BUILDER))
    game.does("move valley-2 e", "barter wood gear", "slide row 1 east")
    game.waits(0, LEAP)


def test_barter_keeps_the_turn_open_after_the_last_crew() -> None:
    game = at("mine-1", last=True, seat0=dict(utilities=BUILDER))
    game.does("use")
    game.waits(0, FINISH)
    game.offers("barter metal wood", "end turn")
    game.does("end turn")
    game.waits(1, ACTIVATE)


# Once a stage ---------------------------------------------------------------------------------


@pytest.mark.parametrize("tile", BONUS_TILES)
@pytest.mark.parametrize("round", (4, 8, 12, 16))
def test_used_tiles_are_turned_up_at_the_next_upkeep(tile: str, round: int) -> None:
    owner = dict(ships=FLYER, utilities=BUILDER) | {tile: "used"}
    game = last_turn(round=round, seat1=owner)
    game.rests()
    game.happened(BonusTilesRefreshed(1))
    assert getattr(game.player(1), tile) == "ready"


@pytest.mark.parametrize("tile", BONUS_TILES)
def test_used_tiles_stay_down_within_the_stage(tile: str) -> None:
    game = last_turn(round=5, seat1=dict(ships=FLYER, utilities=BUILDER) | {tile: "used"})
    game.rests()
    assert getattr(game.player(1), tile) == "used"


@pytest.mark.parametrize("tile", BONUS_TILES)
def test_tiles_in_reserve_stay_there(tile: str) -> None:
    game = last_turn(round=4)
    game.rests()
    assert getattr(game.player(1), tile) == "reserve"


def test_every_ship_counts_for_flight_and_every_utility_for_the_others() -> None:
    for ship in SHIPS:
        assert table(seat0=dict(ships=f"3 {ship}")).player(0).flight == "ready"
    for utility in UTILITIES:
        seat = dict(goods="1 wood", utilities=f"3 {utility}")
        table(seat0=seat).offers("barter wood gold")


def test_flight_ends_in_a_used_crew() -> None:
    game = table(seat0=dict(crew="valley-2 workshop", ships=FLYER))
    game.does("move valley-2 e", "fly s", "pass")
    game.happened(CrewUsed(0, "mine-1"))
