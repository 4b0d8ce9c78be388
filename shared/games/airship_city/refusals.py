"""Why a move is not offered: a code and the clause of RULES.md that stands against it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shared.engine.errors import RuleViolation
from shared.games.airship_city import effects as e
from shared.games.airship_city.content import Content
from shared.games.airship_city.locations import hire_cost
from shared.games.airship_city.office import utility_cost
from shared.games.airship_city.pieces import (
    DIRECTIONS,
    GEAR,
    NEIGHBOURS,
    RESERVE,
    RESOURCE_INDEX,
    SHIP_INDEX,
    STEPS,
    USED,
    covers,
)
from shared.games.airship_city.resources import donated, room
from shared.games.airship_city.shipyard import ship_cost
from shared.games.airship_city.state import State

CLAUSES = {
    "no-such-crew": ("3.1", "you have no face-up crew there"),
    "off-the-grid": ("3.1", "no tile lies that way"),
    "tile-already-passed": ("3.3", "the leap was on that tile before, and your crew is there"),
    "must-leap": ("3.2", "the crew stands with another of yours and must leap on"),
    "crews-left": ("2.3", "a face-up crew must still be activated"),
    "action-open": ("3.5", "first use the location, or pass"),
    "no-gear": ("4.1", "a slide costs 1 gear"),
    "not-at-this-location": ("6.1", "another location offers that"),
    "cannot-afford": ("5.3", "your goods do not suffice"),
    "storage-full": ("5.2", "your depot has no room for that"),
    "no-crew-left": ("6.3", "all your crews are hired"),
    "not-on-offer": ("6.6", "that contract is not on offer"),
    "ship-prerequisite": ("8.3", "you need more markers in the row of the level below"),
    "utility-prerequisite": ("9.2", "you need more markers in airship rows"),
    "not-for-sale": ("8.6", "tourist ships are not sold"),
    "ship-row-full": ("8.4", "the row has no donation space left"),
    "utility-row-full": ("9.3", "the row has no donation space left"),
    "ship-no-marker": ("8.4", "you have no donation marker left"),
    "utility-no-marker": ("9.3", "you have no donation marker left"),
    "already-unlocked": ("10.1", "you have unlocked that renovation"),
    "wrong-crest": ("10.2", "that is not a basic tile of this colour"),
    "crest-not-yours": ("7.2", "the crest bonus does not give you that"),
    "not-in-the-bonus": ("7.4", "the piggybacking bonus does not give that"),
    "not-your-contract": ("11.4", "that contract is not on your term track"),
    "bonus-tile-not-earned": ("12.1", "you have not earned that bonus effect tile"),
    "bonus-tile-used": ("12.1", "that bonus effect tile is face down until the next stage"),
    "no-such-option": ("2.4", "that is not one of the options"),
}

CODES = {
    "ship-prerequisite": "prerequisite-missing",
    "utility-prerequisite": "prerequisite-missing",
    "ship-row-full": "row-full",
    "utility-row-full": "row-full",
    "ship-no-marker": "no-marker-left",
    "utility-no-marker": "no-marker-left",
}
"""Reasons that share a code but not a clause."""

Reason = Callable[[Content, State, Any, list[str]], str]
NONE = "no-such-option"
ELSEWHERE = "not-at-this-location"


def explain(content: Content, state: State, question: Any, notation: str) -> RuleViolation:
    """The refusal of a notation that an open question does not offer."""
    words = notation.split()
    reasons = REASONS.get(type(question), {})
    reason = reasons.get(words[0]) if words else None
    key = reason(content, state, question, words) if reason is not None else NONE
    clause, detail = CLAUSES[key]
    return RuleViolation(CODES.get(key, key), clause, detail)


def _of(words: list[str], count: int) -> bool:
    return len(words) == count


# Movement -----------------------------------------------------------------------------------


def _why_not_move(content: Content, state: State, ask: Any, words: list[str]) -> str:
    if not _of(words, 3) or words[1] not in content.tiles or words[2] not in STEPS:
        return NONE
    if not isinstance(ask, e.Activate | e.FinishTurn):
        return "must-leap" if isinstance(ask, e.Leap) else "action-open"
    if words[1] not in state.players[ask.seat].ready:
        return "no-such-crew"
    return "off-the-grid"


def _why_not_step(content: Content, state: State, tile: str, direction: str) -> str:
    around = dict(NEIGHBOURS[state.grid.index(tile)])
    if direction not in STEPS:
        return NONE
    return "" if direction in around else "off-the-grid"


def _why_not_leap(content: Content, state: State, ask: e.Leap, words: list[str]) -> str:
    if not _of(words, 2):
        return NONE
    return _why_not_step(content, state, ask.tile, words[1]) or "tile-already-passed"


def _why_not_act_yet(content: Content, state: State, ask: e.Leap, words: list[str]) -> str:
    return "must-leap"


def _why_not_fly(content: Content, state: State, ask: e.UseTile, words: list[str]) -> str:
    if not _of(words, 2) or words[1] not in STEPS:
        return NONE
    missing = _why_no_bonus_tile(state.players[ask.seat].flight)
    return missing or _why_not_step(content, state, ask.tile, words[1]) or NONE


def _why_not_end(content: Content, state: State, ask: Any, words: list[str]) -> str:
    if words != ["end", "turn"]:
        return NONE
    if isinstance(ask, e.Leap):
        return "must-leap"
    return "action-open" if isinstance(ask, e.UseTile) else "crews-left"


# Free actions -------------------------------------------------------------------------------


def _why_not_slide(content: Content, state: State, ask: Any, words: list[str]) -> str:
    if not _of(words, 4) or words[1] not in DIRECTIONS or words[2] not in ("1", "2", "3", "4"):
        return NONE
    known = words[3] in DIRECTIONS[words[1]]
    return "no-gear" if known and not state.players[ask.seat].goods[GEAR] else NONE


def _why_not_complete(content: Content, state: State, ask: Any, words: list[str]) -> str:
    if not _of(words, 2) or words[1] not in content.contracts:
        return NONE
    held = dict(state.players[ask.seat].contracts)
    return "cannot-afford" if words[1] in held else "not-your-contract"


def _why_no_bonus_tile(side: str) -> str:
    if side == RESERVE:
        return "bonus-tile-not-earned"
    return "bonus-tile-used" if side == USED else ""


def _why_not_barter(content: Content, state: State, ask: Any, words: list[str]) -> str:
    if not _of(words, 3) or not {*words[1:]} <= RESOURCE_INDEX.keys() or words[1] == words[2]:
        return NONE
    player = state.players[ask.seat]
    missing = _why_no_bonus_tile(player.barter)
    if missing:
        return missing
    return "storage-full" if player.goods[RESOURCE_INDEX[words[1]]] else "cannot-afford"


# Using a tile -------------------------------------------------------------------------------


def _why_not_use(content: Content, state: State, ask: e.UseTile, words: list[str]) -> str:
    if content.location[ask.tile] != "guild-hall" or not _of(words, 1):
        return NONE
    player = state.players[ask.seat]
    if player.crews >= content.numbers.crews:
        return "no-crew-left"
    return NONE if covers(player.goods, hire_cost(content, state, ask.seat)) else "cannot-afford"


def _why_not_take(content: Content, state: State, ask: e.UseTile, words: list[str]) -> str:
    if not _of(words, 2) or words[1] not in content.contracts:
        return NONE
    return "not-on-offer" if content.location[ask.tile] == "market" else ELSEWHERE


def _why_not_ship(content: Content, state: State, ask: e.UseTile, words: list[str]) -> str:
    if not _of(words, 3) or words[1] not in SHIP_INDEX or words[2] not in ("donate", "sell"):
        return NONE
    if content.location[ask.tile] != "shipyard":
        return ELSEWHERE
    row, player = SHIP_INDEX[words[1]], state.players[ask.seat]
    if words[2] == "sell" and not content.airships[row].prices:
        return "not-for-sale"
    if not donated(content.ship_needs[row], state, ask.seat):
        return "ship-prerequisite"
    if words[2] == "donate" and sum(state.ships[row]) >= content.ship_spaces:
        return "ship-row-full"
    if words[2] == "donate" and player.markers <= 0:
        return "ship-no-marker"
    paid = covers(player.goods, ship_cost(content, state, ask.seat, words[1]))
    return NONE if paid else "cannot-afford"


def _why_not_build(content: Content, state: State, ask: e.UseTile, words: list[str]) -> str:
    if not _of(words, 2) or words[1] not in content.utilities:
        return NONE
    if content.location[ask.tile] != "architects-office":
        return ELSEWHERE
    row, player = content.utility_ids.index(words[1]), state.players[ask.seat]
    if not donated(content.utility_needs[row], state, ask.seat):
        return "utility-prerequisite"
    if sum(state.utilities[row]) >= content.utility_spaces:
        return "utility-row-full"
    if player.markers <= 0:
        return "utility-no-marker"
    paid = covers(player.goods, utility_cost(content, state, ask.seat, words[1]))
    return NONE if paid else "cannot-afford"


def _why_not_renovate(content: Content, state: State, ask: e.UseTile, words: list[str]) -> str:
    if not _of(words, 2) or words[1] not in RESOURCE_INDEX:
        return NONE
    if content.location[ask.tile] != "workshop":
        return ELSEWHERE
    renovated = state.players[ask.seat].renovated
    return "already-unlocked" if words[1] in renovated else "cannot-afford"


# Bonuses ------------------------------------------------------------------------------------


def _why_not_develop(content: Content, state: State, ask: e.Develop, words: list[str]) -> str:
    return "wrong-crest" if _of(words, 2) and words[1] in content.tiles else NONE


def _why_not_crest(content: Content, state: State, ask: e.ChooseCrest, words: list[str]) -> str:
    if not _of(words, 2) or words[1] not in RESOURCE_INDEX:
        return NONE
    player, on_tile = state.players[ask.seat], content.tiles[ask.tile].bonus.of
    yours = words[1] in on_tile and words[1] in player.renovated
    return "storage-full" if yours and room(content, player, words[1]) <= 0 else "crest-not-yours"


def _why_not_piggyback(
    content: Content, state: State, ask: e.ChoosePiggyback, words: list[str]
) -> str:
    wanted = words[1:]
    if not wanted or not set(wanted) <= RESOURCE_INDEX.keys():
        return NONE
    if len(wanted) != (2 if words[0] == "negotiate" else 1):
        return NONE
    bonus = content.tiles[ask.tile].piggyback
    if bonus is None or not set(wanted) <= set(bonus.of):
        return "not-in-the-bonus"
    if words[0] == "negotiate":
        missing = _why_no_bonus_tile(state.players[ask.seat].negotiator)
        if missing:
            return missing
        if wanted != sorted(wanted, key=RESOURCE_INDEX.__getitem__):
            return NONE
    return "storage-full"


FREE_REASONS: dict[str, Reason] = {
    "move": _why_not_move,
    "end": _why_not_end,
    "slide": _why_not_slide,
    "complete": _why_not_complete,
    "barter": _why_not_barter,
}

ACTION_REASONS: dict[str, Reason] = {
    "use": _why_not_use,
    "take": _why_not_take,
    "ship": _why_not_ship,
    "build": _why_not_build,
    "renovate": _why_not_renovate,
}

REASONS: dict[type[Any], dict[str, Reason]] = {
    e.Activate: FREE_REASONS,
    e.FinishTurn: FREE_REASONS,
    e.Leap: {
        **FREE_REASONS,
        **dict.fromkeys(("fly", "pass", *ACTION_REASONS), _why_not_act_yet),
        "leap": _why_not_leap,
    },
    e.UseTile: {**FREE_REASONS, **ACTION_REASONS, "fly": _why_not_fly},
    e.Develop: {"develop": _why_not_develop},
    e.ChooseCrest: {"take": _why_not_crest},
    e.ChoosePiggyback: {"take": _why_not_piggyback, "negotiate": _why_not_piggyback},
}
"""By question and first word: who knows why that is not offered."""
