"""Bots play every game from their seat's view alone, and the planner plays better than chance."""

from __future__ import annotations

import random

import pytest

from shared.bots import BOTS, SeatView
from shared.engine.acts import play
from shared.engine.game import Game
from shared.engine.match import Match
from shared.engine.record import Sealed, open_record
from shared.engine.replay import begin, follow, visible_facts
from shared.games import GAMES
from tests.conformance.playing import start
from tests.engine.harbour import HARBOUR

ALL = {"harbour": HARBOUR, **GAMES}


def play_match(game: Game, kinds: list[str], seed: int) -> Match:
    """A match between bots, each fed with its seat's fold of its seat's log only."""
    log = start(game, len(kinds), seed)
    rng = random.Random(seed)
    views = [seen(None, log.records[0], seat) for seat in range(len(kinds))]
    match = log.match
    while not match.ended:
        decision = match.decisions()[0]
        seat = decision.seat
        view = SeatView(game, match.content, views[seat].state, seat)
        option = BOTS[kinds[seat]](view, views[seat].decisions()[0], rng)
        made = play(match, seat, kinds[seat], option.notation, 5, decision.id)
        match = made.match
        views = [seen(known, made.record, other) for other, known in enumerate(views)]
    return match


def seen(known: Match | None, sealed: Sealed, seat: int) -> Match:
    record = open_record(sealed.body)
    match = known or begin(ALL, record, sealed.hash)
    return follow(match, record, visible_facts(record, sealed.secrets, seat), sealed.hash)


@pytest.mark.parametrize("kind", BOTS)
@pytest.mark.parametrize("game", ALL.values(), ids=ALL)
def test_a_bot_plays_a_whole_match_from_its_views(game: Game, kind: str) -> None:
    match = play_match(game, [kind] + ["random"] * (game.players[0] - 1), 3)
    assert match.ended == "played"


@pytest.mark.parametrize("game", ALL.values(), ids=ALL)
def test_the_planner_beats_random(game: Game) -> None:
    """A few matches here; the real figure over 200 is in `make bench`."""
    kinds = ["planner"] + ["random"] * (game.players[0] - 1)
    won = sum(play_match(game, kinds, seed).standings()[0].seat == 0 for seed in range(8))
    assert won >= 6
