"""Rounds, turns, and the activation of crews."""

from __future__ import annotations

import pytest

from shared.games.airship_city.facts import (
    CrewMoved,
    CrewsReadied,
    CrewUsed,
    GoodsGained,
    RoundBegan,
    TurnBegan,
    TurnEnded,
)
from tests.games.airship_city.kit import (
    ACTIVATE,
    FINISH,
    GAME,
    LEAP,
    NOTHING,
    USE,
    Play,
    at,
    goods,
    table,
)

# Rounds and turns -----------------------------------------------------------------------------


@pytest.mark.parametrize("players", (3, 4))
@pytest.mark.parametrize("first", (0, 1, 2))
def test_turns_go_clockwise_from_the_first_player(players: int, first: int) -> None:
    game = table(players, turn=first, first=first)
    order = [(first + step) % players for step in range(players)]
    for seat in order:
        game.waits(seat, ACTIVATE)
        game.rests()
    assert game.state.round == 2
    game.waits(first, ACTIVATE)


def test_the_first_player_never_changes() -> None:
    game = table(3, round=3, turn=1, first=1)
    for _ in range(4):
        game.waits(1, ACTIVATE)
        game.ends_the_round()
    assert game.state.first == 1 and game.state.round == 7


def test_the_round_marker_moves_on_once_all_have_had_a_turn() -> None:
    game = table(3, turn=2)
    game.rests()
    game.happened(TurnEnded(2), CrewsReadied(), RoundBegan(2), TurnBegan(0))


def test_crews_are_turned_up_at_the_end_of_the_round_only() -> None:
    game = table(3)
    game.rests()
    assert game.player(0).ready == () and len(game.player(0).used) == 2
    game.rests()
    game.never(CrewsReadied)
    assert game.player(0).ready == ()
    game.rests()
    for seat in range(3):
        assert game.player(seat).used == () and len(game.player(seat).ready) == 2


def test_every_crew_has_to_be_activated() -> None:
    """Moving is a duty: while a crew is face up the turn does not end."""
    game = table(seat0=dict(crew="mine-1 forest-1", goods="1 gear"))
    game.lacks("end turn")
    game.refuses("end turn", "crews-left")
    game.does("move mine-1 n", "pass")
    game.waits(0, ACTIVATE)
    game.refuses("end turn", "crews-left")
    game.does("move forest-1 e", "pass")
    game.waits(0, FINISH)
    game.does("end turn")
    game.waits(1, ACTIVATE)


def test_four_crews_are_four_activations() -> None:
    game = table(seat0=dict(crew="forest-1 factory-2 mine-2 harbor"))
    for tile, way in (("mine-2", "e"), ("forest-1", "s"), ("factory-2", "n"), ("harbor", "e")):
        game.waits(0, ACTIVATE)
        game.does(f"move {tile} {way}")
        if game.decision().title == USE:
            game.does("pass")
    game.waits(1, ACTIVATE)


def test_crews_are_activated_in_any_order() -> None:
    game = table(seat0=dict(crew="forest-1 market"))
    game.offers("move forest-1 e", "move forest-1 s", "move market n", "move market w")
    game.does("move market n")
    assert game.crew(0) == "forest-1 guild-hall*"


def test_one_crew_at_a_time() -> None:
    """The whole activation of a crew is over before the next one moves."""
    game = table(seat0=dict(crew="forest-1 market"))
    game.does("move forest-1 e")
    game.waits(0, USE)
    game.refuses("move market n", "action-open")


def test_the_turn_ends_by_itself_when_nothing_can_be_done() -> None:
    game = at("factory-1", last=True)
    game.does("pass")
    game.happened(CrewUsed(0, "factory-1"), TurnEnded(0), TurnBegan(1))
    game.waits(1, ACTIVATE)


def test_the_turn_waits_for_the_players_word_when_something_can_be_done() -> None:
    """A gear from the last action can still slide tiles."""
    game = at("factory-1", last=True)
    game.does("use")
    game.waits(0, FINISH)
    game.offers("end turn", "slide row 1 east")
    game.does("slide row 1 east", "slide column 2 north")
    game.happened(TurnEnded(0), TurnBegan(1))


# Moving ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tile", "ways"),
    (
        ("forest-1", "e s"),
        ("workshop", "s w"),
        ("mine-2", "n e"),
        ("market", "n w"),
        ("factory-1", "e s w"),
        ("valley-2", "n e s"),
        ("guild-hall", "n s w"),
        ("valley-1", "n e w"),
        ("forest-2", "n e s w"),
        ("architects-office", "n e s w"),
    ),
)
def test_one_space_to_an_adjacent_tile(tile: str, ways: str) -> None:
    """Not diagonally, not off the grid, and not across its edge."""
    spare = "harbor*" if tile != "valley-2" else "shipyard-2*"
    game = table(seat0=dict(crew=f"{tile} {spare}"))
    game.asks(0, ACTIVATE, *(f"move {tile} {way}" for way in ways.split()))
    for way in set("nesw") - set(ways.split()):
        game.refuses(f"move {tile} {way}", "off-the-grid")


