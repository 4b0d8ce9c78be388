"""The rulings that a table may settle otherwise, R1 to R12: each choice of each option."""

from __future__ import annotations

import pytest

from shared.engine.errors import BadOption
from shared.games.dwergar.facts import (
    BonusActionsAwarded,
    EventRevealed,
    ForemanBoarded,
    ForemanReturned,
    FreeUpgradeAwarded,
    GameEnded,
    ProjectsRevealed,
    SilverbeardReturned,
    TurnEnded,
)
from tests.games.dwergar.kit import GAME, Play, end_of_round, last_action, table

OPTIONS = {
    "decks": ("recommended", "random"),
    "events": ("9", "7"),
    "event_timing": ("rulebook", "german", "every-round"),
    "refill": ("start-of-turn", "end-of-turn"),
    "foreman_in_mine": ("at-once", "when-replaced"),
    "take_back": ("paid", "printed"),
    "silverbeard_tie": ("returned", "kept"),
    "leader_bonus": ("needs-one", "literal"),
    "underfloor_heating": ("extra", "in-all"),
    "dangerous_obstruction": ("reconstructed", "literal"),
    "calcination_oven": ("discount", "per-card"),
    "gold_foundry": ("printed", "paid"),
    "jewelers_workshop": ("completion", "both-halves"),
    "gnomes_and_foreman": ("allowed", "workers-only"),
}


def test_the_options_and_their_defaults() -> None:
    assert [option.name for option in GAME.options] == list(OPTIONS)
    for option in GAME.options:
        assert option.default == OPTIONS[option.name][0]
        assert option.choices[: len(OPTIONS[option.name])] == OPTIONS[option.name]


# R1: event timing -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("timing", "events", "rounds"),
    (
        ("rulebook", "9", 10),
        ("rulebook", "7", 8),
        ("german", "9", 10),
        ("german", "7", 8),
        ("every-round", "9", 9),
        ("every-round", "7", 7),
    ),
)
def test_r1_number_of_rounds(timing: str, events: str, rounds: int) -> None:
    options = {"event_timing": timing, "events": events, "decks": "new-shaft+old-shaft"}
    game = table(options=options)
    assert game.state.rounds == rounds
    game = table(options=options, round=rounds, turn=1, left=1)
    game.visits("engineer", "forge")
    assert game.over()


@pytest.mark.parametrize("timing", ("german", "every-round"))
def test_r1_an_event_at_the_end_of_the_first_round(timing: str) -> None:
    game = table(
        options={"event_timing": timing}, turn=1, left=1, round=1, next_events="boiler-explosion"
    )
    game.visits("engineer", "forge")
    game.happened(EventRevealed("boiler-explosion"))


def test_r1_german_every_event_has_its_round() -> None:
    """The last one is drawn before the last round, and none at its end."""
    options = {"event_timing": "german", "decks": "new-shaft+old-shaft"}
    game = table(options=options, round=10, turn=1, left=1)
    assert game.state.event and game.state.events == ()
    game.visits("engineer", "forge")
    game.never(EventRevealed)
    game.happened(GameEnded())


def test_r1_every_round_draws_at_the_end_of_the_last_one() -> None:
    options = {"event_timing": "every-round", "decks": "new-shaft+old-shaft"}
    game = table(options=options, round=9, turn=1, left=1)
    game.visits("engineer", "forge")
    assert len(game.all_of(EventRevealed)) == 1
    assert game.over() and game.state.events == ()


# R2: refill -----------------------------------------------------------------------------------


def test_r2_refill_at_the_end_of_the_turn() -> None:
    game = table(options={"refill": "end-of-turn"}, left=1, display="rails")
    game.visits("engineer", "forge")
    (shown,) = game.all_of(ProjectsRevealed)
    assert len(shown.projects) == 4
    assert len(game.state.display) == 5
    game.never(GameEnded)


