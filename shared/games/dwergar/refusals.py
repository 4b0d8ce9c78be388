"""Why a move is not among the options, with the clause of RULES.md that forbids it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shared.engine.errors import RuleViolation
from shared.games.dwergar import effects as e
from shared.games.dwergar import powers as p
from shared.games.dwergar.content import Content
from shared.games.dwergar.furnaces import may_build
from shared.games.dwergar.mine import cart_is_empty
from shared.games.dwergar.modifiers import bonuses_of, bonuses_off, owned, specialty_settled
from shared.games.dwergar.pieces import (
    DWARF_INDEX,
    FOREMAN,
    LOCATION_INDEX,
    LOCATIONS,
    OUTSIDE,
    SIDES,
    WORKERS,
    covers,
)
from shared.games.dwergar.state import State

CLAUSES = {
    "no-such-dwarf": ("3.1", "your pool holds no such dwarf"),
    "pool-empty": ("3.7", "without a dwarf only a Work Break is possible"),
    "pool-not-empty": ("3.7", "a Work Break needs an empty pool"),
    "no-such-worker": ("3.7", "that worker is not there"),
    "cart-not-empty": ("4.3", "your cart on this level holds goods"),
    "not-a-specialist": ("3.4", "your dwarf does not have that specialty"),
    "already-used": ("3.5", "that was used in this action already"),
    "not-at-this-space": ("3.3", "another location offers that"),
    "bonus-unavailable": ("13.12", "the lying event suspends the bonuses of this space"),
    "cannot-afford": ("6.4", "your heat or goods do not suffice"),
    "nothing-to-light": ("6.2", "you have no cool furnace"),
    "no-furnace-left": ("6.8", "there is no such furnace left"),
    "heat-track-full": ("6.6", "your heat level cannot rise any more"),
    "only-the-foreman-installs": ("10.3", "only a foreman installs furnaces"),
    "furnace-already-there": ("10.4", "a location holds one furnace"),
    "not-on-the-track": ("9.1", "that project is not face up on the order track"),
    "not-completed": ("8.4", "that is not a completed project of yours without its upgrade"),
    "no-silverbeard": ("11.5", "you do not hold the Silverbeard token"),
    "no-such-option": ("3.1", "that is not one of the options"),
}

Reason = Callable[[Content, State, Any, list[str]], str]


def explain(content: Content, state: State, question: Any, notation: str) -> RuleViolation:
    """The refusal of a notation that an open question does not offer."""
    words = notation.split()
    code = "no-such-option"
    if len(words) >= 2:
        reasons = SPACE_REASONS if isinstance(question, e.UseSpace) else OTHER_REASONS
        reason = reasons.get(words[0])
        known = isinstance(question, e.UseSpace) or words[0] in ASKED.get(type(question), ())
        if reason is not None and known:
            code = reason(content, state, question, words)
    clause, detail = CLAUSES[code]
    return RuleViolation(code, clause, detail)


ASKED: dict[type[Any], tuple[str, ...]] = {
    e.ChooseAction: ("place", "break", "pipeline"),
    e.UpgradeNow: ("upgrade", "pipeline"),
    e.SpendLastHeat: ("pipeline",),
    e.FreeUpgrade: ("upgrade",),
    e.BurnHeat: ("burn",),
    e.PayHeat: ("heat",),
}
"""The first words of the options that a question may have."""


# Choosing an action -------------------------------------------------------------------------


def _why_not_place(content: Content, state: State, ask: e.ChooseAction, words: list[str]) -> str:
    pool = state.players[ask.seat].pool
    if len(words) != 3 or words[1] not in DWARF_INDEX or words[2] not in LOCATIONS:
        return "no-such-option"
    return "no-such-dwarf" if any(pool) else "pool-empty"


def _why_not_break(content: Content, state: State, ask: e.ChooseAction, words: list[str]) -> str:
    return "pool-not-empty" if any(state.players[ask.seat].pool) else "no-such-worker"


def _why_not_pipeline(content: Content, state: State, ask: Any, words: list[str]) -> str:
    pipelines = owned(content, state.players[ask.seat], p.Pipeline)
    has = any(pipeline.into == words[1] for pipeline in pipelines)
    return "cannot-afford" if has else "no-such-option"


def _why_not_afford(content: Content, state: State, ask: Any, words: list[str]) -> str:
    return "cannot-afford"


def _why_not_upgrade(content: Content, state: State, ask: Any, words: list[str]) -> str:
    mine = words[1] in state.players[ask.seat].projects
    return "cannot-afford" if mine else "not-completed"


OTHER_REASONS: dict[str, Reason] = {
    "place": _why_not_place,
    "break": _why_not_break,
    "pipeline": _why_not_pipeline,
    "upgrade": _why_not_upgrade,
    "burn": _why_not_afford,
    "heat": _why_not_afford,
}


# Using a space ------------------------------------------------------------------------------


def _why_not_use(content: Content, state: State, space: e.UseSpace, words: list[str]) -> str:
    half, location = words[1], space.location
    if half in space.used:
        return "already-used"
    if half == "basic":
        if LOCATION_INDEX[location] >= OUTSIDE:
            empty = cart_is_empty(state, space.seat, location)
            return "no-such-option" if empty else "cart-not-empty"
        if location == "bellows":
            return "nothing-to-light"
        return _why_not_build(content, state, space) if location == "workshop" else NOT_HERE
    if half not in WORKERS:
        return "no-such-option"
    refused = _why_no_bonus(content, state, space, half)
    if refused:
        return refused
    if half == "ironworker":
        return "nothing-to-light" if location != "lift" else "no-such-option"
    if location == "workshop":
        return _why_not_build(content, state, space)
    return "heat-track-full" if location in ("bellows", "forge") else "no-such-option"


NOT_HERE = "not-at-this-space"


def _why_not_build(content: Content, state: State, space: e.UseSpace) -> str:
    return "cannot-afford" if may_build(content, state, space.seat) else "no-furnace-left"


def _why_no_bonus(content: Content, state: State, space: e.UseSpace, worker: str) -> str:
    if worker not in content.bonuses[space.location]:
        return NOT_HERE
    if bonuses_off(content, state, space.location):
        return "bonus-unavailable"
    return "" if worker in bonuses_of(content, state, space) else "not-a-specialist"


def _why_not_exchange(content: Content, state: State, space: e.UseSpace, words: list[str]) -> str:
    if space.location != "laboratory":
        return NOT_HERE
    if len(words) != 3 or words[2] not in content.laboratory.get(words[1], {}):  # type: ignore[call-overload]
        return "no-such-option"
    return "already-used" if space.exchanges else "cannot-afford"


def _why_not_lift(content: Content, state: State, space: e.UseSpace, words: list[str]) -> str:
    if space.location != "lift":
        return NOT_HERE
    return "already-used" if "basic" in space.used else "cannot-afford"


def _why_not_stone(content: Content, state: State, space: e.UseSpace, words: list[str]) -> str:
    if space.location != "lift":
        return NOT_HERE
    if "engineer" in space.used:
        return "already-used"
    return _why_no_bonus(content, state, space, "engineer") or "no-such-option"


def _why_not_forge(content: Content, state: State, space: e.UseSpace, words: list[str]) -> str:
    if space.location != "forge":
        return NOT_HERE
    return "cannot-afford" if words[1] in content.forging else "no-such-option"


def _why_not_forge_upgrade(
    content: Content, state: State, space: e.UseSpace, words: list[str]
) -> str:
    if space.location != "forge":
        return NOT_HERE
    refused = _why_no_bonus(content, state, space, "blacksmith")
    return refused or _why_not_upgrade(content, state, space, words)


def _why_not_complete(content: Content, state: State, space: e.UseSpace, words: list[str]) -> str:
    if space.location != "studio":
        return NOT_HERE
    if "basic" in space.used:
        return "already-used"
    return "cannot-afford" if words[1] in state.display else "not-on-the-track"


def _why_not_install(content: Content, state: State, space: e.UseSpace, words: list[str]) -> str:
    if words[1] not in SIDES:
        return "no-such-option"
    if space.dwarf != FOREMAN:
        return "only-the-foreman-installs"
    if "install" in space.used:
        return "already-used"
    index, player = LOCATION_INDEX[space.location], state.players[space.seat]
    if state.furnaces[index] >= 0:
        return "furnace-already-there"
    affordable = covers(player.goods, content.install[index])
    return "no-furnace-left" if affordable else "cannot-afford"


def _why_not_silverbeard(
    content: Content, state: State, space: e.UseSpace, words: list[str]
) -> str:
    if space.beard:
        return "already-used"
    if state.silverbeard != space.seat or state.turn != space.seat:
        return "no-silverbeard"
    if words[1] not in content.bonuses[space.location]:
        return NOT_HERE
    off = bonuses_off(content, state, space.location)
    return "bonus-unavailable" if off else "no-such-option"


def _why_not_as(content: Content, state: State, space: e.UseSpace, words: list[str]) -> str:
    gnomes = owned(content, state.players[space.seat], p.ChangeSpecialty)
    if not gnomes:
        return "no-such-option"
    if specialty_settled(space):
        return "already-used"
    player = state.players[space.seat]
    return "cannot-afford" if gnomes[0].heat > player.heat + player.hot else "no-such-option"


SPACE_REASONS: dict[str, Reason] = {
    "use": _why_not_use,
    "exchange": _why_not_exchange,
    "lift": _why_not_lift,
    "stone": _why_not_stone,
    "forge": _why_not_forge,
    "upgrade": _why_not_forge_upgrade,
    "complete": _why_not_complete,
    "install": _why_not_install,
    "silverbeard": _why_not_silverbeard,
    "as": _why_not_as,
    "pipeline": _why_not_pipeline,
}
