"""Dwergar by Jan Madejski: dwarf clans mine, forge and build for an underground kingdom.

The rules in our words, with every ruling, are in RULES.md; names and notation in NOTATION.md;
all numbers and cards in content.toml.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shared.engine.game import Game, Question
from shared.engine.table import Table
from shared.games.dwergar import (
    actions,
    effects,
    ending,
    foreman,
    furnaces,
    lift,
    placing,
    projects,
    studio,
    turn,
)
from shared.games.dwergar.appraising import appraise
from shared.games.dwergar.content import content
from shared.games.dwergar.evolve import EVOLVERS
from shared.games.dwergar.imagining import imagine
from shared.games.dwergar.options import OPTIONS
from shared.games.dwergar.picture import picture
from shared.games.dwergar.refusals import explain
from shared.games.dwergar.scoring import rank, score
from shared.games.dwergar.sentences import FORMATS, MESSAGES, NAMES, REASONS
from shared.games.dwergar.setup import set_up
from shared.games.dwergar.state import State, blank, pieces

QUESTIONS: dict[type[Any], Question] = {
    effects.ChooseAction: Question(
        "Choose an action", placing.action_options, placing.choose_action
    ),
    effects.UseSpace: Question("Use the space", actions.space_options, actions.use_space),
    effects.PayHeat: Question(
        "Choose where the heat comes from", furnaces.pay_heat_options, furnaces.pay_heat
    ),
    effects.ChooseSaving: Question(
        "Choose what to pay less of", studio.saving_options, studio.choose_saving
    ),
    effects.TakeBack: Question(
        "Take back one resource", studio.take_back_options, studio.take_back
    ),
    effects.UpgradeNow: Question(
        "Upgrade the project just completed", studio.upgrade_now_options, studio.upgrade_now
    ),
    effects.BurnHeat: Question("Pay extra heat for points", projects.burn_options, projects.burn),
    effects.FreeUpgrade: Question(
        "Upgrade one project for free", ending.free_upgrade_options, ending.free_upgrade
    ),
    effects.SpendLastHeat: Question(
        "Use heat before it is lost", turn.last_heat_options, turn.spend_last_heat
    ),
    effects.LightAtRoundEnd: Question(
        "Light one furnace at the end of the round", turn.light_options, turn.light_at_round_end
    ),
}

RESOLVERS: dict[type[Any], Callable[[Table, Any], None]] = {
    effects.BeginRound: turn.begin_round,
    effects.TakeTurn: turn.take_turn,
    effects.NextAction: turn.next_action,
    effects.EndTurn: turn.end_turn,
    effects.ResetHeat: turn.reset_heat,
    effects.EndRound: turn.end_round,
    effects.FinishRound: turn.finish_round,
    effects.OfferSpace: actions.offer_space,
    effects.OfferUpgrade: studio.offer_upgrade,
    effects.OfferLastHeat: turn.offer_last_heat,
    effects.OfferFreeUpgrade: ending.offer_free_upgrade,
    effects.RaiseLift: lift.raise_lift,
    effects.GainGoods: furnaces.gain_goods,
    effects.PutFurnace: furnaces.put_furnace,
    effects.PlaceInstalled: foreman.place_installed,
    effects.NameSpecialty: actions.name_specialty,
    effects.FinishProject: studio.finish_project,
    effects.FinishUpgrade: projects.finish_upgrade,
    effects.CarryOut: projects.carry_out,
    effects.ScoreHeat: projects.score_heat,
    effects.EndGame: ending.end_game,
    effects.AwardFreeUpgrades: ending.award_free_upgrades,
    effects.ScoreEnd: ending.score_end,
}

GAME = Game(
    id="dwergar",
    title="Dwergar",
    edition="1",
    players=(2, 3, 4),
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
    move_limit=3000,
)

__all__ = ["GAME"]
