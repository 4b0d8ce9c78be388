"""Chapter 8: airships: building, donating, selling, and who holds a row's majority."""

from __future__ import annotations

from shared.engine.game import Option
from shared.engine.table import Table
from shared.games.airship_city import choices as c
from shared.games.airship_city import facts as f
from shared.games.airship_city.bonuses import check_flight
from shared.games.airship_city.content import Content
from shared.games.airship_city.pieces import SHIP_INDEX, SHIPS, Goods, covers
from shared.games.airship_city.resources import donated, pay, reduced, room, savings
from shared.games.airship_city.state import State


def shipyard_options(content: Content, state: State, seat: int, tile: str) -> list[Option]:
    """8.1 Every airship that can be built, to donate or to sell."""
    player = state.players[seat]
    goods, saved = player.goods, savings(content, state, seat, "shipyard")
    options = []
    for row, ship in enumerate(SHIPS):
        cost = reduced(content.ship_costs[row], saved)
        if not covers(goods, cost):
            continue
        if not donated(content.ship_needs[row], state, seat):
            continue
        if player.markers > 0 and sum(state.ships[row]) < content.ship_spaces:
            options.append(c.donate(ship, cost, content.airships[row].points))
        if content.airships[row].prices:
            options.append(c.sell(ship, cost, price_of(content, state, row)))
    return options


def ship_cost(content: Content, state: State, seat: int, ship: str) -> Goods:
    """8.1, 8.5 What an airship costs the seat."""
    saved = savings(content, state, seat, "shipyard")
    return reduced(content.ship_costs[SHIP_INDEX[ship]], saved)


def donate(table: Table, seat: int, choice: c.DonateShip) -> None:
    """8.1, 8.2, 8.7 Pay, a marker in the row, points, perhaps a majority and a flight tile."""
    ship, row = choice.ship, SHIP_INDEX[choice.ship]
    pay(table, seat, choice.cost, ship)
    table.record(f.AirshipDonated(seat, ship, choice.points))
    settle(table, ship, table.state.ships[row], table.state.shipbuilding[row])
    check_flight(table, seat)


def settle(table: Table, row: str, markers: tuple[int, ...], holder: int) -> None:
    """8.7 The one seat with most markers in the row holds its majority; a tie clears it."""
    most = max(markers)
    leader = markers.index(most) if markers.count(most) == 1 else -1
    if leader == holder:
        return
    if holder >= 0:
        table.record(f.MajorityLost(holder, row))
    if leader >= 0:
        table.record(f.MajorityTaken(leader, row))


def price_of(content: Content, state: State, row: int) -> int:
    """8.6 The gold that a ship sells for now."""
    prices = content.airships[row].prices
    return prices[state.steps[row]] if prices else 0


def sell(table: Table, seat: int, choice: c.SellShip) -> None:
    """8.1, 8.6 Pay, gain gold by the price list, and the price falls a step."""
    content, row, price = table.content, SHIP_INDEX[choice.ship], choice.price
    pay(table, seat, choice.cost, choice.ship)
    stored = min(price, room(content, table.state.players[seat], "gold"))
    step = min(table.state.steps[row] + 1, len(content.airships[row].prices) - 1)
    table.record(f.AirshipSold(seat, choice.ship, price, stored, price - stored, step))
