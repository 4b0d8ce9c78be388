"""What can go wrong, and whose fault it is.

    EngineError
      RuleViolation(code, clause)   the player may not do that now; nothing changed
      StaleDecision(id)             that question is not open any more; look again
      BadPayload                    bytes that are not of the game's vocabulary
      BadOption                     a table option or content file that the game does not know
      BadRecord                     a log that does not hold together; names the first wrong record
      NotInstalled                  a sound log of a game, edition or content that is not here

Anything else that is raised is a bug and must crash the call.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal


class EngineError(Exception):
    """Base of every refusal the engine makes on purpose."""


class RuleViolation(EngineError):
    """The rules do not allow this move now.

    `code` is a stable kebab-case word for programs, `clause` the number in the game's RULES.md.
    """

    def __init__(self, code: str, clause: str = "", detail: str = "") -> None:
        self.code = code
        self.clause = clause
        self.detail = detail
        where = f" (clause {clause})" if clause else ""
        super().__init__(f"{code}{where}{': ' + detail if detail else ''}")


class StaleDecision(EngineError):
    """The question was answered, withdrawn or asked anew since the player looked."""

    def __init__(self, decision_id: str) -> None:
        self.decision_id = decision_id
        super().__init__(f"decision {decision_id} is not open any more; look at the match again")


class BadPayload(EngineError):
    """Bytes that do not decode to a known record."""


class BadOption(EngineError):
    """A table option, player count or content override that the game does not accept."""


class BadRecord(EngineError):
    """A log whose records do not hold together.

    `version` is the first wrong record, 0 when the fault lies before the first.
    """

    def __init__(self, version: int, reason: str) -> None:
        self.version = version
        self.reason = reason
        super().__init__(f"record {version}: {reason}")


class NotInstalled(EngineError):
    """A match of a game, an edition or content tables that this installation does not have.

    Nothing is wrong with its log: it goes on where they are installed. `missing` says what is
    not here, `here` what is there instead.
    """

    def __init__(
        self,
        missing: Literal["game", "edition", "content"],
        game: str,
        edition: str,
        here: Iterable[str],
    ) -> None:
        self.missing = missing
        self.game = game
        self.edition = edition
        self.here = ", ".join(here) or "none"
        match = f"the match is one of {game!r}, edition {edition!r}"
        lacks = {
            "game": f"the games installed here are: {self.here}",
            "edition": f"the editions of it installed here are: {self.here}",
            "content": f"its content tables differ from those installed here: {self.here}",
        }[missing]
        super().__init__(
            f"{match}; {lacks}. Its log is kept as it is: install a release of Tallystick that "
            "has what it began with, and it goes on"
        )
