"""The table as text: what a player has to see is there, within 100 columns."""

from __future__ import annotations

import pytest

from tests.games.airship_city.box import SHIPS, SOLD, TILES, UTILITIES
from tests.games.airship_city.kit import GAME, Play, in_words, table

NAMES = ("Fox", "Tiffany", "Bear", "Owl")


def drawn(game: Play) -> list[str]:
    return GAME.picture(game.content, game.state, NAMES[: len(game.state.players)]).splitlines()


def line(game: Play, begin: str) -> str:
    """The one line that begins so."""
    (found,) = [one for one in drawn(game) if one.strip().startswith(begin)]
    return found


@pytest.mark.parametrize("players", (3, 4))
def test_a_full_table_fits(players: int) -> None:
    seat = dict(
        crew="harbor harbor harbor harbor",
        goods="20 wood 20 metal 20 gold 20 gear",
        renovated="wood metal gold gear",
        utilities="park clock-tower library",
        ships="sightseeing passenger luxury-cruise",
    )
    held = ("1 2 3 4 5", "6 7 8 9 10", "11 12 13 14 15", "")
    seats = {
        f"seat{n}": seat
        | dict(contracts=" ".join(f"contract-{c}" for c in held[n].split()), points=99)
        for n in range(players)
    }
    game = table(players, developed=" ".join(TILES), **seats)  # type: ignore[arg-type]
    assert max(map(len, drawn(game))) <= 100
    for name in (*TILES, *SHIPS, *UTILITIES, *NAMES[:players]):
        assert any(name in one for one in drawn(game)), name
    for number in range(1, 21):
        assert any(f"contract-{number} " in one for one in drawn(game)), number


def test_tiles_lie_as_in_the_city() -> None:
    game = table()
    rows = [one for one in drawn(game) if "|" in one and any(tile in one for tile in TILES)]
    found = [[cell.split()[0] for cell in one.split("|")[1:-1]] for one in rows]
    assert [" ".join(names) for names in found] == [game.row(n) for n in range(1, 5)]


def test_developed_tiles_are_marked() -> None:
    game = table(developed="mine-1")
    assert any("mine-1 *" in one for one in drawn(game))
    assert not any("mine-2 *" in one for one in drawn(game))


def test_crews_stand_on_their_tiles_the_used_ones_marked() -> None:
    game = table(
        turn=1,
        seat0=dict(crew="forest-1 market"),
        seat1=dict(crew="forest-1 workshop*"),
        seat2=dict(crew="harbor harbor"),
    )
    at_row_1 = next(i for i, one in enumerate(drawn(game)) if "forest-1" in one)
    cells = [cell.split() for cell in drawn(game)[at_row_1 + 2].split("|")[1:-1]]
    assert cells == [["0'", "1"], [], [], ["1'"]]


@pytest.mark.parametrize("ship", SOLD)
@pytest.mark.parametrize("step", range(5))
def test_prices(ship: str, step: int) -> None:
    game = table(prices={ship: step})
    assert f"{SHIPS[ship].prices[step]}g" in line(game, f"{ship} ").split()


def test_donations_and_majorities() -> None:
    game = table(seat0=dict(ships="2 passenger"), seat1=dict(ships="passenger", utilities="park"))
    assert "[001.]" in line(game, "passenger ") and "majority 0" in line(game, "passenger ")
    assert "[1...]" in line(game, "park ") and "majority 1" in line(game, "park ")


def test_depots() -> None:
    game = table(seat1=dict(goods="3 wood 2 gear", points=7))
    assert "3w" in line(game, "1 Tiffany") and "2r" in line(game, "1 Tiffany")
    assert "7 VP" in line(game, "1 Tiffany")
    assert in_words(game.player(1).goods) == "3 wood 2 gear"


def test_the_deck_is_not_shown() -> None:
    game = table(offer="contract-1", deck="contract-2 contract-3")
    text = "\n".join(drawn(game))
    assert "contract-1 " in text and "contract-2 " not in text


def test_tiles_say_what_they_produce_and_their_bonuses() -> None:
    text = "\n".join(drawn(table(developed="mine-1 market")))
    for words in ("forest-2 3w", "mine-1 * 2m", "valley-1 1w 1m", "guild-hall crew 10g"):
        assert f" {words} " in text
    for words in ("wm > 1wm, piggy 1wm", "crest 1m, piggy 1m", "crest 2g", "g > 1g"):
        assert f" {words} " in text


@pytest.mark.parametrize("players", (3, 4))
def test_what_the_box_prints_on_its_boards_is_told(players: int) -> None:
    game = table(players)
    now, then = ("11g", "10g") if players == 3 else ("12g", "11g")
    assert line(game, "metal-residential ").split()[4:6] == [now, then]
    assert line(game, "renovation ").split(maxsplit=1)[1] == (
        "wood 4g 4r; metal 4g 4r; gold 3g 5r; gear 5g 3r; 3 VP, room for 20, not 10"
    )
    assert line(game, "awards").endswith("shipbuilding 6/3, construction 4/2, trade 2/1 VP")
    assert line(game, "the 2nd and 3rd ship").endswith("2 own markers in the row above")
    assert line(game, "bonus tiles").endswith("negotiator 3 utilities, barter 3 utilities")


def test_the_picture_follows_the_options() -> None:
    game = table(options={"tourist_prerequisites": "literal", "barter": "contracts"})
    assert line(game, "passenger needs") == (
        "  passenger needs 2 on any 2nd ships, luxury-cruise 2 on any 3rd ships"
    )
    assert line(game, "bonus tiles").endswith("barter 3 contracts")


def test_everybodys_discounts() -> None:
    game = table(
        seat0=dict(ships="2 wooden-private luxury-cruise"), seat1=dict(ships="luxury-cruise")
    )
    assert line(game, "saves 3w") == "    saves 3w at shipyard; 2g at architects-office"
    assert line(game, "saves 2g") == "    saves 2g at architects-office"
