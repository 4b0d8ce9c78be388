"""The six workplaces: lift, workshop, bellows, laboratory, forge, studio."""

from __future__ import annotations

import pytest

from shared.games.dwergar.facts import (
    CartUnloaded,
    FurnaceBuilt,
    FurnacesLit,
    GoodsExchanged,
    GoodsGained,
    HeatGained,
    LiftMoved,
    Paid,
    PointsGained,
    ProjectCompleted,
    ProjectUpgraded,
    StonePutInCarts,
)
from tests.games.dwergar.kit import goods, table

TAKE_BACK = "Take back one resource"
UPGRADE_NOW = "Upgrade the project just completed"

# Lift -----------------------------------------------------------------------------------------


def test_lift_one_level_free_of_charge() -> None:
    game = table()
    game.does("place blacksmith lift")
    game.asks(0, "Use the space", "lift 1", "done")
    game.does("lift 1")
    game.never(Paid)
    assert len(game.all_of(LiftMoved)) == 1


def test_lift_one_more_level_for_each_heat() -> None:
    game = table(seat0=dict(heat=2), carts={"mine-2": {0: "1 iron"}})
    game.does("place blacksmith lift")
    game.asks(0, "Use the space", "lift 1", "lift 2", "lift 3", "done")
    game.does("lift 3")
    game.happened(Paid(0, 2, 0, goods("")), LiftMoved(), LiftMoved(), LiftMoved())
    assert game.goods(0) == "1 iron"
    assert game.player(0).heat == 0


def test_lift_with_the_heat_of_furnaces() -> None:
    game = table(seat0=dict(hot=2))
    game.does("place blacksmith lift", "lift 3")
    game.happened(Paid(0, 0, 2, goods("")))


def test_lift_no_further_than_the_heat_reaches() -> None:
    game = table(seat0=dict(heat=1))
    game.does("place blacksmith lift")
    game.refuses("lift 3", "cannot-afford")
    game.refuses("lift 0")


def test_lift_all_empty_carts_for_points() -> None:
    """As much heat as one wants: hard work is appreciated."""
    game = table(seat0=dict(heat=9))
    game.does("place ironworker lift", "lift 10")
    assert game.points(0, "lift") == 10
    game.never(CartUnloaded)


def test_lift_ironworker_gains_a_point_for_each_level() -> None:
    game = table(seat0=dict(heat=1))
    game.does("place ironworker lift", "lift 2")
    assert (game.points(0), game.points(0, "lift")) == (2, 2)


def test_lift_without_the_ironworker_gives_no_points() -> None:
    game = table(seat0=dict(heat=1))
    game.does("place engineer lift", "lift 2")
    game.leaves()
    assert game.points(0) == 0


@pytest.mark.parametrize("level", ("transit", "mine-1", "mine-2", "mine-3", "mine-4"))
def test_lift_engineer_puts_a_stone_into_each_cart_of_a_level(level: str) -> None:
    """Into every player's cart, whether it is empty or not."""
    game = table(3, carts={level: {1: "1 crystal", 2: "foreman"}})
    game.does("place engineer lift", f"stone {level}")
    game.happened(StonePutInCarts((level,), "lift"))
    assert game.cart(level, 0) == "1 stone"
    assert game.cart(level, 1) == "1 stone 1 crystal"
    assert game.cart(level, 2) == "1 stone foreman"


def test_lift_engineer_before_lifting() -> None:
    game = table()
    game.does("place engineer lift", "stone transit", "lift 1")
    assert [game.goods(seat) for seat in (0, 1)] == ["1 stone", "1 stone"]
    game.chooses(0, left=2)


def test_lift_engineer_after_lifting() -> None:
    game = table(carts={"transit": {0: "1 gold"}})
    game.does("place engineer lift", "lift 1", "stone transit")
    assert game.goods(0) == "1 gold"
    assert (game.cart("transit", 0), game.cart("transit", 1)) == ("1 stone", "1 stone")
    game.chooses(0, left=2)


def test_lift_engineer_without_lifting() -> None:
    game = table()
    game.does("place engineer lift", "stone mine-4", "done")
    game.never(LiftMoved)
    assert game.cart("mine-4", 1) == "1 stone"


