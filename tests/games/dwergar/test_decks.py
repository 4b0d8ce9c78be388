"""Decks and special rules: what each project deck brings into the game."""

from __future__ import annotations

import pytest

from shared.games.dwergar.facts import (
    BonusActionsAwarded,
    ForemanReturned,
    FreeUpgradeAwarded,
    GameEnded,
    HeatGained,
    ProjectsRevealed,
    ProjectUpgraded,
    RoundBegan,
    SilverbeardReturned,
    SilverbeardSpent,
    SilverbeardTaken,
    TurnBegan,
    TurnEnded,
)
from tests.games.dwergar.kit import end_of_round, last_action, table

FREE_UPGRADE = "Upgrade one project for free"


# The Western District -------------------------------------------------------------------------


def test_western_leader_does_three_more_actions_at_the_end() -> None:
    game = last_action(seat0=dict(projects="master-tools"), decks="western+new-shaft")
    game.visits("engineer", "forge")
    game.happened(BonusActionsAwarded(0, 3))
    game.never(GameEnded)
    game.chooses(0, left=3)
    for location in ("lift", "studio", "forge"):
        worker = next(iter(game.pool(0)))
        game.visits(worker, location)
    assert game.over()
    game.happened(GameEnded())


def test_western_upgraded_projects_count_as_completed() -> None:
    game = last_action(
        seat0=dict(projects="master-tools"), seat1=dict(upgraded="north-wall bridge-club")
    )
    game.visits("engineer", "forge")
    assert game.all_of(BonusActionsAwarded) == [BonusActionsAwarded(1, 3)]
    game.chooses(1, left=3)


def test_western_leaders_in_a_tie_each_get_three_in_turn_order() -> None:
    game = last_action(
        3,
        seat0=dict(projects="master-tools"),
        seat1=dict(projects="filled-fissure"),
        seat2=dict(projects="north-wall"),
        decks="western+new-shaft+old-shaft",
    )
    game.visits("engineer", "forge")
    assert {fact.seat for fact in game.all_of(BonusActionsAwarded)} == {0, 2}
    game.chooses(0, left=3)
    for _ in range(3):
        game.visits(next(iter(game.pool(0))), "forge")
    game.chooses(2, left=3)
    for _ in range(3):
        game.visits(next(iter(game.pool(2))), "forge")
    assert game.over()


def test_western_leaders_are_fixed_before_the_first_bonus_action() -> None:
    """One project each; that seat 0 completes a second one takes nothing from seat 1."""
    game = last_action(
        seat0=dict(projects="master-tools", goods="1 crystal"),
        seat1=dict(projects="north-wall"),
        display="clan-elevator",
    )
    game.visits("engineer", "forge")
    game.chooses(0, left=3)
    game.does("place ironworker studio", "complete clan-elevator")
    game.leaves()
    game.visits(next(iter(game.pool(0))), "forge")
    game.visits(next(iter(game.pool(0))), "forge")
    game.chooses(1, left=3)


def test_western_bonus_actions_are_no_turn() -> None:
    """No refill, no start-of-turn effects, no reset of the heat before them."""
    game = last_action(
        seat0=dict(projects="master-tools", upgraded="abandoned-lift"),
        decks="western+old-shaft",
        display="north-wall",
    )
    game.visits("engineer", "forge")
    game.chooses(0, left=3)
    game.never(TurnBegan, ProjectsRevealed)
    assert game.goods(0) == "" and game.state.display == ("north-wall",)


def test_western_bonus_actions_keep_the_heat_an_event_gave() -> None:
    game = last_action(
        seat0=dict(projects="master-tools"),
        decks="western+new-shaft",
        next_events="boiler-explosion",
    )
    game.visits("engineer", "forge")
    game.chooses(0, left=3)
    assert game.player(0).heat == 2
    game.visits(next(iter(game.pool(0))), "lift")
    assert game.player(0).heat == 2


