"""Chapter 14: when the game ends, the contribution awards, the winners."""

from __future__ import annotations

from shared.engine.table import Table
from shared.games.airship_city import facts as f
from shared.games.airship_city.content import Content
from shared.games.airship_city.market import fail
from shared.games.airship_city.pieces import AWARDS
from shared.games.airship_city.state import State, in_turn_order


def held(majorities: tuple[int, ...]) -> int:
    """How many rows have a majority marker."""
    return sum(holder >= 0 for holder in majorities)


def end_reason(content: Content, state: State) -> str:
    """14.1 Why the game ends after this round, or `""`."""
    numbers = content.numbers
    if state.round <= content.rounds - numbers.rounds_a_stage:
        return ""
    if held(state.shipbuilding) >= numbers.end_shipbuilding:
        return "shipbuilding"
    if held(state.construction) >= numbers.end_construction:
        return "construction"
    return "rounds" if state.round >= content.rounds else ""


def end_game(table: Table, reason: str) -> None:
    """14.1-14.3 Contracts left (R5) and awards; then the game is over."""
    content = table.content
    table.record(f.GameEndReached(reason))
    if content.rules.unfinished_contracts == "fail":
        for seat in in_turn_order(table.state, table.state.first):
            for contract, _ in table.state.players[seat].contracts:
                fail(table, seat, contract)
    for award in AWARDS:
        first, second = getattr(content.awards, award)
        for seat, points in enumerate(shares(contributions(table.state, award), first, second)):
            if points:
                table.record(f.AwardGained(seat, award, points))
    table.record(f.GameEnded())


def contributions(state: State, award: str) -> tuple[int, ...]:
    """14.2 What each seat has of what an award counts."""
    seats = range(len(state.players))
    if award == "shipbuilding":
        return tuple(state.shipbuilding.count(seat) for seat in seats)
    if award == "construction":
        return tuple(state.construction.count(seat) for seat in seats)
    return tuple(len(player.completed) for player in state.players)


def shares(counts: tuple[int, ...], first: int, second: int) -> tuple[int, ...]:
    """14.2, 14.3 The points of each seat for the first two places, with ties."""
    most = max(counts)
    if most == 0:
        return (0,) * len(counts)
    winners = counts.count(most)
    if winners > 1:
        return tuple((first + second) // winners if count == most else 0 for count in counts)
    next_most = max((count for count in counts if count < most), default=0)
    tied = counts.count(next_most)
    return tuple(
        first if count == most else second // tied if count == next_most > 0 else 0
        for count in counts
    )