def test_lift_and_stone_once_an_action() -> None:
    game = table(seat0=dict(heat=3))
    game.does("place engineer lift", "lift 1")
    game.refuses("lift 1", "already-used")
    game = table()
    game.does("place engineer lift", "stone mine-1")
    game.refuses("stone mine-2", "already-used")


def test_a_stone_from_the_engineer_blocks_the_cart() -> None:
    game = table()
    game.does("place engineer lift", "stone mine-4", "done")
    game.does("place blacksmith mine-4")
    game.chooses(0, left=1)
    assert game.cart("mine-4", 0) == "1 stone"


# Workshop -------------------------------------------------------------------------------------


def test_workshop_builds_a_cool_furnace_for_1_iron() -> None:
    game = table(seat0=dict(goods="1 iron"))
    game.does("place blacksmith workshop", "use basic")
    game.happened(Paid(0, 0, 0, goods("1 iron")), FurnaceBuilt(0, "cool"))
    assert (game.player(0).cool, game.goods(0)) == (3, "")


def test_workshop_cannot_be_paid() -> None:
    game = table(seat0=dict(goods="1 stone"))
    game.does("place engineer workshop")
    game.chooses(0, left=2)
    game = table(seat0=dict(goods="1 stone"))
    game.does("place ironworker workshop")
    game.refuses("use basic", "cannot-afford")


def test_workshop_engineer_builds_for_2_stone_alone() -> None:
    game = table(seat0=dict(goods="2 stone"))
    game.does("place engineer workshop", "use engineer")
    game.happened(Paid(0, 0, 0, goods("2 stone")), FurnaceBuilt(0, "cool"))
    assert game.player(0).cool == 3


def test_workshop_engineer_needs_2_stone() -> None:
    game = table(seat0=dict(goods="1 stone 1 iron"))
    game.does("place engineer workshop")
    game.refuses("use engineer", "cannot-afford")


def test_workshop_ironworker_lights_one_furnace() -> None:
    game = table(seat0=dict(goods="1 iron", cool=2))
    game.does("place ironworker workshop", "use ironworker")
    game.happened(FurnacesLit(0, 1))
    assert (game.player(0).hot, game.player(0).cool) == (1, 1)


def test_workshop_ironworker_may_light_the_furnace_just_built() -> None:
    game = table(seat0=dict(goods="1 iron", cool=0, hot=2))
    game.does("place ironworker workshop")
    game.lacks("use ironworker")
    game.refuses("use ironworker", "nothing-to-light")
    game.does("use basic", "use ironworker")
    assert (game.player(0).hot, game.player(0).cool) == (3, 0)


def test_workshop_has_eight_furnaces_a_clan() -> None:
    """Eight tokens, those installed included."""
    game = table(
        seat0=dict(goods="2 stone 1 iron", hot=2, cool=4),
        furnaces={"forge": 0, "mine-1": 0},
    )
    game.does("place ironworker workshop")
    game.refuses("use basic", "no-furnace-left")
    game = table(
        seat0=dict(goods="2 stone 1 iron", hot=2, cool=4), furnaces={"forge": 0, "lift": 1}
    )
    game.does("place engineer workshop", "use basic")
    assert game.player(0).cool == 5
    game.chooses(0, left=2)


# Bellows --------------------------------------------------------------------------------------


def test_bellows_lights_one_furnace() -> None:
    game = table(seat0=dict(cool=3))
    game.does("place engineer bellows", "use basic")
    game.happened(FurnacesLit(0, 1))
    assert (game.player(0).hot, game.player(0).cool) == (1, 2)


def test_bellows_ironworker_lights_all() -> None:
    game = table(seat0=dict(cool=4, hot=1), furnaces={"forge": 0})
    game.does("place ironworker bellows", "use ironworker")
    game.happened(FurnacesLit(0, 4))
    assert (game.player(0).hot, game.player(0).cool) == (5, 0)


def test_bellows_blacksmith_raises_heat_by_2() -> None:
    game = table(seat0=dict(heat=3))
    game.does("place blacksmith bellows", "use blacksmith")
    assert game.player(0).heat == 5


