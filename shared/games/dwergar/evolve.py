"""What each fact changes. No rules here: a fact is applied as it is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shared.engine.data import replace
from shared.games.dwergar import facts as f
from shared.games.dwergar.pieces import (
    DWARF_INDEX,
    EMPTY_CART,
    FOREMAN,
    FOREMEN,
    LEVEL_INDEX,
    LINE_INDEX,
    LOCATION_INDEX,
    ONE,
    Cart,
    Goods,
    minus,
    plus,
    times,
)
from shared.games.dwergar.state import Player, State, with_player


def _put(row: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    changed = list(row)
    changed[index] = value
    return tuple(changed)


def _more(counts: tuple[int, ...], index: int, more: int) -> tuple[Any, ...]:
    changed = list(counts)
    changed[index] += more
    return tuple(changed)


def _load(cart: Cart, goods: Goods) -> Cart:
    stone, iron, gold, crystal, foreman = cart
    return (stone + goods[0], iron + goods[1], gold + goods[2], crystal + goods[3], foreman)


def _match_set_up(state: State, fact: f.MatchSetUp) -> State:
    return replace(state, decks=fact.decks, rounds=fact.rounds)


def _projects_shuffled(state: State, fact: f.ProjectsShuffled) -> State:
    return replace(state, pile=fact.pile)


def _events_shuffled(state: State, fact: f.EventsShuffled) -> State:
    return replace(state, events=fact.pile)


def _workers_drawn(state: State, fact: f.WorkersDrawn) -> State:
    players = tuple(
        replace(player, pool=_more(player.pool, DWARF_INDEX[worker], 1))
        for player, worker in zip(state.players, fact.pools, strict=True)
    )
    return replace(state, players=players, board=fact.board)


def _goods_dealt(state: State, fact: f.GoodsDealt) -> State:
    seat, level = fact.seat, LEVEL_INDEX[fact.level]
    tile = state.carts[level]
    loaded = _put(tile, seat, _load(tile[seat], fact.cart))
    state = replace(state, carts=_put(state.carts, level, loaded))
    return with_player(state, seat, goods=plus(state.players[seat].goods, fact.goods))


def _round_began(state: State, fact: f.RoundBegan) -> State:
    return replace(state, round=fact.round)


def _turn_began(state: State, fact: f.TurnBegan) -> State:
    return replace(state, turn=fact.seat)


def _turn_ended(state: State, fact: f.TurnEnded) -> State:
    return replace(with_player(state, fact.seat, heat=fact.heat), turn=-1)


def _projects_revealed(state: State, fact: f.ProjectsRevealed) -> State:
    return replace(
        state,
        pile=state.pile[len(fact.projects) :],
        display=(*state.display, *fact.projects),
    )


def _projects_discarded(state: State, fact: f.ProjectsDiscarded) -> State:
    display = tuple(project for project in state.display if project not in fact.projects)
    return replace(state, display=display, discarded=(*state.discarded, *fact.projects))


def _event_revealed(state: State, fact: f.EventRevealed) -> State:
    return replace(state, events=state.events[1:], event=fact.event)


def _event_discarded(state: State, fact: f.EventDiscarded) -> State:
    return replace(state, event="", past_events=(*state.past_events, fact.event))


def _silverbeard_taken(state: State, fact: f.SilverbeardTaken) -> State:
    return replace(state, silverbeard=fact.seat)


def _silverbeard_gone(state: State, fact: Any) -> State:
    return replace(state, silverbeard=-1)


def _extra_action_earned(state: State, fact: f.ExtraActionEarned) -> State:
    return with_player(state, fact.seat, extra=state.players[fact.seat].extra + 1)


def _extra_action_began(state: State, fact: f.ExtraActionBegan) -> State:
    return with_player(state, fact.seat, extra=state.players[fact.seat].extra - 1)


def _foreman_returned(state: State, fact: f.ForemanReturned) -> State:
    board = _put(state.board, LOCATION_INDEX[fact.location], "")
    pool = _more(state.players[fact.seat].pool, DWARF_INDEX[FOREMAN], 1)
    return with_player(replace(state, board=board), fact.seat, pool=pool)


def _foreman_boarded(state: State, fact: f.ForemanBoarded) -> State:
    seat, level = fact.seat, LEVEL_INDEX[fact.level]
    tile = state.carts[level]
    return replace(
        state,
        board=_put(state.board, LOCATION_INDEX[fact.level], ""),
        carts=_put(state.carts, level, _put(tile, seat, (*tile[seat][:4], 1))),
    )


def _dwarf_placed(state: State, fact: f.DwarfPlaced) -> State:
    seat, dwarf, took = fact.seat, fact.dwarf, fact.took
    players, board = list(state.players), list(state.board)
    board[LOCATION_INDEX[fact.location]] = FOREMEN[seat] if dwarf == FOREMAN else dwarf
    if took != dwarf:
        pool = list(players[seat].pool)
        pool[DWARF_INDEX[dwarf]] -= 1
        if took:
            pool[DWARF_INDEX[took]] += 1
        players[seat] = replace(players[seat], pool=tuple(pool))
    return replace(state, board=tuple(board), players=tuple(players))


def _break_taken(state: State, fact: f.BreakTaken) -> State:
    seat, token = fact.seat, FOREMEN[fact.seat]
    board = tuple("" if who == token else who for who in state.board)
    pool = _more(state.players[seat].pool, DWARF_INDEX[FOREMAN], 1)
    if fact.worker:
        board = _put(board, LOCATION_INDEX[fact.location], "")
        pool = _more(pool, DWARF_INDEX[fact.worker], 1)
    carts = tuple(
        _put(tile, seat, (*tile[seat][:4], 0)) if tile[seat][4] else tile for tile in state.carts
    )
    return with_player(replace(state, board=board, carts=carts), seat, pool=pool)


def _nothing_changes(state: State, fact: Any) -> State:
    return state


def _cart_loaded(state: State, fact: f.CartLoaded) -> State:
    level = LEVEL_INDEX[fact.level]
    tile = state.carts[level]
    loaded = _put(tile, fact.seat, _load(tile[fact.seat], fact.goods))
    return replace(state, carts=_put(state.carts, level, loaded))


def _stone_put_in_carts(state: State, fact: f.StonePutInCarts) -> State:
    carts = state.carts
    for level in fact.levels:
        index = LEVEL_INDEX[level]
        tile = tuple(_load(cart, ONE["stone"]) for cart in carts[index])
        carts = _put(carts, index, tile)
    return replace(state, carts=carts)


def _lift_moved(state: State, fact: f.LiftMoved) -> State:
    empty = (EMPTY_CART,) * len(state.players)
    return replace(state, carts=(*state.carts[1:], empty))


def _cart_unloaded(state: State, fact: f.CartUnloaded) -> State:
    player = state.players[fact.seat]
    goods = plus(player.goods, fact.goods)
    if not fact.foreman:
        return with_player(state, fact.seat, goods=goods)
    pool = _more(player.pool, DWARF_INDEX[FOREMAN], 1)
    return with_player(state, fact.seat, goods=goods, pool=pool)


def _paid(state: State, fact: f.Paid) -> State:
    player = state.players[fact.seat]
    return with_player(
        state,
        fact.seat,
        heat=player.heat - fact.heat,
        hot=player.hot - fact.furnaces,
        cool=player.cool + fact.furnaces,
        goods=minus(player.goods, fact.goods),
    )


def _goods_gained(state: State, fact: f.GoodsGained) -> State:
    return with_player(state, fact.seat, goods=plus(state.players[fact.seat].goods, fact.goods))


def _goods_exchanged(state: State, fact: f.GoodsExchanged) -> State:
    goods = plus(state.players[fact.seat].goods, times(fact.count, fact.got))
    return with_player(state, fact.seat, goods=minus(goods, ONE[fact.gave]))


def _heat_gained(state: State, fact: f.HeatGained) -> State:
    return with_player(state, fact.seat, heat=state.players[fact.seat].heat + fact.heat)


def _furnace_built(state: State, fact: f.FurnaceBuilt) -> State:
    player = state.players[fact.seat]
    if fact.side == "hot":
        return with_player(state, fact.seat, hot=player.hot + 1)
    return with_player(state, fact.seat, cool=player.cool + 1)


def _furnaces_lit(state: State, fact: f.FurnacesLit) -> State:
    player = state.players[fact.seat]
    return with_player(state, fact.seat, hot=player.hot + fact.count, cool=player.cool - fact.count)


def _score(player: Player, line: str, points: int) -> Any:
    return _more(player.points, LINE_INDEX[line], points)


def _furnace_installed(state: State, fact: f.FurnaceInstalled) -> State:
    seat, player = fact.seat, state.players[fact.seat]
    state = replace(state, furnaces=_put(state.furnaces, LOCATION_INDEX[fact.location], seat))
    points = _score(player, "furnaces", fact.points)
    if fact.side == "hot":
        return with_player(state, seat, hot=player.hot - 1, points=points)
    return with_player(state, seat, cool=player.cool - 1, points=points)


def _project_completed(state: State, fact: f.ProjectCompleted) -> State:
    player = state.players[fact.seat]
    display = tuple(project for project in state.display if project != fact.project)
    return with_player(
        replace(state, display=display),
        fact.seat,
        projects=(*player.projects, fact.project),
        points=_score(player, "completing", fact.points),
    )


def _project_upgraded(state: State, fact: f.ProjectUpgraded) -> State:
    player = state.players[fact.seat]
    return with_player(
        state,
        fact.seat,
        projects=tuple(project for project in player.projects if project != fact.project),
        upgraded=(*player.upgraded, fact.project),
        points=_score(player, "upgrading", fact.points),
    )


def _points_gained(state: State, fact: f.PointsGained) -> State:
    points = _score(state.players[fact.seat], fact.line, fact.points)
    return with_player(state, fact.seat, points=points)


def _game_ended(state: State, fact: f.GameEnded) -> State:
    return replace(state, over=True)


EVOLVERS: dict[type[Any], Callable[[Any, Any], Any]] = {
    f.MatchSetUp: _match_set_up,
    f.ProjectsShuffled: _projects_shuffled,
    f.EventsShuffled: _events_shuffled,
    f.WorkersDrawn: _workers_drawn,
    f.GoodsDealt: _goods_dealt,
    f.RoundBegan: _round_began,
    f.TurnBegan: _turn_began,
    f.TurnEnded: _turn_ended,
    f.ProjectsRevealed: _projects_revealed,
    f.ProjectsDiscarded: _projects_discarded,
    f.EventRevealed: _event_revealed,
    f.EventDiscarded: _event_discarded,
    f.SilverbeardTaken: _silverbeard_taken,
    f.SilverbeardReturned: _silverbeard_gone,
    f.SilverbeardSpent: _silverbeard_gone,
    f.ExtraActionEarned: _extra_action_earned,
    f.ExtraActionBegan: _extra_action_began,
    f.ForemanReturned: _foreman_returned,
    f.ForemanBoarded: _foreman_boarded,
    f.DwarfPlaced: _dwarf_placed,
    f.BreakTaken: _break_taken,
    f.SpecialtyChanged: _nothing_changes,
    f.CartLoaded: _cart_loaded,
    f.StonePutInCarts: _stone_put_in_carts,
    f.LiftMoved: _lift_moved,
    f.CartUnloaded: _cart_unloaded,
    f.Paid: _paid,
    f.GoodsGained: _goods_gained,
    f.GoodsExchanged: _goods_exchanged,
    f.HeatGained: _heat_gained,
    f.FurnaceBuilt: _furnace_built,
    f.FurnacesLit: _furnaces_lit,
    f.FurnaceInstalled: _furnace_installed,
    f.ProjectCompleted: _project_completed,
    f.ProjectUpgraded: _project_upgraded,
    f.PointsGained: _points_gained,
    f.BonusActionsAwarded: _nothing_changes,
    f.FreeUpgradeAwarded: _nothing_changes,
    f.GameEnded: _game_ended,
}
