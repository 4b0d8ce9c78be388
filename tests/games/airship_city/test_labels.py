"""What an option's label says: enough to choose without looking anything up."""

from __future__ import annotations

from typing import Any

import pytest

from shared.engine.data import Data
from shared.engine.sentences import sentence
from shared.games.airship_city.facts import AwardGained, ContractCompleted, GameEndReached, Paid
from tests.games.airship_city.kit import GAME, Play, at, goods, table

NAMES = ("Fox", "Tiffany", "Bear", "Owl")


def label(game: Play, move: str, seat: int | None = None) -> str:
    (found,) = [one for one in game.decision(seat).options if one.notation == move]
    return sentence(GAME, found.choice, NAMES)


def said(fact: Data) -> str:
    return sentence(GAME, fact, NAMES)


@pytest.mark.parametrize(
    ("tile", "words"),
    (
        ("forest-1", "Gain 3 wood"),
        ("mine-2", "Gain 2 metal"),
        ("factory-1", "Gain 2 gears"),
        ("valley-2", "Gain 1 wood, 1 metal"),
        ("harbor", "Return all own crews to the Harbor"),
        ("lighthouse", "Slide rows or columns up to 2 times, for no gear"),
        ("guild-hall", "Hire a crew for 10 gold"),
    ),
)
def test_using_a_tile(tile: str, words: str) -> None:
    game = at(tile, seat0=dict(goods="10 gold"))
    assert label(game, "use") == words
    assert label(game, "pass") == "Do not use the location"


def test_hiring_with_a_discount() -> None:
    game = at("guild-hall", seat0=dict(goods="10 gold", ships="2 passenger"))
    assert label(game, "use") == "Hire a crew for 7 gold"


def test_ways_name_the_tile_they_lead_to() -> None:
    ways = dict(zip("nesw", ("north", "east", "south", "west"), strict=True))
    game = table(seat0=dict(goods="gear", ships="3 sightseeing"))
    assert label(game, "move harbor e") == "Move the crew from Harbor east to Mine 1"
    assert label(game, "slide row 3 east") == "Slide row 3 east for 1 gear"
    game.does("move harbor e")
    for move in game.moves():
        if move.startswith("fly"):
            target = game.state.grid[dict(neighbours(game, "mine-1"))[move[-1]]]
            assert label(game, move).startswith(f"Fly on {ways[move[-1]]} to ")
            assert label(game, move).endswith(GAME.names[target])
    game = table(seat0=dict(crew="harbor mine-1"))
    game.does("move harbor e")
    for move in game.moves():
        target = game.state.grid[dict(neighbours(game, "mine-1"))[move[-1]]]
        assert label(game, move) == f"Leap on {ways[move[-1]]} to {GAME.names[target]}"


def neighbours(game: Play, tile: str) -> list[tuple[str, int]]:
    row, column = divmod(game.state.grid.index(tile), 4)
    steps = (("n", -1, 0), ("e", 0, 1), ("s", 1, 0), ("w", 0, -1))
    return [(way, 4 * (row + down) + column + right) for way, down, right in steps]


def test_sliding_by_the_lighthouse_is_free() -> None:
    game = at("lighthouse")
    game.does("use")
    assert label(game, "slide column 2 north") == "Slide column 2 north"


def test_airships_with_what_they_cost_now() -> None:
    rich: Any = dict(goods="10 wood 10 metal 10 gear", ships="2 wooden-private")
    game = at("shipyard-1", prices={"wooden-residential": 2}, seat0=rich)
    assert label(game, "ship wooden-residential donate") == (
        "Build the Wooden Residential Ship for 5 wood, 4 gears and donate it: 2 points"
    )
    assert label(game, "ship wooden-residential sell") == (
        "Build the Wooden Residential Ship for 5 wood, 4 gears and sell it: 10 gold"
    )
    assert label(game, "ship metal-private donate").endswith("donate it: 1 point")


def test_utilities_with_what_they_cost_now() -> None:
    seat: Any = dict(goods="6 wood 4 gold", ships="wooden-cargo", renovated="wood")
    assert label(at("architects-office", seat0=seat), "build park") == (
        "Build the Park for 2 wood, 4 gold: 4 points"
    )


def test_renovations_with_what_they_cost_now() -> None:
    seat: Any = dict(goods="4 gold 4 gear", ships="metal-residential")
    assert label(at("workshop", seat0=seat), "renovate wood") == (
        "Unlock the wood renovation for 4 gold, 2 gears: 3 points"
    )


def test_developing_with_both_bonuses() -> None:
    game = at("workshop", seat0=dict(goods="4 gold 4 gear"))
    game.does("renovate wood")
    assert label(game, "develop valley-1") == (
        "Develop Valley 1: crest bonus 1 wood or metal, piggybacking 1 wood or metal"
    )
    assert label(game, "develop harbor") == (
        "Develop Harbor: crest bonus 1 wood or metal or gold or gear"
    )


def test_contracts() -> None:
    game = at("market", offer="contract-20 contract-1", seat0=dict(goods="5 wood"))
    assert label(game, "take contract-20") == (
        "Take contract 20, term 3: 6 wood, 4 metal, 4 gears for 5 points and 6 gold"
    )
    game.does("take contract-1")
    assert label(game, "complete contract-1") == (
        "Complete contract 1: 5 wood for 1 point and 3 gold"
    )


def test_crest_and_piggybacking_bonuses() -> None:
    game = at("valley-1", developed="valley-1", seat0=dict(renovated="wood metal"))
    game.does("use")
    assert label(game, "take wood") == "Take 1 wood"
    game = at(
        "mine-1",
        developed="mine-1",
        seat1=dict(crew="mine-1 market", utilities="3 park", ships="wooden-private"),
    )
    game.does("use")
    assert label(game, "negotiate metal metal", seat=1) == (
        "Take 1 metal, and 1 metal more by Skilled Negotiator"
    )


def test_what_happened() -> None:
    assert said(ContractCompleted(0, "contract-1", 1)) == "Fox completes contract 1 for 1 point."
    assert said(Paid(1, goods("2 gear"), "slide")) == "Tiffany pays 2 gears (a slide)."
    assert said(AwardGained(2, "trade", 2)) == "Bear gains 2 points for Trade."
    assert said(GameEndReached("shipbuilding")) == (
        "The end of the game is reached: every airship row has a majority."
    )
