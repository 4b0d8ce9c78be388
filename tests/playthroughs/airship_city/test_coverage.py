"""What the golden games of Airship City show between them: every piece of the box at least once."""

from __future__ import annotations

from tests.games.airship_city.box import (
    BONUS_TILES,
    CONTRACTS,
    LINES,
    RENOVATIONS,
    SHIPS,
    SOLD,
    STAGE_BONUSES,
    TILES,
    UTILITIES,
)
from tests.playthroughs import coverage
from tests.playthroughs.coverage import seen

GAME = "airship-city"


def test_every_ending() -> None:
    assert seen(GAME, "GameEndReached", "reason") == {"shipbuilding", "construction", "rounds"}


def test_some_games_end_before_the_last_round() -> None:
    assert min(game.match.state.round for game in coverage.games(GAME)) < 20


def test_every_airship_is_donated_and_every_one_for_sale_is_sold() -> None:
    assert seen(GAME, "AirshipDonated", "ship") == set(SHIPS)
    assert seen(GAME, "AirshipSold", "ship") == set(SOLD)


def test_every_public_utility_is_built() -> None:
    assert seen(GAME, "UtilityBuilt", "utility") == set(UTILITIES)


def test_every_contract_is_completed_and_contracts_of_every_term_fail() -> None:
    assert seen(GAME, "ContractCompleted", "contract") == set(CONTRACTS)
    failed = seen(GAME, "ContractFailed", "contract")
    assert {CONTRACTS[name].term for name in failed} == {1, 2, 3}


def test_every_renovation_and_every_tile_developed() -> None:
    assert seen(GAME, "RenovationUnlocked", "resource") == set(RENOVATIONS)
    assert seen(GAME, "TileDeveloped", "tile") == set(TILES)


def test_every_tile_is_used() -> None:
    assert seen(GAME, "CrewUsed", "tile") == set(TILES)


def test_every_stage_bonus() -> None:
    assert seen(GAME, "StageBegan", "tile") == set(STAGE_BONUSES)


def test_every_bonus_tile_is_earned_and_used() -> None:
    assert seen(GAME, "BonusTileEarned", "bonus") == set(BONUS_TILES)
    assert seen(GAME, "BonusTileUsed", "bonus") == set(BONUS_TILES)


def test_every_slide() -> None:
    assert len(seen(GAME, "TilesSlid", "line", "number", "direction")) == 16


def test_every_award_and_every_line_of_the_score_sheet() -> None:
    assert seen(GAME, "AwardGained", "award") == {"shipbuilding", "construction", "trade"}
    lines = {
        line
        for game in coverage.games(GAME)
        for player in game.match.state.players
        for line, points in zip(LINES, player.points, strict=True)
        if points
    }
    assert lines == set(LINES)


def test_majorities_of_airships_and_of_utilities_are_lost_too() -> None:
    rows = seen(GAME, "MajorityLost", "row")
    assert rows & set(SHIPS) and rows & set(UTILITIES)


def test_several_players_piggyback_on_one_action() -> None:
    """Two choose at the same time."""
    waiting = [match.decisions() for game in coverage.games(GAME) for match in game.matches]
    assert max(len(decisions) for decisions in waiting) >= 2


def test_goods_are_stored_and_goods_are_lost_for_want_of_room() -> None:
    gained = [
        (any(fact["goods"]), any(fact["lost"]))
        for log in coverage.facts(GAME)
        for fact in log
        if fact["@type"] == "GoodsGained"
    ]
    assert set(gained) == {(True, False), (True, True), (False, True)}


def test_four_crews() -> None:
    crews = {player.crews for game in coverage.games(GAME) for player in game.match.state.players}
    assert crews == {2, 3, 4}


def test_a_first_player_of_every_seat() -> None:
    assert seen(GAME, "FirstPlayerChosen", "seat") == {0, 1, 2, 3}
