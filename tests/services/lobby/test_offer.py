"""What the lobby tells about the games that are really installed."""

from __future__ import annotations

import json

import jsonschema
import pytest

from services.lobby.offer import Offer
from shared.engine.data import encode
from shared.games import GAMES
from shared.platform.rpc.errors import InvalidArgument
from tests.conformance.playing import start


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_told_with_its_rules_wherever_its_folder_lies(name: str) -> None:
    told = Offer(GAMES, {"random": "Random"}).describe(name)
    assert told.rules_text.startswith("# ")
    assert told.game.game == name


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("override", ["a = " + "[" * 60_000, "a = 1" + "0" * 5_000])
def test_content_that_no_parser_takes_is_refused(name: str, override: str) -> None:
    offer = Offer(GAMES, {})
    with pytest.raises(InvalidArgument, match="cannot be read") as refusal:
        offer.terms(name, min(GAMES[name].players), {}, override)
    assert refusal.value.field == "content_override"


@pytest.mark.parametrize("name", GAMES)
def test_the_board_of_a_match_fits_the_schema_that_is_told(name: str) -> None:
    told = Offer(GAMES, {"random": "Random"}).describe(name)
    match = start(GAMES[name], max(GAMES[name].players), 1).match
    jsonschema.validate(json.loads(encode(match.state)), json.loads(told.board_schema_json))
