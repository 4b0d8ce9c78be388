"""The rulings that a table may settle otherwise, R1 to R5: each choice of each option."""

from __future__ import annotations

import pytest

from shared.engine.errors import BadOption
from shared.games.airship_city.facts import (
    BonusTileEarned,
    ContractFailed,
    GameEndReached,
    GoodsGained,
)
from tests.games.airship_city.box import LOCATIONS, TILES
from tests.games.airship_city.kit import (
    ACTIVATE,
    GAME,
    NOTHING,
    PIGGYBACK,
    at,
    goods,
    last_turn,
    table,
)

OPTIONS = {
    "piggyback": ("developed", "always"),
    "barter": ("printed", "contracts"),
    "tourist_prerequisites": ("family", "literal"),
    "failing": ("floor", "negative"),
    "unfinished_contracts": ("harmless", "fail"),
}


def test_the_options_and_their_defaults() -> None:
    assert [option.name for option in GAME.options] == list(OPTIONS)
    for option in GAME.options:
        assert option.choices == OPTIONS[option.name]
        assert option.default == option.choices[0]


@pytest.mark.parametrize("name", OPTIONS)
def test_another_choice_is_refused(name: str) -> None:
    options = {one: choices[0] for one, choices in OPTIONS.items()} | {name: "sometimes"}
    with pytest.raises(BadOption, match=name):
        GAME.content(3, options, "")


# R1: piggybacking -----------------------------------------------------------------------------

RESOURCE_TILES = [tile for tile in TILES if LOCATIONS[tile.rstrip("-12")].gives]


@pytest.mark.parametrize("tile", RESOURCE_TILES)
@pytest.mark.parametrize("developed", (True, False))
def test_r1_piggybacking_always(tile: str, developed: bool) -> None:
    game = at(
        tile,
        options={"piggyback": "always"},
        developed=tile if developed else "",
        seat1=dict(crew=f"{tile} harbor"),
    )
    game.does("use")
    if tile.startswith("valley"):
        game.asks(1, PIGGYBACK, "take wood", "take metal")
        game.does("take metal")
        assert game.goods(1) == "1 metal"
    else:
        resource = LOCATIONS[tile.rstrip("-12")].piggyback
        game.happened(GoodsGained(1, goods(f"1 {resource}"), NOTHING, "piggyback"))
    game.waits(0, ACTIVATE)


def test_r1_always_gives_no_crest_on_basic_tiles() -> None:
    game = at("forest-1", options={"piggyback": "always"}, seat0=dict(renovated="wood"))
    game.does("use")
    assert game.goods(0) == "3 wood"


# R2: barter -----------------------------------------------------------------------------------


def test_r2_barter_by_contracts() -> None:
    """The third completed contract brings it, and it can be used at once."""
    game = table(
        options={"barter": "contracts"},
        seat0=dict(goods="3 gear", contracts="contract-3", completed="contract-1 contract-2"),
    )
    game.does("complete contract-3")
    game.happened(BonusTileEarned(0, "barter"))
    game.does("barter gold wood")
    assert game.goods(0) == "1 wood 2 gold"


def test_r2_two_contracts_are_not_enough() -> None:
    game = table(
        options={"barter": "contracts"},
        seat0=dict(goods="3 gear", contracts="contract-3", completed="contract-1"),
    )
    game.does("complete contract-3")
    game.never(BonusTileEarned)


def test_r2_failed_contracts_do_not_count() -> None:
    game = table(
        options={"barter": "contracts"},
        seat0=dict(
            goods="3 gear", contracts="contract-3", completed="contract-1", failed="contract-2"
        ),
    )
    game.does("complete contract-3")
    game.never(BonusTileEarned)


def test_r2_by_contracts_utilities_bring_the_negotiator_only() -> None:
    game = at(
        "architects-office",
        options={"barter": "contracts"},
        seat0=dict(goods="6 wood 4 gold", ships="wooden-private", utilities="library theatre",
                   negotiator="reserve", barter="reserve"),
    )  # fmt: skip
    game.does("build park")
    assert [fact.bonus for fact in game.all_of(BonusTileEarned)] == ["negotiator"]


