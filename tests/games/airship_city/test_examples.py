"""The worked examples of the rulebook, each played as it is told there."""

from __future__ import annotations

from shared.games.airship_city.facts import (
    ContractFailed,
    ContractsMovedOn,
    CrewHired,
    CrewMoved,
    CrewUsed,
    GoodsGained,
    Paid,
    RenovationUnlocked,
    TileDeveloped,
    TilesSlid,
)
from tests.games.airship_city.kit import (
    ACTIVATE,
    NOTHING,
    PIGGYBACK,
    USE,
    at,
    goods,
    last_turn,
    table,
)

FOX, TIFFANY = 0, 1


def test_from_the_shipyard_to_valley_market_or_office_but_not_to_the_mine() -> None:
    """The mine touches the shipyard at a corner only; to the south the city ends."""
    game = table(seat0=dict(crew="shipyard-1 lighthouse*"))
    game.asks(FOX, ACTIVATE, "move shipyard-1 w", "move shipyard-1 e", "move shipyard-1 n")
    for way, tile in (("w", "valley-1"), ("e", "market"), ("n", "architects-office")):
        game = table(seat0=dict(crew="shipyard-1 lighthouse*"))
        game.does(f"move shipyard-1 {way}")
        game.happened(CrewMoved(FOX, "shipyard-1", tile))
    assert game.row(3).split()[1] == "mine-1" and game.row(4).split()[2] == "shipyard-1"


def test_over_the_office_and_the_mine_to_the_harbor() -> None:
    """Own crews on the Architect's Office and the Mine: the move goes on to the Harbor."""
    game = table(seat0=dict(crew="shipyard-1 architects-office* mine-1*", goods="2 metal 10 gold"))
    game.does("move shipyard-1 n", "leap w", "leap w")
    game.happened(
        CrewMoved(FOX, "shipyard-1", "architects-office"),
        CrewMoved(FOX, "architects-office", "mine-1"),
        CrewMoved(FOX, "mine-1", "harbor"),
    )
    game.never(GoodsGained)
    game.waits(FOX, USE)
    game.offers("use")
    game.does("pass")
    game.happened(CrewUsed(FOX, "harbor"))
    assert game.crew(FOX) == "architects-office* harbor* mine-1*"


def test_the_row_of_the_harbor_is_shifted_to_reach_the_guild_hall() -> None:
    """The Guild Hall is pushed off the grid and comes back beside the Harbor."""
    game = table(seat0=dict(crew="harbor lighthouse*", goods="10 gold 1 gear"))
    assert game.row(3) == "harbor mine-1 architects-office guild-hall"
    game.lacks("move harbor w")
    game.does("slide row 3 east")
    game.happened(Paid(FOX, goods("1 gear"), "slide"), TilesSlid(FOX, "row", 3, "east"))
    assert game.row(3) == "guild-hall harbor mine-1 architects-office"
    assert game.crew(FOX) == "harbor lighthouse*"
    game.does("move harbor w", "use")
    game.happened(CrewMoved(FOX, "harbor", "guild-hall"), CrewHired(FOX, "harbor"))
    assert game.goods(FOX) == ""


def test_workshop_unlocks_wood_and_then_developed_tiles_give_one_more() -> None:
    """Fox unlocks the Wood Renovation tile: from then on a developed wood tile gives +1 wood."""
    game = at(
        "workshop",
        seat0=dict(goods="4 gold 4 gear", crew="lighthouse valley-2"),
    )
    game.does("renovate wood", "develop forest-2")
    game.happened(
        Paid(FOX, goods("4 gold 4 gear"), "renovation"),
        RenovationUnlocked(FOX, "wood", 3),
        TileDeveloped(FOX, "forest-2"),
    )
    assert game.points(FOX, "renovations") == 3
    assert game.state.developed == ("forest-2",)
    game.does("move valley-2 e", "use")
    game.happened(
        GoodsGained(FOX, goods("3 wood"), NOTHING, "forest-2"),
        GoodsGained(FOX, goods("1 wood"), NOTHING, "crest"),
    )
    assert game.goods(FOX) == "4 wood"


def test_fox_piggybacks_on_tiffanys_valley() -> None:
    """Tiffany gains 1 wood and 1 metal; Fox, who is there too, 1 wood or metal."""
    game = at(
        "valley-1",
        turn=TIFFANY,
        developed="valley-1",
        seat0=dict(crew="valley-1 harbor"),
    )
    game.does("use")
    game.happened(GoodsGained(TIFFANY, goods("1 wood 1 metal"), NOTHING, "valley-1"))
    assert game.goods(TIFFANY) == "1 wood 1 metal"
    game.asks(FOX, PIGGYBACK, "take wood", "take metal")
    game.does("take metal", seat=FOX)
    game.happened(GoodsGained(FOX, goods("1 metal"), NOTHING, "piggyback"))
    assert (game.goods(FOX), game.goods(TIFFANY)) == ("1 metal", "1 wood 1 metal")


def test_contracts_slide_along_the_term_track_and_the_last_fails() -> None:
    """Every incomplete contract moves one space; the one that slides off costs its 1 VP."""
    game = last_turn(
        round=4,
        seat0=dict(contracts="contract-1:1 contract-7:2 contract-15:3", points=5),
    )
    game.rests()
    game.happened(ContractsMovedOn(FOX), ContractFailed(FOX, "contract-1", 1))
    player = game.player(FOX)
    assert player.contracts == (("contract-7", 1), ("contract-15", 2))
    assert player.failed == ("contract-1",)
    assert game.points(FOX) == 4 and game.points(FOX, "failed") == -1
