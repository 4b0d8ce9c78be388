"""The worked examples of the rulebook, each played as it is told there."""

from __future__ import annotations

from collections import Counter

from shared.games.dwergar.facts import (
    CartLoaded,
    CartUnloaded,
    DwarfPlaced,
    EventRevealed,
    GoodsExchanged,
    GoodsGained,
    HeatGained,
    LiftMoved,
    Paid,
    SilverbeardSpent,
    TurnEnded,
)
from tests.games.dwergar.kit import goods, table


def test_mining_resources() -> None:
    """Red mines twice and lifts; the event lifts twice more: the table of two extractions."""
    red, blue, orange, green = 3, 0, 1, 2
    game = table(
        4,
        round=2,
        turn=red,
        next_events="mining-union",
        seat3=dict(pool="ironworker blacksmith"),
        board={"mine-1": "engineer", "forge": "foreman-3"},
        carts={
            "transit": {red: "1 stone"},
            "mine-1": {orange: "1 iron 1 gold", green: "1 stone"},
            "mine-2": {blue: "1 iron"},
        },
    )

    game.does("place ironworker mine-1", "use basic")
    game.happened(
        DwarfPlaced(red, "ironworker", "mine-1", "engineer"),
        CartLoaded(red, "mine-1", goods("3 stone")),
    )
    assert game.cart("mine-1", red) == "3 stone"
    assert game.pool(red) == Counter(engineer=1, blacksmith=1)

    game.does("place engineer mine-2", "use basic")
    game.happened(
        DwarfPlaced(red, "engineer", "mine-2", ""),
        CartLoaded(red, "mine-2", goods("1 stone 1 iron")),
    )
    assert game.cart("mine-2", red) == "1 stone 1 iron"
    assert game.goods(red) == ""

    game.does("place blacksmith lift", "lift 1")
    game.happened(
        LiftMoved(),
        CartUnloaded(red, goods("1 stone"), False),
        EventRevealed("mining-union"),
        LiftMoved(),
        CartUnloaded(red, goods("3 stone"), False),
        LiftMoved(),
    )
    first, second = [i for i, fact in enumerate(game.facts) if type(fact) is LiftMoved][-2:]
    extraction_1 = [fact for fact in game.facts[first:second] if type(fact) is CartUnloaded]
    extraction_2 = [fact for fact in game.facts[second:] if type(fact) is CartUnloaded]
    assert {fact.seat: fact.goods for fact in extraction_1} == {
        red: goods("3 stone"),
        orange: goods("1 iron 1 gold"),
        green: goods("1 stone"),
    }
    assert {fact.seat: fact.goods for fact in extraction_2} == {
        red: goods("1 stone 1 iron"),
        blue: goods("1 iron"),
    }
    assert [game.goods(seat) for seat in (red, blue, orange, green)] == [
        "5 stone 1 iron",
        "1 iron",
        "1 iron 1 gold",
        "1 stone",
    ]
    game.chooses(blue, left=3)


def test_full_mine_level_1_with_an_installed_furnace() -> None:
    """With a furnace of one's own installed on level 1, it gives 5 stone, not 3."""
    game = table(furnaces={"mine-1": 0})
    game.does("place engineer mine-1", "use basic")
    assert game.cart("mine-1", 0) == "5 stone"


def test_bellows_by_specialty() -> None:
    """Ironworker: light all. Blacksmith: 2 heat. Foreman, engineer: the basic action only."""
    game = table(seat0=dict(cool=3))
    game.does("place ironworker bellows")
    game.asks(0, "Use the space", "use basic", "use ironworker", "done")
    game.does("use ironworker")
    assert (game.player(0).hot, game.player(0).cool) == (3, 0)

    game = table()
    game.does("place blacksmith bellows", "use blacksmith")
    game.happened(HeatGained(0, 2, "bellows"))

    game = table()
    game.does("place engineer bellows")
    game.asks(0, "Use the space", "use basic", "done")

    game = table()
    game.does("place foreman bellows")
    game.asks(0, "Use the space", "use basic", "done")


def test_workshop_two_furnaces_in_one_action() -> None:
    """The engineer builds a second furnace: 2 stone and 1 iron for both."""
    game = table(seat0=dict(goods="2 stone 1 iron", cool=2))
    game.does("place engineer workshop", "use basic", "use engineer")
    assert (game.player(0).cool, game.goods(0)) == (4, "")


