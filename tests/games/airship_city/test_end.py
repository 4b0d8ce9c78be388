"""The end of the game: its three conditions, the contribution awards, ties, the winner."""

from __future__ import annotations

from typing import Any

import pytest

from shared.games.airship_city.facts import (
    AwardGained,
    GameEnded,
    GameEndReached,
    MajorityLost,
    MajorityTaken,
    RoundBegan,
)
from tests.games.airship_city.box import CONTRACTS, SHIPS, UTILITIES
from tests.games.airship_city.kit import ACTIVATE, Play, last_turn, table

LAST = (17, 18, 19)
"""Rounds of the fifth stage after which the game may go on."""


def ended(**position: Any) -> Play:
    """The game after round 20."""
    game = last_turn(position.pop("players", 3), round=20, **position)
    game.rests()
    assert game.over()
    return game


def split(names: list[str], counts: tuple[int, ...], kind: str) -> dict[str, Any]:
    """Seats that have so many of those things each."""
    rest = iter(names)
    return {
        f"seat{seat}": {kind: " ".join(next(rest) for _ in range(count))}
        for seat, count in enumerate(counts)
    }


# The conditions -------------------------------------------------------------------------------


@pytest.mark.parametrize("round", LAST)
def test_all_nine_shipbuilding_majorities(round: int) -> None:
    game = last_turn(round=round, **split(list(SHIPS), (5, 2, 2), "ships"))
    game.rests()
    game.happened(GameEndReached("shipbuilding"), GameEnded())
    assert game.over() and game.state.ended_by == "shipbuilding"
    game.never(RoundBegan)


@pytest.mark.parametrize("round", LAST)
def test_eight_majorities_are_not_enough(round: int) -> None:
    """The ninth row is tied."""
    seats = split(list(SHIPS), (5, 2, 2), "ships")
    seats["seat2"]["ships"] += " wooden-private"
    game = last_turn(round=round, **seats)
    game.rests()
    game.never(GameEndReached)
    game.waits(0, ACTIVATE)


@pytest.mark.parametrize("round", LAST)
def test_three_construction_majorities(round: int) -> None:
    game = last_turn(round=round, **split(list(UTILITIES), (1, 1, 1), "utilities"))
    game.rests()
    game.happened(GameEndReached("construction"), GameEnded())
    assert game.over()


@pytest.mark.parametrize("round", LAST)
def test_two_construction_majorities_are_not_enough(round: int) -> None:
    seats = split(list(UTILITIES), (2, 1, 0), "utilities")
    seats["seat2"]["utilities"] = "park"
    game = last_turn(round=round, **seats)
    game.rests()
    game.never(GameEndReached)
    game.waits(0, ACTIVATE)


def test_more_than_three_construction_majorities() -> None:
    game = last_turn(round=17, **split(list(UTILITIES), (4, 1, 0), "utilities"))
    game.rests()
    assert game.over()


@pytest.mark.parametrize("players", (3, 4))
def test_round_twenty(players: int) -> None:
    game = last_turn(players, round=20)
    game.rests()
    game.happened(GameEndReached("rounds"), GameEnded())
    assert game.over()


@pytest.mark.parametrize("round", (15, 16))
@pytest.mark.parametrize(("names", "kind"), ((SHIPS, "ships"), (UTILITIES, "utilities")))
def test_no_end_before_the_fifth_stage(round: int, names: dict[str, object], kind: str) -> None:
    game = last_turn(round=round, **split(list(names), (len(names), 0, 0), kind))
    game.rests()
    game.never(GameEndReached)
    game.waits(0, ACTIVATE)


def test_only_at_the_end_of_the_round() -> None:
    """All nine are there in the middle of it: the others still take their turns."""
    game = table(round=17, turn=0, **split(list(SHIPS), (9, 0, 0), "ships"))
    game.rests()
    game.never(GameEndReached)
    game.waits(1, ACTIVATE)
    game.rests()
    game.rests()
    assert game.over()


