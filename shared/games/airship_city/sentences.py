"""English for facts, choices and ids. Templates are keyed by class name, `{field}` filled in."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from importlib.resources import files
from typing import Any

from shared.games.airship_city.pieces import RESOURCES
from shared.games.airship_city.tables import Bonus


def _names() -> dict[str, str]:
    tables = tomllib.loads((files(__package__) / "content.toml").read_text("utf-8"))
    names = {
        "n": "north",
        "e": "east",
        "s": "south",
        "w": "west",
        "crest": "crest bonus",
        "piggyback": "piggybacking",
        "slide": "a slide",
        "renovation": "a renovation",
        "flight": "Long Distance Flight",
        "negotiator": "Skilled Negotiator",
        "barter": "Barter",
        "shipbuilding": "every airship row has a majority",
        "construction": "enough public utility rows have a majority",
        "rounds": "the last round is over",
    }
    for id_, tile in tables["tiles"].items():
        name = tables["locations"][tile["location"]]["name"]
        number = id_.rpartition("-")[2]
        names[id_] = f"{name} {number}" if number.isdigit() else name
    for kind in ("ships", "utilities"):
        names.update({id_: f"the {entry['name']}" for id_, entry in tables[kind].items()})
    names.update({id_: id_.replace("-", " ") for id_ in tables["contracts"]})
    names.update({id_: f"stage bonus {id_.replace('-', ' ')}" for id_ in tables["stages"]})
    return names


NAMES = _names()


def stock(goods: tuple[int, ...]) -> str:
    """Goods in words: `2 wood, 1 metal`."""
    words = [amount(n, name) for n, name in zip(goods, RESOURCES, strict=True) if n]
    return ", ".join(words) or "nothing"


def amount(count: int, resource: str) -> str:
    """That many of a resource: `1 gear`, `2 gears`."""
    return f"{count} {resource}{'s' if resource == 'gear' and count != 1 else ''}"


def points(count: int) -> str:
    """Points in words."""
    return "1 point" if count == 1 else f"{count} points"


def bonus(one: Bonus) -> str:
    """A crest or piggybacking bonus: `1 wood or metal`."""
    return f"{one.count} {' or '.join(one.of)}"


def _piggyback(one: Bonus | None) -> str:
    """What others gain on a tile, if they gain anything."""
    return f", piggybacking {bonus(one)}" if one else ""


def _for_gears(count: int) -> str:
    """The price of a slide, if it has one."""
    return f" for {amount(count, 'gear')}" if count else ""


def _lost(lost: int | tuple[int, ...]) -> str:
    """What found no room: goods, or gold alone."""
    if not lost or (isinstance(lost, tuple) and not any(lost)):
        return ""
    words = stock(lost) if isinstance(lost, tuple) else f"{lost} gold"
    return f" and has no room for {words}"


FORMATS: dict[str, Callable[[Any], str]] = {
    "goods": stock,
    "lost": _lost,
    "cost": stock,
    "points": points,
    "award": str.capitalize,
    "deck": lambda deck: str(len(deck)),
    "crest": bonus,
    "piggyback": _piggyback,
    "gears": _for_gears,
}

REASONS = {
    "airships": "Airships donated",
    "utilities": "Public utilities built",
    "renovations": "Renovations unlocked",
    "contracts": "Contracts completed",
    "failed": "Contracts failed",
    "shipbuilding": "Shipbuilding award",
    "construction": "Construction award",
    "trade": "Trade award",
}

MESSAGES = {
    # facts
    "TilesLaid": "The city, row by row from the north-west: {grid}.",
    "PricesSet": "The price markers stand on these steps from the top: {steps}.",
    "StageBonusesDrawn": "The bonuses of stages 2 to 5: {tiles}.",
    "ContractsShuffled": "The deck of {deck} contracts is shuffled.",
    "ContractsRevealed": "New on offer: {contracts}.",
    "FirstPlayerChosen": "{seat} is the first player.",
    "DepotPrepared": "{seat} starts with {goods}, and {crews} crews on the {tile}.",
    "StageBegan": "Stage {stage} begins: {tile}.",
    "RoundBegan": "Round {round} begins.",
    "TurnBegan": "{seat}'s turn begins.",
    "TurnEnded": "{seat}'s turn ends.",
    "CrewsReadied": "All crews are turned face up.",
    "CrewMoved": "{seat}'s crew moves from {origin} to {tile}.",
    "CrewUsed": "{seat}'s crew at {tile} is turned face down.",
    "CrewHired": "{seat} hires a crew, face down at {tile}.",
    "CrewsRecalled": "{seat}'s crews all return to {tile}.",
    "TilesSlid": "{seat} slides {line} {number} {direction}.",
    "TileDeveloped": "{seat} develops {tile}.",
    "Paid": "{seat} pays {goods} ({reason}).",
    "GoodsGained": "{seat} gets {goods}{lost} ({reason}).",
    "GoodsBartered": "{seat} exchanges 1 {gave} for 1 {got}.",
    "AirshipDonated": "{seat} donates {ship} for {points}.",
    "AirshipSold": "{seat} sells {ship} at {price}: stores {gold} gold{lost}.",
    "UtilityBuilt": "{seat} builds {utility} for {points}.",
    "MajorityTaken": "{seat} holds the majority of {row}.",
    "MajorityLost": "{seat} loses the majority of {row}.",
    "RenovationUnlocked": "{seat} unlocks the {resource} renovation for {points}.",
    "ContractTaken": "{seat} takes {contract}, term {term}.",
    "ContractCompleted": "{seat} completes {contract} for {points}.",
    "ContractsMovedOn": "{seat}'s contracts have one term less.",
    "ContractFailed": "{seat} fails {contract} and loses {points}.",
    "BonusTileEarned": "{seat} earns {bonus}.",
    "BonusTileUsed": "{seat} uses {bonus}.",
    "BonusTilesRefreshed": "{seat}'s bonus effect tiles are turned face up.",
    "GameEndReached": "The end of the game is reached: {reason}.",
    "AwardGained": "{seat} gains {points} for {award}.",
    "GameEnded": "The game is over.",
    # choices
    "Move": "Move the crew from {tile} {direction} to {target}",
    "LeapOn": "Leap on {direction} to {target}",
    "Fly": "Fly on {direction} to {target}",
    "Slide": "Slide {line} {number} {direction}{gears}",
    "Complete": "Complete {contract}: {cost} for {points} and {gold} gold",
    "Exchange": "Barter 1 {gave} for 1 {got}",
    "Produce": "Gain {goods}",
    "Hire": "Hire a crew for {cost}",
    "Recall": "Return all own crews to the Harbor",
    "Shift": "Slide rows or columns up to {slides} times, for no gear",
    "TakeContract": "Take {contract}, term {term}: {cost} for {points} and {gold} gold",
    "DonateShip": "Build {ship} for {cost} and donate it: {points}",
    "SellShip": "Build {ship} for {cost} and sell it: {price} gold",
    "Construct": "Build {utility} for {cost}: {points}",
    "Renovate": "Unlock the {resource} renovation for {cost}: {points}",
    "DevelopTile": "Develop {tile}: crest bonus {crest}{piggyback}",
    "Take": "Take {count} {resource}",
    "Negotiate": "Take {count} {resource}, and 1 {more} more by Skilled Negotiator",
    "Pass": "Do not use the location",
    "Done": "No more slides",
    "EndTurn": "End the turn",
}
