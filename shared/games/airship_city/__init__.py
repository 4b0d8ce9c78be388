"""Airship City by Masaki Suga: crews on a moving city build airships and public utilities.

The rules in our words, with every ruling, are in RULES.md; names and notation in NOTATION.md;
all numbers, tiles and contracts in content.toml.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shared.engine.game import Game, Question
from shared.engine.table import Table
from shared.games.airship_city import crews, developed, effects, locations, turn, workshop
from shared.games.airship_city.appraising import appraise
from shared.games.airship_city.content import content
from shared.games.airship_city.evolve import EVOLVERS
from shared.games.airship_city.imagining import imagine
from shared.games.airship_city.options import OPTIONS
from shared.games.airship_city.picture import picture
from shared.games.airship_city.refusals import explain
from shared.games.airship_city.scoring import rank, score
from shared.games.airship_city.sentences import FORMATS, MESSAGES, NAMES, REASONS
from shared.games.airship_city.setup import set_up
from shared.games.airship_city.state import State, blank, pieces

QUESTIONS: dict[type[Any], Question] = {
    effects.Activate: Question("Activate a crew", crews.activate_options, crews.activate),
    effects.Leap: Question("Leap on", crews.leap_options, crews.leap),
    effects.UseTile: Question("Use the location", locations.tile_options, locations.use_tile),
    effects.SlideByLighthouse: Question(
        "Slide tiles by the Lighthouse",
        locations.lighthouse_options,
        locations.slide_by_lighthouse,
    ),
    effects.Develop: Question(
        "Choose a tile to develop", workshop.develop_options, workshop.develop
    ),
    effects.ChooseCrest: Question(
        "Choose the crest bonus", developed.crest_options, developed.take_crest
    ),
    effects.ChoosePiggyback: Question(
        "Take the piggybacking bonus", developed.piggyback_options, developed.take_piggyback
    ),
    effects.FinishTurn: Question(
        "Anything else before the turn ends", turn.finish_options, turn.finish_turn
    ),
}

RESOLVERS: dict[type[Any], Callable[[Table, Any], None]] = {
    effects.BeginRound: turn.begin_round,
    effects.TakeTurn: turn.take_turn,
    effects.NextCrew: turn.next_crew,
    effects.EndRound: turn.end_round,
    effects.Arrive: crews.arrive,
    effects.OfferTile: locations.offer_tile,
    effects.GainCrest: developed.gain_crest,
    effects.GivePiggyback: developed.give_piggyback,
}

GAME = Game(
    id="airship-city",
    title="Airship City",
    edition="1",
    players=(3, 4),
    options=OPTIONS,
    state=State,
    content=content,
    blank=blank,
    setup=set_up,
    evolvers=EVOLVERS,
    resolvers=RESOLVERS,
    questions=QUESTIONS,
    score=score,
    rank=rank,
    imagine=imagine,
    appraise=appraise,
    picture=picture,
    pieces=pieces,
    messages=MESSAGES,
    names=NAMES,
    formats=FORMATS,
    reasons=REASONS,
    explain=explain,
    move_limit=4000,
)

__all__ = ["GAME"]
