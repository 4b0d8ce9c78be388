"""Chapters 2 and 13: rounds, turns, the free actions within a turn, and upkeep."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shared.engine.game import Option
from shared.engine.table import Table
from shared.games.airship_city import choices as c
from shared.games.airship_city import effects as e
from shared.games.airship_city import facts as f
from shared.games.airship_city.bonuses import barter, barter_options, refresh
from shared.games.airship_city.content import Content
from shared.games.airship_city.ending import end_game, end_reason
from shared.games.airship_city.market import completable, complete, move_on
from shared.games.airship_city.pieces import GEAR, ONE_GEAR, READY
from shared.games.airship_city.resources import gain, pay
from shared.games.airship_city.state import Player, State, in_turn_order

# Rounds -------------------------------------------------------------------------------------


def begin_round(table: Table, effect: e.BeginRound) -> None:
    """2.1, 2.2 Upkeep if a stage begins, then the turns from the first player on."""
    before = effect.round - 1
    if before and before % table.content.numbers.rounds_a_stage == 0:
        upkeep(table, before // table.content.numbers.rounds_a_stage + 1)
    table.record(f.RoundBegan(effect.round))
    table.then(e.TakeTurn(table.state.first))


def upkeep(table: Table, stage: int) -> None:
    """13.1 Stage bonus, bonus effect tiles, contracts; players in turn order."""
    tile = table.state.stage_bonuses[stage - 2]
    table.record(f.StageBegan(stage, tile))
    order = in_turn_order(table.state, table.state.first)
    for seat in order:
        gain(table, seat, table.content.stages[tile].goods.goods(), tile)
        refresh(table, seat)
    for seat in order:
        move_on(table, seat)


def end_round(table: Table, effect: e.EndRound) -> None:
    """2.6, 14.1 Crews are turned up; in the last stage the game may end."""
    table.record(f.CrewsReadied())
    reason = end_reason(table.content, table.state)
    if reason:
        end_game(table, reason)
    else:
        table.then(e.BeginRound(table.state.round + 1))


# Turns --------------------------------------------------------------------------------------


def take_turn(table: Table, effect: e.TakeTurn) -> None:
    """2.3 A turn: all face-up crews, one after the other."""
    table.record(f.TurnBegan(effect.seat))
    table.then(e.NextCrew(effect.seat))


def next_crew(table: Table, effect: e.NextCrew) -> None:
    """2.3, 2.5 The next crew; without any the turn ends, unless something could still be done."""
    seat = effect.seat
    player = table.state.players[seat]
    if player.ready:
        table.then(e.Activate(seat))
    elif player.goods[GEAR] or free_deals(table.content, player):
        table.then(e.FinishTurn(seat))
    else:
        end_turn(table, seat)


def end_turn(table: Table, seat: int) -> None:
    """2.2 The next seat's turn, or the end of the round."""
    table.record(f.TurnEnded(seat))
    following = (seat + 1) % len(table.state.players)
    table.then(e.EndRound() if following == table.state.first else e.TakeTurn(following))


def finish_options(content: Content, state: State, question: e.FinishTurn) -> tuple[Option, ...]:
    """2.5 The free actions, or the end of the turn."""
    return (*free_options(content, state.players[question.seat]), c.END_TURN)


def finish_turn(table: Table, question: e.FinishTurn, choice: Any) -> None:
    """2.5 One more free action, or the end of the turn."""
    if isinstance(choice, c.EndTurn):
        end_turn(table, question.seat)
    else:
        table.then(e.NextCrew(question.seat))
        act_freely(table, question.seat, choice)


# Free actions -------------------------------------------------------------------------------


def free_deals(content: Content, player: Player) -> list[Option]:
    """2.4 The free actions that change goods: contracts and barter."""
    deals = completable(content, player)
    if player.barter == READY:
        deals += barter_options(content, player)
    return deals


def free_options(content: Content, player: Player) -> tuple[Option, ...]:
    """2.4 All free actions of the own turn."""
    deals = free_deals(content, player)
    return (*c.PAID_SLIDES, *deals) if player.goods[GEAR] else tuple(deals)


def slide_for_gear(table: Table, seat: int, choice: c.Slide) -> None:
    """4.1 Pay 1 gear, slide a row or column."""
    pay(table, seat, ONE_GEAR, "slide")
    table.record(f.TilesSlid(seat, choice.line, choice.number, choice.direction))


FREE: dict[type[Any], Callable[[Table, int, Any], None]] = {
    c.Slide: slide_for_gear,
    c.Complete: complete,
    c.Exchange: barter,
}


def act_freely(table: Table, seat: int, choice: Any) -> None:
    """2.4 Carry out a free action."""
    FREE[type(choice)](table, seat, choice)
