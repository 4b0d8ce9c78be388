"""What may be taken back: a placement may, what was revealed or drawn may not."""

from __future__ import annotations

import pytest

from shared.engine.acts import create, play, undo
from shared.engine.data import encode, replace
from shared.engine.errors import RuleViolation
from shared.engine.match import Match, Seat
from tests.games.dwergar.kit import GAME, SEED, Play, end_of_round, table

SEATS = tuple(Seat(f"clan-{n}", f"Clan {n}") for n in range(2))


def match_at(game: Play) -> Match:
    """A match that stands at that position."""
    options = {"decks": "+".join(game.state.decks)}
    made = create(GAME, "undo", SEATS, options, "", SEED, ("", ""), 0)
    return replace(made.match, state=game.state)


def played(match: Match, *moves: str) -> Match:
    for move in moves:
        seat = match.decisions()[0].seat
        match = play(match, seat, f"clan-{seat}", move, 0).match
    return match


def test_a_placement_may_be_taken_back() -> None:
    start = match_at(table(decks="new-shaft+old-shaft"))
    match = played(start, "place blacksmith bellows")
    back = undo(match, 0, "clan-0", start.version, 1).match
    assert encode(back.state) == encode(start.state)
    assert back.decisions()[0].title == "Choose an action"


def test_whole_actions_may_be_taken_back_step_by_step() -> None:
    start = match_at(table(decks="new-shaft+old-shaft"))
    match = played(
        start,
        "place blacksmith bellows",
        "use basic",
        "use blacksmith",
        "place ironworker lift",
        "lift 2",
    )
    after_bellows = start.version + 3
    middle = undo(match, 0, "clan-0", after_bellows, 1).match
    assert middle.state.players[0].heat == 2 and middle.state.players[0].points[4] == 0
    back = undo(middle, 0, "clan-0", start.version, 2).match
    assert encode(back.state) == encode(start.state)


def test_completing_a_project_may_be_taken_back() -> None:
    start = match_at(table(display="rails", seat0=dict(goods="4 iron")))
    match = played(start, "place ironworker studio", "complete rails")
    back = undo(match, 0, "clan-0", start.version, 1).match
    assert back.state.players[0].goods == (0, 4, 0, 0) and back.state.display == ("rails",)


def test_another_seat_takes_nothing_back() -> None:
    start = match_at(table(decks="new-shaft+old-shaft"))
    match = played(start, "place blacksmith bellows")
    with pytest.raises(RuleViolation) as refusal:
        undo(match, 1, "clan-1", start.version, 1)
    assert refusal.value.code == "undo-barrier"


def test_a_revealed_project_is_a_barrier() -> None:
    """The last action ends the turn, and the order track is refilled."""
    start = match_at(table(left=1, display="rails"))
    match = played(start, "place ironworker mine-1", "use basic")
    assert len(match.state.display) == 5
    assert match.undo_to(0) is None
    with pytest.raises(RuleViolation) as refusal:
        undo(match, 0, "clan-0", start.version, 1)
    assert refusal.value.code == "undo-barrier"


def test_a_revealed_event_is_a_barrier() -> None:
    start = match_at(end_of_round(decks="new-shaft+old-shaft"))
    match = played(start, "place ironworker mine-1", "use basic")
    assert match.state.event
    assert match.undo_to(1) is None
    with pytest.raises(RuleViolation):
        undo(match, 1, "clan-1", start.version, 1)


def test_what_came_before_a_barrier_stays() -> None:
    start = match_at(table(left=2, display="rails"))
    match = played(start, "place ironworker mine-1", "use basic", "place engineer mine-2")
    assert match.undo_to(0) == start.version
    match = played(match, "use basic")
    assert match.undo_to(0) is None
