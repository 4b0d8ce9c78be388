"""Chapter 6: using the tile on which a crew has stopped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shared.engine.data import replace
from shared.engine.game import Option
from shared.engine.table import Table
from shared.games.airship_city import choices as c
from shared.games.airship_city import effects as e
from shared.games.airship_city import facts as f
from shared.games.airship_city import market, office, shipyard, workshop
from shared.games.airship_city.content import Content
from shared.games.airship_city.crews import fly
from shared.games.airship_city.developed import crest_resources
from shared.games.airship_city.pieces import GOLD, NOTHING, READY, Goods
from shared.games.airship_city.resources import gain, pay, savings
from shared.games.airship_city.state import State
from shared.games.airship_city.turn import act_freely, free_deals, free_options

Offers = Callable[[Content, State, int, str], list[Option]]


def resource_options(content: Content, state: State, seat: int, tile: str) -> list[Option]:
    """6.2 What the tile produces; always possible."""
    return [c.produce(content.gains.get(tile, NOTHING))]


def harbor_options(content: Content, state: State, seat: int, tile: str) -> list[Option]:
    """6.4 Recall all own crews; always possible."""
    return [c.RECALL]


def shift_options(content: Content, state: State, seat: int, tile: str) -> list[Option]:
    """6.5 Slide; always possible."""
    return [c.shift(content.numbers.lighthouse_slides)]


def hire_cost(content: Content, state: State, seat: int) -> Goods:
    """6.3, 8.5 What hiring a crew costs the seat."""
    saved = savings(content, state, seat, "guild-hall")
    return (0, 0, max(0, content.numbers.hire - saved[GOLD]), 0)


def guild_hall_options(content: Content, state: State, seat: int, tile: str) -> list[Option]:
    """6.3 Hire a crew, if one is in reserve and the gold is there."""
    player = state.players[seat]
    if player.crews >= content.numbers.crews:
        return []
    cost = hire_cost(content, state, seat)
    return [c.hire(cost)] if player.goods[GOLD] >= cost[GOLD] else []


OFFERS: dict[str, Offers] = {
    "forest": resource_options,
    "mine": resource_options,
    "factory": resource_options,
    "valley": resource_options,
    "harbor": harbor_options,
    "lighthouse": shift_options,
    "guild-hall": guild_hall_options,
    "market": market.market_options,
    "shipyard": shipyard.shipyard_options,
    "architects-office": office.office_options,
    "workshop": workshop.workshop_options,
}
"""What each location offers."""


def action_options(content: Content, state: State, seat: int, tile: str) -> list[Option]:
    """6.1 The ways to perform the action of a tile."""
    return OFFERS[content.location[tile]](content, state, seat, tile)


def tile_options(content: Content, state: State, question: e.UseTile) -> tuple[Option, ...]:
    """2.4, 3.5, 12.2 Act, fly on, act freely, or pass."""
    seat, tile = question.seat, question.tile
    player = state.players[seat]
    options = action_options(content, state, seat, tile)
    if player.flight == READY:
        options += c.flights(tile, state.grid)
    return (*options, *free_options(content, player), c.PASS)


def offer_tile(table: Table, effect: e.OfferTile) -> None:
    """3.5 Ask, unless passing is all that can be done; slides can wait (2.4)."""
    seat, tile = effect.seat, effect.tile
    content, state = table.content, table.state
    player = state.players[seat]
    if (
        player.flight == READY
        or action_options(content, state, seat, tile)
        or free_deals(content, player)
    ):
        table.then(e.UseTile(seat, tile))
    else:
        table.record(f.CrewUsed(seat, tile))


def use_tile(table: Table, question: e.UseTile, choice: Any) -> None:
    """3.5 The crew acts or passes, face down from now on; or it flies on, or acts freely."""
    seat, tile = question.seat, question.tile
    if isinstance(choice, c.Fly):
        fly(table, seat, tile, choice.direction)
    elif isinstance(choice, c.Slide | c.Complete | c.Exchange):
        table.then(e.OfferTile(seat, tile))
        act_freely(table, seat, choice)
    else:
        table.record(f.CrewUsed(seat, tile))
        if not isinstance(choice, c.Pass):
            perform(table, seat, tile, choice)


# Actions ------------------------------------------------------------------------------------


def perform(table: Table, seat: int, tile: str, choice: Any) -> None:
    """6.1, 7.3, 7.4 The action, then its crest bonus, then what the others piggyback."""
    crest = crest_resources(table.content, table.state, seat, tile)
    if isinstance(choice, c.Shift):
        table.then(e.SlideByLighthouse(seat, tile, choice.slides, crest))
        return
    if tile in table.content.gains:
        table.then(e.GivePiggyback(seat, tile))
    if crest:
        table.then(e.GainCrest(seat, tile, crest))
    ACTIONS[type(choice)](table, seat, tile, choice)


def hire(table: Table, seat: int, choice: c.Hire) -> None:
    """6.3 A crew comes face down onto the Harbor."""
    pay(table, seat, choice.cost, "guild-hall")
    table.record(f.CrewHired(seat, table.content.harbor))


ACTIONS: dict[type[Any], Callable[[Table, int, str, Any], None]] = {
    c.Produce: lambda table, seat, tile, choice: gain(table, seat, choice.goods, tile),
    c.Recall: lambda table, seat, tile, _: table.record(f.CrewsRecalled(seat, tile)),
    c.Hire: lambda table, seat, _, choice: hire(table, seat, choice),
    c.TakeContract: lambda table, seat, _, choice: market.take_contract(table, seat, choice),
    c.DonateShip: lambda table, seat, _, choice: shipyard.donate(table, seat, choice),
    c.SellShip: lambda table, seat, _, choice: shipyard.sell(table, seat, choice),
    c.Construct: lambda table, seat, _, choice: office.build_utility(table, seat, choice),
    c.Renovate: lambda table, seat, _, choice: workshop.renovate(table, seat, choice),
}


def lighthouse_options(
    content: Content, state: State, question: e.SlideByLighthouse
) -> tuple[Option, ...]:
    """6.5 Any row or column, or no more."""
    return (*c.FREE_SLIDES, c.DONE)


def slide_by_lighthouse(
    table: Table, question: e.SlideByLighthouse, choice: c.Slide | c.Done
) -> None:
    """6.5, 7.3 A slide without a gear; the crest bonus follows if there was one (R11)."""
    seat, left = question.seat, question.left
    if isinstance(choice, c.Slide):
        table.record(f.TilesSlid(seat, choice.line, choice.number, choice.direction))
        left -= 1
        if left:
            table.then(replace(question, left=left))
            return
    if question.bonus and left < table.content.numbers.lighthouse_slides:
        table.then(e.GainCrest(seat, question.tile, question.bonus))
