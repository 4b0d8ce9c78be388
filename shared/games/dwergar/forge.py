"""Chapter 8: the Forge, where heat makes resources more valuable and old projects are upgraded."""

from __future__ import annotations

from shared.engine.data import replace
from shared.engine.game import Option
from shared.engine.table import Table
from shared.games.dwergar import choices as c
from shared.games.dwergar import effects as e
from shared.games.dwergar.content import Content
from shared.games.dwergar.furnaces import gain_heat, pay
from shared.games.dwergar.modifiers import bonuses_of, can_pay, upgrade_price
from shared.games.dwergar.pieces import ONE
from shared.games.dwergar.projects import pay_upgrade
from shared.games.dwergar.state import State


def forge_options(content: Content, state: State, space: e.UseSpace) -> list[Option]:
    """8.1-8.5 Forge again and again; engineer: 1 heat; blacksmith: upgrade again and again."""
    numbers, player = content.numbers, state.players[space.seat]
    options = [
        c.forge(made, *price) for made, price in content.forging.items() if can_pay(player, price)
    ]
    for worker in bonuses_of(content, state, space):
        if worker == "engineer":
            if worker not in space.used and player.heat < numbers.heat_track:
                options.append(c.USE["forge", worker])
            continue
        more = numbers.forge_upgrade_heat
        prices = {one: upgrade_price(content, player, one, more) for one in player.projects}
        options += [
            c.upgrade(one, *price) for one, price in prices.items() if can_pay(player, price)
        ]
    return options


def forge(table: Table, space: e.UseSpace, choice: c.Forge) -> None:
    """8.1 One conversion by the table."""
    seat = space.seat
    goods = e.GainGoods(seat, ONE[choice.resource], "forge")
    pay(table, seat, table.content.forging[choice.resource], goods, e.OfferSpace(space))


def forge_heat(table: Table, seat: int) -> None:
    """8.3 The engineer at the Forge."""
    gain_heat(table, seat, table.content.numbers.forge_heat, "forge")


def upgrade_at_forge(table: Table, space: e.UseSpace, choice: c.Upgrade) -> None:
    """8.4 The blacksmith upgrades a project completed earlier, for 1 heat more."""
    used = space.used if "blacksmith" in space.used else (*space.used, "blacksmith")
    more = table.content.numbers.forge_upgrade_heat
    after = e.OfferSpace(replace(space, used=used))
    pay_upgrade(table, space.seat, choice.project, more, after)
