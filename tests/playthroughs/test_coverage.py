"""What the golden games of every game show: each decision, choice, fact and option of it."""

from __future__ import annotations

from collections import Counter
from importlib import import_module

import pytest

from shared.games import GAMES
from tests.playthroughs import coverage


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_at_least_eight_games_of_every_number_of_players(game: str) -> None:
    headers = coverage.headers(game)
    assert len(headers) >= 8
    players = Counter(header.players for header in headers)
    assert min(players[n] for n in GAMES[game].players) >= 3


def test_every_decision_is_asked(game: str) -> None:
    asked = {type(one.question) for played in coverage.games(game) for one in played.decisions}
    assert asked == set(GAMES[game].questions)


def test_every_kind_of_choice_is_made(game: str) -> None:
    module = import_module(f"shared.games.{coverage.folder_of(game)}.choices")
    kinds = {
        name
        for name, kind in vars(module).items()
        if isinstance(kind, type) and kind.__module__ == module.__name__
    }
    assert kinds - coverage.kinds_of_choices_made(game) == set()


def test_every_kind_of_fact_comes_about(game: str) -> None:
    came = {name for counts in coverage.fact_counts(game) for name in counts}
    assert {kind.__name__ for kind in GAMES[game].evolvers} - came == set()


def test_every_option_is_set_otherwise_somewhere(game: str) -> None:
    chosen = {name for header in coverage.headers(game) for name in header.options}
    assert chosen == {option.name for option in GAMES[game].options}


def test_every_game_is_played_to_its_end(game: str) -> None:
    for played in coverage.games(game):
        assert played.match.state.over and played.match.closed
        assert played.match.closed.reason == "played"
