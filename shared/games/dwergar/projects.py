"""Chapter 12: upgrading projects, and what upgraded projects do at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shared.engine.data import Effect
from shared.engine.game import Option
from shared.engine.table import Table
from shared.games.dwergar import choices as c
from shared.games.dwergar import effects as e
from shared.games.dwergar import facts as f
from shared.games.dwergar import powers as p
from shared.games.dwergar.content import Content, Price
from shared.games.dwergar.furnaces import gain_heat, light_all, may_build, pay
from shared.games.dwergar.modifiers import upgrade_price
from shared.games.dwergar.pieces import HOT, NOTHING, Goods
from shared.games.dwergar.state import State, other_seats

GOLD = 2


def pay_upgrade(table: Table, seat: int, project: str, more: int, *after: Effect) -> None:
    """9.6 Pay for an upgrade, carry it out, then go on."""
    price = upgrade_price(table.content, table.state.players[seat], project, more)
    pay(table, seat, price, e.FinishUpgrade(seat, project, price.goods), *after)


def finish_upgrade(table: Table, effect: e.FinishUpgrade) -> None:
    """9.7 The upgraded project, its points, and its effects in the card's order."""
    seat, project = effect.seat, effect.project
    card = table.content.projects[project]
    table.record(f.ProjectUpgraded(seat, project, card.upgrade_points))
    gold_points(table, seat, project, table.content.upgrade[project].goods, effect.paid)
    table.then(*(e.CarryOut(seat, project, step) for step in range(len(card.effects))))


def gold_points(table: Table, seat: int, project: str, printed: Goods, paid: Goods) -> None:
    """12.20 Card 20 rewards costs with gold in them, of other projects (R10)."""
    goods = printed if table.content.rules.gold_foundry == "printed" else paid
    if not goods[GOLD]:
        return
    holders = table.content.powers[p.GoldPoints]
    for one in table.state.players[seat].upgraded:
        if one in holders and one != project:
            table.record(f.PointsGained(seat, holders[one].points, "effects", one))


# Effects at once ----------------------------------------------------------------------------


def _take(table: Table, seat: int, project: str, power: p.Take) -> None:
    table.record(f.GoodsGained(seat, power.goods.goods(), project))


def _others_take(table: Table, seat: int, project: str, power: p.OthersTake) -> None:
    for other in other_seats(table.state, seat):
        table.record(f.GoodsGained(other, power.goods.goods(), project))


def _take_heat(table: Table, seat: int, project: str, power: p.GainHeat) -> None:
    gain_heat(table, seat, power.heat, project)


def _others_take_heat(table: Table, seat: int, project: str, power: p.OthersGainHeat) -> None:
    for other in other_seats(table.state, seat):
        gain_heat(table, other, power.heat, project)


def _all_lit(table: Table, seat: int, project: str, power: p.LightAll) -> None:
    light_all(table, seat)


def build_hot_furnace(table: Table, seat: int, project: str, power: p.BuildHotFurnace) -> None:
    """12.41 Without a token left there is no furnace, and nothing else is lit."""
    if may_build(table.content, table.state, seat):
        table.record(f.FurnaceBuilt(seat, HOT))


def _earn_action(table: Table, seat: int, project: str, power: p.ExtraAction) -> None:
    table.record(f.ExtraActionEarned(seat))


def shaft_points(table: Table, seat: int, project: str, power: p.ShaftPoints) -> None:
    """11.2 The more New Shaft upgrades a clan has, the more the next one earns."""
    deck_of = table.content.deck_of
    upgraded = table.state.players[seat].upgraded
    count = sum(deck_of[one] == deck_of[project] for one in upgraded)
    points = table.content.numbers.shaft_points * count
    table.record(f.PointsGained(seat, points, "effects", project))


def _offer_burning(table: Table, seat: int, project: str, power: p.BurnHeat) -> None:
    player = table.state.players[seat]
    if player.heat + player.hot:
        table.then(e.BurnHeat(seat, project))


EFFECTS: dict[type[p.Power], Callable[[Table, int, str, Any], None]] = {
    p.Take: _take,
    p.OthersTake: _others_take,
    p.GainHeat: _take_heat,
    p.OthersGainHeat: _others_take_heat,
    p.LightAll: _all_lit,
    p.BuildHotFurnace: build_hot_furnace,
    p.ExtraAction: _earn_action,
    p.ShaftPoints: shaft_points,
    p.BurnHeat: _offer_burning,
}


def carry_out(table: Table, effect: e.CarryOut) -> None:
    """9.7 One effect of an upgraded project."""
    power = table.content.projects[effect.project].effects[effect.step]
    EFFECTS[type(power)](table, effect.seat, effect.project, power)


# Card 45 ------------------------------------------------------------------------------------


def burn_options(content: Content, state: State, question: e.BurnHeat) -> tuple[Option, ...]:
    """12.45 Any amount of the heat at hand."""
    player = state.players[question.seat]
    return tuple(c.burn(heat) for heat in range(player.heat + player.hot + 1))


def burn(table: Table, question: e.BurnHeat, choice: c.Burn) -> None:
    """12.45 Pay it; a point for each."""
    if choice.heat:
        points = e.ScoreHeat(question.seat, choice.heat, question.project)
        pay(table, question.seat, Price(choice.heat, NOTHING), points)


def score_heat(table: Table, effect: e.ScoreHeat) -> None:
    """12.45 The points for the heat paid."""
    table.record(f.PointsGained(effect.seat, effect.points, "effects", effect.reason))


# Start of a turn ----------------------------------------------------------------------------


def turn_gifts(table: Table, seat: int) -> None:
    """12.33, 12.38 What upgraded projects give at the start of their owner's turn."""
    player = table.state.players[seat]
    holders = table.content.powers[p.EachTurn]
    for project in player.upgraded:
        if project in holders:
            gift: p.EachTurn = holders[project]
            if any(gift.goods.goods()):
                table.record(f.GoodsGained(seat, gift.goods.goods(), project))
            gain_heat(table, seat, gift.heat, project)
