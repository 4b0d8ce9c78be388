"""Chapter 5: the lift, which brings everybody's carts to the surface."""

from __future__ import annotations

from shared.engine.data import replace
from shared.engine.game import Option
from shared.engine.table import Table
from shared.games.dwergar import choices as c
from shared.games.dwergar import effects as e
from shared.games.dwergar import facts as f
from shared.games.dwergar.content import Content, Price
from shared.games.dwergar.furnaces import pay
from shared.games.dwergar.modifiers import bonuses_of, lift_heat
from shared.games.dwergar.pieces import LEVELS
from shared.games.dwergar.state import State

POINTS_A_LEVEL = 1
"""5.4 What the ironworker earns for each level moved."""


def move_lift(table: Table) -> None:
    """5.1 One level: every cart tile rises; the one that reaches the top is unloaded."""
    top = table.state.carts[0]
    table.record(f.LiftMoved())
    for seat, cart in enumerate(top):
        if any(cart):
            table.record(f.CartUnloaded(seat, cart[:4], cart[4] == 1))


def may_lift(content: Content, state: State, space: e.UseSpace) -> bool:
    """5.2, 5.3 Whether the lift was not used yet and can move a level."""
    return "basic" not in space.used and levels_payable(content, state, space.seat) > 0


def levels_payable(content: Content, state: State, seat: int) -> int:
    """5.2, 5.3 How many levels the seat can lift with its heat."""
    player, each = state.players[seat], lift_heat(content, state)
    heat = player.heat + player.hot
    return heat // each if each else 1 + heat


def heat_for_levels(content: Content, state: State, levels: int) -> int:
    """5.2, 5.3 The first level is free, unless the lying event says otherwise."""
    each = lift_heat(content, state)
    return each * levels if each else levels - 1


def lift_options(content: Content, state: State, space: e.UseSpace) -> list[Option]:
    """5.2-5.5 How far to lift; engineer: where to put a stone into the carts."""
    options = []
    if "basic" not in space.used:
        most = levels_payable(content, state, space.seat)
        options += [
            c.lift(levels, heat_for_levels(content, state, levels)) for levels in range(1, most + 1)
        ]
    if "engineer" not in space.used and "engineer" in bonuses_of(content, state, space):
        options += [c.stone(level) for level in LEVELS]
    return options


def use_lift(table: Table, space: e.UseSpace, choice: c.UseLift) -> None:
    """5.2 Pay the heat and lift; with the ironworker bonus each level earns a point."""
    scores = "ironworker" in bonuses_of(table.content, table.state, space)
    used = (*space.used, "basic", "ironworker") if scores else (*space.used, "basic")
    points = POINTS_A_LEVEL if scores else 0
    pay(
        table,
        space.seat,
        Price(choice.heat),
        e.RaiseLift(space.seat, choice.levels, points),
        e.OfferSpace(replace(space, used=used)),
    )


def raise_lift(table: Table, effect: e.RaiseLift) -> None:
    """5.1 The paid levels, one after the other, and their points."""
    for _ in range(effect.levels):
        move_lift(table)
    if effect.points:
        points = effect.points * effect.levels
        table.record(f.PointsGained(effect.seat, points, "lift", "lift"))


def put_stone(table: Table, space: e.UseSpace, choice: c.PutStone) -> None:
    """5.5 The engineer's stone for every player's cart on one level."""
    table.then(e.OfferSpace(replace(space, used=(*space.used, "engineer"))))
    table.record(f.StonePutInCarts((choice.level,), "lift"))
