"""Chapter 7: developed tiles: crest bonuses and piggybacking."""

from __future__ import annotations

from typing import Any

from shared.engine.game import Option, Together
from shared.engine.table import Table
from shared.games.airship_city import choices as c
from shared.games.airship_city import effects as e
from shared.games.airship_city import facts as f
from shared.games.airship_city.content import Content
from shared.games.airship_city.pieces import READY, plus, times
from shared.games.airship_city.resources import gain, gain_one, room
from shared.games.airship_city.state import State, in_turn_order


def crest_resources(content: Content, state: State, seat: int, tile: str) -> tuple[str, ...]:
    """7.2 What the crest bonus of a tile may give the seat: the resources it has unlocked."""
    if tile not in state.developed:
        return ()
    renovated = state.players[seat].renovated
    return tuple(one for one in content.tiles[tile].bonus.of if one in renovated)


def gain_crest(table: Table, effect: e.GainCrest) -> None:
    """7.2 The bonus, in the seat's choice of what there is room for."""
    seat, tile = effect.seat, effect.tile
    player = table.state.players[seat]
    useful = tuple(one for one in effect.resources if room(table.content, player, one) > 0)
    if len(useful) > 1:
        table.then(e.ChooseCrest(seat, tile, useful))
    elif useful:
        count = table.content.tiles[tile].bonus.count
        take_crest(table, e.ChooseCrest(seat, tile, useful), c.Take(count, useful[0]))


def crest_options(content: Content, state: State, question: e.ChooseCrest) -> tuple[Option, ...]:
    """7.2 One of the unlocked resources."""
    count = content.tiles[question.tile].bonus.count
    return tuple(c.take(count, resource) for resource in question.resources)


def take_crest(table: Table, question: e.ChooseCrest, choice: c.Take) -> None:
    """7.2 The chosen resource."""
    gain_one(table, question.seat, choice.count, choice.resource, "crest")


# Piggybacking -------------------------------------------------------------------------------


def give_piggyback(table: Table, effect: e.GivePiggyback) -> None:
    """7.4-7.6 Everybody else with a crew on the tile; those with a choice are asked together."""
    content, tile = table.content, effect.tile
    if content.tiles[tile].piggyback is None:
        return
    if tile not in table.state.developed and content.rules.piggyback != "always":
        return
    asked = []
    for seat in in_turn_order(table.state, effect.seat)[1:]:
        if not table.state.players[seat].stands_on(tile):
            continue
        question = e.ChoosePiggyback(seat, tile)
        options = piggyback_options(content, table.state, question)
        if len(options) > 1:
            asked.append(question)
        elif options:
            take_piggyback(table, question, options[0].choice)
    if asked:
        table.then(Together(tuple(asked)))


def piggyback_options(
    content: Content, state: State, question: e.ChoosePiggyback
) -> tuple[Option, ...]:
    """7.4, 12.3 What there is room for, with and without Skilled Negotiator."""
    player = state.players[question.seat]
    bonus = content.tiles[question.tile].piggyback
    assert bonus is not None
    rooms = {one: room(content, player, one) for one in bonus.of}
    options = [c.take(bonus.count, one) for one in bonus.of if rooms[one] > 0]
    if player.negotiator == READY:
        for index, one in enumerate(bonus.of):
            for more in bonus.of[index:]:
                least = bonus.count + 1 if one == more else bonus.count
                if rooms[one] >= least and rooms[more] > 0:
                    options.append(c.negotiate(bonus.count, one, more))
    return tuple(options)


def take_piggyback(table: Table, question: e.ChoosePiggyback, choice: Any) -> None:
    """7.4, 12.3 The bonus, and 1 more with Skilled Negotiator."""
    seat = question.seat
    goods = times(choice.count, choice.resource)
    if isinstance(choice, c.Negotiate):
        table.record(f.BonusTileUsed(seat, "negotiator"))
        goods = plus(goods, times(1, choice.more))
    gain(table, seat, goods, "piggyback")
