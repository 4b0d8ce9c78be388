"""What the golden games of Dwergar show between them: every piece of the game, at least once."""

from __future__ import annotations

from collections import Counter
from functools import cache

import msgspec
import pytest

from shared.engine.record import open_record
from shared.games.dwergar import GAME
from shared.games.dwergar import choices as choices_module
from tests.games.dwergar.kit import EVENTS, PROJECTS
from tests.playthroughs.playthrough import FOLDER, Played, read, replayed

FILES = sorted((FOLDER / "dwergar").glob("*.play"))


def games() -> list[Played]:
    return [replayed(path) for path in FILES]


@cache
def fact_counts() -> list[Counter[str]]:
    """How often each kind of fact came about, game by game."""
    return [
        Counter(
            fact["type"]
            for record in game.records
            for fact in msgspec.json.decode(open_record(record.body).facts)
        )
        for game in games()
    ]


def test_at_least_twelve_games_of_every_number_of_players() -> None:
    assert len(FILES) >= 12
    players = Counter(read(path).header.players for path in FILES)
    assert min(players[n] for n in GAME.players) >= 3


def test_every_deck() -> None:
    decks = {deck for game in games() for deck in game.match.state.decks}
    assert decks == {card["deck"] for card in PROJECTS.values()}


def test_every_project_is_completed_and_upgraded() -> None:
    upgraded = {p for game in games() for clan in game.match.state.players for p in clan.upgraded}
    assert upgraded == set(PROJECTS)


def test_every_event_lies_in_some_round() -> None:
    seen = {match.state.event for game in games() for match in game.matches}
    assert seen - {""} == set(EVENTS)


def test_every_decision_is_asked() -> None:
    asked = {type(one.question) for game in games() for one in game.decisions}
    assert asked == set(GAME.questions)


def test_every_kind_of_choice_is_made() -> None:
    made = {
        type(option.choice).__name__
        for game in games()
        for decision, (_, move) in zip(game.decisions, game.moves, strict=True)
        for option in decision.options
        if option.notation == move
    }
    kinds = {
        name
        for name, kind in vars(choices_module).items()
        if isinstance(kind, type) and kind.__module__ == choices_module.__name__
    }
    assert kinds - made == set()


def test_every_kind_of_fact_comes_about() -> None:
    seen = {name for counts in fact_counts() for name in counts}
    assert {kind.__name__ for kind in GAME.evolvers} - seen == set()


@pytest.mark.parametrize("bonus", ("BonusActionsAwarded", "FreeUpgradeAwarded"))
def test_both_bonuses_at_the_end(bonus: str) -> None:
    """Western actions and a Golden upgrade, each in several games."""
    assert sum(bool(counts[bonus]) for counts in fact_counts()) >= 3


def test_every_option_is_set_otherwise_somewhere() -> None:
    chosen = {name for path in FILES for name in read(path).header.options}
    assert chosen == {option.name for option in GAME.options}


def test_every_game_is_played_to_its_end() -> None:
    for game in games():
        assert game.match.state.over and game.match.closed
        assert game.match.closed.reason == "played"
