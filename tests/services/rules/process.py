"""The rules process with the test game installed beside the real ones."""

from __future__ import annotations

from functools import partial

from services.rules.__main__ import wire
from shared.games import GAMES
from shared.platform.service import serve
from tests.engine.harbour import HARBOUR

if __name__ == "__main__":
    serve("rules", partial(wire, games={**GAMES, "harbour": HARBOUR}))
