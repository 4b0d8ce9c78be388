"""Chapter 3: activating crews: one space, leaping over own crews, flying on."""

from __future__ import annotations

from typing import Any

from shared.engine.game import Option
from shared.engine.table import Table
from shared.games.airship_city import choices as c
from shared.games.airship_city import effects as e
from shared.games.airship_city import facts as f
from shared.games.airship_city.content import Content
from shared.games.airship_city.pieces import NEIGHBOURS
from shared.games.airship_city.state import State
from shared.games.airship_city.turn import act_freely, free_options


def activate_options(content: Content, state: State, question: e.Activate) -> tuple[Option, ...]:
    """2.4, 3.1 Any face-up crew in any direction; crews on one tile are alike."""
    player, grid = state.players[question.seat], state.grid
    options: tuple[Option, ...] = ()
    before = ""
    for tile in player.ready:
        if tile != before:
            options += c.moves(tile, grid)
            before = tile
    return options + free_options(content, player)


def activate(table: Table, question: e.Activate, choice: Any) -> None:
    """3.1 A crew moves one space."""
    seat = question.seat
    table.then(e.NextCrew(seat))
    if isinstance(choice, c.Move):
        step(table, seat, choice.tile, choice.direction, ())
    else:
        act_freely(table, seat, choice)


def step(table: Table, seat: int, tile: str, direction: str, passed: tuple[str, ...]) -> None:
    """3.1 One space in a direction."""
    grid = table.state.grid
    target = grid[dict(NEIGHBOURS[grid.index(tile)])[direction]]
    table.record(f.CrewMoved(seat, tile, target))
    table.then(e.Arrive(seat, target, passed))


def arrive(table: Table, effect: e.Arrive) -> None:
    """3.2, 3.5 With another own crew on the tile the crew leaps on, else it may use the tile."""
    seat, tile, passed = effect.seat, effect.tile, effect.passed
    player = table.state.players[seat]
    if player.ready.count(tile) + player.used.count(tile) < 2:
        table.then(e.OfferTile(seat, tile))
        return
    question = e.Leap(seat, tile, passed if tile in passed else (*passed, tile))
    options = leap_options(table.content, table.state, question)
    if len(options) > 1:
        table.then(question)
    else:
        leap(table, question, options[0].choice)


def leap_options(content: Content, state: State, question: e.Leap) -> tuple[Option, ...]:
    """3.2, 3.3 Any direction but onto tiles with own crews that were passed; and free actions."""
    player, grid = state.players[question.seat], state.grid
    around = NEIGHBOURS[grid.index(question.tile)]
    onward = [
        (direction, place)
        for direction, place in around
        if not (grid[place] in question.passed and player.stands_on(grid[place]))
    ]
    ways = [c.leap(direction, grid[place]) for direction, place in onward or around]
    return (*ways, *free_options(content, player))


def leap(table: Table, question: e.Leap, choice: Any) -> None:
    """3.2 One space more."""
    seat, tile, passed = question.seat, question.tile, question.passed
    if isinstance(choice, c.LeapOn):
        step(table, seat, tile, choice.direction, passed)
    else:
        table.then(e.Arrive(seat, tile, passed))
        act_freely(table, seat, choice)


def fly(table: Table, seat: int, tile: str, direction: str) -> None:
    """12.2 Long Distance Flight: one space more; the tile left gives nothing."""
    table.record(f.BonusTileUsed(seat, "flight"))
    step(table, seat, tile, direction, ())