def test_r2_as_printed_contracts_bring_nothing() -> None:
    game = table(
        seat0=dict(goods="3 gear", contracts="contract-3", completed="contract-1 contract-2")
    )
    game.does("complete contract-3")
    game.never(BonusTileEarned)


# R3: what tourist ships need ------------------------------------------------------------------

RICH = dict(goods="20 wood 20 metal 20 gear", renovated="wood metal gear")


@pytest.mark.parametrize(
    ("ship", "ships", "family", "literal"),
    (
        ("passenger", "2 sightseeing", True, False),
        ("passenger", "2 wooden-residential", False, True),
        ("passenger", "wooden-residential metal-residential", False, True),
        ("passenger", "passenger metal-residential", False, True),
        ("passenger", "metal-residential 2 wooden-private 2 metal-cargo", False, False),
        ("luxury-cruise", "2 passenger", True, False),
        ("luxury-cruise", "2 metal-cargo", False, True),
        ("luxury-cruise", "wooden-cargo metal-cargo", False, True),
        ("luxury-cruise", "luxury-cruise wooden-cargo", False, True),
        ("luxury-cruise", "wooden-cargo 2 metal-residential", False, False),
    ),
)
def test_r3_prerequisites(ship: str, ships: str, family: bool, literal: bool) -> None:
    for choice, buildable in (("family", family), ("literal", literal)):
        seat = RICH | dict(ships=ships)
        game = at("shipyard-1", options={"tourist_prerequisites": choice}, seat0=seat)
        if buildable:
            game.offers(f"ship {ship} donate")
        else:
            game.refuses(f"ship {ship} donate", "prerequisite-missing")


def test_r3_literal_changes_no_other_family() -> None:
    seat = RICH | dict(ships="2 wooden-residential 2 metal-private")
    game = at("shipyard-1", options={"tourist_prerequisites": "literal"}, seat0=seat)
    game.offers("ship wooden-cargo donate", "ship metal-residential donate")
    game.refuses("ship metal-cargo donate", "prerequisite-missing")
    game.refuses("ship wooden-residential donate", "prerequisite-missing")


# R4: failing below nothing --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("choice", "points", "lost"), (("floor", 2, 2), ("floor", 6, 5), ("negative", 2, 5))
)
def test_r4_failing(choice: str, points: int, lost: int) -> None:
    game = last_turn(
        round=4,
        options={"failing": choice},
        seat0=dict(contracts="contract-20:1", points=points),
    )
    game.rests()
    game.happened(ContractFailed(0, "contract-20", lost))
    assert game.points(0) == points - lost


def test_r4_floor_over_several_contracts() -> None:
    game = last_turn(
        round=4, seat0=dict(contracts="contract-20:1 contract-17:1", points=6), options={}
    )
    game.rests()
    assert game.points(0) == 0 and game.points(0, "failed") == -6


# R5: unfinished contracts ---------------------------------------------------------------------


@pytest.mark.parametrize(("choice", "points"), (("harmless", 9), ("fail", 9 - 5 - 3)))
def test_r5_unfinished_contracts(choice: str, points: int) -> None:
    game = last_turn(
        round=20,
        options={"unfinished_contracts": choice},
        seat0=dict(contracts="contract-20:3 contract-15:1", points=9),
    )
    game.rests()
    assert game.over() and game.points(0) == points
    failed = {fact.contract for fact in game.all_of(ContractFailed)}
    assert failed == ({"contract-20", "contract-15"} if choice == "fail" else set())


def test_r5_they_fail_before_the_awards() -> None:
    """At 0 points the failure costs nothing, then the award is gained in full."""
    game = last_turn(
        round=20,
        options={"unfinished_contracts": "fail"},
        seat0=dict(contracts="contract-20:3", ships="sightseeing"),
    )
    game.rests()
    game.happened(GameEndReached("rounds"), ContractFailed(0, "contract-20", 0))
    assert game.points(0) == 6


def test_r5_and_r4_together() -> None:
    game = last_turn(
        round=20,
        options={"unfinished_contracts": "fail", "failing": "negative"},
        seat0=dict(contracts="contract-20:3"),
    )
    game.rests()
    assert game.points(0) == -5
    assert game.standings()[-1] == (0, 3, -5)
