"""Actions: placing dwarves, specialist bonuses, the Work Break."""

from __future__ import annotations

from collections import Counter

import pytest

from shared.games.dwergar.facts import (
    BreakTaken,
    DwarfPlaced,
    ForemanReturned,
    FurnacesLit,
    HeatGained,
)
from shared.games.dwergar.pieces import LOCATIONS
from tests.games.dwergar.kit import table

# Placing --------------------------------------------------------------------------------------


def test_any_dwarf_of_the_pool_may_go_to_any_location() -> None:
    game = table(seat0=dict(pool="engineer foreman"))
    game.asks(
        0,
        "Choose an action",
        *(f"place engineer {location}" for location in LOCATIONS),
        *(f"place foreman {location}" for location in LOCATIONS),
    )


def test_a_worker_found_there_joins_the_pool() -> None:
    game = table(board={"forge": "blacksmith"}, seat0=dict(pool="engineer foreman"))
    game.visits("engineer", "forge")
    game.happened(DwarfPlaced(0, "engineer", "forge", "blacksmith"))
    assert game.pool(0) == Counter(blacksmith=1, foreman=1)
    assert game.stands("forge") == "engineer"


def test_the_worker_found_may_be_placed_in_the_same_turn() -> None:
    game = table(board={"forge": "blacksmith"}, seat0=dict(pool="engineer foreman"))
    game.visits("engineer", "forge")
    game.does("place blacksmith bellows")
    game.offers("use blacksmith")


def test_the_worker_found_may_go_back_to_the_same_location() -> None:
    game = table(board={"bellows": "blacksmith"}, seat0=dict(pool="engineer foreman"))
    game.visits("engineer", "bellows")
    game.visits("blacksmith", "bellows")
    assert game.pool(0) == Counter(engineer=1, foreman=1)


def test_the_worker_found_stays_for_a_later_turn() -> None:
    game = table(left=1, board={"lift": "ironworker"}, seat0=dict(pool="engineer foreman"))
    game.visits("engineer", "lift")
    game.chooses(1)
    assert game.pool(0) == Counter(ironworker=1, foreman=1)


def test_an_opponents_foreman_goes_home() -> None:
    game = table(board={"studio": "foreman-1"})
    game.visits("engineer", "studio")
    game.happened(ForemanReturned(1, "studio"), DwarfPlaced(0, "engineer", "studio", ""))
    assert game.pool(1)["foreman"] == 1
    assert game.pool(0) == Counter(ironworker=1, blacksmith=1, foreman=1)


def test_the_own_foreman_goes_home_when_displaced_and_may_be_placed_again() -> None:
    game = table(board={"studio": "foreman-0"})
    game.visits("engineer", "studio")
    game.happened(ForemanReturned(0, "studio"))
    game.offers("place foreman studio")


def test_nothing_is_gained_from_an_empty_location() -> None:
    game = table()
    game.visits("engineer", "lift")
    game.happened(DwarfPlaced(0, "engineer", "lift", ""))
    assert game.pool(0) == Counter(ironworker=1, blacksmith=1, foreman=1)


def test_a_dwarf_not_in_the_pool_cannot_be_placed() -> None:
    game = table(seat0=dict(pool="engineer"), board={"forge": "foreman-0"})
    game.refuses("place blacksmith bellows", "no-such-dwarf")
    game.refuses("place foreman bellows", "no-such-dwarf")
    game.refuses("place dragon bellows")
    game.refuses("place engineer tavern")
    game.refuses("")


def test_all_three_actions_may_use_one_location() -> None:
    game = table(seat0=dict(goods="3 iron"))
    game.does("place engineer workshop", "use basic")
    game.does("place blacksmith workshop", "use basic")
    game.does("place ironworker workshop", "use basic")
    game.leaves()
    assert game.player(0).cool == 5
    assert game.pool(0) == Counter(engineer=1, blacksmith=1, foreman=1)
    game.chooses(1)


# Basic action and specialist bonus ------------------------------------------------------------

