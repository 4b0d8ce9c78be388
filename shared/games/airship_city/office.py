"""Chapter 9: the Architect's Office and the public utilities."""

from __future__ import annotations

from shared.engine.game import Option
from shared.engine.table import Table
from shared.games.airship_city import choices as c
from shared.games.airship_city import facts as f
from shared.games.airship_city.bonuses import check_negotiator
from shared.games.airship_city.content import Content
from shared.games.airship_city.pieces import Goods, covers
from shared.games.airship_city.resources import donated, pay, reduced, savings
from shared.games.airship_city.shipyard import settle
from shared.games.airship_city.state import State


def office_options(content: Content, state: State, seat: int, tile: str) -> list[Option]:
    """9.1-9.3 Every public utility that can be built."""
    player = state.players[seat]
    if player.markers <= 0:
        return []
    saved = savings(content, state, seat, "architects-office")
    options = []
    for row, (id_, utility) in enumerate(content.utilities.items()):
        cost = reduced(content.utility_costs[row], saved)
        if (
            covers(player.goods, cost)
            and sum(state.utilities[row]) < content.utility_spaces
            and donated(content.utility_needs[row], state, seat)
        ):
            options.append(c.build(id_, cost, utility.points))
    return options


def utility_cost(content: Content, state: State, seat: int, utility: str) -> Goods:
    """9.1, 8.5 What a public utility costs the seat."""
    cost = content.utility_costs[content.utility_ids.index(utility)]
    return reduced(cost, savings(content, state, seat, "architects-office"))


def build_utility(table: Table, seat: int, choice: c.Construct) -> None:
    """9.1, 9.4 Pay, a marker in the row, points, perhaps a majority and bonus effect tiles."""
    id_ = choice.utility
    row = table.content.utility_ids.index(id_)
    pay(table, seat, choice.cost, id_)
    table.record(f.UtilityBuilt(seat, id_, choice.points))
    settle(table, id_, table.state.utilities[row], table.state.construction[row])
    check_negotiator(table, seat)