@pytest.mark.parametrize(
    ("way", "target"), (("n", "shipyard-2"), ("e", "guild-hall"), ("s", "shipyard-1"))
)
def test_directions(way: str, target: str) -> None:
    game = table(seat0=dict(crew="architects-office harbor"))
    game.does(f"move architects-office {way}")
    game.happened(CrewMoved(0, "architects-office", target))


def test_a_crew_must_stand_where_the_move_begins() -> None:
    game = table(seat0=dict(crew="forest-1 market"), seat1=dict(crew="mine-1 harbor"))
    game.refuses("move mine-1 n", "no-such-crew")
    game.refuses("move lighthouse e", "no-such-crew")


def test_a_crew_acts_once_and_is_turned_face_down() -> None:
    game = at("mine-1", seat0=dict(crew="forest-2 workshop"))
    game.does("use")
    game.happened(CrewUsed(0, "mine-1"), GoodsGained(0, goods("2 metal"), NOTHING, "mine-1"))
    assert game.crew(0) == "mine-1* workshop"
    game.refuses("move mine-1 n", "no-such-crew")


def test_a_crew_that_passes_is_turned_face_down_too() -> None:
    game = at("mine-1", seat0=dict(crew="forest-2 workshop"))
    game.does("pass")
    game.happened(CrewUsed(0, "mine-1"))
    game.never(GoodsGained)
    assert game.crew(0) == "mine-1* workshop" and game.goods(0) == ""


def test_where_nothing_can_be_done_the_crew_passes_by_itself() -> None:
    """No goods for any ship, so there is nothing to ask at the Shipyard."""
    game = at("shipyard-1")
    game.happened(CrewUsed(0, "shipyard-1"))
    game.waits(0, ACTIVATE)


def test_a_tile_gives_only_its_own_action() -> None:
    game = at("mine-1", seat0=dict(crew="forest-2 workshop", goods="4 gold 10 gear"))
    game.refuses("renovate wood", "not-at-this-location")
    game.refuses("ship metal-private donate", "not-at-this-location")
    game.refuses("build park", "not-at-this-location")
    game.refuses("take contract-1", "not-at-this-location")


WORDS = """
dance
move
move harbor
move harbor up
move tower n
leap
leap up
fly
fly up
slide
slide row 5 east
slide row 1 north
slide diagonal 1 east
complete
complete contract-99
barter
barter wood wood
barter wood stone
take
take contract-99
ship
ship rowing-boat donate
ship wooden-private burn
build
build bridge
renovate
renovate stone
develop
develop tower
end
end round
use twice
pass by
done
negotiate wood
"""


def asking_everything() -> list[Play]:
    """A position at every question."""
    gear = dict(goods="1 gear")
    crest = dict(goods="1 gear", renovated="wood metal")
    games = [
        table(seat0=gear),
        table(seat0=dict(crew="valley-2 forest-2", goods="1 gear")),
        at("mine-1", seat0=gear),
        at("shipyard-1", seat0=dict(goods="10 wood 10 gear")),
        at("guild-hall", seat0=dict(goods="10 gold")),
        at("market"),
        at("workshop", seat0=dict(goods="10 gold 10 gear")),
        at("lighthouse"),
        at("harbor", developed="harbor", seat0=crest),
        at("valley-1", developed="valley-1", seat1=dict(crew="valley-1 harbor")),
        at("factory-1", last=True),
    ]
    games[1].does("move valley-2 e")
    games[6].does("renovate wood")
    for game in (games[7], games[8], games[9], games[10]):
        game.does("use")
    titles = {game.decision().title for game in games}
    assert titles == {question.title for question in GAME.questions.values()}
    return games


@pytest.mark.parametrize("move", ["", *WORDS.split("\n")[1:-1]])
def test_words_without_meaning_are_refused_at_every_question(move: str) -> None:
    for game in asking_everything():
        if move not in game.moves():
            game.refuses(move, "must-leap" if acts_on_a_leap(game, move) else "no-such-option")


def acts_on_a_leap(game: Play, move: str) -> bool:
    """Any word of a location, however wrong, is out of place while a crew has to leap on."""
    verbs = ("use", "pass", "fly", "take", "ship", "build", "renovate")
    return game.decision().title == LEAP and move.startswith(verbs)


# Leaping --------------------------------------------------------------------------------------


def test_other_players_crews_do_not_matter() -> None:
    game = table(
        seat0=dict(crew="forest-2 harbor"), seat1=dict(crew="mine-1 mine-1"),
        seat2=dict(crew="mine-1 mine-1"),
    )  # fmt: skip
    game.does("move forest-2 s")
    game.waits(0, USE)
    game.does("use")
    assert game.goods(0) == "2 metal"