def test_western_bonus_actions_are_not_cut_by_the_safety_training() -> None:
    game = last_action(
        seat0=dict(projects="master-tools"),
        decks="western+new-shaft",
        next_events="health-and-safety-training",
    )
    game.visits("engineer", "forge")
    game.chooses(0, left=3)


def test_western_lying_event_applies_to_bonus_actions() -> None:
    game = last_action(
        seat0=dict(projects="master-tools"),
        decks="western+new-shaft",
        next_events="shaft-maintenance",
    )
    game.visits("engineer", "forge")
    before = game.points(0)
    game.visits(next(iter(game.pool(0))), "mine-1")
    assert game.points(0) == before + 1


def test_western_bonus_actions_may_be_left_out_one_by_one() -> None:
    """A leader "may do 3 additional actions": one left out is gone, the next is offered (R43)."""
    game = last_action(seat0=dict(projects="master-tools"), decks="western+new-shaft")
    game.visits("engineer", "forge")
    game.offers("pass")
    game.does("pass")
    game.chooses(0, left=2)
    game.visits(next(iter(game.pool(0))), "forge")
    game.chooses(0, left=1)
    game.does("pass")
    assert game.over()


def test_western_bonus_action_with_an_empty_pool_may_be_left_out() -> None:
    game = last_action(
        seat0=dict(projects="master-tools", pool=""),
        seat1=dict(pool="6 ironworker 3 blacksmith 1 engineer foreman"),
        board={"mine-4": "blacksmith", "lift": "foreman-0", "mine-1": "engineer"},
        decks="western+new-shaft",
    )
    game.visits("engineer", "forge")
    game.asks(
        0,
        "Choose an action",
        "break blacksmith mine-4",
        "break engineer mine-1",
        "break engineer forge",
        "pass",
    )


def test_western_deck_not_in_play_gives_no_bonus_actions() -> None:
    game = last_action(decks="new-shaft+eastern")
    game.visits("engineer", "forge")
    assert game.over()
    game.never(BonusActionsAwarded)


def test_western_leader_needs_a_project() -> None:
    game = last_action(decks="western+new-shaft")
    game.visits("engineer", "forge")
    game.never(BonusActionsAwarded)
    assert game.over()


# The New Shaft --------------------------------------------------------------------------------


def test_new_shaft_counts_own_upgraded_new_shaft_projects_only() -> None:
    game = table(
        3,
        seat0=dict(heat=3, projects="rails ore-extraction", upgraded="north-wall filled-fissure"),
        seat1=dict(upgraded="shaft-lighting new-shaft-supports"),
    )
    game.does("place blacksmith forge", "upgrade rails")
    assert game.points(0) == 4


# Golden Terraces ------------------------------------------------------------------------------


def test_golden_leader_upgrades_one_project_of_any_deck_for_free() -> None:
    game = last_action(
        seat0=dict(projects="gold-foundry bridge-over-a-river-of-lava"),
        decks="golden+old-shaft",
    )
    game.visits("engineer", "forge")
    game.happened(FreeUpgradeAwarded(0))
    game.asks(
        0,
        FREE_UPGRADE,
        "upgrade gold-foundry",
        "upgrade bridge-over-a-river-of-lava",
        "keep",
    )
    game.does("upgrade bridge-over-a-river-of-lava")
    game.happened(ProjectUpgraded(0, "bridge-over-a-river-of-lava", 7), GameEnded())
    assert game.points(0, "upgrading") == 7
    assert game.over()


def test_golden_free_upgrade_may_be_declined() -> None:
    game = last_action(seat0=dict(projects="gold-foundry"), decks="golden+old-shaft")
    game.visits("engineer", "forge")
    game.does("keep")
    assert game.over() and game.player(0).upgraded == ()


def test_golden_free_upgrade_has_its_effect() -> None:
    """The cursed treasury yields its goods, and its 4 heat are not asked for."""
    game = last_action(
        seat0=dict(projects="cursed-treasury colossal-statue"), decks="golden+old-shaft"
    )
    game.visits("engineer", "forge")
    game.does("upgrade cursed-treasury")
    assert game.goods(0) == "1 stone 1 iron 1 gold 1 crystal"


