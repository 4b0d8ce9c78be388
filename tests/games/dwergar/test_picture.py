"""The table as text, and options as sentences: all that a player needs to decide is there."""

from __future__ import annotations

from typing import Any

import pytest

from shared.engine.sentences import sentence
from tests.games.dwergar.kit import EVENTS, GAME, PROJECTS, Play, last_action, table

NAMES = ("Fjalar", "Christopher the Long-Named", "Ai", "Thorin Oakenshield")
EASTERN = [name for name, card in PROJECTS.items() if card["deck"] == "eastern"]


def drawn(game: Play) -> list[str]:
    return GAME.picture(game.content, game.state, NAMES[: len(game.state.players)]).splitlines()


def line(game: Play, begin: str) -> str:
    """The first line that begins so."""
    return next(one for one in drawn(game) if one.strip().startswith(begin))


def label(game: Play, notation: str) -> str:
    """How an open option reads."""
    options = {one.notation: one.choice for one in game.decision().options}
    return sentence(GAME, options[notation], NAMES)


def everything(players: int) -> Play:
    """Each seat with many cards, full carts and all its goods."""
    deck_of = {name: card["deck"] for name, card in PROJECTS.items()}
    decks = ("western", "golden", "old-shaft", "eastern")[:players]
    seats: dict[str, Any] = {}
    for seat, deck in enumerate(decks):
        names = [name for name in PROJECTS if deck_of[name] == deck]
        seats[f"seat{seat}"] = dict(
            projects=" ".join(names[:3]),
            upgraded=" ".join(names[3:8]),
            goods="20 stone 20 iron 20 gold 20 crystal",
            heat=10,
            points=120,
        )
    shown = [name for name in PROJECTS if deck_of[name] == decks[-1]][8:]
    load = "5 stone 2 iron 2 gold 2 crystal"
    return table(
        players,
        decks="+".join(decks),
        display=" ".join(shown),
        carts={level: {n: load for n in range(players)} for level in ("transit", "mine-3")},
        furnaces={"mine-3": 0, "lift": 1},
        **seats,
    )


@pytest.mark.parametrize("players", (2, 3, 4))
def test_a_full_table_fits_and_nothing_is_cut_off(players: int) -> None:
    game = everything(players)
    lines = drawn(game)
    assert max(map(len, lines)) <= 100
    text = "\n".join(lines)
    for card in ("north-wall", "entry-to-the-treasury", "mill-chimney")[: players - 1]:
        assert card in text
    for half in ("1 VP a level; engineer 1s to carts", "2 exchanges more", "take 1 back"):
        assert half in text


@pytest.mark.parametrize("event", EVENTS)
def test_the_lying_event_is_told_in_full(event: str) -> None:
    game = table(event=event, left=2, decks="new-shaft+eastern")
    text = "\n".join(drawn(game))
    assert game.content.events[event].name in text
    assert f"  {game.content.events[event].text}\n" in text


@pytest.mark.parametrize("project", PROJECTS)
def test_a_project_on_offer_is_told_in_full(project: str) -> None:
    game = table(display=project)
    card = game.content.projects[project]
    shown = line(game, f"{project} ")
    assert f": {card.points} VP " in shown and " upgrade " in shown
    assert f"      {card.text}" in drawn(game)


def test_a_completed_project_shows_what_its_upgrade_costs_and_does() -> None:
    game = table(seat1=dict(projects="north-wall"), decks="western+new-shaft")
    assert line(game, "north-wall").endswith("upgrade 2h 2s 2i 1g: 4 VP")
    assert "        End of the game: 1 point for each of your upgraded projects." in drawn(game)


def test_a_completed_calcination_oven_shows_its_cost_of_the_moment() -> None:
    game = table(seat0=dict(projects="calcination-oven cursed-treasury", upgraded="rails"))
    assert line(game, "calcination-oven").endswith("upgrade 9h: 10 VP")


def test_an_upgraded_project_that_still_matters_shows_its_text() -> None:
    game = table(seat0=dict(upgraded="master-tools rails"), decks="western+new-shaft")
    assert "        Completing a project costs you 1 stone or 1 iron less." in drawn(game)
    assert line(game, "upgraded:") == "      upgraded: rails"


