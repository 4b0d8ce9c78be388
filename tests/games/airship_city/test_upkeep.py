"""Upkeep: stage bonuses, refreshed tiles and contract terms at the beginning of a stage."""

from __future__ import annotations

import pytest

from shared.games.airship_city.facts import (
    BonusTilesRefreshed,
    ContractCompleted,
    ContractFailed,
    ContractsMovedOn,
    CrewsReadied,
    GoodsGained,
    RoundBegan,
    StageBegan,
    TurnBegan,
)
from tests.games.airship_city.box import EARLY, LATE, STAGE_BONUSES
from tests.games.airship_city.kit import ACTIVATE, NOTHING, goods, last_turn

STAGES = "early-gear early-wood late-gold late-metal"


def stages_with(tile: str, stage: int) -> str:
    """The four stage bonuses, that one in its stage."""
    order = [t for t in EARLY if t != tile][:2] + [t for t in LATE if t != tile][:2]
    order[stage - 2] = tile
    return " ".join(order)


CASES = [(tile, stage) for tile in EARLY for stage in (2, 3)] + [
    (tile, stage) for tile in LATE for stage in (4, 5)
]


@pytest.mark.parametrize("players", (3, 4))
@pytest.mark.parametrize(("tile", "stage"), CASES)
def test_stage_bonus(tile: str, stage: int, players: int) -> None:
    """Every player receives it when its stage begins."""
    game = last_turn(players, round=4 * (stage - 1), stages=stages_with(tile, stage))
    game.rests()
    game.happened(
        CrewsReadied(),
        StageBegan(stage, tile),
        GoodsGained(0, goods(STAGE_BONUSES[tile]), NOTHING, tile),
        RoundBegan(4 * (stage - 1) + 1),
        TurnBegan(0),
    )
    for seat in range(players):
        assert game.goods(seat) == STAGE_BONUSES[tile]
    game.waits(0, ACTIVATE)


@pytest.mark.parametrize("round", [n for n in range(1, 20) if n not in (4, 8, 12, 16)])
def test_no_upkeep_within_a_stage(round: int) -> None:
    game = last_turn(round=round, stages=STAGES)
    game.rests()
    game.never(StageBegan, GoodsGained, BonusTilesRefreshed, ContractsMovedOn)
    assert game.state.round == round + 1


@pytest.mark.parametrize(("first", "order"), ((0, [0, 1, 2, 3]), (2, [2, 3, 0, 1])))
def test_in_turn_order_from_the_first_player(first: int, order: list[int]) -> None:
    seat = dict(contracts="contract-7")
    game = last_turn(
        4, first=first, round=4, stages=STAGES, seat0=seat, seat2=dict(contracts="contract-8")
    )
    game.rests()
    assert [fact.seat for fact in game.all_of(GoodsGained)] == order
    moved = [fact.seat for fact in game.all_of(ContractsMovedOn)]
    assert moved == [number for number in order if number in (0, 2)]


def test_what_there_is_no_room_for_is_lost() -> None:
    game = last_turn(round=8, stages=STAGES, seat1=dict(goods="9 wood"))
    game.rests()
    game.happened(GoodsGained(1, goods("1 wood"), goods("2 wood"), "early-wood"))
    assert game.goods(1) == "10 wood"


def test_bonus_first_then_tiles_then_contracts() -> None:
    """There is no turn in between: a stage bonus rescues no contract."""
    game = last_turn(
        round=4,
        stages=STAGES,
        seat0=dict(
            contracts="contract-3", goods="1 gear", points=4, ships="3 sightseeing", flight="used"
        ),
    )
    game.rests()
    game.happened(
        StageBegan(2, "early-gear"),
        GoodsGained(0, goods("2 gear"), NOTHING, "early-gear"),
        BonusTilesRefreshed(0),
        ContractsMovedOn(0),
        ContractFailed(0, "contract-3", 1),
    )
    game.never(ContractCompleted)
    assert game.goods(0) == "3 gear" and game.points(0) == 3


def test_no_crest_and_no_piggybacking_in_upkeep() -> None:
    game = last_turn(
        round=8,
        stages=STAGES,
        developed="forest-1",
        seat0=dict(renovated="wood", crew="forest-1 harbor"),
        seat1=dict(crew="forest-1 harbor"),
    )
    game.rests()
    assert (game.goods(0), game.goods(1)) == ("3 wood", "3 wood")


def test_five_stages_of_four_rounds() -> None:
    game = last_turn(round=1, stages=STAGES)
    begun = []
    while not game.over():
        game.rests()
        begun += [(fact.stage, game.state.round) for fact in game.all_of(StageBegan)]
        game.facts = []
    assert begun == [(2, 5), (3, 9), (4, 13), (5, 17)]
    assert game.state.round == 20