def test_golden_free_upgrade_counts_at_the_end() -> None:
    """Main crucible upgraded for free: 2 points for each crystal."""
    game = last_action(
        seat0=dict(projects="main-crucible", goods="3 crystal"), decks="golden+old-shaft"
    )
    game.visits("engineer", "forge")
    game.does("upgrade main-crucible")
    assert game.points(0, "end") == 6


def test_golden_leaders_in_a_tie_each_upgrade() -> None:
    game = last_action(
        seat0=dict(projects="gold-foundry"),
        seat1=dict(projects="secret-entrance"),
        decks="golden+old-shaft",
    )
    game.visits("engineer", "forge")
    game.does("upgrade gold-foundry", seat=0)
    game.does("upgrade secret-entrance", seat=1)
    assert game.goods(1) == "1 gold"
    assert game.over()


def test_golden_leader_with_nothing_left_to_upgrade() -> None:
    game = last_action(seat0=dict(upgraded="gold-foundry"), decks="golden+old-shaft")
    game.visits("engineer", "forge")
    assert game.over()


def test_golden_leader_needs_a_project() -> None:
    game = last_action(seat0=dict(projects="rails"), decks="new-shaft+golden")
    game.visits("engineer", "forge")
    game.never(FreeUpgradeAwarded)
    assert game.over()


def test_golden_leader_is_looked_for_after_the_western_bonus_actions() -> None:
    """A Golden project completed in a bonus action makes its clan the leader."""
    game = last_action(
        seat0=dict(projects="master-tools", goods="3 gold"),
        decks="western+golden",
        display="goldsmiths-workshop",
    )
    game.visits("engineer", "forge")
    worker = next(iter(game.pool(0)))
    game.does(f"place {worker} studio", "complete goldsmiths-workshop")
    game.leaves()
    for _ in range(2):
        game.visits(next(iter(game.pool(0))), "forge")
    game.happened(FreeUpgradeAwarded(0))
    game.asks(0, FREE_UPGRADE, "upgrade master-tools", "upgrade goldsmiths-workshop", "keep")


# The Eastern District -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("projects", "upgraded", "heat", "kept"),
    (
        ("", "", 5, 0),
        ("southern-pipeline", "", 5, 2),
        ("southern-pipeline", "", 1, 1),
        ("southern-pipeline", "coal-crusher", 10, 4),
        ("southern-pipeline mill-chimney main-valve runic-hall coal-crusher", "", 10, 10),
        ("southern-pipeline mill-chimney main-valve runic-hall", "coal-crusher", 9, 9),
        ("rails", "", 5, 0),
    ),
)
def test_eastern_saves_2_heat_for_each_completed_project(
    projects: str, upgraded: str, heat: int, kept: int
) -> None:
    game = table(
        left=1,
        decks="new-shaft+eastern",
        seat0=dict(projects=projects, upgraded=upgraded, heat=heat),
    )
    game.visits("engineer", "lift")
    game.happened(TurnEnded(0, kept))
    assert game.player(0).heat == kept


def test_eastern_projects_of_others_save_nothing() -> None:
    game = table(left=1, seat0=dict(heat=4), seat1=dict(projects="southern-pipeline"))
    game.visits("engineer", "lift")
    assert game.player(0).heat == 0


# The Old Shaft --------------------------------------------------------------------------------


def test_silverbeard_goes_to_the_leader_at_the_start_of_a_round() -> None:
    game = end_of_round(
        3, decks="new-shaft+golden+old-shaft", seat1=dict(projects="cursed-treasury")
    )
    game.visits("engineer", "lift")
    game.happened(RoundBegan(3), SilverbeardTaken(1), TurnBegan(0))
    assert game.state.silverbeard == 1


