"""The games this server plays: one folder and one line each."""

from shared.engine.game import Game

GAMES: dict[str, Game] = {}
