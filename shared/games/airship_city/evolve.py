"""What each fact changes. No rules here: a fact is applied as it is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shared.engine.data import replace
from shared.games.airship_city import facts as f
from shared.games.airship_city.pieces import (
    BONUSES,
    GOLD,
    LINE_INDEX,
    READY,
    RESOURCE_INDEX,
    SHIP_INDEX,
    SLIDES,
    USED,
    minus,
    plus,
    times,
)
from shared.games.airship_city.state import Player, Rows, State, with_player


def _put(row: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    changed = list(row)
    changed[index] = value
    return tuple(changed)


def _more(counts: tuple[int, ...], index: int, more: int) -> tuple[Any, ...]:
    changed = list(counts)
    changed[index] += more
    return tuple(changed)


def _without(items: tuple[str, ...], item: str) -> list[str]:
    rest = list(items)
    rest.remove(item)
    return rest


def _with(items: tuple[str, ...], item: str) -> tuple[str, ...]:
    return tuple(sorted((*items, item)))


def _score(player: Player, line: str, points: int) -> tuple[int, ...]:
    return _more(player.points, LINE_INDEX[line], points)


def _marked(rows: Rows, row: int, seat: int) -> Rows:
    return _put(rows, row, _more(rows[row], seat, 1))


# Setup --------------------------------------------------------------------------------------


def _tiles_laid(state: State, fact: f.TilesLaid) -> State:
    return replace(state, grid=fact.grid)


def _prices_set(state: State, fact: f.PricesSet) -> State:
    return replace(state, steps=fact.steps)


def _stage_bonuses_drawn(state: State, fact: f.StageBonusesDrawn) -> State:
    return replace(state, stage_bonuses=fact.tiles)


def _contracts_shuffled(state: State, fact: f.ContractsShuffled) -> State:
    return replace(state, deck=fact.deck)


def _contracts_revealed(state: State, fact: f.ContractsRevealed) -> State:
    return replace(
        state,
        deck=state.deck[len(fact.contracts) :],
        offer=(*state.offer, *fact.contracts),
    )


def _first_player_chosen(state: State, fact: f.FirstPlayerChosen) -> State:
    return replace(state, first=fact.seat)


def _depot_prepared(state: State, fact: f.DepotPrepared) -> State:
    return with_player(state, fact.seat, goods=fact.goods, ready=(fact.tile,) * fact.crews)


# Rounds and turns ---------------------------------------------------------------------------


def _nothing_changes(state: State, fact: Any) -> State:
    return state


def _round_began(state: State, fact: f.RoundBegan) -> State:
    return replace(state, round=fact.round)


def _turn_began(state: State, fact: f.TurnBegan) -> State:
    return replace(state, turn=fact.seat)


def _turn_ended(state: State, fact: f.TurnEnded) -> State:
    return replace(state, turn=-1)


def _crews_readied(state: State, fact: f.CrewsReadied) -> State:
    players = tuple(
        replace(player, ready=tuple(sorted(player.ready + player.used)), used=())
        for player in state.players
    )
    return replace(state, players=players)


# Crews and tiles ----------------------------------------------------------------------------


def _crew_moved(state: State, fact: f.CrewMoved) -> State:
    rest = _without(state.players[fact.seat].ready, fact.origin)
    return with_player(state, fact.seat, ready=tuple(sorted((*rest, fact.tile))))


def _crew_used(state: State, fact: f.CrewUsed) -> State:
    player = state.players[fact.seat]
    ready = tuple(_without(player.ready, fact.tile))
    return with_player(state, fact.seat, ready=ready, used=_with(player.used, fact.tile))


def _crew_hired(state: State, fact: f.CrewHired) -> State:
    used = _with(state.players[fact.seat].used, fact.tile)
    return with_player(state, fact.seat, used=used)


def _crews_recalled(state: State, fact: f.CrewsRecalled) -> State:
    player = state.players[fact.seat]
    return with_player(
        state,
        fact.seat,
        ready=(fact.tile,) * len(player.ready),
        used=(fact.tile,) * len(player.used),
    )


def _tiles_slid(state: State, fact: f.TilesSlid) -> State:
    return replace(state, grid=SLIDES[fact.line, fact.number, fact.direction](state.grid))


def _tile_developed(state: State, fact: f.TileDeveloped) -> State:
    return replace(state, developed=(*state.developed, fact.tile))


# Resources ----------------------------------------------------------------------------------


def _paid(state: State, fact: f.Paid) -> State:
    return with_player(state, fact.seat, goods=minus(state.players[fact.seat].goods, fact.goods))


def _goods_gained(state: State, fact: f.GoodsGained) -> State:
    return with_player(state, fact.seat, goods=plus(state.players[fact.seat].goods, fact.goods))


def _goods_bartered(state: State, fact: f.GoodsBartered) -> State:
    goods = minus(state.players[fact.seat].goods, times(1, fact.gave))
    return with_player(state, fact.seat, goods=_more(goods, RESOURCE_INDEX[fact.got], 1))


# Building -----------------------------------------------------------------------------------


def _airship_donated(state: State, fact: f.AirshipDonated) -> State:
    player = state.players[fact.seat]
    return with_player(
        replace(state, ships=_marked(state.ships, SHIP_INDEX[fact.ship], fact.seat)),
        fact.seat,
        markers=player.markers - 1,
        points=_score(player, "airships", fact.points),
    )


def _airship_sold(state: State, fact: f.AirshipSold) -> State:
    goods = _more(state.players[fact.seat].goods, GOLD, fact.gold)
    steps = _put(state.steps, SHIP_INDEX[fact.ship], fact.step)
    return with_player(replace(state, steps=steps), fact.seat, goods=goods)


def _utility_built(state: State, fact: f.UtilityBuilt) -> State:
    player = state.players[fact.seat]
    row = state.utility_ids.index(fact.utility)
    return with_player(
        replace(state, utilities=_marked(state.utilities, row, fact.seat)),
        fact.seat,
        markers=player.markers - 1,
        points=_score(player, "utilities", fact.points),
    )


def _hold(state: State, row: str, holder: int) -> State:
    if row in SHIP_INDEX:
        return replace(state, shipbuilding=_put(state.shipbuilding, SHIP_INDEX[row], holder))
    index = state.utility_ids.index(row)
    return replace(state, construction=_put(state.construction, index, holder))


def _majority_taken(state: State, fact: f.MajorityTaken) -> State:
    markers = state.players[fact.seat].markers
    return with_player(_hold(state, fact.row, fact.seat), fact.seat, markers=markers - 1)


def _majority_lost(state: State, fact: f.MajorityLost) -> State:
    markers = state.players[fact.seat].markers
    return with_player(_hold(state, fact.row, -1), fact.seat, markers=markers + 1)


def _renovation_unlocked(state: State, fact: f.RenovationUnlocked) -> State:
    player = state.players[fact.seat]
    return with_player(
        state,
        fact.seat,
        renovated=(*player.renovated, fact.resource),
        points=_score(player, "renovations", fact.points),
    )


# Contracts ----------------------------------------------------------------------------------


def _contract_taken(state: State, fact: f.ContractTaken) -> State:
    offer = tuple(_without(state.offer, fact.contract))
    contracts = (*state.players[fact.seat].contracts, (fact.contract, fact.term))
    return with_player(replace(state, offer=offer), fact.seat, contracts=contracts)


def _off_the_track(player: Player, contract: str) -> tuple[tuple[str, int], ...]:
    return tuple(pair for pair in player.contracts if pair[0] != contract)


def _contract_completed(state: State, fact: f.ContractCompleted) -> State:
    player = state.players[fact.seat]
    return with_player(
        state,
        fact.seat,
        contracts=_off_the_track(player, fact.contract),
        completed=(*player.completed, fact.contract),
        points=_score(player, "contracts", fact.points),
    )


def _contracts_moved_on(state: State, fact: f.ContractsMovedOn) -> State:
    contracts = state.players[fact.seat].contracts
    moved = tuple((contract, terms - 1) for contract, terms in contracts)
    return with_player(state, fact.seat, contracts=moved)


def _contract_failed(state: State, fact: f.ContractFailed) -> State:
    player = state.players[fact.seat]
    return with_player(
        state,
        fact.seat,
        contracts=_off_the_track(player, fact.contract),
        failed=(*player.failed, fact.contract),
        points=_score(player, "failed", -fact.points),
    )


# Bonus effect tiles and end -----------------------------------------------------------------


def _bonus_tile_earned(state: State, fact: f.BonusTileEarned) -> State:
    return with_player(state, fact.seat, **{fact.bonus: READY})


def _bonus_tile_used(state: State, fact: f.BonusTileUsed) -> State:
    return with_player(state, fact.seat, **{fact.bonus: USED})


def _bonus_tiles_refreshed(state: State, fact: f.BonusTilesRefreshed) -> State:
    player = state.players[fact.seat]
    changes = {bonus: READY for bonus in BONUSES if getattr(player, bonus) == USED}
    return with_player(state, fact.seat, **changes)


def _game_end_reached(state: State, fact: f.GameEndReached) -> State:
    return replace(state, ended_by=fact.reason)


def _award_gained(state: State, fact: f.AwardGained) -> State:
    points = _score(state.players[fact.seat], fact.award, fact.points)
    return with_player(state, fact.seat, points=points)


def _game_ended(state: State, fact: f.GameEnded) -> State:
    return replace(state, over=True)


EVOLVERS: dict[type[Any], Callable[[Any, Any], Any]] = {
    f.TilesLaid: _tiles_laid,
    f.PricesSet: _prices_set,
    f.StageBonusesDrawn: _stage_bonuses_drawn,
    f.ContractsShuffled: _contracts_shuffled,
    f.ContractsRevealed: _contracts_revealed,
    f.FirstPlayerChosen: _first_player_chosen,
    f.DepotPrepared: _depot_prepared,
    f.StageBegan: _nothing_changes,
    f.RoundBegan: _round_began,
    f.TurnBegan: _turn_began,
    f.TurnEnded: _turn_ended,
    f.CrewsReadied: _crews_readied,
    f.CrewMoved: _crew_moved,
    f.CrewUsed: _crew_used,
    f.CrewHired: _crew_hired,
    f.CrewsRecalled: _crews_recalled,
    f.TilesSlid: _tiles_slid,
    f.TileDeveloped: _tile_developed,
    f.Paid: _paid,
    f.GoodsGained: _goods_gained,
    f.GoodsBartered: _goods_bartered,
    f.AirshipDonated: _airship_donated,
    f.AirshipSold: _airship_sold,
    f.UtilityBuilt: _utility_built,
    f.MajorityTaken: _majority_taken,
    f.MajorityLost: _majority_lost,
    f.RenovationUnlocked: _renovation_unlocked,
    f.ContractTaken: _contract_taken,
    f.ContractCompleted: _contract_completed,
    f.ContractsMovedOn: _contracts_moved_on,
    f.ContractFailed: _contract_failed,
    f.BonusTileEarned: _bonus_tile_earned,
    f.BonusTileUsed: _bonus_tile_used,
    f.BonusTilesRefreshed: _bonus_tiles_refreshed,
    f.GameEndReached: _game_end_reached,
    f.AwardGained: _award_gained,
    f.GameEnded: _game_ended,
}
