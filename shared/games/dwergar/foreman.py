"""Chapter 10: the foreman, who always comes home and may install a furnace."""

from __future__ import annotations

from shared.engine.data import replace
from shared.engine.game import Option
from shared.engine.table import Table
from shared.games.dwergar import choices as c
from shared.games.dwergar import effects as e
from shared.games.dwergar import facts as f
from shared.games.dwergar.content import Content, Price
from shared.games.dwergar.furnaces import pay
from shared.games.dwergar.modifiers import install_points
from shared.games.dwergar.pieces import COOL, HOT, LOCATION_INDEX, OUTSIDE, covers
from shared.games.dwergar.state import State


def displace_foreman(table: Table, owner: int, location: str) -> None:
    """10.1 A foreman makes room: home, or from a mine level into his cart there (R3)."""
    if LOCATION_INDEX[location] < OUTSIDE:
        table.record(f.ForemanReturned(owner, location))
    else:
        table.record(f.ForemanBoarded(owner, location))


def board_cart(table: Table, seat: int, location: str) -> None:
    """10.2 A foreman placed in the mine steps into his cart at once (R3)."""
    if LOCATION_INDEX[location] >= OUTSIDE and table.content.rules.foreman_in_mine == "at-once":
        table.record(f.ForemanBoarded(seat, location))


def install_options(content: Content, state: State, space: e.UseSpace) -> list[Option]:
    """10.3, 10.4 Install a furnace, cool or hot, where there is none."""
    index, player = LOCATION_INDEX[space.location], state.players[space.seat]
    price = content.install[index]
    if state.furnaces[index] >= 0 or not covers(player.goods, price):
        return []
    options = []
    if player.cool:
        options.append(c.install(COOL, price))
    if player.hot:
        options.append(c.install(HOT, price))
    return options


def install(table: Table, space: e.UseSpace, choice: c.Install) -> None:
    """10.3 Pay the location's price and place the furnace."""
    pay(
        table,
        space.seat,
        Price(0, choice.goods),
        e.PlaceInstalled(space.seat, space.location, choice.side),
        e.OfferSpace(replace(space, used=(*space.used, "install"))),
    )


def place_installed(table: Table, effect: e.PlaceInstalled) -> None:
    """10.5 The furnace and its points."""
    points = install_points(table.content, table.state, effect.location)
    table.record(f.FurnaceInstalled(effect.seat, effect.location, effect.side, points))