def test_how_many_projects_of_each_deck_a_clan_has() -> None:
    game = table(seat0=dict(projects="rails", upgraded="master-tools filled-fissure"))
    assert line(game, "projects:") == "    projects: 1 western, 2 new-shaft"


def test_prices_of_furnaces_and_what_levels_load() -> None:
    game = table(decks="western+new-shaft", furnaces={"lift": 1})
    assert line(game, "lift").split()[:3] == ["lift", "-", "[1]"]
    assert "2s" in line(game, "bellows") and "1s 1i" in line(game, "mine-3")
    assert "1i1g +1i" in line(game, "mine-3")


def test_how_many_actions_are_left_is_shown() -> None:
    game = table(left=3, decks="western+new-shaft")
    assert drawn(game)[1] == "Fjalar chooses an action; after it: 2 actions"
    game.does("place blacksmith bellows")
    assert drawn(game)[1] == "Fjalar's blacksmith is at bellows; after it: 2 actions"
    game.does("use blacksmith")
    assert "used: blacksmith" in drawn(game)[1]


def test_a_bonus_action_and_an_extra_action_are_told_apart() -> None:
    game = last_action(seat0=dict(projects="master-tools"), decks="western+new-shaft")
    game.visits("engineer", "forge")
    assert drawn(game)[1] == "Fjalar may do a bonus action; after it: 2 actions"
    game = table(left=2, seat0=dict(projects="runic-hall", goods="1 stone", heat=6))
    game.does("place blacksmith forge", "upgrade runic-hall")
    game.leaves()
    assert drawn(game)[1] == "Fjalar may do an extra action; after it: 1 action"


def test_options_say_what_they_do_and_cost() -> None:
    game = table(
        decks="new-shaft+old-shaft",
        display="rails entry-to-new-shaft",
        seat0=dict(heat=1, hot=1, goods="4 iron 2 stone"),
        board={"mine-1": "engineer"},
    )
    game.does("place foreman mine-1")
    assert label(game, "use basic") == "Use the basic action: load 3 stone into your cart"
    assert label(game, "install cool") == "Install a cool furnace for 2 stone"
    game.does("done", "place blacksmith bellows")
    assert label(game, "use blacksmith") == "Use the blacksmith bonus: gain heat"
    game.does("done", "place ironworker lift")
    assert label(game, "lift 2") == "Lift by 2 for 1 heat"


def test_studio_forge_and_laboratory_options_say_their_price() -> None:
    game = table(
        decks="new-shaft+old-shaft",
        display="rails",
        seat0=dict(heat=3, goods="4 iron 2 stone", projects="filled-fissure"),
    )
    game.does("place blacksmith forge")
    assert label(game, "upgrade filled-fissure") == "Upgrade Filled fissure for 3 heat"
    assert label(game, "forge gold") == "Forge 1 gold for 1 heat, 1 iron"
    game.does("done", "place engineer laboratory")
    assert label(game, "exchange iron stone") == "Exchange 1 iron for 2 stone"
    game.leaves()
    game.does("place ironworker studio")
    assert label(game, "complete rails") == "Complete Rails for 4 iron"


def test_a_work_break_says_where_the_worker_comes_from() -> None:
    game = table(
        decks="new-shaft+old-shaft",
        board={"forge": "engineer", "mine-2": "engineer", "lift": "foreman-0"},
        seat0=dict(pool=""),
    )
    told = label(game, "break engineer mine-2")
    assert told == "Work Break: get the foreman, and from mine level 2: engineer"
    game.does("break engineer mine-2")
    assert sentence(GAME, game.facts[0], NAMES) == (
        "Fjalar takes a Work Break and gets the foreman, and from mine level 2: engineer."
    )


def test_a_payment_is_told_as_it_was_made() -> None:
    game = table(decks="new-shaft+old-shaft", seat0=dict(heat=1, hot=1, goods="1 stone"))
    game.does("place ironworker forge", "forge iron", "heat 0 furnaces 1")
    paid = next(one for one in game.facts if type(one).__name__ == "Paid")
    assert sentence(GAME, paid, NAMES) == (
        "Fjalar pays 1 stone in goods and 0 heat from the track, and extinguishes 1 furnace."
    )
