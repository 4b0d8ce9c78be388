"""The Architect's Office: five public utilities, what they need, discounts and majorities."""

from __future__ import annotations

import pytest

from shared.games.airship_city.facts import (
    CrewUsed,
    MajorityLost,
    MajorityTaken,
    Paid,
    UtilityBuilt,
)
from tests.games.airship_city.box import SHIPS, UTILITIES
from tests.games.airship_city.kit import ACTIVATE, NOTHING, Play, at, counted, goods, less

RICH = "20 wood 20 metal 20 gold"
RENOVATED = "wood metal gold"

SAVINGS = {
    "wooden-cargo": "2 wood",
    "metal-cargo": "2 metal",
    "luxury-cruise": "2 gold",
}


def saved(ships: str) -> str:
    """What those ships save at the Architect's Office, with all their majorities."""
    found = {}
    for ship, count in counted(ships).items():
        if ship in SAVINGS:
            amount, resource = SAVINGS[ship].split()
            found[resource] = int(amount) * (count + 1)
    return " ".join(f"{n} {resource}" for resource, n in found.items())


def office(ships: str, **position: object) -> Play:
    """A rich player with those donated ships at the Architect's Office.

    A contract at hand has the question put even where nothing can be built.
    """
    seat = dict(goods=RICH, renovated=RENOVATED, ships=ships, contracts="contract-1")
    return at("architects-office", seat0=seat, **position)


CASES = [(name, needs) for name, utility in UTILITIES.items() for needs in utility.needs]
SHORT = [(name, ships) for name, utility in UTILITIES.items() for ships in utility.short]


@pytest.mark.parametrize(("utility", "ships"), CASES)
def test_build(utility: str, ships: str) -> None:
    """Pay, put a marker, gain the points; the first marker takes the majority."""
    game = office(ships)
    game.does(f"build {utility}")
    cost = less(UTILITIES[utility].cost, saved(ships))
    points = UTILITIES[utility].points
    game.happened(
        CrewUsed(0, "architects-office"),
        Paid(0, goods(cost), utility),
        UtilityBuilt(0, utility, points),
        MajorityTaken(0, utility),
    )
    assert game.points(0) == game.points(0, "utilities") == points
    assert game.donated(0, utility) == 1 and game.majority(utility) == 0
    assert game.goods(0) == less(RICH, cost)
    game.waits(0, ACTIVATE)


@pytest.mark.parametrize(("utility", "ships"), SHORT)
def test_requirements(utility: str, ships: str) -> None:
    """Own markers in the rows it names; majority markers are none."""
    game = office(ships)
    game.refuses(f"build {utility}", "prerequisite-missing")


@pytest.mark.parametrize(("utility", "ships"), [(n, u.needs[0]) for n, u in UTILITIES.items()])
def test_ships_of_other_players_do_not_help(utility: str, ships: str) -> None:
    seat = dict(goods=RICH, renovated=RENOVATED, contracts="contract-1")
    game = at("architects-office", seat0=seat, seat1=dict(ships=ships))
    game.refuses(f"build {utility}", "prerequisite-missing")


@pytest.mark.parametrize(("utility", "ships"), [(n, u.needs[0]) for n, u in UTILITIES.items()])
@pytest.mark.parametrize("missing", ("wood", "metal", "gold"))
def test_the_whole_cost_is_asked(utility: str, ships: str, missing: str) -> None:
    cost = UTILITIES[utility].cost
    if missing not in cost:
        return
    seat = dict(renovated=RENOVATED, ships=f"{ships} 4 sightseeing 4 wooden-residential")
    if "sightseeing" in ships:
        seat["ships"] = "4 sightseeing 4 wooden-residential"
    if "wooden-residential" in ships:
        seat["ships"] = "4 wooden-residential"
    game = at("architects-office", seat0=seat | dict(goods=less(cost, f"1 {missing}")))
    game.refuses(f"build {utility}", "cannot-afford")
    game = at("architects-office", seat0=seat | dict(goods=cost))
    game.offers(f"build {utility}")