def test_an_own_crew_pushes_the_move_on_without_an_action() -> None:
    game = table(seat0=dict(crew="valley-2 forest-2"))
    game.does("move valley-2 e")
    game.asks(0, LEAP, "leap n", "leap e", "leap s", "leap w")
    game.refuses("use", "must-leap")
    game.refuses("pass", "must-leap")
    game.refuses("fly n", "must-leap")
    game.refuses("renovate wood", "must-leap")
    game.refuses("end turn", "must-leap")
    game.refuses("move forest-2 n", "must-leap")
    game.never(GoodsGained, CrewUsed)
    game.does("leap s", "use")
    game.happened(
        CrewMoved(0, "forest-2", "mine-1"),
        CrewUsed(0, "mine-1"),
        GoodsGained(0, goods("2 metal"), NOTHING, "mine-1"),
    )
    assert game.crew(0) == "forest-2 mine-1*"


def test_a_face_down_crew_pushes_too() -> None:
    game = table(seat0=dict(crew="valley-2 forest-2*"))
    game.does("move valley-2 e")
    game.waits(0, LEAP)


def test_a_newly_hired_crew_pushes_too() -> None:
    game = at("guild-hall", seat0=dict(goods="10 gold", crew="market mine-1"))
    game.does("use", "move mine-1 w")
    game.waits(0, LEAP)


def test_the_harbor_is_no_exception() -> None:
    """Own crews met on the Harbor push on like those on any other tile."""
    game = table(seat0=dict(crew="mine-1 harbor harbor"))
    game.does("move mine-1 w")
    game.asks(0, LEAP, "leap n", "leap e", "leap s")


def test_two_crews_may_leave_the_harbor_one_after_the_other() -> None:
    game = table(seat0=dict(crew="harbor harbor"))
    game.does("move harbor n", "pass")
    assert game.crew(0) == "harbor valley-2*"
    game.does("move harbor e")
    game.waits(0, USE)


def test_a_leap_may_turn_and_lead_back_to_where_it_began() -> None:
    game = table(seat0=dict(crew="valley-2 forest-2"))
    game.does("move valley-2 e", "leap w")
    game.happened(CrewMoved(0, "forest-2", "valley-2"))
    game.waits(0, USE)
    game.does("use")
    assert game.goods(0) == "1 wood 1 metal"


def test_leaping_over_several_crews() -> None:
    game = table(seat0=dict(crew="forest-1 factory-1* lighthouse* shipyard-2*"))
    game.does("move forest-1 e", "leap e", "leap s", "leap s")
    game.waits(1, ACTIVATE)
    assert game.crew(0) == "architects-office* factory-1* lighthouse* shipyard-2*"


def test_a_leap_does_not_run_in_circles() -> None:
    """Between own crews it comes to each of their tiles once."""
    game = table(seat0=dict(crew="forest-1 factory-1* lighthouse*"))
    game.does("move forest-1 e", "leap e")
    game.asks(0, LEAP, "leap e", "leap s")
    game.refuses("leap w", "tile-already-passed")
    game.refuses("leap n", "off-the-grid")


def test_a_leap_with_one_way_out_goes_there_by_itself() -> None:
    """In the corner, with the way back passed already."""
    game = table(seat0=dict(crew="lighthouse factory-1* forest-1*"))
    game.does("move lighthouse w", "leap w")
    game.happened(CrewMoved(0, "factory-1", "forest-1"), CrewMoved(0, "forest-1", "valley-2"))
    game.waits(0, USE)


def test_a_leap_with_one_way_out_still_waits_if_something_else_can_be_done() -> None:
    """A slide may open other ways."""
    game = table(seat0=dict(crew="lighthouse factory-1* forest-1*", goods="1 gear"))
    game.does("move lighthouse w", "leap w")
    game.waits(0, LEAP)
    game.offers("leap s", "slide row 1 east")
    game.lacks("leap e")


def test_a_crew_left_behind_on_the_harbor_pushes_a_leap_that_leads_back() -> None:
    """The second crew of the Harbor is still there: no stopping beside it."""
    game = table(seat0=dict(crew="harbor harbor mine-1"))
    game.does("move harbor e")
    game.offers("leap w")
    game.does("leap w")
    game.asks(0, LEAP, "leap n", "leap s")


def test_no_action_on_a_tile_leapt_over_but_free_actions_are_allowed() -> None:
    game = table(
        seat0=dict(crew="valley-2 forest-2", goods="1 gear 5 wood", contracts="contract-1")
    )
    game.does("move valley-2 e")
    game.offers("slide row 2 east", "complete contract-1")
    game.does("complete contract-1", "slide column 2 south")
    game.waits(0, LEAP)
    game.does("leap n")
    game.waits(0, USE)
    assert game.crew(0) == "factory-1 forest-2"


def test_sliding_during_a_leap_changes_where_it_can_go() -> None:
    """On forest-2, column 2 goes south: forest-2 comes to row 3 between Harbor and Office."""
    game = table(seat0=dict(crew="valley-2 forest-2", goods="1 gear"))
    game.does("move valley-2 e", "slide column 2 south", "leap w")
    game.happened(CrewMoved(0, "forest-2", "harbor"))