def test_r2_refilled_before_the_event_looks_at_the_track() -> None:
    """Event 52 meets five projects at the end of the turn, not the gaps."""
    game = end_of_round(
        options={"refill": "end-of-turn"},
        display="rails",
        next_events="chief-architect-changes-plans",
    )
    game.visits("engineer", "forge")
    game.happened(TurnEnded(1, 0), EventRevealed("chief-architect-changes-plans"))
    assert [len(one.projects) for one in game.all_of(ProjectsRevealed)] == [4, 2]


# R3: the foreman in the mine ------------------------------------------------------------------


def test_r3_the_foreman_stands_in_the_mine_until_replaced() -> None:
    game = table(options={"foreman_in_mine": "when-replaced"})
    game.does("place foreman mine-1", "use basic")
    game.leaves()
    game.never(ForemanBoarded)
    assert game.stands("mine-1") == "foreman-0"
    assert game.cart("mine-1", 0) == "3 stone"


def test_r3_replaced_he_boards_the_cart_now_on_that_level() -> None:
    game = table(
        options={"foreman_in_mine": "when-replaced"},
        board={"mine-2": "foreman-1"},
        carts={"mine-2": {1: "1 stone"}, "mine-1": {1: "1 stone 1 iron"}},
    )
    game.does("place engineer mine-2", "use basic")
    game.happened(ForemanBoarded(1, "mine-2"))
    game.never(ForemanReturned)
    assert game.cart("mine-2", 1) == "1 stone foreman"
    assert game.stands("mine-2") == "engineer"


def test_r3_replaced_by_a_dwarf_of_his_own_clan() -> None:
    game = table(options={"foreman_in_mine": "when-replaced"}, board={"mine-4": "foreman-0"})
    game.does("place engineer mine-4", "use basic")
    assert game.cart("mine-4", 0) == "1 crystal foreman"


def test_r3_outside_the_mine_he_goes_home_as_ever() -> None:
    game = table(options={"foreman_in_mine": "when-replaced"}, board={"forge": "foreman-1"})
    game.visits("engineer", "forge")
    game.happened(ForemanReturned(1, "forge"))


def test_r3_work_break_takes_him_from_the_mine() -> None:
    game = table(
        options={"foreman_in_mine": "when-replaced"},
        board={"mine-3": "foreman-0", "lift": "engineer"},
        seat0=dict(pool=""),
    )
    game.does("break engineer lift")
    assert game.stands("mine-3") == "" and game.pool(0)["foreman"] == 1


# R4: take-back --------------------------------------------------------------------------------


@pytest.mark.parametrize(("choice", "possible"), (("paid", False), ("printed", True)))
def test_r4_take_back_after_a_saving(choice: str, possible: bool) -> None:
    """Entry to new shaft costs 2 stone and 1 iron; with card 1 only 1 stone is paid."""
    game = table(
        options={"take_back": choice, "decks": "western+new-shaft"},
        display="entry-to-new-shaft",
        seat0=dict(goods="1 stone 1 iron", upgraded="master-tools"),
    )
    game.does("place engineer studio", "complete entry-to-new-shaft")
    moves = {option.notation for option in game.decision().options}
    assert ("take-back stone" in moves) == possible


# R5: Silverbeard in a tie ---------------------------------------------------------------------


@pytest.mark.parametrize(("choice", "holder"), (("returned", -1), ("kept", 0)))
def test_r5_silverbeard_when_the_lead_is_shared(choice: str, holder: int) -> None:
    game = end_of_round(
        options={"silverbeard_tie": choice},
        silverbeard=0,
        seat0=dict(projects="cursed-treasury"),
        seat1=dict(projects="abandoned-lift"),
    )
    game.visits("engineer", "forge")
    assert game.state.silverbeard == holder
    assert len(game.all_of(SilverbeardReturned)) == (holder == -1)


def test_r5_kept_until_another_leads_alone() -> None:
    game = end_of_round(
        options={"silverbeard_tie": "kept"},
        silverbeard=0,
        seat1=dict(projects="abandoned-lift"),
    )
    game.visits("engineer", "forge")
    assert game.state.silverbeard == 1


def test_r5_kept_does_not_bring_a_used_token_back() -> None:
    game = end_of_round(
        options={"silverbeard_tie": "kept"},
        seat0=dict(projects="cursed-treasury"),
        seat1=dict(projects="abandoned-lift"),
    )
    game.visits("engineer", "forge")
    assert game.state.silverbeard == -1


