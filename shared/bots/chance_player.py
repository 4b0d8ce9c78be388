"""The random bot: every offered option is equally likely. The yardstick for all others."""

from __future__ import annotations

import random

from shared.bots.seat import SeatView
from shared.engine.game import Option
from shared.engine.table import Decision


def choose_at_random(_: SeatView, decision: Decision, rng: random.Random) -> Option:
    """Any of the options."""
    return rng.choice(decision.options)
