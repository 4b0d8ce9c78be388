"""The Shipyard: nine airships, donated and sold; prices, prerequisites, discounts, majorities."""

from __future__ import annotations

import pytest

from shared.games.airship_city.facts import (
    AirshipDonated,
    AirshipSold,
    CrewUsed,
    MajorityLost,
    MajorityTaken,
    Paid,
)
from tests.games.airship_city.box import SHIPS, SOLD
from tests.games.airship_city.kit import ACTIVATE, Play, at, goods, less

RICH = "20 wood 20 metal 20 gear"
RENOVATED = "wood metal gear"


def discount(donated: str) -> str:
    """What two private ships of the own family save, with both markers and the majority."""
    saving = {"wooden-private": "3 wood", "metal-private": "3 metal"}
    return saving.get(donated, "")


def build(ship: str, how: str, **position: object) -> Play:
    """A rich player with the prerequisites builds the ship."""
    needs = SHIPS[ship].needs
    seat = dict(goods=RICH, renovated=RENOVATED, ships=f"2 {needs}" if needs else "")
    game = at("shipyard-1", seat0=seat, **position)
    game.does(f"ship {ship} {how}")
    return game


# Donating and selling -------------------------------------------------------------------------


@pytest.mark.parametrize("ship", SHIPS)
def test_donate(ship: str) -> None:
    game = build(ship, "donate")
    cost = less(SHIPS[ship].cost, discount(SHIPS[ship].needs))
    game.happened(
        CrewUsed(0, "shipyard-1"),
        Paid(0, goods(cost), ship),
        AirshipDonated(0, ship, SHIPS[ship].points),
    )
    assert game.points(0) == game.points(0, "airships") == SHIPS[ship].points
    assert game.donated(0, ship) == 1
    assert game.goods(0) == less(RICH, cost)
    game.waits(0, ACTIVATE)


@pytest.mark.parametrize("ship", SOLD)
@pytest.mark.parametrize("step", range(5))
def test_sell(ship: str, step: int) -> None:
    """The price beside the marker; the marker falls one step, at the bottom it stays."""
    prices = SHIPS[ship].prices
    needs = SHIPS[ship].needs
    seat = dict(goods=RICH, renovated=f"{RENOVATED} gold", ships=f"2 {needs}" if needs else "")
    game = at("shipyard-1", seat0=seat, prices={ship: step})
    game.does(f"ship {ship} sell")
    cost = less(SHIPS[ship].cost, discount(needs))
    after = min(step + 1, 4)
    game.happened(
        Paid(0, goods(cost), ship), AirshipSold(0, ship, prices[step], prices[step], 0, after)
    )
    game.never(AirshipDonated)
    assert game.step(ship) == after
    assert game.player(0).goods[2] == prices[step]
    assert game.points(0) == 0 and game.donated(0, ship) == 0


@pytest.mark.parametrize(("players", "place"), ((3, 1), (4, 0)))
@pytest.mark.parametrize("ship", SOLD)
def test_first_sale_at_the_price_for_the_number_of_players(
    ship: str, players: int, place: int
) -> None:
    needs = SHIPS[ship].needs
    seat = dict(goods=RICH, renovated=f"{RENOVATED} gold", ships=f"2 {needs}" if needs else "")
    game = at("shipyard-2", players, seat0=seat)
    game.does(f"ship {ship} sell")
    price = SHIPS[ship].prices[place]
    game.happened(AirshipSold(0, ship, price, price, 0, place + 1))


@pytest.mark.parametrize("ship", [name for name in SHIPS if name not in SOLD])
def test_tourist_ships_are_not_sold(ship: str) -> None:
    needs = SHIPS[ship].needs
    seat = dict(goods=RICH, renovated=RENOVATED, ships=f"2 {needs}" if needs else "")
    game = at("shipyard-1", seat0=seat)
    game.offers(f"ship {ship} donate")
    game.lacks(f"ship {ship} sell")
    game.refuses(f"ship {ship} sell", "not-for-sale")


def test_a_sale_lowers_only_its_own_price() -> None:
    game = build("metal-private", "sell")
    assert [game.step(ship) for ship in SOLD] == [1, 1, 1, 2, 1, 1]


def test_gold_without_room_is_lost_and_the_price_falls_all_the_same() -> None:
    game = at("shipyard-1", seat0=dict(goods="4 wood 2 gear 8 gold"))
    game.does("ship wooden-private sell")
    game.happened(AirshipSold(0, "wooden-private", 5, 2, 3, 2))
    assert game.goods(0) == "10 gold"


@pytest.mark.parametrize("ship", SHIPS)
def test_the_whole_cost_is_asked(ship: str) -> None:
    needs = SHIPS[ship].needs
    cost = less(SHIPS[ship].cost, discount(needs))
    seat = dict(renovated=RENOVATED, ships=f"{f'2 {needs}' if needs else ''} 3 luxury-cruise")
    for missing in ("wood", "metal", "gear"):
        if missing in cost:
            game = at("shipyard-1", seat0=seat | dict(goods=less(cost, f"1 {missing}")))
            game.refuses(f"ship {ship} donate", "cannot-afford")
    at("shipyard-1", seat0=seat | dict(goods=cost)).offers(f"ship {ship} donate")


