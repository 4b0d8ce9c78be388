"""The rules process with the test game installed beside the real ones.

`HARBOUR_EDITIONS` says which of its editions are here, newest first.
"""

from __future__ import annotations

import os
from functools import partial

from services.rules.__main__ import wire
from shared.games import GAMES
from shared.platform.service import serve
from tests.engine.harbour import HARBOUR
from tests.engine.harbour_2 import BOTH, HARBOUR_2

HARBOURS = {"1": HARBOUR, "2": HARBOUR_2, "2,1": BOTH}

if __name__ == "__main__":
    harbour = HARBOURS[os.environ.get("HARBOUR_EDITIONS", "1")]
    serve("rules", partial(wire, games={**GAMES, "harbour": harbour}))
