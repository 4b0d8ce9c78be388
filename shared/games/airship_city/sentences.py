"""English for facts, choices and ids. Templates are keyed by class name, `{field}` filled in."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from importlib.resources import files
from typing import Any

from shared.games.airship_city.pieces import RESOURCES


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
        "shipbuilding": "Shipbuilding",
        "construction": "Construction",
        "trade": "Trade",
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
    words = [f"{n} {name}" for n, name in zip(goods, RESOURCES, strict=True) if n]
    return ", ".join(words) or "nothing"


def _lost(lost: int | tuple[int, ...]) -> str:
    """What found no room: goods, or gold alone."""
    if not lost or (isinstance(lost, tuple) and not any(lost)):
        return ""
    words = stock(lost) if isinstance(lost, tuple) else f"{lost} gold"
    return f" and has no room for {words}"


FORMATS: dict[str, Callable[[Any], str]] = {
    "goods": stock,
    "lost": _lost,
    "deck": lambda deck: str(len(deck)),
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
    "AirshipDonated": "{seat} donates {ship} for {points} points.",
    "AirshipSold": "{seat} sells {ship} at {price}: stores {gold} gold{lost}.",
    "UtilityBuilt": "{seat} builds {utility} for {points} points.",
    "MajorityTaken": "{seat} holds the majority of {row}.",
    "MajorityLost": "{seat} loses the majority of {row}.",
    "RenovationUnlocked": "{seat} unlocks the {resource} renovation for {points} points.",
    "ContractTaken": "{seat} takes {contract}, term {term}.",
    "ContractCompleted": "{seat} completes {contract} for {points} points.",
    "ContractsMovedOn": "{seat}'s contracts have one term less.",
    "ContractFailed": "{seat} fails {contract} and loses {points} points.",
    "BonusTileEarned": "{seat} earns {bonus}.",
    "BonusTileUsed": "{seat} uses {bonus}.",
    "BonusTilesRefreshed": "{seat}'s bonus effect tiles are turned face up.",
    "GameEndReached": "The end of the game is reached: {reason}.",
    "AwardGained": "{seat} gains {points} points for {award}.",
    "GameWon": "{seat} wins with {points} points.",
    "GameEnded": "The game is over.",
    # choices
    "Move": "Move the crew from {tile} {direction}",
    "LeapOn": "Leap on {direction}",
    "Fly": "Fly on {direction}",
    "Slide": "Slide {line} {number} {direction}",
    "Complete": "Complete {contract}",
    "Exchange": "Barter 1 {gave} for 1 {got}",
    "Use": "Perform the action",
    "TakeContract": "Take {contract}",
    "BuildShip": "Build {ship} to {purpose} it",
    "Construct": "Build {utility}",
    "Renovate": "Unlock the {resource} renovation",
    "DevelopTile": "Develop {tile}",
    "Take": "Take {resource}",
    "Negotiate": "Take {resource}, and 1 {more} more by Skilled Negotiator",
    "Pass": "Do not use the location",
    "Done": "No more slides",
    "EndTurn": "End the turn",
}
