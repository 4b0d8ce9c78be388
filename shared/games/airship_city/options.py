"""What the table may settle before the match: the contested rulings."""

from __future__ import annotations

from collections.abc import Mapping

from shared.engine.data import Data
from shared.engine.errors import BadOption
from shared.engine.game import GameOption

OPTIONS = tuple(
    GameOption(name, title, choices[0], choices)
    for name, title, choices in (
        ("piggyback", "On which tiles one piggybacks (R1)", ("developed", "always")),
        ("barter", "What Barter needs: as printed, or contracts (R2)", ("printed", "contracts")),
        (
            "tourist_prerequisites",
            "What Passenger and Luxury Cruise ships need (R3)",
            ("family", "literal"),
        ),
        ("failing", "Whether failed contracts stop at 0 points (R4)", ("floor", "negative")),
        (
            "unfinished_contracts",
            "Contracts on the term track at the end (R5)",
            ("harmless", "fail"),
        ),
    )
)


class Rules(Data, frozen=True, gc=False):
    """The options in force at a table; the fields are the options' names."""

    piggyback: str = "developed"
    barter: str = "printed"
    tourist_prerequisites: str = "family"
    failing: str = "floor"
    unfinished_contracts: str = "harmless"


def rules_of(options: Mapping[str, str]) -> Rules:
    """The options as chosen. Raises `BadOption` for one that the game does not know."""
    known = {option.name: option for option in OPTIONS}
    for name, value in options.items():
        if name not in known:
            raise BadOption(f"Airship City has no option {name!r}; it has: {', '.join(known)}")
        if value not in known[name].choices:
            allowed = ", ".join(known[name].choices)
            raise BadOption(f"the option {name} cannot be {value!r}; it can be: {allowed}")
    return Rules(**options)
