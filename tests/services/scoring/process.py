"""The scoring process with the test game installed; `rebuild` as in the real one."""

from __future__ import annotations

from functools import partial

from services.scoring.__main__ import rebuild, wire
from shared.platform.service import serve
from tests.services.scoring.matches import GAMES

if __name__ == "__main__":
    serve("scoring", partial(wire, games=GAMES), partial(rebuild, games=GAMES))
