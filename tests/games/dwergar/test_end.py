"""The end of the game: when it comes, the last points, the winner."""

from __future__ import annotations

import pytest

from shared.games.dwergar.facts import EventRevealed, GameEnded, RoundBegan
from tests.games.dwergar.kit import GAME, Seat, last_action, table


def test_the_game_ends_after_the_round_in_which_the_last_event_was_drawn() -> None:
    game = last_action(decks="new-shaft+old-shaft")
    assert len(game.state.events) == 1
    game.visits("engineer", "forge")
    game.happened(EventRevealed("chief-alchemist-makes-boom"), GameEnded())
    game.never(RoundBegan)
    assert game.over() and game.decisions() == ()
    assert not game.state.events


def test_not_a_round_earlier() -> None:
    game = table(round=9, turn=1, left=1, decks="new-shaft+old-shaft")
    game.visits("engineer", "forge")
    game.chooses(0, left=3)
    assert game.state.round == 10 and not game.state.over


def test_the_last_event_is_carried_out() -> None:
    game = last_action(
        decks="new-shaft+old-shaft",
        carts={"transit": {1: "2 gold"}},
        next_events="activation-of-the-transmission",
    )
    game.visits("engineer", "forge")
    assert game.goods(1) == "2 gold" and game.over()


def test_furnaces_may_be_lit_in_the_last_round_too() -> None:
    game = last_action(decks="new-shaft+old-shaft", seat0=dict(hot=1, cool=1))
    game.visits("engineer", "forge")
    game.asks(0, "Light one furnace at the end of the round", "light", "pass")
    game.does("light")
    assert game.over()


def final(seats: list[Seat]) -> list[tuple[int, int, int]]:
    """The standings of a game that ends with those clans."""
    clans = {f"seat{number}": seat for number, seat in enumerate(seats)}
    decks = {2: "new-shaft+old-shaft", 3: "new-shaft+old-shaft+eastern"}[len(seats)]
    game = last_action(len(seats), decks=decks, **clans)
    game.visits("engineer", "forge")
    assert game.over()
    standings = game.standings()
    for seat, _, points in standings:
        assert points == game.points(seat)
    return standings


def test_most_points_win() -> None:
    assert final([dict(points=10), dict(points=12)]) == [(1, 1, 12), (0, 2, 10)]
    assert final([dict(points=31, goods=""), dict(points=30, goods="9 crystal")])[0] == (0, 1, 31)


@pytest.mark.parametrize(
    ("first", "second", "winner"),
    (
        ("1 crystal", "9 gold 9 iron 9 stone", 0),
        ("1 crystal 1 gold", "1 crystal 2 gold", 1),
        ("1 gold 3 iron", "1 gold 2 iron 9 stone", 0),
        ("2 iron 1 stone", "2 iron 2 stone", 1),
    ),
)
def test_ties_are_broken_by_crystal_gold_iron_stone(first: str, second: str, winner: int) -> None:
    standings = final([dict(points=20, goods=first), dict(points=20, goods=second)])
    assert standings == [(winner, 1, 20), (1 - winner, 2, 20)]


def test_same_points_and_same_resources_share_the_victory() -> None:
    stock = "1 stone 2 iron 3 gold 4 crystal"
    standings = final([dict(points=7, goods=stock), dict(points=7, goods=stock)])
    assert standings == [(0, 1, 7), (1, 1, 7)]


def test_shared_victory_of_two_among_three() -> None:
    standings = final([dict(points=9), dict(points=4), dict(points=9)])
    assert standings == [(0, 1, 9), (2, 1, 9), (1, 3, 4)]


def test_heat_and_furnaces_break_no_tie() -> None:
    standings = final([dict(points=9, hot=2, cool=0), dict(points=9, hot=0, cool=2)])
    assert [rank for _, rank, _ in standings] == [1, 1]


def test_goods_in_carts_count_for_nothing() -> None:
    game = last_action(
        decks="new-shaft+old-shaft",
        carts={"mine-1": {1: "9 crystal"}},
        seat0=dict(points=5),
        seat1=dict(points=5),
    )
    game.visits("engineer", "forge")
    assert [rank for _, rank, _ in game.standings()] == [1, 1]


def test_points_of_the_end_decide() -> None:
    """8 and 3 crystals with the main crucible beat 13."""
    game = last_action(
        decks="new-shaft+golden",
        seat0=dict(points=8, goods="3 crystal", upgraded="main-crucible"),
        seat1=dict(points=13),
    )
    game.visits("engineer", "forge")
    assert game.standings() == [(0, 1, 14), (1, 2, 13)]


def test_the_score_sheet_adds_up_to_the_points() -> None:
    game = last_action(
        decks="new-shaft+golden",
        seat0=dict(points=8, goods="3 crystal", upgraded="main-crucible"),
        seat1=dict(points=13),
    )
    game.visits("engineer", "forge")
    lines = GAME.score(game.content, game.state)
    for seat in (0, 1):
        assert sum(line.points for line in lines if line.seat == seat) == game.points(seat)


def test_the_end_in_order() -> None:
    """Western actions, then the Golden upgrade, then the points of the end."""
    game = last_action(
        decks="western+golden",
        seat0=dict(projects="master-tools main-crucible", goods="1 crystal"),
    )
    game.visits("engineer", "forge")
    for _ in range(3):
        game.chooses(0)
        game.visits(next(iter(game.pool(0))), "forge")
    game.does("upgrade main-crucible")
    assert game.points(0, "end") == 2
    assert game.over()
