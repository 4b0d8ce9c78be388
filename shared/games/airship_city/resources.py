"""Chapter 5: storing resources, paying costs, and the discounts of donated airships."""

from __future__ import annotations

from shared.engine.table import Table
from shared.games.airship_city import facts as f
from shared.games.airship_city.content import Content
from shared.games.airship_city.pieces import (
    NOTHING,
    RESOURCE_INDEX,
    RESOURCES,
    Goods,
    minus,
    times,
)
from shared.games.airship_city.state import Player, State


def room(content: Content, player: Player, resource: str) -> int:
    """5.2 How much more of a resource the depot holds."""
    numbers = content.numbers
    unlocked = resource in player.renovated
    holds = numbers.renovated_capacity if unlocked else numbers.capacity
    return holds - player.goods[RESOURCE_INDEX[resource]]


def gain(table: Table, seat: int, goods: Goods, reason: str) -> None:
    """5.2 Store goods; what there is no room for is lost."""
    player = table.state.players[seat]
    stored = list(goods)
    for index, resource in enumerate(RESOURCES):
        if goods[index]:
            stored[index] = min(goods[index], room(table.content, player, resource))
    kept = (stored[0], stored[1], stored[2], stored[3])
    lost = NOTHING if kept == goods else minus(goods, kept)
    table.record(f.GoodsGained(seat, kept, lost, reason))


def gain_one(table: Table, seat: int, count: int, resource: str, reason: str) -> None:
    """Store so many of one resource."""
    gain(table, seat, times(count, resource), reason)


def pay(table: Table, seat: int, goods: Goods, reason: str) -> None:
    """5.3 Pay a cost."""
    if goods != NOTHING:
        table.record(f.Paid(seat, goods, reason))


def savings(content: Content, state: State, seat: int, at: str) -> Goods:
    """8.5 How much of each resource the seat saves at a location."""
    saved = [0, 0, 0, 0]
    for ship, resource, less in content.savings.get(at, ()):
        markers = state.ships[ship][seat] + (state.shipbuilding[ship] == seat)
        saved[resource] += markers * less
    return (saved[0], saved[1], saved[2], saved[3])


def reduced(cost: Goods, saved: Goods) -> Goods:
    """5.3 A cost after savings, never below 0."""
    if saved == NOTHING:
        return cost
    wood, metal, gold, gear = minus(cost, saved)
    return (max(wood, 0), max(metal, 0), max(gold, 0), max(gear, 0))


def donated(needs: tuple[tuple[int, tuple[int, ...]], ...], state: State, seat: int) -> bool:
    """8.3, 9.2 Whether the seat has the donation markers that are needed before building."""
    return all(sum(state.ships[row][seat] for row in rows) >= markers for markers, rows in needs)
