"""Chapter 4: the mine levels and their carts."""

from __future__ import annotations

from shared.engine.data import replace
from shared.engine.game import Option
from shared.engine.table import Table
from shared.games.dwergar import choices as c
from shared.games.dwergar import effects as e
from shared.games.dwergar import facts as f
from shared.games.dwergar.content import Content
from shared.games.dwergar.modifiers import load_of
from shared.games.dwergar.pieces import BASIC, LEVEL_INDEX
from shared.games.dwergar.state import State


def cart_is_empty(state: State, seat: int, level: str) -> bool:
    """4.3 Whether the seat's cart on a level holds no goods; a foreman alone does not fill it."""
    return not any(state.carts[LEVEL_INDEX[level]][seat][:4])


def mine_options(content: Content, state: State, space: e.UseSpace) -> list[Option]:
    """4.2 Load the empty cart."""
    if "basic" not in space.used and cart_is_empty(state, space.seat, space.location):
        return [c.load(load_of(content, state, space))]
    return []


def load_cart(table: Table, space: e.UseSpace, choice: c.LoadCart) -> None:
    """4.2 The level's goods, with what furnace, cards and event add."""
    table.then(e.OfferSpace(replace(space, used=(*space.used, BASIC))))
    table.record(f.CartLoaded(space.seat, space.location, choice.goods))
