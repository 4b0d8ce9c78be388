"""What a bot is given: one seat's view of a match."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

from shared.engine.game import Game, Option
from shared.engine.table import Decision


class SeatView(NamedTuple):
    """A match as one seat knows it: `state` holds `UNKNOWN` wherever the seat may not look."""

    game: Game
    content: Any
    state: Any
    seat: int


Bot = Callable[[SeatView, Decision, random.Random], Option]
"""Answers an open decision of its seat with one of the decision's options."""
