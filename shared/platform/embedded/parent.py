"""Child processes that end when whoever started them ends, even by a kill."""

from __future__ import annotations

import shutil
import sys


def ending_with_parent(signal: str = "TERM") -> list[str]:
    """What to put in front of a command so that it gets `signal` when its starter is gone.

    Linux only, where setpriv is installed; nothing elsewhere. It is the starting thread that
    counts, so start such a child from the main thread.
    """
    if sys.platform == "linux" and shutil.which("setpriv"):
        return ["setpriv", "--pdeathsig", signal]
    return []