# R6: leaders ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("choice", "leaders"), (("needs-one", set()), ("literal", {0, 1})))
def test_r6_western_bonus_without_any_project(choice: str, leaders: set[int]) -> None:
    game = last_action(options={"leader_bonus": choice, "decks": "western+new-shaft"})
    game.visits("engineer", "forge")
    assert {fact.seat for fact in game.all_of(BonusActionsAwarded)} == leaders


@pytest.mark.parametrize(("choice", "leaders"), (("needs-one", set()), ("literal", {0, 1})))
def test_r6_golden_upgrade_without_any_golden_project(choice: str, leaders: set[int]) -> None:
    game = last_action(
        options={"leader_bonus": choice, "decks": "new-shaft+golden"},
        seat0=dict(projects="rails"),
        seat1=dict(projects="filled-fissure"),
    )
    game.visits("engineer", "forge")
    while not game.over():
        game.plays("keep", game.decisions()[0].seat)
    assert {fact.seat for fact in game.all_of(FreeUpgradeAwarded)} == leaders


# R7: underfloor heating -----------------------------------------------------------------------


@pytest.mark.parametrize(("choice", "points"), (("extra", 4), ("in-all", 2)))
def test_r7_underfloor_heating(choice: str, points: int) -> None:
    game = table(
        options={"underfloor_heating": choice},
        event="underfloor-heating",
        seat0=dict(goods="2 stone"),
    )
    game.does("place foreman bellows", "install cool")
    assert game.points(0) == points


# R8: dangerous obstruction --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("choice", "completing", "upgrading"), (("reconstructed", 5, 9), ("literal", 0, 0))
)
def test_r8_dangerous_obstruction(choice: str, completing: int, upgrading: int) -> None:
    game = table(
        options={"dangerous_obstruction": choice, "decks": "new-shaft+old-shaft"},
        display="dangerous-obstruction",
        seat0=dict(goods="10 stone", heat=5),
    )
    game.does("place ironworker studio", "complete dangerous-obstruction")
    game.does("upgrade dangerous-obstruction")
    assert game.points(0, "completing") == completing
    assert game.points(0, "upgrading") == upgrading
    assert game.goods(1) == "3 stone"


# R9: calcination oven -------------------------------------------------------------------------


@pytest.mark.parametrize(("choice", "heat"), (("discount", 8), ("per-card", 2)))
def test_r9_calcination_oven(choice: str, heat: int) -> None:
    """With two other Old Shaft projects: 10 less 2, or 2. The forge asks 1 more."""
    for have, offered in ((heat, False), (heat + 1, True)):
        game = table(
            options={"calcination_oven": choice, "decks": "new-shaft+old-shaft"},
            seat0=dict(projects="calcination-oven cursed-treasury abandoned-lift", heat=have),
        )
        game.does("place blacksmith forge")
        moves = {option.notation for option in game.decision().options}
        assert ("upgrade calcination-oven" in moves) == offered


# R10: gold foundry ----------------------------------------------------------------------------


@pytest.mark.parametrize(("choice", "point"), (("printed", 1), ("paid", 0)))
def test_r10_gold_foundry_and_a_gold_that_was_saved(choice: str, point: int) -> None:
    """Ore extraction asks 1 gold; with card 21 none is paid."""
    game = table(
        options={"gold_foundry": choice, "decks": "new-shaft+golden"},
        display="ore-extraction",
        seat0=dict(goods="2 iron", upgraded="gold-foundry entry-to-the-treasury"),
    )
    game.does("place ironworker studio", "complete ore-extraction")
    assert game.points(0) == 4 + point


@pytest.mark.parametrize("choice", ("printed", "paid"))
def test_r10_gold_foundry_when_gold_is_paid(choice: str) -> None:
    game = table(
        options={"gold_foundry": choice, "decks": "new-shaft+golden"},
        display="shaft-lighting",
        seat0=dict(goods="1 gold", upgraded="gold-foundry entry-to-the-treasury"),
    )
    game.does("place ironworker studio", "complete shaft-lighting")
    assert game.points(0) == 4 + 1


