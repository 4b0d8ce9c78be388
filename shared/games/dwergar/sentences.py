"""English for facts, choices and ids. Templates are keyed by class name, `{field}` filled in."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from importlib.resources import files
from typing import Any

from shared.games.dwergar.pieces import RESOURCES

DOES_WHAT = {
    "light-one": "light one furnace",
    "light-all": "light all your furnaces",
    "light-and-heat": "light one furnace and gain heat",
    "heat": "gain heat",
    "build": "build a furnace for the usual price",
    "build-for-stone": "build a furnace for the engineer's price",
    "more-exchanges": "exchange more often",
    "points-for-levels": "points for every level you lift",
    "stone-in-carts": "a stone into every cart on one level",
    "upgrade-completed": "upgrade projects completed earlier",
    "cheaper-upgrade": "less heat for the upgrade",
    "take-back": "take back one of the resources paid",
}
"""What basic actions and bonuses do; the amounts are on the board."""


def _names() -> dict[str, str]:
    tables = tomllib.loads((files(__package__) / "content.toml").read_text("utf-8"))
    names = {
        "transit": "the transit level",
        "furnace": "a furnace",
        "mine-1": "mine level 1",
        "mine-2": "mine level 2",
        "mine-3": "mine level 3",
        "mine-4": "mine level 4",
        "laboratory": "the laboratory",
        "studio": "the studio",
        **{id_: f"the {id_}" for id_ in ("bellows", "lift", "workshop", "forge")},
        **DOES_WHAT,
    }
    names.update(tables["decks"])
    for kind in ("projects", "events"):
        names.update({id_: card["name"] for id_, card in tables[kind].items()})
    return names


NAMES = _names()


def stock(goods: tuple[int, ...]) -> str:
    """Goods in words: `2 stone, 1 iron`."""
    words = [f"{n} {name}" for n, name in zip(goods, RESOURCES, strict=True) if n]
    return ", ".join(words) or "nothing"


def _took(worker: str) -> str:
    return f"takes the {worker} and " if worker else ""


def _worker(worker: str) -> str:
    return worker or "no worker"


def _cost(cost: tuple[int, ...]) -> str:
    heat = [f"{cost[0]} heat"] if cost[0] else []
    return ", ".join((*heat, *([stock(cost[1:])] if any(cost[1:]) else []))) or "nothing"


def _furnaces(count: int) -> str:
    return "1 furnace" if count == 1 else f"{count or 'no'} furnaces"


FORMATS: dict[str, Callable[[Any], str]] = {
    "goods": stock,
    "cart": stock,
    "cost": _cost,
    "furnaces": _furnaces,
    "location": lambda location: NAMES[location] if location else "the board",
    "took": _took,
    "worker": _worker,
    "foreman": lambda rides: " and gets the foreman back" if rides else "",
    "board": lambda row: ", ".join(who or "nobody" for who in row),
    "pile": lambda pile: str(len(pile)),
}

REASONS = {
    "completing": "Projects completed",
    "upgrading": "Projects upgraded",
    "effects": "Effects of upgraded projects",
    "furnaces": "Furnaces installed",
    "lift": "Ironworkers at the lift",
    "events": "Events",
    "end": "End-of-game points",
}

MESSAGES = {
    # facts
    "MatchSetUp": "The table is laid out for {rounds} rounds with {decks}.",
    "ProjectsShuffled": "The project pile of {pile} cards is shuffled.",
    "EventsShuffled": "{pile} events lie ready.",
    "WorkersDrawn": "Workers for the clans: {pools}; on the board: {board}.",
    "GoodsDealt": "{seat} starts with {goods}, and {cart} in the cart on {level}.",
    "RoundBegan": "Round {round} begins.",
    "TurnBegan": "{seat}'s turn begins.",
    "TurnEnded": "{seat}'s turn ends with heat level {heat}.",
    "ProjectsRevealed": "On the order track: {projects}.",
    "ProjectsDiscarded": "Out of the game: {projects}.",
    "EventRevealed": "Event: {event}.",
    "EventDiscarded": "The event {event} is over.",
    "SilverbeardTaken": "{seat} takes the Silverbeard token.",
    "SilverbeardReturned": "{seat} gives the Silverbeard token back.",
    "SilverbeardSpent": "{seat} discards Silverbeard for the {worker} bonus.",
    "ExtraActionEarned": "{seat} may do an extra action.",
    "ExtraActionBegan": "{seat} has an extra action now.",
    "ForemanReturned": "{seat}'s foreman returns from {location}.",
    "ForemanBoarded": "{seat}'s foreman boards the cart on {level}.",
    "DwarfPlaced": "{seat} {took}places the {dwarf} at {location}.",
    "BreakTaken": "{seat} takes a Work Break and gets the foreman, and from {location}: {worker}.",
    "SpecialtyChanged": "{seat}'s dwarf works as {worker}.",
    "CartLoaded": "{seat} loads {goods} on {level}.",
    "StonePutInCarts": "1 stone goes into every cart on {levels}.",
    "LiftMoved": "The lift rises one level.",
    "CartUnloaded": "{seat} unloads {goods}{foreman}.",
    "Paid": "{seat} pays {goods} in goods and {heat} heat from the track, "
    "and extinguishes {furnaces}.",
    "GoodsGained": "{seat} gets {goods} ({reason}).",
    "GoodsExchanged": "{seat} exchanges 1 {gave} for {count} {got}.",
    "HeatGained": "{seat} gains {heat} heat ({reason}).",
    "FurnaceBuilt": "{seat} gets a new {side} furnace.",
    "FurnacesLit": "{seat} lights furnaces: {count}.",
    "FurnaceInstalled": "{seat} installs a {side} furnace at {location} for {points} VP.",
    "ProjectCompleted": "{seat} completes {project} for {points} VP.",
    "ProjectUpgraded": "{seat} upgrades {project} for {points} VP.",
    "PointsGained": "{seat} gains {points} VP ({reason}).",
    "BonusActionsAwarded": "{seat} leads in the Western District: {actions} bonus actions.",
    "FreeUpgradeAwarded": "{seat} leads in the Golden Terraces: a free upgrade.",
    "GameEnded": "The game is over.",
    # choices
    "Place": "Place the {dwarf} at {location}",
    "TakeBreak": "Work Break: get the foreman, and from {location}: {worker}",
    "LeaveOut": "Leave this action out",
    "UsePipeline": "Turn {heat} heat into 1 {resource}",
    "LoadCart": "Use the basic action: load {goods} into your cart",
    "UseBasic": "Use the basic action: {does}",
    "UseBonus": "Use the {worker} bonus: {does}",
    "SpendSilverbeard": "Discard Silverbeard for the {worker} bonus: {does}",
    "ChangeTo": "Pay {heat} heat: the dwarf works as {worker} in this action",
    "Install": "Install a {side} furnace for {goods}",
    "Exchange": "Exchange 1 {gave} for {count} {got}",
    "UseLift": "Lift by {levels} for {heat} heat",
    "PutStone": "Put 1 stone into every cart on {level}",
    "Forge": "Forge 1 {resource} for {cost}",
    "Complete": "Complete {project} for {cost}",
    "Upgrade": "Upgrade {project} for {cost}",
    "Keep": "Upgrade nothing",
    "Done": "Done",
    "PayWith": "Pay {heat} heat from the track and extinguish {furnaces}",
    "Save": "Save 1 {resources}",
    "Regain": "Take back {resource}",
    "Burn": "Pay {heat} extra heat, 1 VP each",
    "LightOne": "Light one furnace",
    "LightNone": "Light no furnace",
}
