"""Contracts: completing them at any time in the turn, and failing them at upkeep."""

from __future__ import annotations

import pytest

from shared.games.airship_city.facts import (
    ContractCompleted,
    ContractFailed,
    ContractsMovedOn,
    ContractTaken,
    GoodsGained,
    Paid,
    TurnBegan,
)
from tests.games.airship_city.box import CONTRACTS
from tests.games.airship_city.kit import (
    ACTIVATE,
    FINISH,
    LEAP,
    NOTHING,
    USE,
    at,
    counted,
    goods,
    last_turn,
    less,
    table,
)

ALL = "wood metal gold gear"


def gold(amount: int) -> tuple[int, int, int, int]:
    return (0, 0, amount, 0)


# Completing -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CONTRACTS)
def test_complete(name: str) -> None:
    """Its goods are spent; its points and gold are gained at once."""
    contract = CONTRACTS[name]
    game = table(seat0=dict(goods=contract.cost, contracts=name))
    game.does(f"complete {name}")
    game.happened(
        Paid(0, goods(contract.cost), name),
        ContractCompleted(0, name, contract.points),
        GoodsGained(0, gold(contract.gold), NOTHING, name),
    )
    assert game.goods(0) == f"{contract.gold} gold"
    assert game.points(0) == game.points(0, "contracts") == contract.points
    player = game.player(0)
    assert (player.contracts, player.completed, player.failed) == ((), (name,), ())
    game.waits(0, ACTIVATE)


@pytest.mark.parametrize("name", CONTRACTS)
def test_all_its_goods_are_needed(name: str) -> None:
    for resource in counted(CONTRACTS[name].cost):
        have = less(CONTRACTS[name].cost, f"1 {resource}")
        game = table(seat0=dict(goods=have, contracts=name))
        game.lacks(f"complete {name}")
        game.refuses(f"complete {name}", "cannot-afford")


def test_no_contract_needs_more_than_a_plain_depot_holds() -> None:
    assert max(max(goods(contract.cost)) for contract in CONTRACTS.values()) == 10


def test_only_own_contracts() -> None:
    rich = dict(goods="10 wood 10 metal 10 gear")
    game = table(
        seat0=rich | dict(completed="contract-3", failed="contract-4"),
        seat1=dict(contracts="contract-1"),
        offer="contract-2",
    )
    for name in ("contract-1", "contract-2", "contract-3", "contract-4"):
        game.refuses(f"complete {name}", "not-your-contract")


def test_several_in_one_turn() -> None:
    game = table(seat0=dict(goods="5 wood 3 metal 3 gear", contracts="contract-1 contract-2"))
    game.does("complete contract-2", "complete contract-1")
    assert game.player(0).completed == ("contract-2", "contract-1")
    assert game.goods(0) == "6 gold 3 gear"
    assert game.points(0) == 2


def test_gold_without_room_is_lost() -> None:
    game = table(seat0=dict(goods="8 gold 3 metal", contracts="contract-2"))
    game.does("complete contract-2")
    game.happened(GoodsGained(0, gold(2), gold(1), "contract-2"))
    assert game.goods(0) == "10 gold"


def test_no_discount_applies_to_contracts() -> None:
    ships = "2 wooden-private 2 metal-private"
    game = table(seat0=dict(goods="4 wood 2 metal", contracts="contract-1", ships=ships))
    game.refuses("complete contract-1", "cannot-afford")


# When -----------------------------------------------------------------------------------------


def test_before_the_first_activation_and_between_two() -> None:
    game = table(
        seat0=dict(crew="harbor mine-1", goods="5 wood 3 metal", contracts="contract-1 contract-2")
    )
    game.does("complete contract-1", "move harbor n", "pass", "complete contract-2")
    game.waits(0, ACTIVATE)
    assert game.points(0) == 2


