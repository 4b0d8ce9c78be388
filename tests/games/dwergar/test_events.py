"""The event cards, 46 to 60: each with what it does at once and what stays for a round."""

from __future__ import annotations

import pytest

from shared.games.dwergar.facts import (
    CartUnloaded,
    EventDiscarded,
    EventRevealed,
    HeatGained,
    LiftMoved,
    Paid,
    PointsGained,
    ProjectsDiscarded,
    ProjectsRevealed,
    StonePutInCarts,
)
from tests.games.dwergar.kit import EVENTS, Play, end_of_round, goods, table

NAMES = (
    "boiler-explosion",
    "activation-of-the-transmission",
    "lift-malfunction",
    "underfloor-heating",
    "mining-union",
    "health-and-safety-training",
    "chief-architect-changes-plans",
    "overheated-crank",
    "crusher-malfunction",
    "cave-in",
    "shaft-maintenance",
    "chief-alchemist-makes-boom",
    "new-crystal-veins",
    "hot-steam-ducts",
    "off-to-work",
)


def drawn(event: str, players: int = 2, **position: object) -> Play:
    """A round has ended, and this event was drawn. Seat 0 begins the next round."""
    game = end_of_round(players, next_events=event, **position)
    game.visits("engineer", "forge")
    game.happened(EventRevealed(event))
    return game


def test_the_box_holds_the_15_events() -> None:
    assert NAMES == EVENTS


@pytest.mark.parametrize("event", NAMES)
def test_an_event_lies_until_the_end_of_the_next_round(event: str) -> None:
    game = drawn(event)
    assert game.state.event == event
    game = table(turn=1, left=1, event=event)
    game.visits("engineer", "forge")
    game.happened(EventDiscarded(event))
    assert game.state.event != event and event in game.state.past_events


@pytest.mark.parametrize(
    "event",
    (
        "lift-malfunction",
        "underfloor-heating",
        "health-and-safety-training",
        "shaft-maintenance",
        "chief-alchemist-makes-boom",
        "new-crystal-veins",
        "hot-steam-ducts",
    ),
)
def test_events_for_the_round_do_nothing_when_drawn(event: str) -> None:
    game = drawn(event, carts={"transit": {0: "1 gold"}})
    game.never(LiftMoved, HeatGained, StonePutInCarts, PointsGained)


def test_46_boiler_explosion_each_player_gains_2_heat() -> None:
    game = drawn("boiler-explosion", 4, seat1=dict(heat=9), seat2=dict(heat=3))
    assert [game.player(seat).heat for seat in range(4)] == [2, 10, 5, 2]


def test_47_activation_of_the_transmission_1_level() -> None:
    game = drawn("activation-of-the-transmission", carts={"transit": {0: "1 gold"}})
    game.happened(LiftMoved(), CartUnloaded(0, goods("1 gold"), False))
    assert len(game.all_of(LiftMoved)) == 1


def test_48_lift_malfunction_every_level_costs_1_heat() -> None:
    game = table(event="lift-malfunction", seat0=dict(heat=2), carts={"transit": {0: "1 gold"}})
    game.does("place blacksmith lift")
    game.asks(0, "Use the space", "lift 1", "lift 2", "done")
    game.does("lift 1")
    game.happened(Paid(0, 1, 0, goods("")), LiftMoved())
    assert game.player(0).heat == 1


def test_48_lift_malfunction_without_heat() -> None:
    """Placing and the engineer's stone are still there."""
    game = table(event="lift-malfunction")
    game.does("place engineer lift")
    game.refuses("lift 1", "cannot-afford")
    game.does("stone mine-1")
    game.chooses(0, left=2)
    assert game.cart("mine-1", 0) == "1 stone"


def test_48_lift_malfunction_the_ironworker_scores_paid_levels() -> None:
    game = table(event="lift-malfunction", seat0=dict(heat=2))
    game.does("place ironworker lift", "lift 2")
    assert game.points(0, "lift") == 2 and game.player(0).heat == 0


def test_48_lift_malfunction_is_over_a_round_later() -> None:
    game = table(turn=1, left=1, event="lift-malfunction", next_events="cave-in")
    game.visits("engineer", "forge")
    worker = next(iter(game.pool(0)))
    game.does(f"place {worker} lift", "lift 1")
    game.never(Paid)


@pytest.mark.parametrize(
    "location", ("laboratory", "bellows", "lift", "workshop", "forge", "studio")
)
def test_49_underfloor_heating_2_more_points_outside_the_mine(location: str) -> None:
    game = table(event="underfloor-heating", seat0=dict(goods="2 stone 1 iron 1 gold"))
    game.does(f"place foreman {location}", "install cool")
    assert game.points(0) == 4


def test_49_underfloor_heating_not_in_the_mine() -> None:
    game = table(event="underfloor-heating", seat0=dict(goods="2 stone"))
    game.does("place foreman mine-1", "install cool")
    assert game.points(0) == 2