SPECIALISTS = {
    "laboratory": ("ironworker", "blacksmith"),
    "bellows": ("ironworker", "blacksmith"),
    "lift": ("ironworker", "engineer"),
    "workshop": ("ironworker", "engineer"),
    "forge": ("engineer", "blacksmith"),
    "studio": ("engineer", "blacksmith"),
}


@pytest.mark.parametrize("dwarf", ("ironworker", "blacksmith", "engineer", "foreman"))
@pytest.mark.parametrize("location", SPECIALISTS)
def test_a_specialist_has_the_bonus_of_his_location_and_nobody_else(
    location: str, dwarf: str
) -> None:
    """At the lift and the studio the bonus shows only when the action is done."""
    game = table(
        seat0=dict(goods="8 stone 4 iron 2 gold", heat=6, projects="rails"),
        display="entry-to-new-shaft filled-fissure",
    )
    game.does(f"place {dwarf} {location}")
    moves = {option.notation for option in game.decision().options}
    signs = {
        ("laboratory", "ironworker"): "use ironworker",
        ("bellows", "ironworker"): "use ironworker",
        ("bellows", "blacksmith"): "use blacksmith",
        ("lift", "engineer"): "stone mine-1",
        ("workshop", "engineer"): "use engineer",
        ("workshop", "ironworker"): "use ironworker",
        ("forge", "engineer"): "use engineer",
        ("forge", "blacksmith"): "upgrade rails",
    }
    shown = {who for (where, who), sign in signs.items() if where == location and sign in moves}
    could = dwarf in SPECIALISTS[location] and (location, dwarf) in signs
    assert shown == ({dwarf} if could else set())


def test_a_bonus_of_another_specialty_is_refused() -> None:
    game = table(seat0=dict(goods="2 stone"))
    game.does("place engineer bellows")
    game.refuses("use blacksmith", "not-a-specialist")
    game.refuses("use ironworker", "not-a-specialist")

    game = table()
    game.does("place blacksmith lift")
    game.refuses("stone mine-1", "not-a-specialist")


def test_what_another_location_offers_is_refused() -> None:
    game = table(seat0=dict(goods="1 gold 4 iron"), display="rails")
    game.does("place ironworker bellows")
    game.refuses("lift 1", "not-at-this-space")
    game.refuses("exchange gold iron", "not-at-this-space")
    game.refuses("complete rails", "not-at-this-space")
    game.refuses("forge stone", "not-at-this-space")
    game.refuses("use engineer", "not-at-this-space")


def test_basic_action_and_bonus_both() -> None:
    game = table(seat0=dict(cool=2))
    game.does("place blacksmith bellows", "use basic", "use blacksmith")
    game.happened(FurnacesLit(0, 1), HeatGained(0, 2, "bellows"))
    game.chooses(0, left=2)


def test_bonus_before_the_basic_action() -> None:
    game = table(seat0=dict(cool=2))
    game.does("place blacksmith bellows", "use blacksmith", "use basic")
    game.happened(HeatGained(0, 2, "bellows"), FurnacesLit(0, 1))


def test_only_the_bonus() -> None:
    game = table(seat0=dict(cool=2))
    game.does("place blacksmith bellows", "use blacksmith", "done")
    game.never(FurnacesLit)
    game.chooses(0, left=2)


def test_only_the_basic_action_though_a_specialist_was_placed() -> None:
    game = table(seat0=dict(cool=2))
    game.does("place blacksmith bellows", "use basic", "done")
    game.never(HeatGained)
    game.chooses(0, left=2)


def test_no_action_at_all_only_to_take_the_dwarf_there() -> None:
    game = table(board={"bellows": "ironworker"}, seat0=dict(pool="blacksmith foreman"))
    game.does("place blacksmith bellows", "done")
    game.never(HeatGained, FurnacesLit)
    assert game.pool(0) == Counter(ironworker=1, foreman=1)
    game.chooses(0, left=2)