def test_bellows_with_nothing_to_light() -> None:
    game = table(seat0=dict(cool=0, hot=1))
    game.does("place blacksmith bellows")
    game.asks(0, "Use the space", "use blacksmith", "done")
    game.refuses("use basic", "nothing-to-light")


# Laboratory -----------------------------------------------------------------------------------

EXCHANGES = (
    ("crystal", "gold", 2),
    ("crystal", "iron", 3),
    ("crystal", "stone", 4),
    ("gold", "iron", 2),
    ("gold", "stone", 3),
    ("iron", "stone", 2),
)


@pytest.mark.parametrize(("gave", "got", "count"), EXCHANGES)
def test_laboratory_conversion_table(gave: str, got: str, count: int) -> None:
    game = table(seat0=dict(goods=f"1 {gave}"))
    game.does("place engineer laboratory", f"exchange {gave} {got}")
    game.happened(GoodsExchanged(0, gave, got, count))
    assert game.goods(0) == f"{count} {got}"


def test_laboratory_exchanges_downwards_only() -> None:
    game = table(seat0=dict(goods="5 stone 5 iron 5 gold 5 crystal"))
    game.does("place engineer laboratory")
    game.asks(0, "Use the space", *(f"exchange {a} {b}" for a, b, _ in EXCHANGES), "done")
    game.refuses("exchange stone iron")


def test_laboratory_needs_the_resource() -> None:
    game = table(seat0=dict(goods="1 iron"))
    game.does("place engineer laboratory")
    game.asks(0, "Use the space", "exchange iron stone", "done")
    game.refuses("exchange gold stone", "cannot-afford")


def test_laboratory_second_exchange_is_refused() -> None:
    game = table(seat0=dict(goods="2 iron"))
    game.does("place ironworker laboratory", "exchange iron stone")
    game.asks(0, "Use the space", "use ironworker", "done")
    game.refuses("exchange iron stone", "already-used")


def test_laboratory_blacksmith_makes_three_exchanges_in_all() -> None:
    game = table(seat0=dict(goods="4 iron"))
    game.does("place blacksmith laboratory", *["exchange iron stone"] * 3)
    game.chooses(0, left=2)
    assert game.goods(0) == "6 stone 1 iron"


def test_laboratory_blacksmith_may_stop_earlier() -> None:
    game = table(seat0=dict(goods="3 iron"))
    game.does("place blacksmith laboratory", "exchange iron stone", "done")
    assert game.goods(0) == "2 stone 2 iron"


def test_laboratory_ironworker_lights_one_furnace_and_gains_1_heat() -> None:
    game = table(seat0=dict(cool=2))
    game.does("place ironworker laboratory", "use ironworker")
    game.happened(FurnacesLit(0, 1), HeatGained(0, 1, "laboratory"))
    assert (game.player(0).hot, game.player(0).cool, game.player(0).heat) == (1, 1, 1)


def test_laboratory_ironworker_gains_the_heat_though_nothing_is_cool() -> None:
    game = table(seat0=dict(cool=0, hot=1))
    game.does("place ironworker laboratory", "use ironworker")
    game.never(FurnacesLit)
    assert game.player(0).heat == 1


def test_laboratory_ironworker_lights_though_the_track_is_full() -> None:
    game = table(seat0=dict(heat=10, cool=1))
    game.does("place ironworker laboratory", "use ironworker")
    assert (game.player(0).hot, game.player(0).heat) == (1, 10)


# Forge ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("made", "price", "heat"),
    (("stone", "", 2), ("iron", "1 stone", 1), ("gold", "1 iron", 1), ("crystal", "1 gold", 1)),
)
def test_forge_conversion_table(made: str, price: str, heat: int) -> None:
    game = table(seat0=dict(goods=price, heat=heat))
    game.does("place ironworker forge", f"forge {made}")
    game.happened(Paid(0, heat, 0, goods(price)), GoodsGained(0, goods(f"1 {made}"), "forge"))
    assert (game.goods(0), game.player(0).heat) == (f"1 {made}", 0)


def test_forge_as_many_conversions_as_can_be_paid() -> None:
    """From heat alone to a crystal: 2 + 1 + 1 + 1."""
    game = table(seat0=dict(heat=5))
    game.does("place ironworker forge", "forge stone", "forge iron", "forge gold", "forge crystal")
    assert (game.goods(0), game.player(0).heat) == ("1 crystal", 0)
    game.chooses(0, left=2)


