"""Sequence of play: turns, heat, the end of a round, victory points."""

from __future__ import annotations

import pytest

from shared.games.dwergar.facts import (
    EventDiscarded,
    EventRevealed,
    FurnacesLit,
    HeatGained,
    Paid,
    ProjectsRevealed,
    RoundBegan,
    TurnBegan,
    TurnEnded,
)
from tests.games.dwergar.kit import end_of_round, goods, table

LIGHT = "Light one furnace at the end of the round"


# Turns ----------------------------------------------------------------------------------------


def test_a_turn_is_three_actions() -> None:
    game = table(3)
    game.chooses(0, left=3)
    game.visits("ironworker", "forge")
    game.chooses(0, left=2)
    game.visits("engineer", "lift")
    game.chooses(0, left=1)
    game.visits("blacksmith", "mine-1")
    game.chooses(1, left=3)
    game.happened(TurnEnded(0, 0), TurnBegan(1))


def test_only_the_seat_whose_turn_it_is_may_play() -> None:
    game = table(3)
    assert [one.seat for one in game.decisions()] == [0]


def test_turns_go_clockwise_and_every_round_starts_with_the_same_player() -> None:
    game = table(3, turn=1, left=1)
    game.visits("engineer", "forge")
    game.chooses(2, left=3)

    game = table(3, round=1, turn=2, left=1)
    game.visits("engineer", "forge")
    game.happened(RoundBegan(2), TurnBegan(0))
    game.chooses(0, left=3)
    assert game.state.round == 2


def test_the_order_track_is_refilled_to_five_when_a_turn_begins() -> None:
    game = table(left=1, display="rails bridge-over-a-river-of-lava")
    pile = game.state.pile
    game.visits("engineer", "lift")
    game.happened(ProjectsRevealed(pile[:3]))
    assert game.state.display == ("rails", "bridge-over-a-river-of-lava", *pile[:3])
    assert game.state.pile == pile[3:]


def test_the_order_track_is_not_refilled_during_a_turn() -> None:
    game = table(display="rails", seat0=dict(goods="4 iron"))
    game.does("place ironworker studio", "complete rails")
    game.leaves()
    assert game.state.display == ()
    game.visits("engineer", "lift")
    assert game.state.display == ()
    game.never(ProjectsRevealed)


def test_a_full_order_track_is_left_as_it_is() -> None:
    game = table(left=1)
    before = game.state.display
    game.visits("engineer", "lift")
    game.never(ProjectsRevealed)
    assert game.state.display == before and len(before) == 5


def test_the_order_track_stays_short_when_the_pile_is_empty() -> None:
    """No rule of its own: what is left is dealt."""
    done = (
        "entry-to-new-shaft new-shaft-supports filled-fissure rails ore-extraction shaft-lighting "
        "qualified-sappers bridge-over-a-river-of-lava reinforcing-old-scaffolding "
        "crumbling-earthwork dangerous-obstruction cursed-treasury abandoned-lift calcination-oven"
    )
    game = table(
        left=1,
        decks="new-shaft+old-shaft",
        display="ammunition-store",
        seat1=dict(projects=done),
    )
    assert len(game.state.pile) == 3
    game.visits("engineer", "lift")
    assert len(game.state.display) == 4 and not game.state.pile


# Heat -----------------------------------------------------------------------------------------


def test_unused_heat_is_lost_at_the_end_of_the_turn() -> None:
    game = table(left=1, seat0=dict(heat=7))
    game.visits("engineer", "lift")
    game.happened(TurnEnded(0, 0))
    assert game.player(0).heat == 0


def test_heat_is_kept_between_the_actions_of_a_turn() -> None:
    game = table()
    game.does("place blacksmith bellows", "use blacksmith")
    game.leaves()
    game.visits("engineer", "lift")
    assert game.player(0).heat == 2


def test_hot_furnaces_stay_hot_at_the_end_of_the_turn() -> None:
    game = table(left=1, seat0=dict(hot=2, cool=1))
    game.visits("engineer", "lift")
    assert (game.player(0).hot, game.player(0).cool) == (2, 1)


def test_heat_of_others_is_lost_at_the_end_of_their_own_turn_only() -> None:
    game = table(left=1, seat1=dict(heat=3))
    game.visits("engineer", "lift")
    assert game.player(1).heat == 3


def test_the_heat_track_ends_at_10() -> None:
    game = table(seat0=dict(heat=9))
    game.does("place blacksmith bellows", "use blacksmith")
    game.happened(HeatGained(0, 1, "bellows"))
    assert game.player(0).heat == 10


def test_at_10_heat_a_bonus_of_heat_only_is_not_offered() -> None:
    game = table(seat0=dict(heat=10))
    game.does("place blacksmith bellows")
    game.lacks("use blacksmith")
    game.refuses("use blacksmith", "heat-track-full")


def test_a_furnace_is_extinguished_for_1_heat() -> None:
    game = table(seat0=dict(hot=2, cool=1))
    game.does("place ironworker forge", "forge stone")
    game.happened(Paid(0, 0, 2, goods("")))
    assert (game.player(0).hot, game.player(0).cool, game.goods(0)) == (0, 3, "1 stone")