def test_nothing_is_used_twice() -> None:
    game = table(seat0=dict(cool=3))
    game.does("place blacksmith bellows", "use basic")
    game.lacks("use basic")
    game.refuses("use basic", "already-used")

    game = table(seat0=dict(cool=3))
    game.does("place blacksmith bellows", "use blacksmith")
    game.refuses("use blacksmith", "already-used")


def test_a_space_with_nothing_to_use_is_left_without_asking() -> None:
    game = table(seat0=dict(cool=0, hot=2))
    game.does("place engineer bellows")
    game.chooses(0, left=2)


# Work Break -----------------------------------------------------------------------------------


def test_work_break_takes_the_own_foreman_and_a_worker() -> None:
    game = table(
        board={"forge": "foreman-0", "lift": "engineer", "mine-2": "blacksmith"},
        seat0=dict(pool=""),
    )
    game.asks(0, "Choose an action", "break engineer lift", "break blacksmith mine-2")
    game.does("break engineer lift")
    game.happened(BreakTaken(0, "engineer", "lift"))
    assert game.pool(0) == Counter(engineer=1, foreman=1)
    assert (game.stands("forge"), game.stands("lift")) == ("", "")
    assert game.stands("mine-2") == "blacksmith"


def test_work_break_is_an_action_and_its_dwarves_may_be_placed_at_once() -> None:
    game = table(board={"forge": "foreman-0", "lift": "engineer"}, seat0=dict(pool=""))
    game.does("break engineer lift")
    game.chooses(0, left=2)
    game.offers("place engineer lift", "place foreman forge")


def test_no_work_break_while_a_dwarf_is_left() -> None:
    game = table(board={"forge": "foreman-0", "lift": "engineer"}, seat0=dict(pool="blacksmith"))
    game.refuses("break engineer lift", "pool-not-empty")


def test_without_dwarves_only_a_work_break() -> None:
    game = table(board={"forge": "foreman-0", "lift": "engineer"}, seat0=dict(pool=""))
    game.refuses("place engineer lift", "pool-empty")
    game.refuses("place foreman lift", "pool-empty")


def test_work_break_takes_a_worker_who_is_there() -> None:
    game = table(board={"forge": "foreman-0", "lift": "engineer"}, seat0=dict(pool=""))
    game.refuses("break blacksmith lift", "no-such-worker")
    game.refuses("break engineer studio", "no-such-worker")


def test_work_break_never_takes_another_players_foreman() -> None:
    game = table(
        board={"forge": "foreman-0", "lift": "foreman-1", "mine-1": "engineer"},
        seat0=dict(pool=""),
    )
    game.asks(0, "Choose an action", "break engineer mine-1")
    game.does("break engineer mine-1")
    assert game.stands("lift") == "foreman-1"


def test_work_break_fetches_the_foreman_out_of_a_cart() -> None:
    game = table(
        board={"lift": "engineer"},
        carts={"mine-2": {0: "1 stone 1 iron foreman"}},
        seat0=dict(pool=""),
    )
    game.does("break engineer lift")
    assert game.cart("mine-2", 0) == "1 stone 1 iron"
    assert game.pool(0) == Counter(engineer=1, foreman=1)


def test_work_break_without_a_worker_on_the_board_takes_the_foreman_only() -> None:
    game = table(board={"forge": "foreman-0"}, seat0=dict(pool=""))
    game.asks(0, "Choose an action", "break foreman")
    game.does("break foreman")
    game.happened(BreakTaken(0, "", ""))
    assert game.pool(0) == Counter(foreman=1)
    game.chooses(0, left=2)


def test_work_break_gives_no_furnace_heat() -> None:
    game = table(
        board={"forge": "foreman-0", "lift": "engineer"},
        furnaces={"lift": 1, "forge": 1},
        seat0=dict(pool=""),
    )
    game.does("break engineer lift")
    game.never(HeatGained)


def test_passing_is_not_allowed() -> None:
    """An action is a placement, perhaps without effect, or a Work Break."""
    game = table()
    game.refuses("pass")
    game.refuses("done")