def test_forge_the_same_conversion_again() -> None:
    game = table(seat0=dict(heat=3, goods="3 stone"))
    game.does("place ironworker forge", "forge iron", "forge iron", "forge iron")
    assert game.goods(0) == "3 iron"


def test_forge_without_heat_or_goods() -> None:
    game = table(seat0=dict(heat=1, goods="1 gold"))
    game.does("place ironworker forge")
    game.asks(0, "Use the space", "forge crystal", "done")
    game.refuses("forge stone", "cannot-afford")
    game.refuses("forge gold", "cannot-afford")


def test_forge_with_furnace_heat() -> None:
    game = table(seat0=dict(hot=1, cool=1, goods="1 iron"))
    game.does("place ironworker forge", "forge gold")
    assert (game.player(0).hot, game.player(0).cool, game.goods(0)) == (0, 2, "1 gold")


def test_forge_engineer_gains_1_heat_for_this_action() -> None:
    game = table(seat0=dict(goods="1 stone"))
    game.does("place engineer forge", "use engineer", "forge iron")
    game.happened(HeatGained(0, 1, "forge"), Paid(0, 1, 0, goods("1 stone")))
    assert game.goods(0) == "1 iron"


def test_forge_engineer_keeps_the_heat_for_the_next_action() -> None:
    game = table()
    game.does("place engineer forge", "use engineer")
    game.leaves()
    assert game.player(0).heat == 1


def test_forge_blacksmith_upgrades_for_1_more_heat() -> None:
    """Rails is upgraded for 2 heat, here for 3."""
    game = table(seat0=dict(heat=3, projects="rails"))
    game.does("place blacksmith forge", "upgrade rails")
    game.happened(Paid(0, 3, 0, goods("")), ProjectUpgraded(0, "rails", 0))
    assert game.player(0).projects == () and game.player(0).upgraded == ("rails",)


def test_forge_blacksmith_needs_the_additional_heat() -> None:
    game = table(seat0=dict(heat=2, projects="rails"))
    game.does("place blacksmith forge")
    game.lacks("upgrade rails")
    game.refuses("upgrade rails", "cannot-afford")


def test_forge_blacksmith_upgrades_goods_and_heat() -> None:
    """Bridge over a river of lava costs 3 stone and 3 iron, and here 1 heat."""
    game = table(seat0=dict(heat=1, goods="3 stone 3 iron", projects="bridge-over-a-river-of-lava"))
    game.does("place blacksmith forge", "upgrade bridge-over-a-river-of-lava")
    game.happened(Paid(0, 1, 0, goods("3 stone 3 iron")))
    assert game.points(0, "upgrading") == 7


def test_forge_blacksmith_upgrades_any_number() -> None:
    game = table(seat0=dict(heat=9, projects="rails filled-fissure new-shaft-supports"))
    game.does("place blacksmith forge", "upgrade rails", "upgrade filled-fissure")
    game.does("upgrade new-shaft-supports")
    assert len(game.player(0).upgraded) == 3


def test_forge_blacksmith_mixes_conversions_and_upgrades() -> None:
    game = table(
        seat0=dict(heat=4, goods="3 stone 2 iron 1 stone", projects="bridge-over-a-river-of-lava")
    )
    game.does("place blacksmith forge", "forge iron", "upgrade bridge-over-a-river-of-lava")
    assert (game.goods(0), game.player(0).heat) == ("", 2)


def test_forge_upgrades_own_completed_projects_only() -> None:
    game = table(
        seat0=dict(heat=10, projects="rails", upgraded="filled-fissure"),
        seat1=dict(projects="new-shaft-supports"),
        display="ore-extraction",
    )
    game.does("place blacksmith forge")
    game.refuses("upgrade filled-fissure", "not-completed")
    game.refuses("upgrade new-shaft-supports", "not-completed")
    game.refuses("upgrade ore-extraction", "not-completed")


