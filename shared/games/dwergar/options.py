"""What the table may settle before the match: the decks, the length, and contested rulings."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from shared.engine.data import Data
from shared.engine.errors import BadOption
from shared.engine.game import GameOption
from shared.games.dwergar.pieces import DECKS

RECOMMENDED = DECKS[:4]
"""The decks that the rulebook recommends to new players, as many as there are players."""

DECK_SETS = tuple("+".join(decks) for count in (2, 3, 4) for decks in combinations(DECKS, count))

OPTIONS = tuple(
    GameOption(name, title, choices[0], choices)
    for name, title, choices in (
        ("decks", "Project decks, as many as players", ("recommended", "random", *DECK_SETS)),
        ("events", "Number of event cards", ("9", "7")),
        (
            "event_timing",
            "At the end of which rounds an event is drawn (R1)",
            ("rulebook", "german", "every-round"),
        ),
        ("refill", "When the order track is refilled (R2)", ("start-of-turn", "end-of-turn")),
        (
            "foreman_in_mine",
            "When a foreman in the mine boards his cart (R3)",
            ("at-once", "when-replaced"),
        ),
        ("take_back", "What the engineer's take-back looks at (R4)", ("paid", "printed")),
        (
            "silverbeard_tie",
            "Silverbeard when nobody leads in the Old Shaft (R5)",
            ("returned", "kept"),
        ),
        (
            "leader_bonus",
            "Whether a deck's leader needs a project of it (R6)",
            ("needs-one", "literal"),
        ),
        (
            "underfloor_heating",
            "Event 49: points on top of the usual 2, or in all (R7)",
            ("extra", "in-all"),
        ),
        ("dangerous_obstruction", "Points of card 31 (R8)", ("reconstructed", "literal")),
        ("calcination_oven", "Upgrade cost of card 34 (R9)", ("discount", "per-card")),
        ("gold_foundry", "Which cost card 20 looks at (R10)", ("printed", "paid")),
        ("jewelers_workshop", "Which costs card 25 looks at (R11)", ("completion", "both-halves")),
        (
            "gnomes_and_foreman",
            "Whether card 44 serves the foreman (R12)",
            ("allowed", "workers-only"),
        ),
    )
)


class Rules(Data, frozen=True, gc=False):
    """The options in force at a table; the fields are the options' names."""

    decks: str = "recommended"
    events: str = "9"
    event_timing: str = "rulebook"
    refill: str = "start-of-turn"
    foreman_in_mine: str = "at-once"
    take_back: str = "paid"
    silverbeard_tie: str = "returned"
    leader_bonus: str = "needs-one"
    underfloor_heating: str = "extra"
    dangerous_obstruction: str = "reconstructed"
    calcination_oven: str = "discount"
    gold_foundry: str = "printed"
    jewelers_workshop: str = "completion"
    gnomes_and_foreman: str = "allowed"


def rules_of(players: int, options: Mapping[str, str]) -> Rules:
    """The options as chosen. Raises `BadOption` for one that the game does not know."""
    known = {option.name: option for option in OPTIONS}
    for name, value in options.items():
        if name not in known:
            raise BadOption(f"Dwergar has no option {name!r}; it has: {', '.join(known)}")
        if value not in known[name].choices:
            allowed = ", ".join(known[name].choices)
            raise BadOption(f"the option {name} cannot be {value!r}; it can be: {allowed}")
    rules = Rules(**options)
    if rules.decks in DECK_SETS and len(rules.decks.split("+")) != players:
        raise BadOption(
            f"the option decks names {rules.decks!r}, but {players} players "
            f"use exactly {players} decks"
        )
    return rules


def rounds_of(rules: Rules) -> int:
    """The number of rounds (2.1, R1)."""
    return int(rules.events) + (rules.event_timing != "every-round")


def draws_event(rules: Rules, round_: int) -> bool:
    """Whether an event is drawn at the end of that round (2.7, R1)."""
    if rules.event_timing == "rulebook":
        return round_ > 1
    return rules.event_timing == "every-round" or round_ < rounds_of(rules)