def test_silverbeard_needs_the_most_projects() -> None:
    game = end_of_round(
        3,
        decks="new-shaft+golden+old-shaft",
        seat0=dict(projects="cursed-treasury abandoned-lift"),
        seat1=dict(projects="crumbling-earthwork", upgraded="ammunition-store calcination-oven"),
    )
    game.visits("engineer", "lift")
    assert game.state.silverbeard == 1


def test_nobody_takes_silverbeard_in_a_tie() -> None:
    game = end_of_round(
        seat0=dict(projects="cursed-treasury"), seat1=dict(projects="abandoned-lift")
    )
    game.visits("engineer", "lift")
    game.never(SilverbeardTaken)
    assert game.state.silverbeard == -1


def test_nobody_takes_silverbeard_without_a_project() -> None:
    game = end_of_round(decks="new-shaft+old-shaft")
    game.visits("engineer", "lift")
    assert game.state.silverbeard == -1


def test_silverbeard_passes_to_a_new_leader() -> None:
    game = end_of_round(silverbeard=0, seat1=dict(projects="cursed-treasury"))
    game.visits("engineer", "lift")
    game.happened(SilverbeardTaken(1))
    assert game.state.silverbeard == 1


def test_silverbeard_stays_with_the_leader() -> None:
    game = end_of_round(silverbeard=1, seat1=dict(projects="cursed-treasury"))
    game.visits("engineer", "lift")
    assert game.state.silverbeard == 1


def test_silverbeard_returns_in_a_tie() -> None:
    game = end_of_round(
        silverbeard=0,
        seat0=dict(projects="cursed-treasury"),
        seat1=dict(projects="abandoned-lift"),
    )
    game.visits("engineer", "lift")
    game.happened(SilverbeardReturned(0))
    assert game.state.silverbeard == -1


def test_silverbeard_is_not_moved_during_a_round() -> None:
    """Taking the lead counts at the start of the next round."""
    game = table(display="cursed-treasury", seat0=dict(heat=3), silverbeard=-1)
    game.does("place ironworker studio", "complete cursed-treasury")
    game.leaves()
    assert game.state.silverbeard == -1


def test_silverbeard_once_used_comes_again_next_round() -> None:
    game = end_of_round(silverbeard=1, seat1=dict(projects="cursed-treasury", cool=3))
    game.does("place engineer bellows", "silverbeard ironworker", "use ironworker")
    game.leaves()
    game.happened(SilverbeardSpent(1, "ironworker"))
    game.rests()
    game.chooses(0)
    assert game.state.silverbeard == 1


def test_silverbeard_with_any_dwarf() -> None:
    game = table(decks="new-shaft+old-shaft", silverbeard=0)
    game.does("place foreman bellows")
    game.offers("silverbeard ironworker", "silverbeard blacksmith")
    game.does("silverbeard blacksmith", "use blacksmith")
    game.happened(SilverbeardSpent(0, "blacksmith"), HeatGained(0, 2, "bellows"))


def test_silverbeard_gives_one_bonus_only() -> None:
    game = table(decks="new-shaft+old-shaft", silverbeard=0, seat0=dict(cool=3))
    game.does("place engineer bellows", "silverbeard blacksmith")
    game.lacks("silverbeard ironworker")
    game.refuses("silverbeard ironworker")
    game.refuses("use ironworker", "not-a-specialist")


def test_silverbeard_gives_a_bonus_of_the_space_that_the_dwarf_lacks() -> None:
    game = table(decks="new-shaft+old-shaft", silverbeard=0)
    game.does("place blacksmith bellows")
    game.lacks("silverbeard engineer", "silverbeard blacksmith")


def test_silverbeard_at_the_lift() -> None:
    """The ironworker's points and the engineer's stone by the token."""
    game = table(decks="new-shaft+old-shaft", silverbeard=0, seat0=dict(heat=1))
    game.does("place engineer lift", "silverbeard ironworker", "lift 2")
    assert game.points(0, "lift") == 2
    game.leaves()

    game = table(decks="new-shaft+old-shaft", silverbeard=0)
    game.does("place ironworker lift", "silverbeard engineer", "stone mine-1", "lift 1")
    assert game.cart("transit", 1) == "1 stone"