def test_a_condition_met_only_for_a_while_ends_nothing() -> None:
    """Nine majorities before the last turn, in which one is tied away."""
    seats: Any = split(list(SHIPS), (9, 0, 0), "ships")
    seats["seat2"] = dict(goods="3 metal 2 gear", crew="market harbor")
    game = last_turn(round=18, **seats)
    game.does("move market w", "ship metal-private donate")
    game.happened(MajorityLost(0, "metal-private"))
    game.rests()
    game.never(GameEndReached)
    game.waits(0, ACTIVATE)


def test_a_condition_met_in_the_last_turn_ends_the_game() -> None:
    seats: Any = split(list(SHIPS), (8, 0, 0), "ships")
    seats["seat0"]["ships"] = " ".join(name for name in SHIPS if name != "metal-private")
    seats["seat2"] = dict(goods="3 metal 2 gear", crew="market harbor")
    game = last_turn(round=18, **seats)
    game.does("move market w", "ship metal-private donate")
    game.happened(MajorityTaken(2, "metal-private"))
    game.rests()
    game.happened(GameEndReached("shipbuilding"), GameEnded())


def test_nobody_is_asked_any_more() -> None:
    assert ended().decisions() == ()


# Contribution awards --------------------------------------------------------------------------

AWARDS = {
    "shipbuilding": (
        ((4, 3, 2), (6, 3, 0)),
        ((6, 2, 1), (6, 3, 0)),
        ((1, 0, 0), (6, 0, 0)),
        ((0, 2, 0), (0, 6, 0)),
        ((2, 1, 0), (6, 3, 0)),
        ((0, 0, 0), (0, 0, 0)),
        ((4, 4, 1), (4, 4, 0)),
        ((0, 2, 2), (0, 4, 4)),
        ((3, 3, 3), (3, 3, 3)),
        ((3, 1, 1), (6, 1, 1)),
        ((4, 2, 2, 1), (6, 1, 1, 0)),
        ((2, 2, 2, 2), (2, 2, 2, 2)),
        ((3, 2, 2, 2), (6, 1, 1, 1)),
        ((3, 3, 2, 1), (4, 4, 0, 0)),
        ((2, 2, 2, 1), (3, 3, 3, 0)),
    ),
    "construction": (
        ((3, 2, 0), (4, 2, 0)),
        ((2, 1, 0), (4, 2, 0)),
        ((0, 0, 1), (0, 0, 4)),
        ((0, 0, 0), (0, 0, 0)),
        ((2, 2, 1), (3, 3, 0)),
        ((1, 1, 1), (2, 2, 2)),
        ((3, 1, 1), (4, 1, 1)),
        ((2, 1, 1, 1), (4, 0, 0, 0)),
        ((1, 1, 1, 1), (1, 1, 1, 1)),
        ((2, 2, 1, 0), (3, 3, 0, 0)),
    ),
    "trade": (
        ((5, 3, 1), (2, 1, 0)),
        ((1, 0, 0), (2, 0, 0)),
        ((0, 1, 2), (0, 1, 2)),
        ((0, 0, 0), (0, 0, 0)),
        ((3, 3, 1), (1, 1, 0)),
        ((2, 2, 2), (1, 1, 1)),
        ((4, 1, 1), (2, 0, 0)),
        ((1, 1, 1, 1), (0, 0, 0, 0)),
        ((5, 4, 4, 1), (2, 0, 0, 0)),
        ((2, 2, 1, 1), (1, 1, 0, 0)),
        ((3, 2, 1, 1), (2, 1, 0, 0)),
    ),
}
KINDS = {
    "shipbuilding": ("ships", list(SHIPS)),
    "construction": ("utilities", list(UTILITIES)),
    "trade": ("completed", list(CONTRACTS)),
}
CASES = [(award, *case) for award, cases in AWARDS.items() for case in cases]


