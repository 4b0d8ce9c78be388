"""Chapter 6: heat, furnaces, paying costs; the Bellows, the Workshop and the heat pipelines."""

from __future__ import annotations

from shared.engine.data import Effect
from shared.engine.game import Option
from shared.engine.table import Table
from shared.games.dwergar import choices as c
from shared.games.dwergar import effects as e
from shared.games.dwergar import facts as f
from shared.games.dwergar import powers as p
from shared.games.dwergar.content import Content, Price
from shared.games.dwergar.modifiers import bonuses_of, can_pay, owned
from shared.games.dwergar.pieces import COOL, ONE
from shared.games.dwergar.state import Player, State, furnaces_out

# Heat and furnaces --------------------------------------------------------------------------


def gain_heat(table: Table, seat: int, heat: int, reason: str) -> None:
    """6.6 A heat level rises, never beyond the track."""
    room: int = table.content.numbers.heat_track - table.state.players[seat].heat
    if heat > 0 and room > 0:
        table.record(f.HeatGained(seat, min(heat, room), reason))


def light(table: Table, seat: int, count: int) -> None:
    """6.2 Turn that many cool furnaces, or all there are, to their hot side."""
    count = min(count, table.state.players[seat].cool)
    if count:
        table.record(f.FurnacesLit(seat, count))


def light_all(table: Table, seat: int) -> None:
    """6.2 Turn every cool furnace to its hot side."""
    light(table, seat, table.state.players[seat].cool)


def may_build(content: Content, state: State, seat: int) -> bool:
    """6.8 Whether a furnace token is left."""
    return furnaces_out(state, seat) < content.numbers.furnace_tokens


def put_furnace(table: Table, effect: e.PutFurnace) -> None:
    """6.8 A new furnace starts cool."""
    table.record(f.FurnaceBuilt(effect.seat, COOL))


# Paying -------------------------------------------------------------------------------------


def pay(table: Table, seat: int, price: Price, *after: Effect) -> None:
    """6.4 Pay a cost, then go on; asks for the split of the heat if there are several."""
    player = table.state.players[seat]
    least, most = track_heat(player, price.heat)
    if least < most:
        table.then(e.PayHeat(seat, price.heat, price.goods), *after)
        return
    table.then(*after)
    if price.heat or any(price.goods):
        table.record(f.Paid(seat, most, price.heat - most, price.goods))


def track_heat(player: Player, heat: int) -> tuple[int, int]:
    """6.4 The least and the most of a heat cost that can come from the track."""
    return max(0, heat - player.hot), min(heat, player.heat)


def pay_heat_options(content: Content, state: State, question: e.PayHeat) -> tuple[Option, ...]:
    """6.4 Every split of the cost between the track and the furnaces."""
    least, most = track_heat(state.players[question.seat], question.heat)
    return tuple(c.pay_with(track, question.heat - track) for track in range(most, least - 1, -1))


def pay_heat(table: Table, question: e.PayHeat, choice: c.PayWith) -> None:
    """6.4 The chosen split."""
    table.record(f.Paid(question.seat, choice.heat, choice.furnaces, question.goods))


def gain_goods(table: Table, effect: e.GainGoods) -> None:
    """Goods that were paid for come onto the player board."""
    table.record(f.GoodsGained(effect.seat, effect.goods, effect.reason))


# Pipelines (cards 37 and 39) ----------------------------------------------------------------


def pipeline_options(content: Content, player: Player) -> list[Option]:
    """12.37, 12.39 What the player can turn heat into now."""
    if not player.upgraded:
        return []
    return [
        c.pipeline(power.into, power.heat)
        for power in owned(content, player, p.Pipeline)
        if power.heat <= player.heat + player.hot
    ]


def use_pipeline(table: Table, seat: int, choice: c.UsePipeline, again: Effect) -> None:
    """12.37, 12.39 Turn heat into a resource, then ask again."""
    player = table.state.players[seat]
    holders = table.content.powers[p.Pipeline]
    project = next(
        one for one in player.upgraded if one in holders and holders[one].into == choice.resource
    )
    goods = e.GainGoods(seat, ONE[choice.resource], project)
    pay(table, seat, Price(holders[project].heat), goods, again)


# Bellows and Workshop -----------------------------------------------------------------------


def bellows_options(content: Content, state: State, space: e.UseSpace) -> list[Option]:
    """6.9 Light one; ironworker: light all; blacksmith: 2 heat."""
    player = state.players[space.seat]
    options = []
    if player.cool and "basic" not in space.used:
        options.append(c.USE_BASIC["bellows"])
    for worker in bonuses_of(content, state, space):
        useful = (
            player.cool > 0 if worker == "ironworker" else player.heat < content.numbers.heat_track
        )
        if useful and worker not in space.used:
            options.append(c.USE["bellows", worker])
    return options


def workshop_options(content: Content, state: State, space: e.UseSpace) -> list[Option]:
    """6.10 Build for iron; engineer: build for stone; ironworker: light one."""
    player = state.players[space.seat]
    builds = may_build(content, state, space.seat)
    prices = content.workshop
    options = []
    if builds and "basic" not in space.used and can_pay(player, prices.basic.price()):
        options.append(c.USE_BASIC["workshop"])
    for worker in bonuses_of(content, state, space):
        useful = (
            player.cool > 0
            if worker == "ironworker"
            else builds and can_pay(player, prices.engineer.price())
        )
        if useful and worker not in space.used:
            options.append(c.USE["workshop", worker])
    return options


def light_one(table: Table, seat: int) -> None:
    """6.9, 6.10 Light one furnace."""
    light(table, seat, 1)


def bellows_heat(table: Table, seat: int) -> None:
    """6.9 The blacksmith at the Bellows."""
    gain_heat(table, seat, table.content.numbers.bellows_heat, "bellows")


def build_for_iron(table: Table, seat: int) -> None:
    """6.10 The Workshop's basic action."""
    pay(table, seat, table.content.workshop.basic.price(), e.PutFurnace(seat))


def build_for_stone(table: Table, seat: int) -> None:
    """6.10 The engineer at the Workshop."""
    pay(table, seat, table.content.workshop.engineer.price(), e.PutFurnace(seat))