def test_the_player_chooses_between_the_track_and_the_furnaces() -> None:
    game = table(seat0=dict(heat=2, hot=2, cool=0))
    game.does("place ironworker forge", "forge stone")
    game.asks(
        0,
        "Choose where the heat comes from",
        "heat 2 furnaces 0",
        "heat 1 furnaces 1",
        "heat 0 furnaces 2",
    )
    game.does("heat 1 furnaces 1")
    game.happened(Paid(0, 1, 1, goods("")))
    assert (game.player(0).heat, game.player(0).hot, game.player(0).cool) == (1, 1, 1)


def test_only_the_possible_ways_to_pay_heat_are_offered() -> None:
    """3 heat with 2 on the track and 2 furnaces: at least one furnace, at least one level."""
    game = table(display="cursed-treasury", seat0=dict(heat=2, hot=2, cool=0))
    game.does("place ironworker studio", "complete cursed-treasury")
    game.asks(0, "Choose where the heat comes from", "heat 2 furnaces 1", "heat 1 furnaces 2")
    game.refuses("heat 3 furnaces 0")
    game.refuses("heat 2 furnaces 2")


def test_furnace_heat_counts_beyond_the_10_of_the_track() -> None:
    """The end of the track limits the track only: 10 and a furnace pay 11."""
    game = table(seat0=dict(heat=10, hot=1, cool=0))
    game.does("place engineer lift", "lift 12")
    game.happened(Paid(0, 10, 1, goods("")))


def test_a_furnace_is_never_extinguished_onto_the_track() -> None:
    """Heat is for immediate use: there is nothing to choose but actions."""
    game = table(seat0=dict(hot=2, cool=0))
    assert all(option.notation.startswith("place ") for option in game.decision().options)


def test_heat_of_the_track_cannot_light_a_furnace() -> None:
    game = table(seat0=dict(heat=10, cool=2))
    assert all(option.notation.startswith("place ") for option in game.decision().options)


# The end of a round ---------------------------------------------------------------------------


def test_no_event_at_the_end_of_the_first_round() -> None:
    game = table(round=1, turn=1, left=1)
    game.visits("engineer", "lift")
    game.never(EventRevealed)
    assert (game.state.round, game.state.event, len(game.state.events)) == (2, "", 9)


def test_the_order_of_the_end_of_a_round() -> None:
    """Old event away, new event, furnaces, round marker, first turn."""
    game = table(
        turn=1,
        left=1,
        event="shaft-maintenance",
        next_events="boiler-explosion",
        seat1=dict(hot=1, cool=1),
    )
    game.visits("engineer", "lift")
    game.happened(
        TurnEnded(1, 0),
        EventDiscarded("shaft-maintenance"),
        EventRevealed("boiler-explosion"),
        HeatGained(0, 2, "boiler-explosion"),
        HeatGained(1, 2, "boiler-explosion"),
    )
    game.never(RoundBegan)
    game.asks(1, LIGHT, "light", "pass")
    game.does("light")
    game.happened(FurnacesLit(1, 1), RoundBegan(4), TurnBegan(0))
    assert game.state.past_events[-1] == "shaft-maintenance"


def test_who_has_a_hot_furnace_may_light_a_cool_one() -> None:
    """All seats that may answer do so at the same time, each for itself."""
    game = end_of_round(
        4,
        seat0=dict(hot=1, cool=1),
        seat1=dict(hot=0, cool=2),
        seat2=dict(hot=2, cool=0),
        seat3=dict(hot=1, cool=3),
    )
    game.visits("engineer", "lift")
    assert sorted(one.seat for one in game.decisions()) == [0, 3]
    game.does("light", seat=3)
    assert (game.player(3).hot, game.player(3).cool) == (2, 2)
    assert [one.seat for one in game.decisions()] == [0]
    game.does("pass", seat=0)
    assert (game.player(0).hot, game.player(0).cool) == (1, 1)
    game.chooses(0, left=3)
    assert game.state.round == 3


def test_only_one_furnace_is_lit_at_the_end_of_a_round() -> None:
    game = end_of_round(seat1=dict(hot=3, cool=3))
    game.visits("engineer", "lift")
    game.does("light")
    assert (game.player(1).hot, game.player(1).cool) == (4, 2)
    game.chooses(0)


def test_furnaces_are_lit_at_the_end_of_the_first_round_too() -> None:
    game = table(round=1, turn=1, left=1, seat0=dict(hot=1, cool=1))
    game.visits("engineer", "lift")
    game.asks(0, LIGHT, "light", "pass")


def test_an_installed_furnace_does_not_count_as_hot() -> None:
    game = end_of_round(furnaces={"forge": 0, "mine-1": 1}, seat0=dict(hot=0, cool=2))
    game.visits("engineer", "lift")
    game.chooses(0)


def test_heat_from_an_event_lasts_through_the_next_own_turn() -> None:
    game = end_of_round(next_events="boiler-explosion")
    game.visits("engineer", "lift")
    assert (game.player(0).heat, game.player(1).heat) == (2, 2)
    game.chooses(0)
    for location in ("lift", "forge", "studio"):
        worker = next(name for name in game.pool(0) if name != "foreman")
        game.visits(worker, location)
    assert (game.player(0).heat, game.player(1).heat) == (0, 2)


@pytest.mark.parametrize("players", (2, 3, 4))
def test_a_round_is_one_turn_for_each_player(players: int) -> None:
    game = table(players, round=1, turn=players - 1, left=1)
    game.visits("engineer", "lift")
    assert game.state.round == 2
