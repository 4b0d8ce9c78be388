"""What can go wrong, and whose fault it is.

    EngineError
      RuleViolation(code, clause)   the player may not do that now; nothing changed
      StaleDecision(id)             that question is not open any more; look again
      BadPayload                    bytes that are not of the game's vocabulary
      BadOption                     a table option or content file that the game does not know
      BadRecord                     a log that does not hold together; names the first wrong record

Anything else that is raised is a bug and must crash the call.
"""

from __future__ import annotations


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