def test_forge_without_the_blacksmith_upgrades_nothing() -> None:
    game = table(seat0=dict(heat=10, projects="rails"))
    game.does("place engineer forge")
    game.lacks("upgrade rails")
    game.refuses("upgrade rails", "not-a-specialist")


# Studio ---------------------------------------------------------------------------------------


def test_studio_completes_a_project_on_the_track() -> None:
    game = table(display="rails filled-fissure", seat0=dict(goods="4 iron 1 stone"))
    game.does("place ironworker studio")
    game.asks(0, "Use the space", "complete rails", "done")
    game.does("complete rails")
    game.happened(Paid(0, 0, 0, goods("4 iron")), ProjectCompleted(0, "rails", 4))
    game.leaves()
    assert game.player(0).projects == ("rails",)
    assert game.state.display == ("filled-fissure",)
    assert (game.points(0), game.points(0, "completing")) == (4, 4)
    assert game.goods(0) == "1 stone"


def test_studio_one_project_an_action() -> None:
    game = table(display="rails new-shaft-supports", seat0=dict(goods="6 iron"))
    game.does("place ironworker studio", "complete rails")
    game.leaves()
    game.chooses(0, left=2)
    assert game.player(0).projects == ("rails",)


def test_studio_project_must_lie_on_the_track() -> None:
    game = table(
        display="rails",
        seat0=dict(goods="4 iron 4 stone"),
        seat1=dict(projects="filled-fissure"),
    )
    game.does("place ironworker studio")
    game.refuses("complete filled-fissure", "not-on-the-track")
    game.refuses("complete new-shaft-supports", "not-on-the-track")


def test_studio_project_must_be_paid_in_full() -> None:
    game = table(display="rails filled-fissure", seat0=dict(goods="3 iron 4 stone"))
    game.does("place engineer studio")
    game.refuses("complete rails", "cannot-afford")


def test_studio_upgrade_at_once_is_part_of_the_action() -> None:
    game = table(display="rails", seat0=dict(goods="4 iron", heat=2))
    game.does("place ironworker studio", "complete rails")
    game.asks(0, UPGRADE_NOW, "upgrade rails", "keep")
    game.does("upgrade rails")
    game.happened(Paid(0, 2, 0, goods("")), ProjectUpgraded(0, "rails", 0))
    assert game.player(0).upgraded == ("rails",)
    game.chooses(0, left=2)


def test_studio_upgrade_may_be_declined() -> None:
    game = table(display="rails", seat0=dict(goods="4 iron", heat=2))
    game.does("place ironworker studio", "complete rails", "keep")
    assert (game.player(0).projects, game.player(0).upgraded) == (("rails",), ())
    assert game.player(0).heat == 2
    game.chooses(0, left=2)


def test_studio_upgrade_that_cannot_be_paid() -> None:
    game = table(display="rails", seat0=dict(goods="4 iron", heat=1))
    game.does("place ironworker studio", "complete rails")
    assert "upgrade rails" not in {option.notation for option in game.decision().options}
    game.leaves()
    game.chooses(0, left=2)


def test_studio_upgrades_no_older_project() -> None:
    game = table(
        display="filled-fissure",
        seat0=dict(goods="4 stone", heat=5, projects="rails"),
    )
    game.does("place blacksmith studio", "complete filled-fissure")
    game.asks(0, UPGRADE_NOW, "upgrade filled-fissure", "keep")


def test_studio_upgrade_points() -> None:
    """Private conveyor belt: 4 points, and 4 more for 4 heat."""
    game = table(
        display="private-conveyor-belt",
        seat0=dict(goods="1 stone 1 iron 1 gold", heat=4),
    )
    game.does("place ironworker studio", "complete private-conveyor-belt")
    game.does("upgrade private-conveyor-belt")
    assert (game.points(0, "completing"), game.points(0, "upgrading")) == (4, 4)


def test_studio_engineer_takes_back_one_of_several_kinds() -> None:
    """Bridge club costs 5 stone and 2 iron: either may come back, one of them."""
    game = table(display="bridge-club", seat0=dict(goods="5 stone 2 iron"))
    game.does("place engineer studio", "complete bridge-club")
    game.asks(0, TAKE_BACK, "take-back stone", "take-back iron", "take-back nothing")
    game.does("take-back iron")
    game.leaves()
    assert game.goods(0) == "1 iron"
    game.chooses(0, left=2)