def test_laboratory_one_exchange_only() -> None:
    """1 gold may become 2 iron; but not, in the same action, 1 of these 2 stone."""
    game = table(seat0=dict(goods="1 gold"))
    game.does("place engineer laboratory", "exchange gold iron")
    game.happened(GoodsExchanged(0, "gold", "iron", 2))
    game.chooses(0, left=2)
    assert game.goods(0) == "2 iron"


def test_laboratory_chain_of_the_blacksmith() -> None:
    """1 crystal to 2 gold (first exchange), these to 6 stone (second and third)."""
    game = table(seat0=dict(goods="1 crystal"))
    game.does(
        "place blacksmith laboratory",
        "exchange crystal gold",
        "exchange gold stone",
        "exchange gold stone",
    )
    game.happened(
        GoodsExchanged(0, "crystal", "gold", 2),
        GoodsExchanged(0, "gold", "stone", 3),
        GoodsExchanged(0, "gold", "stone", 3),
    )
    assert game.goods(0) == "6 stone"
    game.chooses(0, left=2)


def test_forge_chain() -> None:
    """1 heat and 1 stone make 1 iron, then 1 heat and this iron make 1 gold."""
    game = table(seat0=dict(goods="1 stone", heat=2))
    game.does("place ironworker forge", "forge iron", "forge gold")
    game.happened(
        Paid(0, 1, 0, goods("1 stone")),
        GoodsGained(0, goods("1 iron"), "forge"),
        Paid(0, 1, 0, goods("1 iron")),
        GoodsGained(0, goods("1 gold"), "forge"),
    )
    assert game.goods(0) == "1 gold"


def test_studio_take_back() -> None:
    """A project for 2 stone and 1 iron: a stone may be taken back, the iron not."""
    game = table(
        display="entry-to-new-shaft",
        seat0=dict(goods="2 stone 1 iron"),
    )
    game.does("place engineer studio", "complete entry-to-new-shaft")
    game.asks(0, "Take back one resource", "take-back stone", "take-back nothing")
    game.does("take-back stone")
    game.happened(GoodsGained(0, goods("1 stone"), "studio"))
    assert game.goods(0) == "1 stone"


def test_studio_blacksmith_pays_2_heat_less_for_the_upgrade() -> None:
    """In contrast to the engineer's take-back this makes the upgrade itself cheaper."""
    game = table(display="shaft-lighting", seat0=dict(goods="2 gold", heat=1))
    game.does("place blacksmith studio", "complete shaft-lighting", "upgrade shaft-lighting")
    assert game.player(0).upgraded == ("shaft-lighting",)
    assert game.player(0).heat == 0


def test_heat_from_a_furnace_and_the_track_together() -> None:
    """3 heat: one furnace is extinguished, the marker goes down 2."""
    game = table(display="cursed-treasury", seat0=dict(heat=2, hot=1, cool=1))
    game.does("place ironworker studio", "complete cursed-treasury")
    game.happened(Paid(0, 2, 1, goods("")))
    player = game.player(0)
    assert (player.heat, player.hot, player.cool) == (0, 0, 2)


def test_eastern_district_saves_heat() -> None:
    """5 heat and 1 Eastern District card at the end of a turn: 2 are left, not 0."""
    game = table(left=1, seat0=dict(heat=5, projects="southern-pipeline"))
    game.visits("engineer", "lift")
    game.happened(TurnEnded(0, 2))
    assert game.player(0).heat == 2


def test_silverbeard_gives_the_other_bonus_of_the_bellows() -> None:
    """The blacksmith's 2 heat, and for the token the ironworker's lighting of all furnaces."""
    game = table(decks="new-shaft+old-shaft", silverbeard=0, seat0=dict(cool=3))
    game.does("place blacksmith bellows", "use blacksmith", "silverbeard ironworker")
    game.happened(HeatGained(0, 2, "bellows"), SilverbeardSpent(0, "ironworker"))
    game.does("use ironworker")
    assert (game.player(0).heat, game.player(0).hot) == (2, 3)
    assert game.state.silverbeard == -1


def test_new_shaft_points_grow() -> None:
    """The first upgraded New Shaft project gives 2, the second 4, the third 6."""
    game = table(
        seat0=dict(heat=9, projects="entry-to-new-shaft new-shaft-supports filled-fissure"),
    )
    game.does("place blacksmith forge", "upgrade entry-to-new-shaft")
    assert game.points(0) == 2
    game.does("upgrade new-shaft-supports")
    assert game.points(0) == 2 + 4
    game.does("upgrade filled-fissure")
    assert game.points(0) == 2 + 4 + 6
    assert game.player(0).heat == 0
