"""How often Python looks for reference cycles."""

from __future__ import annotations

import gc


def relax_collector() -> None:
    """Look for cycles rarely: positions are immutable trees, which are freed without it.

    Decoding a log makes thousands of small tuples a millisecond. With Python's ordinary threshold
    (700) the search for cycles among them took 40 % of the time of a replay.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