def test_50_mining_union_2_levels() -> None:
    game = drawn("mining-union", carts={"transit": {0: "1 gold"}, "mine-1": {1: "1 iron foreman"}})
    game.happened(
        LiftMoved(),
        CartUnloaded(0, goods("1 gold"), False),
        LiftMoved(),
        CartUnloaded(1, goods("1 iron"), True),
    )
    assert len(game.all_of(LiftMoved)) == 2


def test_events_lift_gives_nobody_points() -> None:
    game = drawn("mining-union")
    assert game.points(0) == game.points(1) == 0


def test_51_health_and_safety_training_2_actions_only() -> None:
    game = drawn("health-and-safety-training", 3)
    for seat in range(3):
        game.chooses(seat, left=2)
        game.visits(next(iter(game.pool(seat))), "forge")
        game.chooses(seat, left=1)
        game.visits(next(iter(game.pool(seat))), "forge")
    game.chooses(0, left=3)


def test_51_and_the_extra_action_of_card_43() -> None:
    game = table(
        left=1,
        event="health-and-safety-training",
        seat0=dict(projects="runic-hall", goods="1 stone", heat=5),
    )
    game.does("place blacksmith forge", "upgrade runic-hall")
    game.leaves()
    game.chooses(0)
    game.visits("engineer", "lift")
    game.chooses(1, left=2)


def test_52_chief_architect_changes_plans_2_projects_are_replaced() -> None:
    game = end_of_round(next_events="chief-architect-changes-plans")
    before, pile = game.state.display, game.state.pile
    game.visits("engineer", "forge")
    (gone,) = game.all_of(ProjectsDiscarded)
    assert len(set(gone.projects)) == 2 and set(gone.projects) < set(before)
    game.happened(gone, ProjectsRevealed(pile[:2]))
    assert set(game.state.display) == set(before) - set(gone.projects) | set(pile[:2])
    assert game.state.pile == pile[2:]
    assert set(game.state.discarded) == set(gone.projects)


def test_52_chief_architect_meets_a_short_order_track() -> None:
    """Of 3 projects 2 go and 2 come; the next turn fills up to 5."""
    shown = "rails filled-fissure abandoned-lift"
    game = end_of_round(next_events="chief-architect-changes-plans", display=shown)
    pile = game.state.pile
    game.visits("engineer", "forge")
    assert [one.projects for one in game.all_of(ProjectsRevealed)] == [pile[:2], pile[2:4]]
    assert len(game.state.display) == 5


def test_52_chief_architect_with_a_single_project() -> None:
    game = end_of_round(next_events="chief-architect-changes-plans", display="rails")
    game.visits("engineer", "forge")
    (gone,) = game.all_of(ProjectsDiscarded)
    assert gone.projects == ("rails",)
    assert game.all_of(ProjectsRevealed)[0].projects == (game.state.display[0],)


def test_53_overheated_crank_1_level_and_1_heat() -> None:
    game = drawn("overheated-crank", 3, carts={"transit": {2: "3 stone"}})
    game.happened(LiftMoved(), CartUnloaded(2, goods("3 stone"), False))
    assert len(game.all_of(LiftMoved)) == 1
    assert [game.player(seat).heat for seat in range(3)] == [1, 1, 1]


def test_54_crusher_malfunction_a_stone_on_level_3_and_1_heat() -> None:
    game = drawn("crusher-malfunction", 3, carts={"mine-3": {1: "1 iron 1 gold"}})
    assert [game.cart("mine-3", seat) for seat in range(3)] == [
        "1 stone",
        "1 stone 1 iron 1 gold",
        "1 stone",
    ]
    assert [game.cart("mine-2", seat) for seat in range(3)] == ["", "", ""]
    assert [game.player(seat).heat for seat in range(3)] == [1, 1, 1]


def test_55_cave_in_a_stone_on_levels_1_and_2() -> None:
    game = drawn("cave-in", carts={"mine-1": {0: "3 stone foreman"}, "mine-2": {1: "1 iron"}})
    assert [game.cart("mine-1", seat) for seat in (0, 1)] == ["4 stone foreman", "1 stone"]
    assert [game.cart("mine-2", seat) for seat in (0, 1)] == ["1 stone", "1 stone 1 iron"]
    assert [game.cart("mine-3", seat) for seat in (0, 1)] == ["", ""]
    assert [game.cart("transit", seat) for seat in (0, 1)] == ["", ""]
    assert game.player(0).heat == 0


def test_56_shaft_maintenance_a_point_for_placing_in_the_mine() -> None:
    game = table(event="shaft-maintenance", carts={"mine-2": {0: "1 iron"}})
    game.visits("engineer", "mine-1")
    assert game.points(0) == 1
    game.visits("foreman", "mine-2")
    assert game.points(0) == 2
    game.visits("blacksmith", "lift")
    assert (game.points(0), game.points(0, "events")) == (2, 2)


