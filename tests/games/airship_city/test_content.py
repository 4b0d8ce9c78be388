"""Corrected tables of a match: other contracts, prices, tiles; and proof of such a match."""

from __future__ import annotations

import pytest

from shared.engine.chance import Chance
from shared.engine.errors import BadOption
from shared.engine.match import Match, Seat, close, create, play
from shared.engine.record import Sealed, Secret
from shared.engine.verify import export_lines, verify
from shared.games import GAMES
from shared.games.airship_city.facts import (
    ContractCompleted,
    ContractTaken,
    GoodsGained,
    Paid,
)
from tests.games.airship_city.box import CONTRACTS
from tests.games.airship_city.kit import GAME, Play, at, goods, table

CHANGED = """
[contracts]
contract-18 = false
contract-19 = false
contract-20 = false

[contracts.contract-1]
cost = { wood = 1, gear = 1 }
points = 2
gold = 5

[contracts.mayors-yacht]
term = 2
cost = { wood = 6, metal = 3 }
points = 4
gold = 3
"""


def corrected(game: Play, override: str) -> Play:
    """The same position with corrected tables in force."""
    options = {option.name: option.default for option in GAME.options}
    return Play(GAME.content(len(game.state.players), options, override), game.state)


def play_out(match: Match, chance: Chance) -> tuple[Match, list[Sealed]]:
    """Any offered move, to the end of the match, closed."""
    records: list[Sealed] = []
    while not match.ended:
        decision = chance.pick(match.decisions())
        move = wanted(chance, [option.notation for option in decision.options])
        made = play(match, decision.seat, f"account-{decision.seat}", move, match.version)
        match = made.match
        records.append(made.record)
    return match, records


def wanted(chance: Chance, moves: list[str]) -> str:
    """Contracts whenever there are any, slides seldom."""
    first = [move for move in moves if move.startswith(("complete", "take contract"))]
    rest = [move for move in moves if not move.startswith("slide")]
    return chance.pick(first or rest or moves)


@pytest.mark.parametrize("players", (3, 4))
def test_a_match_with_other_contracts_is_played_and_proved(players: int) -> None:
    """Three contracts gone, one new, one changed; the export verifies and shows them."""
    seats = [Seat(f"account-{n}", f"Player {n}") for n in range(players)]
    made = create(GAME, "changed", seats, {}, CHANGED, bytes(32), [""] * players, 1)
    dealt = sorted((*made.match.state.offer, *made.match.state.deck))
    assert "mayors-yacht" in dealt and len(dealt) == len(CONTRACTS) - 3 + 1
    assert not {"contract-18", "contract-19", "contract-20"} & set(dealt)
    match, records = play_out(made.match, Chance(bytes(32), 1))
    records = [made.record, *records]
    secrets: dict[int, tuple[Secret, ...]] = {r.version: r.secrets for r in records if r.secrets}
    closed = close(match, secrets, match.version)
    records.append(closed.record)
    lines = export_lines("match-changed", [(record.body, record.hash) for record in records])
    proof = verify(lines, GAMES)
    assert (proof.records, proof.game, proof.open) == (len(records), "airship-city", ())
    assert proof.standings == closed.match.standings()
    log = b"\n".join(lines)
    assert b"mayors-yacht" in log and b'"contract-20"' not in log


def test_an_export_under_other_tables_is_another_match() -> None:
    """The digest of the tables is in the first record."""
    seats = [Seat(f"account-{n}", f"Player {n}") for n in range(3)]
    digests = {
        create(GAME, "m", seats, {}, override, bytes(32), [""] * 3, 1).match.created.digest
        for override in ("", CHANGED, "[contracts.contract-1]\ngold = 4\n")
    }
    assert len(digests) == 3


def test_a_changed_contract_asks_and_gives_what_it_now_says() -> None:
    game = corrected(table(seat0=dict(goods="1 wood 1 gear", contracts="contract-1")), CHANGED)
    game.does("complete contract-1")
    game.happened(
        Paid(0, goods("1 wood 1 gear"), "contract-1"),
        ContractCompleted(0, "contract-1", 2),
        GoodsGained(0, goods("5 gold"), goods(""), "contract-1"),
    )


def test_a_contract_may_ask_for_gold() -> None:
    override = "[contracts.contract-1]\ncost = { gold = 2, metal = 1 }\n"
    game = corrected(table(seat0=dict(goods="2 gold 1 metal", contracts="contract-1")), override)
    game.does("complete contract-1")
    game.happened(Paid(0, goods("2 gold 1 metal"), "contract-1"))


def test_a_changed_term() -> None:
    override = "[contracts.contract-1]\nterm = 3\n"
    game = corrected(at("market", offer="contract-1"), override)
    game.does("take contract-1")
    game.happened(ContractTaken(0, "contract-1", 3))


def test_changed_prices() -> None:
    override = "[ships.wooden-private]\nprices = [7, 3, 2, 1, 1]\n"
    game = corrected(at("shipyard-1", seat0=dict(goods="4 wood 2 gear")), override)
    game.does("ship wooden-private sell")
    assert game.goods(0) == "3 gold"


@pytest.mark.parametrize(
    "override",
    (
        "[contracts.contract-1]\ncolour = 'red'\n",
        "[contracts.contract-1]\npoints = 'many'\n",
        "[contracts.contract-1]\ncost = { stone = 1 }\n",
        "[contracts.new-one]\nterm = 2\n",
        "[ships.rowing-boat]\npoints = 1\n",
        "[dragons]\nred = 1\n",
        "contracts = [",
    ),
)
def test_a_wrong_correction_is_refused(override: str) -> None:
    with pytest.raises(BadOption):
        corrected(table(), override)
