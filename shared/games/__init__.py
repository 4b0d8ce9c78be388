"""The games this server plays: one folder and one line each."""

from shared.engine.game import Game
from shared.games.dwergar import GAME as DWERGAR

GAMES: dict[str, Game] = {"dwergar": DWERGAR}
