"""Numbers that cards, events and furnaces change: asked whenever needed, never stored."""

from __future__ import annotations

from typing import Any

from shared.games.dwergar import powers as p
from shared.games.dwergar.content import Content, Price
from shared.games.dwergar.effects import UseSpace
from shared.games.dwergar.pieces import (
    FOREMAN,
    LOCATION_INDEX,
    OUTSIDE,
    RESOURCE_INDEX,
    WORKERS,
    Goods,
    covers,
    plus,
)
from shared.games.dwergar.state import Player, State, completed


def owned(content: Content, player: Player, kind: type[p.Power]) -> list[Any]:
    """The powers of a kind that the player's upgraded projects give, in order of upgrading."""
    holders = content.powers[kind]
    return [holders[project] for project in player.upgraded if project in holders]


def lying(content: Content, state: State, kind: type[p.Power]) -> Any:
    """The power of a kind that the lying event has, or None (13)."""
    return content.powers[kind].get(state.event)


def can_pay(player: Player, price: Price) -> bool:
    """Whether heat level, hot furnaces and goods suffice (6.4)."""
    return price[0] <= player.heat + player.hot and covers(player.goods, price[1])


def skills_of(content: Content, player: Player, dwarf: str) -> tuple[str, ...]:
    """The specialties of a dwarf: a worker's own, a foreman's by cards 2-4 (12.2)."""
    if dwarf != FOREMAN:
        return (dwarf,)
    given = {power.worker for power in owned(content, player, p.Skilled)}
    return tuple(worker for worker in WORKERS if worker in given)


def bonuses_of(content: Content, state: State, space: UseSpace) -> tuple[str, ...]:
    """The specialist bonuses that this dwarf may use at its space (3.4, 11.5, 13.12)."""
    if bonuses_off(content, state, space.location):
        return ()
    return tuple(
        worker
        for worker in content.bonuses[space.location]
        if worker in space.skills or worker == space.beard
    )


def specialty_settled(space: UseSpace) -> bool:
    """Whether the dwarf's specialty was changed, or gave a bonus, in this action (R34)."""
    own = set(space.used) - {space.beard}
    return "as" in own or not own.isdisjoint(WORKERS)


def bonuses_off(content: Content, state: State, location: str) -> bool:
    """Whether the lying event suspends the specialists of a place (13.12)."""
    off = lying(content, state, p.NoBonuses) if state.event else None
    return off is not None and off.location == location


def load_of(content: Content, state: State, space: UseSpace) -> Goods:
    """What mining this level puts into the seat's empty cart (4.2, 10.6, 12.2, 13.13)."""
    level = content.locations[space.location]
    goods = level.goods.goods()
    owner = state.furnaces[LOCATION_INDEX[space.location]]
    if owner == space.seat and "install" not in space.used:
        goods = plus(goods, level.furnace.goods())
    for power in owned(content, state.players[space.seat], p.Skilled):
        if power.worker in space.skills:
            goods = plus(goods, level.extra.goods())
    if space.dwarf == FOREMAN and state.event and lying(content, state, p.ForemanMines):
        goods = plus(goods, level.extra.goods())
    return goods


def install_points(content: Content, state: State, location: str) -> int:
    """Points for installing a furnace (10.5, 13.4)."""
    points = content.numbers.install_points
    more = lying(content, state, p.InstallPoints)
    if more is not None and LOCATION_INDEX[location] < OUTSIDE:
        points += more.points
    return points


def actions_of(content: Content, state: State) -> int:
    """How many actions a turn has (2.4, 13.6)."""
    fewer = lying(content, state, p.Actions)
    number: int = fewer.number if fewer is not None else content.numbers.actions
    return number


def lift_heat(content: Content, state: State) -> int:
    """What each level of the lift costs under the lying event, or 0 (5.3, 13.3)."""
    power = lying(content, state, p.LiftCostsHeat)
    heat: int = power.heat if power is not None else 0
    return heat


def completion_prices(
    content: Content, player: Player, project: str
) -> list[tuple[tuple[str, ...], Price]]:
    """What completing may cost the player: each (resources saved, price) (9.2, 12.1)."""
    heat, goods = content.completion[project]
    found: list[tuple[tuple[str, ...], Price]] = [((), Price(heat, goods))]
    if not player.upgraded:
        return found
    for power in owned(content, player, p.PayLess):
        less: list[tuple[tuple[str, ...], Price]] = []
        for saved, price in found:
            savings = [one for one in power.of if price.goods[RESOURCE_INDEX[one]]]
            less += [((*saved, one), _one_less(price, one)) for one in savings]
            if not savings:
                less.append((saved, price))
        found = less
    return found


def _one_less(price: Price, resource: str) -> Price:
    goods = list(price.goods)
    goods[RESOURCE_INDEX[resource]] -= 1
    return Price(price.heat, (goods[0], goods[1], goods[2], goods[3]))


def upgrade_price(content: Content, player: Player, project: str, more: int) -> Price:
    """What upgrading costs the player, with the space's surcharge or saving (8.4, 9.6, 12.34)."""
    price = content.upgrade[project]
    card = content.projects[project]
    heat = price.heat
    if card.upgrade_per_other:
        others = completed(player, card.deck, content.deck_of) - 1
        heat = max(0, heat + card.upgrade_per_other * others)
    return Price(max(0, heat + more), price.goods)


def furnace_heat(content: Content, state: State, location: str) -> int:
    """Heat for the owner of a location's furnace when an opponent places there (10.6, 12.40)."""
    owner = state.players[state.furnaces[LOCATION_INDEX[location]]]
    heat = 1 if LOCATION_INDEX[location] < OUTSIDE else 0
    for power in owned(content, owner, p.FurnaceHeat):
        heat += power.heat
    return heat


def leaders(content: Content, state: State, deck: str, least: int) -> tuple[int, ...]:
    """The seats with the most completed projects of a deck, if that is `least` or more (11)."""
    counts = [completed(player, deck, content.deck_of) for player in state.players]
    most = max(counts)
    if most < least:
        return ()
    return tuple(seat for seat, count in enumerate(counts) if count == most)