def test_between_arriving_and_acting_to_make_room() -> None:
    game = at("forest-1", seat0=dict(goods="10 wood", contracts="contract-7"))
    game.waits(0, USE)
    game.does("complete contract-7", "use")
    assert game.goods(0) == "5 wood 4 gold"


def test_gold_of_a_contract_hires_a_crew_at_once() -> None:
    game = at("guild-hall", seat0=dict(goods="6 gold 3 wood 2 metal", contracts="contract-4"))
    game.waits(0, USE)
    game.lacks("use")
    game.does("complete contract-4", "use")
    assert len(game.player(0).ready + game.player(0).used) == 3


def test_between_two_steps_of_a_leap() -> None:
    game = table(seat0=dict(crew="valley-2 forest-2", goods="3 gear", contracts="contract-3"))
    game.does("move valley-2 e", "complete contract-3")
    game.waits(0, LEAP)


def test_after_the_last_crew_has_acted() -> None:
    """The third gear comes from the last action; the turn waits."""
    game = at("factory-1", last=True, seat0=dict(goods="1 gear", contracts="contract-3"))
    game.does("use")
    game.waits(0, FINISH)
    game.does("complete contract-3")
    game.happened(ContractCompleted(0, "contract-3", 1), TurnBegan(1))
    game.waits(1, ACTIVATE)


def test_taken_and_completed_in_one_turn() -> None:
    game = at("market", offer="contract-8", seat0=dict(goods="5 metal"))
    game.does("take contract-8", "complete contract-8")
    game.happened(ContractTaken(0, "contract-8", 2), ContractCompleted(0, "contract-8", 2))


# Failing --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CONTRACTS)
def test_every_contract_fails_at_the_end_of_its_term(name: str) -> None:
    """It survives all upkeeps of its term but the last, and costs the points it shows."""
    contract = CONTRACTS[name]
    game = last_turn(round=4, seat0=dict(contracts=name, points=9))
    for upkeep in range(1, contract.term + 1):
        game.rests()
        if upkeep < contract.term:
            assert game.player(0).contracts == ((name, contract.term - upkeep),)
            game.never(ContractFailed)
        else:
            game.happened(ContractFailed(0, name, contract.points))
            break
        for _ in range(3):
            game.ends_the_round()
        game.facts = []
        while game.state.turn != 2:
            game.rests()
    assert game.player(0).failed == (name,)
    assert game.points(0) == 9 - contract.points
    assert game.points(0, "failed") == -contract.points


def test_points_do_not_fall_below_nothing() -> None:
    game = last_turn(round=8, seat0=dict(contracts="contract-20:1", points=3))
    game.rests()
    game.happened(ContractFailed(0, "contract-20", 3))
    assert game.points(0) == 0


def test_several_fail_at_once() -> None:
    game = last_turn(
        round=8, seat0=dict(contracts="contract-2:1 contract-14:1 contract-20:2", points=9)
    )
    game.rests()
    assert {fact.contract for fact in game.all_of(ContractFailed)} == {"contract-2", "contract-14"}
    assert game.points(0) == 9 - 1 - 3
    assert game.player(0).contracts == (("contract-20", 1),)


def test_all_players_contracts_move_on() -> None:
    game = last_turn(
        round=12,
        seat0=dict(contracts="contract-7"),
        seat1=dict(contracts="contract-15"),
        seat2=dict(contracts="contract-1", points=1),
    )
    game.rests()
    game.happened(ContractsMovedOn(0), ContractsMovedOn(1), ContractsMovedOn(2))
    game.happened(ContractFailed(2, "contract-1", 1))
    assert game.player(1).contracts == (("contract-15", 2),)


@pytest.mark.parametrize("round", (1, 2, 3, 5, 6, 7, 9, 17))
def test_terms_do_not_move_within_a_stage(round: int) -> None:
    game = last_turn(round=round, seat0=dict(contracts="contract-1"))
    game.rests()
    game.never(ContractsMovedOn, ContractFailed)
    assert game.player(0).contracts == (("contract-1", 1),)