@pytest.mark.parametrize(("award", "counts", "points"), CASES)
def test_award(award: str, counts: tuple[int, ...], points: tuple[int, ...]) -> None:
    """Most and second most; ties share, rounded down; who has none gets nothing."""
    kind, names = KINDS[award]
    game = ended(players=len(counts), **split(names, counts, kind))
    got = tuple(game.points(seat, award) for seat in range(len(counts)))
    assert got == points
    assert tuple(game.points(seat) for seat in range(len(counts))) == points
    gained = {(fact.seat, fact.points) for fact in game.all_of(AwardGained) if fact.points}
    assert gained == {(seat, n) for seat, n in enumerate(points) if n}


def test_a_tied_row_counts_for_nobody() -> None:
    """What counts is majority markers, not donations."""
    game = ended(
        seat0=dict(ships="2 sightseeing 2 passenger 2 luxury-cruise"),
        seat1=dict(ships="2 sightseeing 2 passenger 2 luxury-cruise wooden-private"),
    )
    assert (game.points(0, "shipbuilding"), game.points(1, "shipbuilding")) == (0, 6)


def test_failed_contracts_and_contracts_at_hand_are_no_trade() -> None:
    game = ended(
        seat0=dict(failed="contract-1 contract-2", contracts="contract-15 contract-16"),
        seat1=dict(completed="contract-3"),
    )
    assert (game.points(0, "trade"), game.points(1, "trade")) == (0, 2)


def test_awards_of_all_three_kinds_add_up() -> None:
    game = ended(
        seat0=dict(ships="sightseeing", utilities="park", completed="contract-1", points=10)
    )
    assert game.points(0) == 10 + 6 + 4 + 2


# The winner -----------------------------------------------------------------------------------


def test_most_points_win() -> None:
    game = ended(seat0=dict(points=7), seat1=dict(points=9), seat2=dict(points=8))
    assert game.standings() == [(1, 1, 9), (2, 2, 8), (0, 3, 7)]


def test_awards_decide_before_ties_do() -> None:
    game = ended(
        seat0=dict(points=7, goods="10 wood"), seat1=dict(points=6, completed="contract-1")
    )
    assert game.standings()[:2] == [(1, 1, 8), (0, 2, 7)]


def test_a_tie_goes_to_the_most_resources() -> None:
    """Wood, metal, gold and gears together."""
    game = ended(
        seat0=dict(points=9, goods="5 gear"),
        seat1=dict(points=9, goods="2 wood 2 metal 2 gold"),
        seat2=dict(points=8, goods="10 wood 10 gear"),
    )
    assert [(seat, rank) for seat, rank, _ in game.standings()] == [(1, 1), (0, 2), (2, 3)]


def test_then_to_the_most_gears() -> None:
    game = ended(
        seat0=dict(points=9, goods="4 wood 2 gear"),
        seat1=dict(points=9, goods="3 metal 3 gear"),
        seat2=dict(points=9, goods="5 gear"),
    )
    assert [(seat, rank) for seat, rank, _ in game.standings()] == [(1, 1), (0, 2), (2, 3)]


def test_then_the_victory_is_shared() -> None:
    game = ended(
        seat0=dict(points=9, goods="4 wood 2 gear"),
        seat1=dict(points=3),
        seat2=dict(points=9, goods="4 gold 2 gear"),
    )
    assert sorted((seat, rank) for seat, rank, _ in game.standings()) == [(0, 1), (1, 3), (2, 1)]


def test_the_score_sheet_adds_up() -> None:
    from tests.games.airship_city.kit import GAME

    game = ended(
        seat0=dict(points=10, ships="sightseeing", utilities="park"),
        seat1=dict(points=5, completed="contract-1"),
    )
    lines = GAME.score(game.content, game.state)
    for seat in range(3):
        assert sum(line.points for line in lines if line.seat == seat) == game.points(seat)
    assert (0, "shipbuilding", 6) in [(line.seat, line.reason, line.points) for line in lines]
    assert (1, "trade", 2) in [(line.seat, line.reason, line.points) for line in lines]
