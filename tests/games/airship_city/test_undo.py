"""What may be taken back: moves and actions may, a contract drawn or another's answer may not."""

from __future__ import annotations

import pytest

from shared.engine.acts import create, play, undo
from shared.engine.data import encode, replace
from shared.engine.errors import RuleViolation
from shared.engine.match import Match, Seat
from tests.games.airship_city.kit import GAME, Play, at, last_turn, table

SEATS = tuple(Seat(f"account-{n}", f"Player {n}") for n in range(3))


def match_at(game: Play) -> Match:
    """A match that stands at that position."""
    made = create(GAME, "undo", SEATS, {}, "", bytes(32), ("",) * 3, 0)
    return replace(made.match, state=game.state)


def played(match: Match, *moves: str) -> Match:
    for move in moves:
        seat = match.decisions()[0].seat
        match = play(match, seat, f"account-{seat}", move, 0).match
    return match


def stays(match: Match, seat: int, version: int) -> None:
    """That seat cannot take back what was done since."""
    with pytest.raises(RuleViolation) as refusal:
        undo(match, seat, f"account-{seat}", version, 1)
    assert refusal.value.code == "undo-barrier"


@pytest.mark.parametrize(
    "moves",
    (
        ("move harbor e",),
        ("move harbor e", "use"),
        ("move harbor e", "pass", "move harbor n", "use"),
        ("slide row 3 east",),
        ("complete contract-3",),
        ("slide column 1 north", "slide column 1 south", "move harbor e", "slide row 1 west"),
    ),
)
def test_moves_slides_actions_and_contracts_may_be_taken_back(moves: tuple[str, ...]) -> None:
    start = match_at(table(seat0=dict(goods="5 gear", contracts="contract-3")))
    match = played(start, *moves)
    assert match.undo_to(0) == start.version
    back = undo(match, 0, "account-0", start.version, 1).match
    assert encode(back.state) == encode(start.state)


def test_step_by_step() -> None:
    start = match_at(table(seat0=dict(goods="5 gear")))
    match = played(start, "move harbor e", "slide row 3 east", "use")
    middle = undo(match, 0, "account-0", start.version + 1, 1).match
    assert middle.state.players[0].goods == (0, 0, 0, 5)
    assert middle.state.players[0].ready == ("harbor", "mine-1")
    back = undo(middle, 0, "account-0", start.version, 1).match
    assert encode(back.state) == encode(start.state)


def test_donating_selling_and_developing_may_be_taken_back() -> None:
    game = at("shipyard-1", seat0=dict(goods="4 wood 2 gear"))
    for move in ("ship wooden-private donate", "ship wooden-private sell"):
        start = match_at(game)
        back = undo(played(start, move), 0, "account-0", start.version, 1).match
        assert encode(back.state) == encode(start.state)
    start = match_at(at("workshop", seat0=dict(goods="4 gold 4 gear")))
    match = played(start, "renovate wood", "develop valley-1")
    assert encode(undo(match, 0, "account-0", start.version, 1).match.state) == encode(start.state)


def test_a_contract_drawn_from_the_deck_is_a_barrier() -> None:
    start = match_at(at("market", offer="contract-1 contract-2"))
    match = played(start, "take contract-2")
    assert match.undo_to(0) is None
    stays(match, 0, start.version)


def test_nothing_drawn_no_barrier() -> None:
    start = match_at(at("market", offer="contract-1 contract-2", deck=""))
    match = played(start, "take contract-2")
    assert encode(undo(match, 0, "account-0", start.version, 1).match.state) == encode(start.state)


def test_what_came_before_a_barrier_stays() -> None:
    start = match_at(table(seat0=dict(crew="guild-hall harbor"), offer="contract-1 contract-2"))
    match = played(start, "move guild-hall s")
    assert match.undo_to(0) == start.version
    match = played(match, "take contract-1")
    stays(match, 0, start.version)


def test_anothers_answer_ends_what_may_be_taken_back() -> None:
    """Fox has chosen his piggybacking bonus: Tiffany's action stands."""
    game = at("valley-1", developed="valley-1", seat1=dict(crew="valley-1 harbor"))
    start = match_at(game)
    match = played(start, "use")
    assert match.undo_to(0) == start.version
    match = played(match, "take wood")
    stays(match, 0, start.version)


def test_another_seat_takes_nothing_back() -> None:
    start = match_at(table())
    stays(played(start, "move harbor e"), 1, start.version)


def test_upkeep_is_no_barrier_by_itself() -> None:
    """Its bonuses lie face up from the start: nothing is learnt."""
    start = match_at(last_turn(round=4, seat2=dict(crew="market harbor")))
    match = played(start, "move market n", "move harbor n", "pass")
    assert match.state.round == 5
    assert match.undo_to(2) == start.version
