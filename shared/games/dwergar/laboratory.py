"""Chapter 7: the Alchemists' Laboratory, where one resource becomes several lesser ones."""

from __future__ import annotations

from shared.engine.data import replace
from shared.engine.game import Option
from shared.engine.table import Table
from shared.games.dwergar import choices as c
from shared.games.dwergar import effects as e
from shared.games.dwergar import facts as f
from shared.games.dwergar.content import Content
from shared.games.dwergar.furnaces import gain_heat, light
from shared.games.dwergar.modifiers import bonuses_of
from shared.games.dwergar.pieces import RESOURCE_INDEX
from shared.games.dwergar.state import Player, State


def laboratory_options(content: Content, state: State, space: e.UseSpace) -> list[Option]:
    """7.1-7.3 One exchange, with the blacksmith three; ironworker: a furnace and 1 heat."""
    numbers, player = content.numbers, state.players[space.seat]
    bonuses = bonuses_of(content, state, space)
    allowed = numbers.laboratory_exchanges
    if "blacksmith" in bonuses:
        allowed += numbers.laboratory_extra
    options = []
    if space.exchanges < allowed:
        options += [
            c.exchange(gave, got, goods[RESOURCE_INDEX[got]])
            for gave, row in content.exchanges.items()
            if player.goods[RESOURCE_INDEX[gave]]
            for got, goods in row
        ]
    useful = player.cool or player.heat < numbers.heat_track
    if useful and "ironworker" in bonuses and "ironworker" not in space.used:
        options.append(c.USE["laboratory", "ironworker"])
    return options


def can_exchange(content: Content, player: Player) -> bool:
    """7.1 Whether the player has anything to exchange."""
    return any(player.goods[RESOURCE_INDEX[gave]] for gave in content.exchanges)


def exchange(table: Table, space: e.UseSpace, choice: c.Exchange) -> None:
    """7.1 One exchange by the conversion table."""
    exchanges = space.exchanges + 1
    used = space.used
    if exchanges > table.content.numbers.laboratory_exchanges and "blacksmith" not in used:
        used = (*used, "blacksmith")
    table.then(e.OfferSpace(replace(space, exchanges=exchanges, used=used)))
    table.record(f.GoodsExchanged(space.seat, choice.gave, choice.got, choice.count))


def laboratory_fire(table: Table, seat: int) -> None:
    """7.3 The ironworker at the Laboratory."""
    light(table, seat, 1)
    gain_heat(table, seat, table.content.numbers.laboratory_heat, "laboratory")
