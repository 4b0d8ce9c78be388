"""Chapters 6.6 and 11: the Market, and contracts from the offer to their end."""

from __future__ import annotations

from shared.engine.game import Option
from shared.engine.table import Table
from shared.games.airship_city import choices as c
from shared.games.airship_city import facts as f
from shared.games.airship_city.bonuses import check_barter
from shared.games.airship_city.content import Content
from shared.games.airship_city.pieces import covers
from shared.games.airship_city.resources import gain_one, pay
from shared.games.airship_city.state import Player, State


def market_options(content: Content, state: State, seat: int, tile: str) -> list[Option]:
    """6.6 Any contract on offer."""
    return [take_option(content, contract) for contract in state.offer]


def take_option(content: Content, id_: str) -> Option:
    """6.6 Taking a contract, with its terms."""
    contract, cost = content.contracts[id_], content.contract_costs[id_]
    return c.take_contract(id_, contract.term, cost, contract.points, contract.gold)


def take_contract(table: Table, seat: int, choice: c.TakeContract) -> None:
    """6.6, 11.1 A contract goes onto the term track; the next one replaces it."""
    table.record(f.ContractTaken(seat, choice.contract, choice.term))
    refill(table, 1)


def refill(table: Table, count: int) -> None:
    """6.6 Contracts from the top of the deck, as far as it goes."""
    contracts = table.state.deck[:count]
    if contracts:
        table.record(f.ContractsRevealed(contracts))


def completable(content: Content, player: Player) -> list[Option]:
    """11.4 The contracts on the term track whose goods the player has."""
    return [
        complete_option(content, contract)
        for contract, _ in player.contracts
        if covers(player.goods, content.contract_costs[contract])
    ]


def complete_option(content: Content, id_: str) -> Option:
    """11.4 Completing a contract, with what it asks and gives."""
    contract = content.contracts[id_]
    return c.complete(id_, content.contract_costs[id_], contract.points, contract.gold)


def complete(table: Table, seat: int, choice: c.Complete) -> None:
    """11.4 Pay the goods, gain points and gold."""
    pay(table, seat, choice.cost, choice.contract)
    table.record(f.ContractCompleted(seat, choice.contract, choice.points))
    if choice.gold:
        gain_one(table, seat, choice.gold, "gold", choice.contract)
    check_barter(table, seat)


def move_on(table: Table, seat: int) -> None:
    """11.2 One term less for every contract; those without any left fail."""
    if table.state.players[seat].contracts:
        table.record(f.ContractsMovedOn(seat))
        for contract, terms in table.state.players[seat].contracts:
            if terms <= 0:
                fail(table, seat, contract)


def fail(table: Table, seat: int, contract: str) -> None:
    """11.2 A failed contract costs its points (R4)."""
    points = table.content.contracts[contract].points
    if table.content.rules.failing == "floor":
        points = min(points, table.state.players[seat].total)
    table.record(f.ContractFailed(seat, contract, points))
