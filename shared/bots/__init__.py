"""Bots: players that see only their seat's view, and choose among the options offered to it.

A bot gets the seat's own state (hidden parts as `UNKNOWN`), never the match. Register one by a
line in `BOTS`; its name is the seat kind that a table asks for.
"""

from __future__ import annotations

from shared.bots.chance_player import choose_at_random
from shared.bots.planner import plan
from shared.bots.seat import Bot, SeatView

BOTS: dict[str, Bot] = {
    "random": choose_at_random,
    "planner": plan,
}

__all__ = ["BOTS", "Bot", "SeatView", "account_of"]


def account_of(kind: str) -> str:
    """The account under which a kind of bot sits, plays and is rated."""
    return f"bot-{kind}"