def test_studio_engineer_does_not_make_it_cheaper() -> None:
    """All the required resources must be there first."""
    game = table(display="rails", seat0=dict(goods="3 iron"))
    game.does("place engineer studio")
    game.chooses(0, left=2)
    assert game.player(0).projects == ()


def test_studio_engineer_takes_back_no_single_resource() -> None:
    game = table(display="private-conveyor-belt", seat0=dict(goods="1 stone 1 iron 1 gold"))
    game.does("place engineer studio", "complete private-conveyor-belt")
    game.leaves()
    game.never(GoodsGained)
    game.chooses(0, left=2)


def test_studio_engineer_takes_back_no_heat() -> None:
    """Cursed treasury costs 3 heat and nothing else."""
    game = table(display="cursed-treasury", seat0=dict(heat=3))
    game.does("place engineer studio", "complete cursed-treasury")
    game.leaves()
    assert game.player(0).heat == 0
    game.chooses(0, left=2)


def test_studio_engineer_takes_back_nothing_of_the_upgrade() -> None:
    """Crumbling earthwork, ammunition store: the upgrade's 2 stone and 2 iron stay paid."""
    game = table(display="ammunition-store", seat0=dict(goods="4 stone 4 iron"))
    game.does("place engineer studio", "complete ammunition-store", "take-back stone")
    game.does("upgrade ammunition-store")
    game.chooses(0, left=2)
    assert game.goods(0) == "1 stone"


def test_studio_engineers_take_back_may_be_declined() -> None:
    game = table(display="rails", seat0=dict(goods="4 iron"))
    game.does("place engineer studio", "complete rails", "take-back nothing")
    game.leaves()
    assert game.goods(0) == ""


def test_studio_resource_taken_back_may_pay_the_upgrade() -> None:
    """It is regained immediately: ammunition store with 3 stone and 4 iron, upgraded at once."""
    game = table(display="ammunition-store", seat0=dict(goods="3 stone 4 iron"))
    game.does("place engineer studio", "complete ammunition-store", "take-back stone")
    game.does("upgrade ammunition-store")
    assert game.goods(0) == ""


def test_studio_blacksmith_saves_up_to_the_heat_of_the_upgrade() -> None:
    """Rails is upgraded for 2 heat: nothing is left to pay, and nothing is given back."""
    game = table(display="rails", seat0=dict(goods="4 iron"))
    game.does("place blacksmith studio", "complete rails", "upgrade rails")
    assert game.player(0).upgraded == ("rails",)
    assert game.player(0).heat == 0


def test_studio_blacksmith_saves_no_more_than_the_upgrade_costs() -> None:
    """North steam pipeline is upgraded for 1 gold and no heat: nothing comes back."""
    game = table(display="north-steam-pipeline", seat0=dict(goods="4 stone 2 iron 1 gold", heat=3))
    game.does("place blacksmith studio", "complete north-steam-pipeline")
    game.does("upgrade north-steam-pipeline")
    game.happened(Paid(0, 0, 0, goods("1 gold")))
    assert game.goods(0) == "" and game.player(0).heat == 2


def test_studio_blacksmith_saves_nothing_on_completing() -> None:
    game = table(display="cursed-treasury rails", seat0=dict(heat=1, goods="4 iron"))
    game.does("place blacksmith studio")
    game.refuses("complete cursed-treasury", "cannot-afford")


def test_studio_without_blacksmith_no_saving() -> None:
    game = table(display="rails", seat0=dict(goods="4 iron", heat=1))
    game.does("place engineer studio", "complete rails")
    game.does("take-back iron")
    game.leaves()
    assert game.player(0).upgraded == ()


def test_points_of_a_project_are_counted_at_once() -> None:
    game = table(display="shaft-lighting", seat0=dict(goods="2 gold"))
    game.does("place ironworker studio", "complete shaft-lighting")
    assert game.points(0) == 4


def test_lift_points_are_counted_at_once() -> None:
    game = table()
    game.does("place ironworker lift", "lift 1")
    assert sum(f.points for f in game.all_of(PointsGained) if f.line == "lift") == 1