# Discounts ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ship", "saving"), SAVINGS.items())
@pytest.mark.parametrize(("mine", "theirs", "count"), ((1, 2, 1), (1, 1, 1), (1, 0, 2), (3, 1, 4)))
def test_cargo_and_luxury_ships_make_utilities_cheaper(
    ship: str, saving: str, mine: int, theirs: int, count: int
) -> None:
    """Two less for each own marker, the majority marker counted; never below nothing."""
    amount, resource = saving.split()
    game = office(
        f"{mine} {ship} wooden-private metal-private",
        seat1=dict(ships=f"{theirs} {ship} wooden-private metal-private"),
    )
    game.does("build library")
    cost = less("6 wood 4 metal 4 gold", f"{int(amount) * count} {resource}")
    game.happened(Paid(0, goods(cost), "library"))


def test_all_three_add_up() -> None:
    ships = "3 wooden-cargo 3 metal-cargo 3 luxury-cruise"
    game = office(ships)
    game.does("build city-hall")
    game.happened(Paid(0, goods("2 wood"), "city-hall"))
    game = at("architects-office", seat0=dict(ships=ships))
    game.does("build library")
    game.happened(UtilityBuilt(0, "library", 6))
    assert game.goods(0) == ""


@pytest.mark.parametrize("ship", [name for name in SHIPS if name not in SAVINGS])
def test_other_ships_make_no_utility_cheaper(ship: str) -> None:
    game = office(f"3 {ship}")
    name = {"w": "park", "m": "clock-tower"}.get(ship[0], "theatre")
    game.does(f"build {name}")
    game.happened(Paid(0, goods(UTILITIES[name].cost), name))


# Donation spaces and majorities ---------------------------------------------------------------


@pytest.mark.parametrize("players", (3, 4))
@pytest.mark.parametrize(("utility", "ships"), [(n, u.needs[0]) for n, u in UTILITIES.items()])
def test_four_spaces(utility: str, ships: str, players: int) -> None:
    """With three players and with four; a full row cannot be built."""
    seat = dict(goods=RICH, renovated=RENOVATED, ships=ships, contracts="contract-1")
    game = at("architects-office", players, seat0=seat, seat1=dict(utilities=f"3 {utility}"))
    game.offers(f"build {utility}")
    game = at("architects-office", players, seat0=seat, seat1=dict(utilities=f"4 {utility}"))
    game.refuses(f"build {utility}", "row-full")


def test_several_of_one_kind_by_one_player() -> None:
    seat = dict(goods=RICH, renovated=RENOVATED, ships="wooden-private", utilities="3 park")
    game = at("architects-office", seat0=seat)
    game.does("build park")
    game.never(MajorityTaken, MajorityLost)
    assert game.donated(0, "park") == 4


@pytest.mark.parametrize("utility", UTILITIES)
def test_a_tie_removes_the_majority(utility: str) -> None:
    game = office(UTILITIES[utility].needs[0], seat2=dict(utilities=utility))
    game.does(f"build {utility}")
    game.happened(MajorityLost(2, utility))
    assert game.majority(utility) == -1


def test_breaking_a_tie_takes_it() -> None:
    seat = dict(goods=RICH, renovated=RENOVATED, ships="wooden-private", utilities="park")
    game = at("architects-office", seat0=seat, seat1=dict(utilities="park"))
    game.does("build park")
    game.happened(MajorityTaken(0, "park"))


def test_without_a_marker_left_nothing_is_built() -> None:
    ships = "4 wooden-private 4 metal-private 4 sightseeing 4 wooden-residential"
    game = office(ships)
    assert game.player(0).markers == 0
    game.refuses("build park", "no-marker-left")


def test_nothing_to_build_no_question() -> None:
    game = at("architects-office", seat0=dict(goods=RICH, renovated=RENOVATED))
    game.happened(CrewUsed(0, "architects-office"))
    assert game.player(0).goods != NOTHING
