"""Game preparation: decks, events, workers, starting goods."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from shared.engine.chance import Chance
from shared.engine.errors import BadOption
from shared.engine.table import set_up
from shared.games.dwergar.facts import (
    EventsShuffled,
    GoodsDealt,
    MatchSetUp,
    ProjectsRevealed,
    ProjectsShuffled,
    RoundBegan,
    TurnBegan,
    WorkersDrawn,
)
from shared.games.dwergar.pieces import LEVELS, WORKERS
from tests.games.dwergar.kit import EVENTS, GAME, PROJECTS, goods, in_words

DECK_LISTS = {
    2: ("western", "new-shaft"),
    3: ("western", "new-shaft", "golden"),
    4: ("western", "new-shaft", "golden", "old-shaft"),
}


def laid_out(players: int, seed: int = 1, **options: str) -> tuple[Any, list[Any]]:
    """A fresh match: its state and the opening facts."""
    full = {option.name: option.default for option in GAME.options} | options
    content = GAME.content(players, full, "")
    outcome = set_up(GAME, content, players, Chance(seed.to_bytes(32, "big"), 1))
    return outcome.state, list(outcome.facts)


def only(facts: list[Any], kind: type[Any]) -> Any:
    (found,) = [fact for fact in facts if type(fact) is kind]
    return found


@pytest.mark.parametrize("players", (2, 3, 4))
def test_decks_as_many_as_players(players: int) -> None:
    """The recommended decks, and all of their cards, are in play."""
    state, facts = laid_out(players)
    assert state.decks == DECK_LISTS[players]
    assert only(facts, MatchSetUp) == MatchSetUp(DECK_LISTS[players], 10)
    cards = [*state.display, *state.pile]
    assert sorted(cards) == sorted(n for n, c in PROJECTS.items() if c["deck"] in state.decks)
    assert len(cards) == 9 * players


def test_each_deck_has_four_basic_and_five_advanced_projects() -> None:
    for deck in ("western", "new-shaft", "golden", "old-shaft", "eastern"):
        cards = [card for card in PROJECTS.values() if card["deck"] == deck]
        assert len(cards) == 9
        assert [card.get("basic", False) for card in cards] == [True] * 4 + [False] * 5
        numbers = [card["number"] for card in cards]
        assert numbers == list(range(numbers[0], numbers[0] + 9))


@pytest.mark.parametrize("players", (2, 3, 4))
def test_basic_projects_lie_on_top_of_the_advanced(players: int) -> None:
    state, facts = laid_out(players)
    order = only(facts, ProjectsShuffled).pile
    basic = [PROJECTS[name].get("basic", False) for name in order]
    assert basic == [True] * 4 * players + [False] * 5 * players
    assert (*state.display, *state.pile) == order


def test_projects_of_all_decks_are_shuffled_together() -> None:
    """Both halves are mixed over the decks, differently in every game."""
    piles = [only(laid_out(4, seed)[1], ProjectsShuffled).pile for seed in range(5)]
    assert len(set(piles)) == 5
    for pile in piles:
        assert len({PROJECTS[name]["deck"] for name in pile[:16]}) == 4
        assert len({PROJECTS[name]["deck"] for name in pile[:8]}) > 1


def test_five_projects_are_dealt_onto_the_order_track() -> None:
    state, facts = laid_out(3)
    assert len(state.display) == 5
    assert [f for f in facts if type(f) is ProjectsRevealed] == [ProjectsRevealed(state.display)]


def test_any_set_of_decks_may_be_chosen() -> None:
    state, _ = laid_out(2, decks="golden+eastern")
    assert state.decks == ("golden", "eastern")
    with pytest.raises(BadOption):
        laid_out(2, decks="western+golden+eastern")
    with pytest.raises(BadOption):
        laid_out(3, decks="western+golden")


def test_random_decks_differ_from_game_to_game() -> None:
    sets = {laid_out(2, seed, decks="random")[0].decks for seed in range(12)}
    assert len(sets) > 1
    for decks in sets:
        assert len(set(decks)) == 2


def test_nine_events_are_dealt_and_six_stay_in_the_box() -> None:
    state, facts = laid_out(2)
    pile = only(facts, EventsShuffled).pile
    assert state.events == pile
    assert len(set(pile)) == 9 and set(pile) < set(EVENTS)
    assert (state.event, state.past_events) == ("", ())


def test_fifteen_events_are_in_the_box() -> None:
    assert len(EVENTS) == 15
    seen = set().union(*(laid_out(2, seed)[0].events for seed in range(12)))
    assert seen == set(EVENTS)


def test_shorter_game_with_seven_events() -> None:
    state, _ = laid_out(2, events="7")
    assert (len(state.events), state.rounds) == (7, 8)


@pytest.mark.parametrize(("players", "mines"), ((2, 4), (3, 3), (4, 2)))
def test_workers_are_spread(players: int, mines: int) -> None:
    """One for each player, one on each of the six places, and on the mine levels from the top."""
    state, facts = laid_out(players)
    for player in state.players:
        assert sum(player.pool[:3]) == 1 and player.pool[3] == 1
    taken = [token in WORKERS for token in state.board]
    assert taken == [True] * (6 + mines) + [False] * (4 - mines)
    drawn = only(facts, WorkersDrawn)
    assert (len(drawn.pools), drawn.board) == (players, state.board)
    workers = Counter([*drawn.pools, *(token for token in drawn.board if token)])
    assert workers.total() == 12 and max(workers.values()) <= 6


def test_the_workers_in_play_differ_from_game_to_game() -> None:
    """Six of eighteen go back to the box unseen: the specialties are not even."""
    spreads = set()
    for seed in range(8):
        drawn = only(laid_out(4, seed)[1], WorkersDrawn)
        count = Counter([*drawn.pools, *(token for token in drawn.board if token)])
        spreads.add(tuple(count[worker] for worker in WORKERS))
    assert len(spreads) > 2


STARTING_GOODS = (
    ("1 stone", "transit", "1 stone"),
    ("1 iron", "mine-1", "1 stone"),
    ("1 stone 1 iron", "mine-2", "1 iron"),
    ("2 iron", "mine-3", "1 iron"),
)


@pytest.mark.parametrize("players", (2, 3, 4))
def test_starting_goods(players: int) -> None:
    """On hand and in one cart, by the order of play; every other cart is empty."""
    state, facts = laid_out(players)
    assert [fact for fact in facts if type(fact) is GoodsDealt] == [
        GoodsDealt(seat, goods(hand), level, goods(load))
        for seat, (hand, level, load) in enumerate(STARTING_GOODS[:players])
    ]
    loads = {}
    for level, tile in zip(LEVELS, state.carts, strict=True):
        assert len(tile) == players
        for seat, load in enumerate(tile):
            if any(load):
                loads[seat] = (in_words(state.players[seat].goods), level, in_words(load))
    assert loads == dict(enumerate(STARTING_GOODS[:players]))


@pytest.mark.parametrize("players", (2, 3, 4))
def test_each_clan_starts_with_two_cool_furnaces_and_nothing_else(players: int) -> None:
    state, _ = laid_out(players)
    for player in state.players:
        assert (player.hot, player.cool, player.heat, player.total) == (0, 2, 0, 0)
        assert (player.projects, player.upgraded) == ((), ())
    assert state.furnaces == (-1,) * 10
    assert state.silverbeard == -1


def test_the_first_round_begins_with_the_starting_player() -> None:
    state, facts = laid_out(3)
    assert (state.round, state.turn, state.rounds) == (1, 0, 10)
    assert [f for f in facts if type(f) in (RoundBegan, TurnBegan)] == [RoundBegan(1), TurnBegan(0)]
