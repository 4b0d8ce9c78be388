"""Setting up the city and the depots, for three and for four players."""

from __future__ import annotations

from typing import Any

import pytest

from shared.engine.acts import create
from shared.engine.chance import Chance
from shared.engine.errors import BadOption
from shared.engine.match import Seat
from shared.engine.table import decisions, set_up
from shared.games.airship_city.facts import (
    ContractsRevealed,
    ContractsShuffled,
    DepotPrepared,
    FirstPlayerChosen,
    PricesSet,
    RoundBegan,
    StageBonusesDrawn,
    TilesLaid,
    TurnBegan,
)
from tests.games.airship_city.box import CONTRACTS, EARLY, LATE, SHIPS, TILES, UTILITIES
from tests.games.airship_city.kit import ACTIVATE, GAME, goods, in_words


def laid_out(players: int, seed: int = 1, **options: str) -> tuple[Any, list[Any]]:
    """A fresh match: its state and the opening facts."""
    full = {option.name: option.default for option in GAME.options} | options
    content = GAME.content(players, full, "")
    outcome = set_up(GAME, content, players, Chance(seed.to_bytes(32, "big"), 1))
    return outcome.state, list(outcome.facts)


def only(facts: list[Any], kind: type[Any]) -> Any:
    (found,) = [fact for fact in facts if type(fact) is kind]
    return found


def test_three_or_four_players() -> None:
    assert GAME.players == (3, 4)
    for players in (2, 5):
        seats = [Seat(f"account-{n}", f"Player {n}") for n in range(players)]
        with pytest.raises(BadOption):
            create(GAME, "m", seats, {}, "", bytes(32), [""] * players, 1)


@pytest.mark.parametrize("players", (3, 4))
def test_sixteen_tiles_basic_side_up_in_random_places(players: int) -> None:
    state, facts = laid_out(players)
    assert sorted(state.grid) == sorted(TILES)
    assert only(facts, TilesLaid) == TilesLaid(state.grid)
    assert state.developed == ()
    grids = {laid_out(players, seed)[0].grid for seed in range(6)}
    assert len(grids) == 6


@pytest.mark.parametrize(("players", "step"), ((3, 1), (4, 0)))
def test_price_markers_by_number_of_players(players: int, step: int) -> None:
    """On the highest tier with four players, one lower with three; tourist ships have none."""
    state, facts = laid_out(players)
    assert state.steps == tuple(step if ship.prices else 0 for ship in SHIPS.values())
    assert only(facts, PricesSet) == PricesSet(state.steps)


@pytest.mark.parametrize("players", (3, 4))
def test_two_early_and_two_late_stage_bonuses(players: int) -> None:
    state, facts = laid_out(players)
    assert only(facts, StageBonusesDrawn) == StageBonusesDrawn(state.stage_bonuses)
    assert len(state.stage_bonuses) == 4 and len(set(state.stage_bonuses)) == 4
    assert set(state.stage_bonuses[:2]) < set(EARLY)
    assert set(state.stage_bonuses[2:]) < set(LATE)


def test_every_stage_bonus_may_come_in_either_of_its_stages() -> None:
    drawn = [laid_out(3, seed)[0].stage_bonuses for seed in range(40)]
    for place in (0, 1):
        assert {tiles[place] for tiles in drawn} == set(EARLY)
    for place in (2, 3):
        assert {tiles[place] for tiles in drawn} == set(LATE)


@pytest.mark.parametrize("players", (3, 4))
def test_twenty_contracts_five_of_them_on_offer(players: int) -> None:
    state, facts = laid_out(players)
    assert len(state.offer) == 5
    assert sorted((*state.offer, *state.deck)) == sorted(CONTRACTS)
    assert (*state.offer, *state.deck) == only(facts, ContractsShuffled).deck
    assert only(facts, ContractsRevealed) == ContractsRevealed(state.offer)
    assert len({laid_out(players, seed)[0].offer for seed in range(6)}) == 6


@pytest.mark.parametrize("players", (3, 4))
def test_a_random_first_player_for_the_whole_game(players: int) -> None:
    seen = set()
    for seed in range(30):
        state, facts = laid_out(players, seed)
        seen.add(state.first)
        assert only(facts, FirstPlayerChosen) == FirstPlayerChosen(state.first)
        assert state.turn == state.first
    assert seen == set(range(players))


@pytest.mark.parametrize("players", (3, 4))
@pytest.mark.parametrize("seed", range(4))
def test_depots(players: int, seed: int) -> None:
    """Two crews on the Harbor, 2 wood, 2 metal, 2 gold, and gears by the order of turns."""
    state, facts = laid_out(players, seed)
    prepared = {fact.seat: fact for fact in facts if type(fact) is DepotPrepared}
    assert sorted(prepared) == list(range(players))
    for seat, player in enumerate(state.players):
        gears = (3, 4, 5, 5)[(seat - state.first) % players]
        assert in_words(player.goods) == f"2 wood 2 metal 2 gold {gears} gear"
        assert prepared[seat] == DepotPrepared(seat, player.goods, 2, "harbor")
        assert (player.ready, player.used) == (("harbor", "harbor"), ())
        assert player.markers == 20
        assert (player.renovated, player.contracts) == ((), ())
        assert (player.completed, player.failed) == ((), ())
        assert (player.flight, player.negotiator, player.barter) == ("reserve",) * 3
        assert sum(player.points) == 0


@pytest.mark.parametrize("players", (3, 4))
def test_empty_donation_board(players: int) -> None:
    state, _ = laid_out(players)
    assert state.ships == ((0,) * players,) * len(SHIPS)
    assert state.utilities == ((0,) * players,) * len(UTILITIES)
    assert state.shipbuilding == (-1,) * len(SHIPS)
    assert state.construction == (-1,) * len(UTILITIES)


def test_the_first_round_begins_without_upkeep() -> None:
    state, facts = laid_out(3)
    begun = [fact for fact in facts if type(fact) in (RoundBegan, TurnBegan)]
    assert begun == [RoundBegan(1), TurnBegan(state.first)]
    assert state.round == 1
    content = GAME.content(3, {option.name: option.default for option in GAME.options}, "")
    (decision,) = decisions(GAME, content, state)
    assert (decision.seat, decision.title) == (state.first, ACTIVATE)


def test_goods_are_written_in_the_order_of_the_depot() -> None:
    assert goods("1 wood 2 metal 3 gold 4 gear") == (1, 2, 3, 4)
