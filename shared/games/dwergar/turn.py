"""Chapter 2: rounds and turns, and Silverbeard's favour at the start of a round."""

from __future__ import annotations

from shared.engine.game import Option, Together
from shared.engine.table import Table
from shared.games.dwergar import choices as c
from shared.games.dwergar import effects as e
from shared.games.dwergar import facts as f
from shared.games.dwergar.content import Content
from shared.games.dwergar.events import discard_event, draw_event
from shared.games.dwergar.furnaces import light, pipeline_options, use_pipeline
from shared.games.dwergar.modifiers import actions_of, leaders
from shared.games.dwergar.options import draws_event
from shared.games.dwergar.projects import turn_gifts
from shared.games.dwergar.state import State, completed


def begin_round(table: Table, effect: e.BeginRound) -> None:
    """2.2 Silverbeard first, then the turns from the starting player on."""
    table.record(f.RoundBegan(effect.round))
    if "old-shaft" in table.state.decks:
        settle_silverbeard(table)
    table.then(e.TakeTurn(0))


def settle_silverbeard(table: Table) -> None:
    """11.5 The one leader in the Old Shaft holds the token this round (R5)."""
    holder: int = table.state.silverbeard
    first = leaders(table.content, table.state, "old-shaft", 1)
    leader = first[0] if len(first) == 1 else -1
    if leader == holder or (leader < 0 and table.content.rules.silverbeard_tie == "kept"):
        return
    if holder >= 0:
        table.record(f.SilverbeardReturned(holder))
    if leader >= 0:
        table.record(f.SilverbeardTaken(leader))


def take_turn(table: Table, effect: e.TakeTurn) -> None:
    """2.3 Refill the order track, collect gifts, do the actions, end the turn."""
    seat = effect.seat
    table.record(f.TurnBegan(seat))
    refill(table)
    turn_gifts(table, seat)
    table.then(e.NextAction(seat, actions_of(table.content, table.state)), e.EndTurn(seat))


def refill(table: Table) -> None:
    """2.3 The order track is filled from the pile as far as it goes."""
    state = table.state
    reveal(table, table.content.numbers.display - len(state.display))


def reveal(table: Table, count: int) -> None:
    """2.3 The next projects of the pile come onto the order track."""
    projects = table.state.pile[: max(0, count)]
    if projects:
        table.record(f.ProjectsRevealed(projects))


def next_action(table: Table, effect: e.NextAction) -> None:
    """2.4, 12.43, 14.2 An extra action first, then the next of those left."""
    seat, left = effect.seat, effect.left
    if table.state.players[seat].extra:
        table.record(f.ExtraActionBegan(seat))
        table.then(e.ChooseAction(seat, left + 1, optional=True))
    elif left:
        bonus = table.state.turn != seat
        table.then(e.ChooseAction(seat, left, optional=bonus))


def end_turn(table: Table, effect: e.EndTurn) -> None:
    """2.5 Heat may still be turned into goods before it is lost."""
    table.then(e.OfferLastHeat(effect.seat), e.ResetHeat(effect.seat))


def reset_heat(table: Table, effect: e.ResetHeat) -> None:
    """2.5, 11.4 Unused heat is lost, but for what Eastern District projects keep."""
    seat = effect.seat
    kept = heat_kept(table.content, table.state, seat)
    table.record(f.TurnEnded(seat, kept))
    if table.content.rules.refill == "end-of-turn":
        refill(table)
    following = seat + 1
    table.then(e.TakeTurn(following) if following < len(table.state.players) else e.EndRound())


def heat_kept(content: Content, state: State, seat: int) -> int:
    """11.4 The heat level that survives the end of the turn."""
    player = state.players[seat]
    saved = content.numbers.heat_saved * completed(player, "eastern", content.deck_of)
    return min(player.heat, saved)


# Last heat ----------------------------------------------------------------------------------


def offer_last_heat(table: Table, effect: e.OfferLastHeat) -> None:
    """2.5 Ask only if heat can be turned into goods."""
    if pipeline_options(table.content, table.state.players[effect.seat]):
        table.then(e.SpendLastHeat(effect.seat))


def last_heat_options(
    content: Content, state: State, question: e.SpendLastHeat
) -> tuple[Option, ...]:
    """2.5, 12.37, 12.39 The pipelines, before the heat is lost."""
    return (*pipeline_options(content, state.players[question.seat]), c.DONE)


def spend_last_heat(
    table: Table, question: e.SpendLastHeat, choice: c.UsePipeline | c.Done
) -> None:
    """2.5 Turn heat into goods, as often as wanted."""
    if isinstance(choice, c.UsePipeline):
        use_pipeline(table, question.seat, choice, e.OfferLastHeat(question.seat))


# End of a round -----------------------------------------------------------------------------


def end_round(table: Table, effect: e.EndRound) -> None:
    """2.6-2.8 The old event goes, a new one comes, then furnaces may be lit, all at once."""
    discard_event(table)
    if draws_event(table.content.rules, table.state.round):
        draw_event(table)
    asked = tuple(
        e.LightAtRoundEnd(seat)
        for seat, player in enumerate(table.state.players)
        if player.hot and player.cool
    )
    table.then(Together(asked), e.FinishRound())


def light_options(
    content: Content, state: State, question: e.LightAtRoundEnd
) -> tuple[Option, ...]:
    """2.8 Light one, or not."""
    return (c.LIGHT, c.PASS)


def light_at_round_end(
    table: Table, question: e.LightAtRoundEnd, choice: c.LightOne | c.LightNone
) -> None:
    """2.8 A hot furnace lights a cool one."""
    if isinstance(choice, c.LightOne):
        light(table, question.seat, 1)


def finish_round(table: Table, effect: e.FinishRound) -> None:
    """2.9 The marker moves on, or the game ends."""
    state = table.state
    table.then(e.EndGame() if state.round == state.rounds else e.BeginRound(state.round + 1))
