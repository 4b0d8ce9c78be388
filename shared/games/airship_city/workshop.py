"""Chapter 10: the Workshop: unlocking renovations, developing tiles."""

from __future__ import annotations

from shared.engine.game import Option
from shared.engine.table import Table
from shared.games.airship_city import choices as c
from shared.games.airship_city import effects as e
from shared.games.airship_city import facts as f
from shared.games.airship_city.content import Content
from shared.games.airship_city.pieces import RESOURCES, Goods, covers
from shared.games.airship_city.resources import pay, reduced, savings
from shared.games.airship_city.state import State


def renovation_cost(content: Content, state: State, seat: int, resource: str) -> Goods:
    """10.1, 8.5 What unlocking a renovation costs the seat."""
    cost = content.renovations[resource].goods()  # type: ignore[index]
    return reduced(cost, savings(content, state, seat, "workshop"))


def workshop_options(content: Content, state: State, seat: int, tile: str) -> list[Option]:
    """10.1 Every renovation not unlocked that can be paid."""
    player, points = state.players[seat], content.numbers.renovation_points
    costs = {
        resource: renovation_cost(content, state, seat, resource)
        for resource in RESOURCES
        if resource not in player.renovated
    }
    return [
        c.renovate(resource, cost, points)
        for resource, cost in costs.items()
        if covers(player.goods, cost)
    ]


def renovate(table: Table, seat: int, choice: c.Renovate) -> None:
    """10.1, 10.2 Pay, unlock, score, and develop a tile of that colour."""
    resource = choice.resource
    pay(table, seat, choice.cost, "renovation")
    table.record(f.RenovationUnlocked(seat, resource, choice.points))
    tiles = basic_tiles(table.content, table.state, resource)
    if len(tiles) > 1:
        table.then(e.Develop(seat, resource))
    elif tiles:
        table.record(f.TileDeveloped(seat, tiles[0]))


def basic_tiles(content: Content, state: State, resource: str) -> list[str]:
    """10.2 The basic tiles with the crest colour of a resource."""
    return [tile for tile in content.by_crest[resource] if tile not in state.developed]


def develop_options(content: Content, state: State, question: e.Develop) -> tuple[Option, ...]:
    """10.2 One of the basic tiles."""
    tiles = basic_tiles(content, state, question.resource)
    return tuple(c.develop(tile, content.tiles[tile]) for tile in tiles)


def develop(table: Table, question: e.Develop, choice: c.DevelopTile) -> None:
    """10.2 The tile is turned over for good."""
    table.record(f.TileDeveloped(question.seat, choice.tile))
