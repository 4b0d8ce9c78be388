"""Chapter 3: choosing an action: placing a dwarf, or a Work Break with an empty pool."""

from __future__ import annotations

from shared.engine.game import Option
from shared.engine.table import Table
from shared.games.dwergar import choices as c
from shared.games.dwergar import effects as e
from shared.games.dwergar import facts as f
from shared.games.dwergar import powers as p
from shared.games.dwergar.content import Content
from shared.games.dwergar.foreman import board_cart, displace_foreman
from shared.games.dwergar.furnaces import gain_heat, pipeline_options, use_pipeline
from shared.games.dwergar.modifiers import furnace_heat, lying, skills_of
from shared.games.dwergar.pieces import FOREMAN, LOCATION_INDEX, LOCATIONS, OUTSIDE, OWNER, WORKERS
from shared.games.dwergar.state import State


def action_options(content: Content, state: State, question: e.ChooseAction) -> tuple[Option, ...]:
    """3.1, 3.7 Every placement, or every Work Break if no dwarf is at hand (R17)."""
    player = state.players[question.seat]
    options = c.placements(player.pool) if any(player.pool) else break_options(state)
    if player.upgraded:
        options = (*options, *pipeline_options(content, player))
    return (*options, c.SKIP) if question.optional else options


def break_options(state: State) -> tuple[Option, ...]:
    """3.7 The workers on the board; without any, the foreman comes home alone."""
    workers = tuple(
        c.work_break(who, location)
        for location, who in zip(LOCATIONS, state.board, strict=True)
        if who in WORKERS
    )
    return workers or (c.BREAK_ALONE,)


def choose_action(
    table: Table,
    question: e.ChooseAction,
    choice: c.Place | c.TakeBreak | c.UsePipeline | c.LeaveOut,
) -> None:
    """3.1 Carry out the chosen action."""
    if not isinstance(choice, c.UsePipeline):
        table.then(e.NextAction(question.seat, question.left - 1))
    if isinstance(choice, c.Place):
        place(table, question.seat, choice.dwarf, choice.location)
    elif isinstance(choice, c.TakeBreak):
        table.record(f.BreakTaken(question.seat, choice.worker, choice.location))
    elif isinstance(choice, c.UsePipeline):
        use_pipeline(table, question.seat, choice, question)


def place(table: Table, seat: int, dwarf: str, location: str) -> None:
    """3.2 The old dwarf leaves, the new one is placed, and placing gives what it gives."""
    found: str = table.state.board[LOCATION_INDEX[location]]
    owner = OWNER.get(found, -1)
    if owner >= 0:
        displace_foreman(table, owner, location)
    table.record(f.DwarfPlaced(seat, dwarf, location, found if owner < 0 else ""))
    skills = skills_of(table.content, table.state.players[seat], dwarf)
    heat_the_owner(table, seat, location)
    if table.state.event:
        placing_under_event(table, seat, location, bool(skills) and not found)
    if dwarf != FOREMAN and (not found or owner not in (-1, seat)):
        for project in table.state.players[seat].upgraded:
            placing_points(table, seat, project)
    if dwarf == FOREMAN:
        board_cart(table, seat, location)
    table.then(e.OfferSpace(e.UseSpace(seat, location, dwarf, skills)))


def heat_the_owner(table: Table, seat: int, location: str) -> None:
    """10.6, 12.40 An opponent's furnace at the location heats its owner."""
    owner = table.state.furnaces[LOCATION_INDEX[location]]
    if owner not in (-1, seat):
        gain_heat(table, owner, furnace_heat(table.content, table.state, location), "furnace")


def placing_under_event(table: Table, seat: int, location: str, worker_on_empty: bool) -> None:
    """13.11, 13.14, 13.15 What the lying event gives for placing a dwarf."""
    content, state = table.content, table.state
    mined = lying(content, state, p.MinePoints)
    if mined is not None and LOCATION_INDEX[location] >= OUTSIDE:
        table.record(f.PointsGained(seat, mined.points, "events", state.event))
    heated = lying(content, state, p.ActionHeat)
    if heated is not None and location in heated.locations:
        gain_heat(table, seat, heated.heat, state.event)
    alone = lying(content, state, p.EmptySpacePoints)
    if alone is not None and worker_on_empty:
        table.record(f.PointsGained(seat, alone.points, "events", state.event))


def placing_points(table: Table, seat: int, project: str) -> None:
    """12.9 A worker on an empty space, or in the place of an opponent's foreman."""
    power = table.content.powers[p.PlacingPoints].get(project)
    if power is not None:
        table.record(f.PointsGained(seat, power.points, "effects", project))