@pytest.mark.parametrize(("choice", "point"), (("printed", 1), ("paid", 0)))
def test_r10_gold_foundry_and_the_free_upgrade(choice: str, point: int) -> None:
    game = last_action(
        options={"gold_foundry": choice, "decks": "new-shaft+golden"},
        seat0=dict(projects="goldsmiths-workshop", upgraded="gold-foundry"),
    )
    game.visits("engineer", "forge")
    game.does("upgrade goldsmiths-workshop")
    assert game.points(0) == 8 + point


# R11: jeweler's workshop ----------------------------------------------------------------------


@pytest.mark.parametrize(("choice", "points"), (("completion", 1), ("both-halves", 2)))
def test_r11_jewelers_workshop(choice: str, points: int) -> None:
    """The colossal statue asks crystal for its upgrade only, goldsmith's workshop never."""
    game = last_action(
        options={"jewelers_workshop": choice, "decks": "new-shaft+golden"},
        seat0=dict(upgraded="jewelers-workshop colossal-statue goldsmiths-workshop"),
    )
    game.visits("engineer", "forge")
    assert game.over()
    assert game.points(0, "end") == points


@pytest.mark.parametrize(("choice", "points"), (("completion", 1), ("both-halves", 2)))
def test_r11_jewelers_workshop_looks_at_printed_costs(choice: str, points: int) -> None:
    """A statue that was not upgraded has crystal among its costs all the same."""
    game = last_action(
        options={"jewelers_workshop": choice, "decks": "new-shaft+golden"},
        seat0=dict(upgraded="jewelers-workshop", projects="colossal-statue"),
    )
    game.visits("engineer", "forge")
    game.does("keep")
    assert game.points(0, "end") == points


# R12: gnomes and the foreman ------------------------------------------------------------------


@pytest.mark.parametrize(("choice", "offered"), (("allowed", True), ("workers-only", False)))
def test_r12_gnomes_and_the_foreman(choice: str, offered: bool) -> None:
    game = table(
        options={"gnomes_and_foreman": choice, "decks": "new-shaft+eastern"},
        seat0=dict(heat=1, upgraded="workshop-of-helpful-gnomes"),
    )
    game.does("place foreman bellows")
    moves = {option.notation for option in game.decision().options}
    assert ("as blacksmith" in moves) == offered
    game.leaves()
    game.does("place engineer bellows")
    game.offers("as blacksmith")


# The shorter game -----------------------------------------------------------------------------


def test_seven_events_make_a_shorter_game() -> None:
    game = table(options={"events": "7", "decks": "new-shaft+old-shaft"}, round=8, turn=1, left=1)
    game.visits("engineer", "forge")
    assert game.over()


# A corrected content file ---------------------------------------------------------------------


def corrected(override: str) -> Play:
    """The foreman's chance to install at the lift, with that content."""
    position = table(decks="new-shaft+old-shaft", seat0=dict(goods="1 stone"))
    options = {option.name: option.default for option in GAME.options}
    options["decks"] = "new-shaft+old-shaft"
    return Play(GAME.content(2, options, override), position.state)


def test_a_printed_price_may_be_corrected_for_a_match() -> None:
    game = corrected("[locations.lift]\ninstall = { stone = 1 }\n")
    game.does("place foreman lift", "install cool")
    assert game.furnace("lift") == 0 and game.goods(0) == ""


def test_an_empty_correction_changes_nothing() -> None:
    game = corrected("")
    game.does("place foreman lift")
    game.refuses("install cool", "cannot-afford")


@pytest.mark.parametrize(
    "override",
    (
        "[locations.tavern]\ninstall = { stone = 1 }\n",
        "[locations.lift]\ninstall = { mithril = 1 }\n",
        "[locations.lift]\ninstall = { stone = -1 }\n",
        "[projects.rails]\npoints = 'many'\n",
        "not toml",
    ),
)
def test_a_wrong_correction_is_refused(override: str) -> None:
    with pytest.raises(BadOption):
        corrected(override)