def test_57_boom_no_specialist_actions_at_the_laboratory() -> None:
    game = table(event="chief-alchemist-makes-boom", seat0=dict(goods="3 iron"))
    game.does("place ironworker laboratory")
    game.asks(0, "Use the space", "exchange iron stone", "done")
    game.refuses("use ironworker", "bonus-unavailable")
    game.leaves()
    game.does("place blacksmith laboratory", "exchange iron stone")
    game.chooses(0, left=1)


def test_57_boom_is_not_lifted_by_silverbeard_or_the_gnomes() -> None:
    game = table(
        event="chief-alchemist-makes-boom",
        decks="old-shaft+eastern",
        silverbeard=0,
        seat0=dict(goods="3 iron", heat=2, upgraded="workshop-of-helpful-gnomes"),
    )
    game.does("place engineer laboratory")
    game.asks(0, "Use the space", "exchange iron stone", "done")


def test_57_boom_elsewhere_specialists_work() -> None:
    game = table(event="chief-alchemist-makes-boom")
    game.does("place blacksmith bellows")
    game.offers("use blacksmith")


VEINS = {
    "mine-1": "5 stone foreman",
    "mine-2": "1 stone 2 iron foreman",
    "mine-3": "2 iron 1 gold foreman",
    "mine-4": "1 gold 1 crystal foreman",
}


@pytest.mark.parametrize("level", VEINS)
def test_58_new_crystal_veins_foremen_mine_more(level: str) -> None:
    game = table(event="new-crystal-veins")
    game.does(f"place foreman {level}", "use basic")
    assert game.cart(level, 0) == VEINS[level]


def test_58_new_crystal_veins_workers_mine_as_usual() -> None:
    game = table(event="new-crystal-veins")
    game.does("place engineer mine-1", "use basic")
    assert game.cart("mine-1", 0) == "3 stone"


def test_58_new_crystal_veins_not_into_a_full_cart() -> None:
    game = table(event="new-crystal-veins", carts={"mine-1": {0: "1 stone"}})
    game.visits("foreman", "mine-1")
    assert game.cart("mine-1", 0) == "1 stone foreman"


def test_58_with_a_furnace_and_card_2() -> None:
    """All extras add up: 3 + 2 + 2 + 2."""
    game = table(
        event="new-crystal-veins", furnaces={"mine-1": 0}, seat0=dict(upgraded="bowling-alley")
    )
    game.does("place foreman mine-1", "use basic")
    assert game.cart("mine-1", 0) == "9 stone foreman"


def test_59_hot_steam_ducts_1_heat_for_each_action_at_workshop_or_laboratory() -> None:
    game = table(event="hot-steam-ducts")
    game.visits("engineer", "workshop")
    assert game.player(0).heat == 1
    game.visits("blacksmith", "laboratory")
    assert (game.player(0).heat, game.player(1).heat) == (2, 0)
    game = table(event="hot-steam-ducts")
    game.visits("ironworker", "forge")
    assert game.player(0).heat == 0


def test_59_hot_steam_ducts_the_heat_may_be_spent_in_the_action() -> None:
    game = table(
        event="hot-steam-ducts",
        decks="new-shaft+eastern",
        seat0=dict(upgraded="southern-pipeline"),
    )
    game.does("place blacksmith laboratory", "pipeline stone")
    assert game.goods(0) == "1 stone"


def test_59_hot_steam_ducts_beside_anothers_furnace() -> None:
    game = table(event="hot-steam-ducts", furnaces={"workshop": 1})
    game.visits("engineer", "workshop")
    assert (game.player(0).heat, game.player(1).heat) == (1, 1)


def test_60_off_to_work_the_lift_rises_1_level() -> None:
    game = drawn("off-to-work", carts={"transit": {0: "1 gold"}})
    assert game.goods(0) == "1 gold" and len(game.all_of(LiftMoved)) == 1


@pytest.mark.parametrize("worker", ("ironworker", "blacksmith", "engineer"))
def test_60_off_to_work_a_point_for_a_worker_on_an_empty_space(worker: str) -> None:
    game = table(event="off-to-work")
    game.visits(worker, "forge")
    assert game.points(0, "events") == 1
    other = next(kind for kind in ("ironworker", "engineer") if kind != worker)
    game.visits(other, "mine-3")
    assert game.points(0) == 2


def test_60_off_to_work_none_on_an_occupied_space_or_for_the_foreman() -> None:
    game = table(event="off-to-work", board={"forge": "blacksmith", "lift": "foreman-1"})
    game.visits("engineer", "forge")
    game.visits("ironworker", "lift")
    game.visits("foreman", "studio")
    assert game.points(0) == 0


def test_60_off_to_work_a_foreman_who_is_a_blacksmith() -> None:
    """With card 2 he is such a worker."""
    game = table(event="off-to-work", seat0=dict(upgraded="bowling-alley"))
    game.visits("foreman", "forge")
    assert game.points(0) == 1


def test_60_together_with_the_clan_elevator() -> None:
    game = table(event="off-to-work", seat0=dict(upgraded="clan-elevator"))
    game.visits("engineer", "forge")
    assert game.points(0) == 2
