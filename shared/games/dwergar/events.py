"""Chapter 13: the events. What lies open is asked for in `modifiers`; this is what happens once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shared.engine.table import Table
from shared.games.dwergar import facts as f
from shared.games.dwergar import powers as p
from shared.games.dwergar.furnaces import gain_heat
from shared.games.dwergar.lift import move_lift


def discard_event(table: Table) -> None:
    """2.6 The event of the round is over."""
    if table.state.event:
        table.record(f.EventDiscarded(table.state.event))


def draw_event(table: Table) -> None:
    """2.7 The next event is revealed and carried out."""
    if not table.state.events:
        return
    event = table.state.events[0]
    table.record(f.EventRevealed(event))
    for power in table.content.events[event].effects:
        HAPPENINGS[type(power)](table, event, power)


def _each_gains_heat(table: Table, event: str, power: p.EachGainsHeat) -> None:
    for seat in range(len(table.state.players)):
        gain_heat(table, seat, power.heat, event)


def _lift_rises(table: Table, event: str, power: p.LiftRises) -> None:
    for _ in range(power.levels):
        move_lift(table)


def _stone_in_carts(table: Table, event: str, power: p.StoneInCarts) -> None:
    table.record(f.StonePutInCarts(power.levels, event))


def change_plans(table: Table, event: str, power: p.ChangePlans) -> None:
    """13.7 Random projects leave the order track and the game; as many come from the pile."""
    leaving = table.chance.shuffle(table.state.display)[: power.projects]
    if not leaving:
        return
    table.record(f.ProjectsDiscarded(leaving))
    coming = table.state.pile[: len(leaving)]
    if coming:
        table.record(f.ProjectsRevealed(coming))


HAPPENINGS: dict[type[p.Power], Callable[[Table, str, Any], None]] = {
    p.EachGainsHeat: _each_gains_heat,
    p.LiftRises: _lift_rises,
    p.StoneInCarts: _stone_in_carts,
    p.ChangePlans: change_plans,
}
