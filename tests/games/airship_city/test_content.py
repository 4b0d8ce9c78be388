"""Corrected tables of a match: other contracts, prices, tiles; and proof of such a match."""

from __future__ import annotations

import pytest

from shared.engine.acts import close, create, play
from shared.engine.chance import Chance
from shared.engine.errors import BadOption
from shared.engine.match import Match, Seat
from shared.engine.record import Sealed, Secret
from shared.engine.table import set_up
from shared.engine.verify import export_lines, verify
from shared.games import GAMES
from shared.games.airship_city.facts import (
    ContractCompleted,
    ContractTaken,
    GoodsGained,
    Paid,
)
from tests.games.airship_city.box import CONTRACTS, UTILITIES
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


def test_other_tiles_stage_bonuses_and_utilities() -> None:
    """Entries may be added and removed, as long as the box makes a game."""
    override = """
[tiles]
lighthouse = false
[tiles.mine-3]
location = "mine"
crests = ["metal"]
bonus = { count = 2, of = ["metal"] }
[stages.early-gold]
part = "early"
goods = { gold = 3 }
[utilities]
park = false
[numbers]
hire = 3
"""
    options = {option.name: option.default for option in GAME.options}
    content = GAME.content(3, options, override)
    drawn = set()
    for seed in range(20):
        state = set_up(GAME, content, 3, Chance(bytes([seed]) * 32, 1)).state
        assert "mine-3" in state.grid and "lighthouse" not in state.grid
        assert len(state.utilities) == len(UTILITIES) - 1
        drawn |= set(state.stage_bonuses)
    assert "early-gold" in drawn


def test_a_changed_number() -> None:
    game = corrected(
        at("guild-hall", seat0=dict(goods="3 gold", ships="3 sightseeing")), "[numbers]\nhire = 3\n"
    )
    game.does("use")
    game.happened(Paid(0, goods("3 gold"), "guild-hall"))


WRONG = {
    "colour": "[contracts.contract-1]\ncolour = 'red'\n",
    "points": "[contracts.contract-1]\npoints = 'many'\n",
    "cost": "[contracts.contract-1]\ncost = { stone = 1 }\n",
    "new-one": "[contracts.new-one]\nterm = 2\n",
    "rowing-boat": "[ships.rowing-boat]\npoints = 1\n",
    "dragons": "[dragons]\nred = 1\n",
    "TOML": "contracts = [",
    "provenance": "[provenance]\nawards = 'hearsay'\n",
    "16": "[tiles]\nmarket = false\n",
    "harbor": "[tiles.market]\nlocation = 'harbor'\n",
    "crests": "[tiles.market]\nbonus = { count = 1, of = ['wood'] }\n",
    "piggyback": "[tiles.market]\npiggyback = { count = 1, of = ['wood'] }\n",
    "count must be 1": "[tiles.valley-1]\npiggyback = { count = 2, of = ['wood', 'metal'] }\n",
    "early": "[stages]\nearly-wood = false\nearly-metal = false\n",
    "crews_at_start": "[numbers]\ncrews = 1\n",
    "renovated_capacity": "[numbers]\nrenovated_capacity = 5\n",
    "start": "[start]\ngears = [3, 4, 5, 11]\n",
    "start: a depot": "[start]\ngoods = { gear = 6 }\n",
    "locations.market.gains": "[locations.market]\ngains = { gold = 1 }\n",
    "an airship has that id": "[utilities.passenger]\nname = 'Ferry'\ncost = {}\npoints = 1\n",
    "awards.trade": "[awards]\ntrade = [1, 2]\n",
    "sightseeing": "[ships.sightseeing]\nprices = [5, 4, 3]\n",
    "wooden-private": "[ships.wooden-private]\nprices = [5]\n",
    "family and level": "[ships.passenger]\nlevel = 1\n",
    "utilities": "[utilities]\n" + "".join(f"{name} = false\n" for name in UTILITIES),
}


@pytest.mark.parametrize("named", WRONG)
def test_a_wrong_correction_is_refused_by_name(named: str) -> None:
    with pytest.raises(BadOption, match=named):
        corrected(table(), WRONG[named])


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(BadOption, match="weather"):
        GAME.content(3, {"weather": "fine"}, "")
