"""The games this server plays: one folder and one line each."""

from shared.engine.game import Game
from shared.games.airship_city import GAME as AIRSHIP_CITY
from shared.games.dwergar import GAME as DWERGAR

GAMES: dict[str, Game] = {"dwergar": DWERGAR, "airship-city": AIRSHIP_CITY}
