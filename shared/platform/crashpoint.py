"""For tests only: places at which a process can be made to die, as if the power had failed.

A test starts a service with `TALLY_TEST_CRASHPOINT=<name>`; the process kills itself when it
comes by that place. Without the variable, which no deployment sets, nothing ever happens.
"""

from __future__ import annotations

import os
import signal

VARIABLE = "TALLY_TEST_CRASHPOINT"

_armed = os.environ.get(VARIABLE, "")


def crashpoint(name: str) -> None:
    """Die here, without any goodbye, if this is the place that the test named."""
    if _armed == name:
        os.kill(os.getpid(), signal.SIGKILL)