# Prerequisites --------------------------------------------------------------------------------


@pytest.mark.parametrize("ship", [name for name, ship in SHIPS.items() if ship.needs])
def test_two_own_ships_of_the_level_below(ship: str) -> None:
    """One is not enough, nor are another player's; it counts for selling too."""
    needs = SHIPS[ship].needs
    rich = dict(goods=RICH, renovated=RENOVATED)
    how = ["donate", "sell"] if ship in SOLD else ["donate"]
    game = at("shipyard-1", seat0=rich | dict(ships=needs), seat1=dict(ships=f"2 {needs}"))
    for one in how:
        game.refuses(f"ship {ship} {one}", "prerequisite-missing")
    game = at("shipyard-1", seat0=rich | dict(ships=f"2 {needs}"))
    game.offers(*(f"ship {ship} {one}" for one in how))


@pytest.mark.parametrize("ship", [name for name, ship in SHIPS.items() if ship.needs])
def test_other_families_and_levels_do_not_help(ship: str) -> None:
    others = " ".join(f"2 {name}" for name in SHIPS if name not in (ship, SHIPS[ship].needs))
    game = at("shipyard-1", seat0=dict(goods=RICH, renovated=RENOVATED, ships=others))
    game.refuses(f"ship {ship} donate", "prerequisite-missing")


def test_the_majority_marker_is_no_donation() -> None:
    """One ship donated and its majority held are not two."""
    game = at("shipyard-1", seat0=dict(goods=RICH, renovated=RENOVATED, ships="wooden-private"))
    assert game.majority("wooden-private") == 0
    game.refuses("ship wooden-residential donate", "prerequisite-missing")


# Donation discounts ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ship", "resource"), (("wooden-private", "wood"), ("metal-private", "metal"))
)
@pytest.mark.parametrize(("mine", "theirs", "off"), ((1, 2, 1), (1, 1, 1), (1, 0, 2), (2, 1, 3)))
def test_private_ships_make_every_airship_cheaper(
    ship: str, resource: str, mine: int, theirs: int, off: int
) -> None:
    """One less for each own marker, the majority marker counted: also for tourist ships."""
    for built, cost in (("sightseeing", "2 wood 2 metal 2 gear"), (ship, SHIPS[ship].cost)):
        seat = dict(goods="8 wood 8 metal 8 gear", ships=f"{mine} {ship}")
        game = at("shipyard-1", seat0=seat, seat1=dict(ships=f"{theirs} {ship}"))
        game.does(f"ship {built} donate")
        game.happened(Paid(0, goods(less(cost, f"{off} {resource}")), built))


def test_a_discount_counts_for_selling() -> None:
    game = at("shipyard-1", seat0=dict(goods="2 wood 2 gear", ships="wooden-private"))
    game.does("ship wooden-private sell")
    game.happened(Paid(0, goods("2 wood 2 gear"), "wooden-private"))


def test_a_cost_does_not_fall_below_nothing() -> None:
    game = at("shipyard-1", seat0=dict(goods="2 metal 2 gear", ships="3 wooden-private"))
    game.does("ship sightseeing donate")
    game.happened(Paid(0, goods("2 metal 2 gear"), "sightseeing"))


def test_both_discounts_add_up() -> None:
    game = at("shipyard-1", seat0=dict(goods="2 gear", ships="wooden-private metal-private"))
    game.does("ship sightseeing donate")
    game.happened(Paid(0, goods("2 gear"), "sightseeing"))


@pytest.mark.parametrize(
    "ship", [name for name in SHIPS if name not in ("wooden-private", "metal-private")]
)
def test_other_ships_make_no_airship_cheaper(ship: str) -> None:
    game = at("shipyard-1", seat0=dict(goods="2 wood 2 metal 2 gear", ships=f"3 {ship}"))
    game.does("ship sightseeing donate")
    game.happened(Paid(0, goods("2 wood 2 metal 2 gear"), "sightseeing"))


def test_the_ship_just_donated_does_not_help_itself() -> None:
    game = build("wooden-private", "donate")
    game.happened(Paid(0, goods("4 wood 2 gear"), "wooden-private"))


def test_a_discount_shrinks_when_the_majority_is_lost() -> None:
    """Seat 1 draws level; from then on seat 0 saves 1 metal, not 2."""
    game = at(
        "shipyard-1",
        turn=1,
        last=True,
        seat0=dict(ships="metal-private", goods="3 metal 2 gear", crew="valley-1 harbor"),
        seat1=dict(goods="3 metal 2 gear"),
    )
    game.does("ship metal-private donate")
    game.happened(MajorityLost(0, "metal-private"))
    game.ends_the_round()
    game.does("move valley-1 e", "ship metal-private donate")
    game.happened(Paid(0, goods("2 metal 2 gear"), "metal-private"))


