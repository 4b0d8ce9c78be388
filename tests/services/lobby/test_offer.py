"""What the lobby tells about the games that are really installed."""

from __future__ import annotations

import json

import jsonschema
import pytest

from services.lobby.offer import Offer
from shared.engine.data import encode
from shared.games import GAMES
from tests.conformance.playing import start


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_told_with_its_rules_wherever_its_folder_lies(name: str) -> None:
    told = Offer(GAMES, {"random": "Random"}).describe(name)
    assert told.rules_text.startswith("# ")
    assert told.game.game == name


@pytest.mark.parametrize("name", GAMES)
def test_the_board_of_a_match_fits_the_schema_that_is_told(name: str) -> None:
    told = Offer(GAMES, {"random": "Random"}).describe(name)
    match = start(GAMES[name], max(GAMES[name].players), 1).match
    jsonschema.validate(json.loads(encode(match.state)), json.loads(told.board_schema_json))
