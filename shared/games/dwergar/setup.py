"""Chapter 1: setting up the table."""

from __future__ import annotations

from shared.engine.table import Table
from shared.games.dwergar import effects as e
from shared.games.dwergar import facts as f
from shared.games.dwergar.content import Content
from shared.games.dwergar.options import RECOMMENDED, rounds_of
from shared.games.dwergar.pieces import DECKS, LOCATIONS, OUTSIDE, WORKERS
from shared.games.dwergar.turn import refill

LEVELS_WITHOUT_WORKER = {2: 0, 3: 1, 4: 2}
"""1.6 How many mine levels, from the bottom, start empty for a number of players."""


def set_up(table: Table) -> None:
    """1.1-1.8 Everything before the first turn."""
    content: Content = table.content
    players = len(table.state.players)
    decks = choose_decks(table, players)
    table.record(f.MatchSetUp(decks, rounds_of(content.rules)))
    table.record(f.ProjectsShuffled(shuffle_projects(table, decks)))
    refill(table)
    events = table.chance.shuffle(tuple(content.events))[: int(content.rules.events)]
    table.record(f.EventsShuffled(events))
    table.record(draw_workers(table, players))
    for seat in range(players):
        start = content.start[seat]
        table.record(f.GoodsDealt(seat, start.hand.goods(), start.level, start.cart.goods()))
    table.then(e.BeginRound(1))


def choose_decks(table: Table, players: int) -> tuple[str, ...]:
    """1.2 As many decks as players, in the order of the rulebook."""
    chosen = table.content.rules.decks
    if chosen == "recommended":
        return RECOMMENDED[:players]
    if chosen == "random":
        drawn = table.chance.shuffle(DECKS)[:players]
        return tuple(deck for deck in DECKS if deck in drawn)
    return tuple(chosen.split("+"))


def shuffle_projects(table: Table, decks: tuple[str, ...]) -> tuple[str, ...]:
    """1.3 The basic projects, shuffled, on top of the advanced ones, shuffled."""
    basic, advanced = pile_parts(table.content, decks)
    return (*table.chance.shuffle(basic), *table.chance.shuffle(advanced))


def pile_parts(content: Content, decks: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """1.3 The basic and the advanced projects of some decks."""
    cards = [(id_, card) for id_, card in content.projects.items() if card.deck in decks]
    return (
        tuple(id_ for id_, card in cards if card.basic),
        tuple(id_ for id_, card in cards if not card.basic),
    )


def draw_workers(table: Table, players: int) -> f.WorkersDrawn:
    """1.6 Some workers go back to the box; one for each seat, the rest onto the board."""
    numbers = table.content.numbers
    workers = table.chance.shuffle(WORKERS * numbers.workers_of_a_kind)[numbers.workers_boxed :]
    empty = LEVELS_WITHOUT_WORKER[players]
    board = (*workers[players:], *("",) * empty)
    assert len(board) == len(LOCATIONS) and OUTSIDE + 4 - empty + players == len(workers)
    return f.WorkersDrawn(workers[:players], board)