# Majorities -----------------------------------------------------------------------------------


@pytest.mark.parametrize("ship", SHIPS)
def test_the_first_marker_takes_the_majority(ship: str) -> None:
    game = build(ship, "donate")
    game.happened(AirshipDonated(0, ship, SHIPS[ship].points), MajorityTaken(0, ship))
    assert game.majority(ship) == 0


def test_drawing_level_removes_the_majority() -> None:
    game = build("sightseeing", "donate", seat1=dict(ships="sightseeing"))
    game.happened(MajorityLost(1, "sightseeing"))
    game.never(MajorityTaken)
    assert game.majority("sightseeing") == -1


def test_overtaking_takes_it_back() -> None:
    game = at(
        "shipyard-1",
        seat0=dict(goods=RICH, renovated=RENOVATED, ships="sightseeing"),
        seat1=dict(ships="sightseeing"),
    )
    assert game.majority("sightseeing") == -1
    game.does("ship sightseeing donate")
    game.happened(MajorityTaken(0, "sightseeing"))
    assert game.majority("sightseeing") == 0


def test_a_tie_below_the_leader_changes_nothing() -> None:
    game = build("sightseeing", "donate", seat1=dict(ships="2 sightseeing"))
    game.never(MajorityLost, MajorityTaken)
    assert game.majority("sightseeing") == 1


def test_a_third_player_level_at_the_top_keeps_it_empty() -> None:
    game = build(
        "sightseeing", "donate", seat1=dict(ships="sightseeing"), seat2=dict(ships="sightseeing")
    )
    game.never(MajorityLost, MajorityTaken)


def test_a_leader_who_donates_keeps_it_without_ado() -> None:
    game = at("shipyard-1", seat0=dict(goods=RICH, renovated=RENOVATED, ships="sightseeing"))
    game.does("ship sightseeing donate")
    game.never(MajorityLost, MajorityTaken)


def test_a_sale_changes_no_majority() -> None:
    game = build("wooden-private", "sell", seat1=dict(ships="wooden-private"))
    game.never(MajorityLost, MajorityTaken)
    assert game.majority("wooden-private") == 1


# Donation spaces ------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "spaces"), ((3, 4), (4, 5)))
@pytest.mark.parametrize("ship", SHIPS)
def test_donation_spaces(ship: str, players: int, spaces: int) -> None:
    """Four, and one more with four players. A full row can only be built to sell."""
    needs = SHIPS[ship].needs
    rich = dict(goods=RICH, renovated=RENOVATED, ships=f"2 {needs}" if needs else "")
    game = at("shipyard-1", players, seat0=rich, seat1=dict(ships=f"{spaces - 1} {ship}"))
    game.offers(f"ship {ship} donate")
    game = at("shipyard-1", players, seat0=rich, seat1=dict(ships=f"{spaces} {ship}"))
    game.refuses(f"ship {ship} donate", "row-full")
    if ship in SOLD:
        game.does(f"ship {ship} sell")
        assert game.step(ship) == (2 if players == 3 else 1)
    else:
        game.refuses(f"ship {ship} sell", "not-for-sale")


def test_a_full_row_with_a_tie_at_the_top_stays_without_a_majority() -> None:
    seat = dict(goods=RICH, renovated=RENOVATED, ships="2 wooden-private")
    game = at("shipyard-1", seat0=seat, seat1=dict(ships="2 wooden-private"))
    game.refuses("ship wooden-private donate", "row-full")
    game.does("ship wooden-private sell")
    assert game.majority("wooden-private") == -1


ALMOST_ALL = "4 wooden-private 4 metal-private 4 sightseeing"
"""Fifteen markers: twelve donations and three majorities."""


def test_without_a_marker_left_nothing_is_donated() -> None:
    seat = dict(goods=RICH, renovated=RENOVATED, ships=f"{ALMOST_ALL} 4 wooden-residential")
    game = at("shipyard-1", seat0=seat)
    assert game.player(0).markers == 0
    game.refuses("ship metal-residential donate", "no-marker-left")
    game.offers("ship metal-residential sell")


def test_the_last_marker_can_still_win_a_majority() -> None:
    seat = dict(goods=RICH, renovated=RENOVATED, ships=f"{ALMOST_ALL} 3 wooden-residential")
    game = at("shipyard-1", seat0=seat)
    assert game.player(0).markers == 1
    game.does("ship metal-residential donate")
    game.happened(MajorityTaken(0, "metal-residential"))
    assert game.majority("metal-residential") == 0


def test_a_donation_takes_a_marker_from_the_supply() -> None:
    """One for the space, one for the majority, which comes back when it is lost."""
    game = build("sightseeing", "donate", seat1=dict(ships="2 sightseeing"))
    assert game.player(0).markers == 19
    game = build("sightseeing", "donate")
    assert game.player(0).markers == 18
    game = build("sightseeing", "donate", seat1=dict(ships="sightseeing"))
    assert game.player(1).markers == 19
