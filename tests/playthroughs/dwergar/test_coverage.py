"""What the golden games of Dwergar show between them: every card of the game, at least once."""

from __future__ import annotations

import pytest

from tests.games.dwergar.kit import EVENTS, PROJECTS
from tests.playthroughs import coverage


def test_at_least_twelve_games() -> None:
    assert len(coverage.games("dwergar")) >= 12


def test_every_deck() -> None:
    decks = {deck for game in coverage.games("dwergar") for deck in game.match.state.decks}
    assert decks == {card["deck"] for card in PROJECTS.values()}


def test_every_project_is_completed_and_upgraded() -> None:
    upgraded = {
        p
        for game in coverage.games("dwergar")
        for clan in game.match.state.players
        for p in clan.upgraded
    }
    assert upgraded == set(PROJECTS)


def test_every_event_lies_in_some_round() -> None:
    seen = {match.state.event for game in coverage.games("dwergar") for match in game.matches}
    assert seen - {""} == set(EVENTS)


@pytest.mark.parametrize("bonus", ("BonusActionsAwarded", "FreeUpgradeAwarded"))
def test_both_bonuses_at_the_end(bonus: str) -> None:
    """Western actions and a Golden upgrade, each in several games."""
    assert sum(bool(counts[bonus]) for counts in coverage.fact_counts("dwergar")) >= 3