def test_silverbeard_at_the_laboratory_workshop_and_forge() -> None:
    game = table(decks="new-shaft+old-shaft", silverbeard=0, seat0=dict(goods="2 iron"))
    game.does("place foreman laboratory", "silverbeard blacksmith")
    game.does("exchange iron stone", "exchange iron stone")
    assert game.goods(0) == "4 stone"

    game = table(decks="new-shaft+old-shaft", silverbeard=0, seat0=dict(goods="2 stone"))
    game.does("place ironworker workshop", "silverbeard engineer", "use engineer")
    assert game.player(0).cool == 3

    game = table(silverbeard=0, decks="new-shaft+old-shaft", seat0=dict(heat=2, projects="rails"))
    game.does("place engineer forge", "use engineer", "silverbeard blacksmith", "upgrade rails")
    assert game.player(0).upgraded == ("rails",)


def test_silverbeard_at_the_studio() -> None:
    game = table(
        silverbeard=0,
        decks="new-shaft+old-shaft",
        display="rails",
        seat0=dict(goods="4 iron"),
    )
    game.does("place engineer studio", "silverbeard blacksmith", "complete rails")
    game.does("take-back iron", "upgrade rails")
    assert (game.goods(0), game.player(0).upgraded) == ("1 iron", ("rails",))


def test_silverbeard_is_not_offered_at_the_studio_without_a_project_in_reach() -> None:
    """Its bonuses follow completing by themselves, so they would do nothing (R40)."""
    game = table(decks="new-shaft+old-shaft", display="rails", silverbeard=0)
    game.does("place foreman studio")
    game.chooses(0, left=2)


def test_silverbeard_is_not_offered_for_a_lift_that_cannot_move() -> None:
    """Event 48 asks a heat for every level; the engineer's stone needs none (R40)."""
    game = table(decks="new-shaft+old-shaft", event="lift-malfunction", silverbeard=0)
    game.does("place foreman lift")
    game.offers("silverbeard engineer")
    game.lacks("silverbeard ironworker")


def test_silverbeard_is_of_no_use_in_the_mine() -> None:
    game = table(decks="new-shaft+old-shaft", silverbeard=0)
    game.does("place engineer mine-1")
    game.asks(0, "Use the space", "use basic", "done")


def test_only_the_holder_uses_silverbeard() -> None:
    game = table(decks="new-shaft+old-shaft", silverbeard=1)
    game.does("place engineer bellows")
    game.lacks("silverbeard ironworker")
    game.refuses("silverbeard ironworker", "no-silverbeard")


def test_silverbeard_is_kept_when_not_used() -> None:
    game = table(decks="new-shaft+old-shaft", silverbeard=0, left=1, board={"forge": "foreman-1"})
    game.visits("engineer", "forge")
    game.happened(ForemanReturned(1, "forge"))
    assert game.state.silverbeard == 0


def test_silverbeard_is_used_before_a_half_that_follows_by_itself() -> None:
    """The ironworker's points follow the lift: afterwards the token buys nothing more (R41)."""
    game = table(decks="new-shaft+old-shaft", silverbeard=0)
    game.does("place engineer lift", "lift 1")
    game.lacks("silverbeard ironworker")


def test_silverbeard_goes_back_at_the_end_and_serves_no_bonus_action() -> None:
    game = last_action(
        silverbeard=0,
        seat0=dict(projects="master-tools cursed-treasury"),
        decks="western+old-shaft",
    )
    game.visits("engineer", "forge")
    game.happened(SilverbeardReturned(0))
    game.does("place foreman bellows")
    assert game.state.silverbeard == -1
    assert not any(o.notation.startswith("silverbeard") for o in game.decision().options)
