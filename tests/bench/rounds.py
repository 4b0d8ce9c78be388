"""How measurements in rounds are told: the median, with the least and the most beside it."""

from __future__ import annotations

import statistics
from collections.abc import Sequence


def spread(name: str, values: Sequence[float]) -> dict[str, float]:
    """The median of the rounds under that name, `_min` and `_max` beside it."""
    return {name: statistics.median(values), f"{name}_min": min(values), f"{name}_max": max(values)}


def ratio(name: str, ours: Sequence[float], theirs: Sequence[float]) -> dict[str, float]:
    """Ours over theirs, each round against the round beside it."""
    return spread(name, [one / other for one, other in zip(ours, theirs, strict=True)])


def percentile(values: Sequence[float], part: float) -> float:
    """The value that the given part of them does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]
