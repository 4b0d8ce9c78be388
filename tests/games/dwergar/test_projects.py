"""The table of cards: all 45 projects, both halves, and what each upgrade brings."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from shared.games.dwergar.facts import (
    ExtraActionBegan,
    ExtraActionEarned,
    FurnaceBuilt,
    FurnacesLit,
    GoodsGained,
    HeatGained,
    Paid,
    PointsGained,
    ProjectCompleted,
    ProjectUpgraded,
    SpecialtyChanged,
    TurnEnded,
)
from tests.games.dwergar.kit import PROJECTS, Play, Seat, end_of_round, goods, last_action, table

UPGRADE_NOW = "Upgrade the project just completed"
BURN = "Pay extra heat for points"
SAVE = "Choose what to pay less of"
LAST_HEAT = "Use heat before it is lost"


class Card(NamedTuple):
    """One line of the table: costs as heat and goods, points of each half."""

    number: int
    name: str
    heat: int
    cost: str
    points: int
    more_heat: int
    more: str
    more_points: int


CARDS = (
    Card(1, "master-tools", 1, "3 iron", 4, 2, "1 iron", 3),
    Card(2, "bowling-alley", 1, "1 stone 1 iron 1 gold", 5, 1, "1 gold", 0),
    Card(3, "bridge-club", 0, "5 stone 2 iron", 5, 1, "1 gold", 0),
    Card(4, "cricket-field", 4, "2 stone 2 iron", 5, 1, "1 gold", 0),
    Card(5, "private-conveyor-belt", 0, "1 stone 1 iron 1 gold", 4, 4, "", 4),
    Card(6, "north-wall", 1, "6 stone", 4, 2, "2 stone 2 iron 1 gold", 4),
    Card(7, "armory", 2, "3 iron 1 gold", 7, 3, "3 stone", 6),
    Card(8, "barricade-of-the-abyss", 0, "3 stone 2 iron 1 gold", 6, 5, "", 5),
    Card(9, "clan-elevator", 0, "1 crystal", 5, 1, "2 iron 1 gold", 4),
    Card(10, "entry-to-new-shaft", 0, "2 stone 1 iron", 2, 2, "", 0),
    Card(11, "new-shaft-supports", 0, "2 iron", 2, 2, "", 0),
    Card(12, "filled-fissure", 0, "4 stone", 2, 2, "", 0),
    Card(13, "rails", 0, "4 iron", 4, 2, "", 0),
    Card(14, "ore-extraction", 0, "2 iron 1 gold", 4, 3, "", 0),
    Card(15, "shaft-lighting", 0, "2 gold", 4, 3, "", 0),
    Card(16, "qualified-sappers", 0, "4 gold", 9, 3, "", 0),
    Card(17, "diamond-headed-crushers", 0, "2 crystal", 9, 3, "", 0),
    Card(18, "runes-reinforcing-the-ceiling", 0, "2 gold 1 crystal", 9, 3, "", 0),
    Card(19, "secret-entrance", 2, "2 stone 1 iron", 4, 2, "2 stone 1 iron", 4),
    Card(20, "gold-foundry", 2, "1 gold", 4, 3, "1 gold", 5),
    Card(21, "entry-to-the-treasury", 1, "2 iron 1 gold", 5, 2, "1 crystal", 4),
    Card(22, "colossal-statue", 0, "3 stone 2 gold", 6, 1, "3 stone 1 crystal", 10),
    Card(23, "goldsmiths-workshop", 0, "3 gold", 7, 0, "2 gold", 8),
    Card(24, "main-crucible", 0, "1 gold 1 crystal", 7, 5, "", 0),
    Card(25, "jewelers-workshop", 0, "3 crystal", 14, 0, "1 crystal", 6),
    Card(26, "hall-of-the-oldbeard", 0, "2 gold 2 crystal", 14, 5, "", 0),
    Card(27, "treasury-traps", 0, "1 iron 2 crystal", 10, 0, "3 stone 1 iron 1 gold", 4),
    Card(28, "bridge-over-a-river-of-lava", 0, "6 stone", 3, 0, "3 stone 3 iron", 7),
    Card(29, "reinforcing-old-scaffolding", 0, "4 iron", 4, 3, "", 0),
    Card(30, "crumbling-earthwork", 0, "4 stone 2 iron", 4, 0, "1 stone 1 iron", 6),
    Card(31, "dangerous-obstruction", 0, "10 stone", 5, 5, "", 9),  # points: ruling R8
    Card(32, "cursed-treasury", 3, "", 2, 4, "", 0),
    Card(33, "abandoned-lift", 0, "5 stone 3 iron", 6, 1, "1 stone 1 iron", 0),
    Card(34, "calcination-oven", 1, "1 stone", 2, 10, "", 10),
    Card(35, "ammunition-store", 0, "2 stone 2 iron", 3, 0, "2 stone 2 iron", 4),
    Card(36, "ribs-of-an-old-boiler", 1, "3 stone 5 iron", 8, 0, "2 stone", 1),
    Card(37, "southern-pipeline", 1, "2 stone 1 iron 1 gold", 5, 0, "1 gold", 4),
    Card(38, "central-gas-pipeline", 3, "3 stone", 4, 1, "1 stone", 2),
    Card(39, "north-steam-pipeline", 1, "4 stone 2 iron", 5, 0, "1 gold", 4),
    Card(40, "master-furnace-boilers", 0, "3 stone 2 gold", 8, 2, "3 stone", 4),
    Card(41, "coal-crusher", 3, "2 iron 1 crystal", 9, 0, "2 iron", 3),
    Card(42, "main-valve", 0, "1 iron 1 gold 1 crystal", 8, 3, "", 3),
    Card(43, "runic-hall", 1, "3 iron 1 gold 1 crystal", 11, 4, "1 stone", 5),
    Card(44, "workshop-of-helpful-gnomes", 1, "1 stone 1 iron 1 gold 1 crystal", 9,
         0, "1 iron 1 gold 1 crystal", 9),
    Card(45, "mill-chimney", 0, "4 stone 2 gold", 6, 0, "1 crystal", 5),
)  # fmt: skip
BY_NAME = {card.name: card for card in CARDS}
NAMES = tuple(BY_NAME)
SHAFT = {card.name for card in CARDS if 10 <= card.number <= 18}


def ways(total: int) -> Seat:
    """That much heat: on the track, and beyond its end in furnaces."""
    hot = max(0, total - 10)
    return Seat(heat=min(total, 10), hot=hot, cool=2)


def at_studio(card: Card, more_goods: str = "", more_heat: int = 0) -> Play:
    """A position in which the project is offered and can just be paid."""
    return table(
        display=card.name,
        seat0={"goods": f"{card.cost} {more_goods}", **ways(card.heat + more_heat)},
    )


def upgraded(name: str) -> Play:
    """A position in which the project has just been upgraded at the studio."""
    card = BY_NAME[name]
    game = at_studio(card, card.more, card.more_heat)
    game.does("place ironworker studio", f"complete {name}", f"upgrade {name}")
    return game


def at_forge(name: str, **seat: Any) -> Play:
    """A blacksmith is at the forge and can just pay for upgrading the project."""
    card = BY_NAME[name]
    have: Any = {"goods": card.more, "projects": name, **ways(card.more_heat + 1)}
    game = table(3, seat0=have | seat)
    game.does("place blacksmith forge")
    return game


def test_the_box_holds_the_45_projects() -> None:
    assert [(card["number"], name) for name, card in PROJECTS.items()] == [
        (card.number, card.name) for card in CARDS
    ]


@pytest.mark.parametrize("name", NAMES)
def test_completing(name: str) -> None:
    """Its cost, not more and not less, its points, and a place on the left of the board."""
    card = BY_NAME[name]
    game = at_studio(card)
    game.does("place ironworker studio", f"complete {name}")
    game.happened(Paid(0, card.heat, 0, goods(card.cost)), ProjectCompleted(0, name, card.points))
    game.leaves()
    player = game.player(0)
    assert (player.projects, player.upgraded) == ((name,), ())
    assert (game.goods(0), player.heat, player.hot) == ("", 0, 0)
    assert game.points(0) == game.points(0, "completing") == card.points


@pytest.mark.parametrize("name", NAMES)
def test_completing_needs_every_part_of_the_cost(name: str) -> None:
    card = BY_NAME[name]
    have = list(goods(card.cost))
    kinds = [i for i, count in enumerate(have) if count]
    for missing in kinds:
        short = [count - (i == missing) for i, count in enumerate(have)]
        words = ("stone", "iron", "gold", "crystal")
        text = " ".join(f"{n} {word}" for n, word in zip(short, words, strict=True) if n)
        game = table(display=name, seat0=dict(goods=text, heat=card.heat))
        game.does("place ironworker studio")
        assert game.player(0).projects == ()
        game.chooses(0, left=2)
    if card.heat:
        game = table(display=name, seat0=dict(goods=card.cost, heat=card.heat - 1))
        game.does("place ironworker studio")
        game.chooses(0, left=2)


@pytest.mark.parametrize("name", NAMES)
def test_upgrading_at_once(name: str) -> None:
    """Its upgrade cost, its points, and a place on the right of the board."""
    card = BY_NAME[name]
    game = at_studio(card, card.more, card.more_heat)
    game.does("place ironworker studio", f"complete {name}")
    if game.decision().title != UPGRADE_NOW:  # furnaces beside the track: keep the track
        game.does("heat 1 furnaces 0")
    game.asks(0, UPGRADE_NOW, f"upgrade {name}", "keep")
    game.does(f"upgrade {name}")
    game.happened(ProjectUpgraded(0, name, card.more_points))
    paid = game.all_of(Paid)
    assert sum(one.heat + one.furnaces for one in paid) == card.more_heat
    assert [one.goods for one in paid] in ([goods(card.more)], [])
    if not paid:
        assert card.more == ""
    player = game.player(0)
    assert (player.projects, player.upgraded) == ((), (name,))
    shaft = 2 if name in SHAFT else 0
    assert game.points(0) == card.points + card.more_points + shaft
    assert game.points(0, "completing") == card.points


@pytest.mark.parametrize("name", NAMES)
def test_upgrading_needs_every_part_of_the_cost(name: str) -> None:
    card = BY_NAME[name]
    words = ("stone", "iron", "gold", "crystal")
    have = list(goods(card.more))
    base = goods(card.cost)
    for missing in (i for i, count in enumerate(have) if count):
        short = [n - (i == missing) for i, n in enumerate(have)]
        text = " ".join(f"{a + b} {w}" for a, b, w in zip(short, base, words, strict=True) if a + b)
        game = table(display=name, seat0=dict(goods=text, heat=card.heat + card.more_heat))
        game.does("place ironworker studio", f"complete {name}")
        game.lacks(f"upgrade {name}")
    if card.more_heat:
        game = at_studio(card, card.more, card.more_heat - 1)
        game.does("place ironworker studio", f"complete {name}")
        game.lacks(f"upgrade {name}")


# The Western District -------------------------------------------------------------------------


def test_1_master_tools_save_a_stone_or_an_iron() -> None:
    """The player chooses which."""
    game = table(display="bridge-club", seat0=dict(goods="5 stone 2 iron", upgraded="master-tools"))
    game.does("place ironworker studio", "complete bridge-club")
    game.asks(0, SAVE, "save stone", "save iron")
    game.does("save iron")
    game.happened(Paid(0, 0, 0, goods("5 stone 1 iron")))
    game.leaves()
    assert game.goods(0) == "1 iron"


def test_1_master_tools_make_a_project_affordable() -> None:
    game = table(display="rails", seat0=dict(goods="3 iron", upgraded="master-tools"))
    game.does("place ironworker studio", "complete rails")
    game.leaves()
    assert (game.player(0).projects, game.goods(0)) == (("rails",), "")


def test_1_master_tools_save_only_what_leaves_it_payable() -> None:
    """With 5 stone and 1 iron for 5 stone and 2 iron, only the iron can be saved."""
    game = table(display="bridge-club", seat0=dict(goods="5 stone 1 iron", upgraded="master-tools"))
    game.does("place ironworker studio", "complete bridge-club")
    game.leaves()
    assert (game.player(0).projects, game.goods(0)) == (("bridge-club",), "")


def test_1_master_tools_save_nothing_where_neither_is_asked() -> None:
    game = table(display="shaft-lighting", seat0=dict(goods="2 gold", upgraded="master-tools"))
    game.does("place ironworker studio", "complete shaft-lighting")
    game.happened(Paid(0, 0, 0, goods("2 gold")))


def test_1_master_tools_save_nothing_on_an_upgrade() -> None:
    game = table(
        display="bridge-over-a-river-of-lava",
        seat0=dict(goods="8 stone 3 iron", upgraded="master-tools"),
    )
    game.does("place ironworker studio", "complete bridge-over-a-river-of-lava")
    game.does("upgrade bridge-over-a-river-of-lava")
    game.happened(Paid(0, 0, 0, goods("3 stone 3 iron")))


def test_1_master_tools_not_upgraded_save_nothing() -> None:
    game = table(display="rails", seat0=dict(goods="4 iron", projects="master-tools"))
    game.does("place ironworker studio", "complete rails")
    game.happened(Paid(0, 0, 0, goods("4 iron")))


SKILLED = (("bowling-alley", "blacksmith"), ("bridge-club", "engineer"),
           ("cricket-field", "ironworker"))  # fmt: skip
EXTRA = {
    "mine-1": "5 stone",
    "mine-2": "1 stone 2 iron",
    "mine-3": "2 iron 1 gold",
    "mine-4": "1 gold 1 crystal",
}


@pytest.mark.parametrize("level", EXTRA)
@pytest.mark.parametrize(("name", "worker"), SKILLED)
def test_2_3_4_workers_of_the_kind_mine_more(name: str, worker: str, level: str) -> None:
    game = table(seat0=dict(upgraded=name))
    game.does(f"place {worker} {level}", "use basic")
    assert game.cart(level, 0) == EXTRA[level]


@pytest.mark.parametrize(("name", "worker"), SKILLED)
def test_2_3_4_the_foreman_is_of_the_kind(name: str, worker: str) -> None:
    """He has the kind's bonus at the workplaces and mines the more."""
    game = table(seat0=dict(upgraded=name, heat=6, cool=3, projects="rails", goods="2 stone"))
    location = "bellows" if worker != "engineer" else "workshop"
    game.does(f"place foreman {location}")
    game.offers(f"use {worker}")
    game.lacks(
        *{f"use {kind}" for kind in ("ironworker", "blacksmith", "engineer")} - {f"use {worker}"}
    )

    game = table(seat0=dict(upgraded=name))
    game.does("place foreman mine-1", "use basic")
    assert game.cart("mine-1", 0) == "5 stone foreman"


@pytest.mark.parametrize(("name", "worker"), SKILLED)
def test_2_3_4_other_workers_mine_as_usual(name: str, worker: str) -> None:
    other = "engineer" if worker != "engineer" else "blacksmith"
    game = table(seat0=dict(upgraded=name))
    game.does(f"place {other} mine-1", "use basic")
    assert game.cart("mine-1", 0) == "3 stone"


@pytest.mark.parametrize(("name", "worker"), SKILLED)
def test_2_3_4_not_upgraded_and_others_cards_do_nothing(name: str, worker: str) -> None:
    game = table(seat0=dict(projects=name))
    game.does(f"place {worker} mine-1", "use basic")
    assert game.cart("mine-1", 0) == "3 stone"
    game = table(seat1=dict(upgraded=name))
    game.does(f"place {worker} mine-1", "use basic")
    assert game.cart("mine-1", 0) == "3 stone"


def test_2_3_4_nothing_more_into_a_full_cart() -> None:
    game = table(seat0=dict(upgraded="bowling-alley"), carts={"mine-1": {0: "1 stone"}})
    game.visits("blacksmith", "mine-1")
    assert game.cart("mine-1", 0) == "1 stone"


def test_2_3_4_together_with_an_installed_furnace() -> None:
    game = table(seat0=dict(upgraded="bowling-alley"), furnaces={"mine-1": 0})
    game.does("place blacksmith mine-1", "use basic")
    assert game.cart("mine-1", 0) == "7 stone"


def test_2_3_4_the_foreman_has_every_specialty_of_the_cards() -> None:
    game = table(seat0=dict(upgraded="bowling-alley cricket-field"))
    game.does("place foreman bellows")
    game.offers("use blacksmith", "use ironworker")


def test_2_3_4_each_card_adds_its_own_when_the_foreman_mines() -> None:
    """Blacksmith and ironworker in one: 3 + 2 + 2."""
    game = table(seat0=dict(upgraded="bowling-alley cricket-field"))
    game.does("place foreman mine-1", "use basic")
    assert game.cart("mine-1", 0) == "7 stone foreman"


def test_5_private_conveyor_belt_gives_3_stone() -> None:
    game = upgraded("private-conveyor-belt")
    game.happened(GoodsGained(0, goods("3 stone"), "private-conveyor-belt"))
    assert game.goods(0) == "3 stone"


def test_6_north_wall_counts_upgraded_projects_at_the_end() -> None:
    """Itself included, those only completed not."""
    game = last_action(
        seat0=dict(upgraded="north-wall rails filled-fissure", projects="shaft-lighting"),
        seat1=dict(upgraded="ore-extraction", projects="master-tools bridge-club"),
    )
    finish(game)
    assert (game.points(0, "end"), game.points(1, "end")) == (3, 0)


@pytest.mark.parametrize(("iron", "points"), ((0, 0), (1, 0), (2, 1), (5, 2), (6, 3)))
def test_7_armory_a_point_for_every_2_iron(iron: int, points: int) -> None:
    game = last_action(seat0=dict(upgraded="armory", goods=f"{iron} iron 9 stone"))
    finish(game)
    assert game.points(0, "end") == points


@pytest.mark.parametrize(("stone", "points"), ((0, 0), (2, 0), (3, 1), (8, 2), (9, 3)))
def test_8_barricade_a_point_for_every_3_stone(stone: int, points: int) -> None:
    game = last_action(seat0=dict(upgraded="barricade-of-the-abyss", goods=f"{stone} stone 9 iron"))
    finish(game)
    assert game.points(0, "end") == points


def finish(game: Play) -> None:
    """Play to the end, doing nothing."""
    while not game.over():
        asked = game.decisions()[0]
        if asked.title == "Choose an action":
            dwarf = next(iter(game.pool(asked.seat)))
            game.visits(dwarf, "forge")
        else:
            game.does("keep" if "free" in asked.title else "pass", seat=asked.seat)


def test_9_clan_elevator_a_point_for_an_empty_space() -> None:
    game = table(seat0=dict(upgraded="clan-elevator"))
    game.visits("engineer", "forge")
    assert game.points(0) == 1
    game.visits("blacksmith", "mine-2")
    assert game.points(0) == 2


def test_9_clan_elevator_a_point_for_a_space_with_an_opponents_foreman() -> None:
    game = table(seat0=dict(upgraded="clan-elevator"), board={"forge": "foreman-1"})
    game.visits("engineer", "forge")
    assert game.points(0) == 1


def test_9_clan_elevator_none_for_a_worker_or_the_own_foreman_there() -> None:
    game = table(
        seat0=dict(upgraded="clan-elevator"), board={"forge": "ironworker", "lift": "foreman-0"}
    )
    game.visits("engineer", "forge")
    game.visits("blacksmith", "lift")
    assert game.points(0) == 0


def test_9_clan_elevator_none_for_the_foreman() -> None:
    game = table(seat0=dict(upgraded="clan-elevator"))
    game.visits("foreman", "forge")
    assert game.points(0) == 0


def test_9_clan_elevator_of_somebody_else() -> None:
    game = table(seat1=dict(upgraded="clan-elevator"))
    game.visits("engineer", "forge")
    assert (game.points(0), game.points(1)) == (0, 0)


# The New Shaft --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(SHAFT))
def test_10_to_18_points_for_all_upgraded_new_shaft_projects(name: str) -> None:
    others = [one for one in sorted(SHAFT) if one != name][:3]
    game = at_forge(name, upgraded=" ".join(others))
    game.does(f"upgrade {name}")
    assert game.points(0) == 8


# Golden Terraces ------------------------------------------------------------------------------


def test_19_secret_entrance_gives_a_gold() -> None:
    assert upgraded("secret-entrance").goods(0) == "1 gold"


def test_20_gold_foundry_a_point_for_completing_with_gold() -> None:
    game = table(display="shaft-lighting", seat0=dict(goods="2 gold", upgraded="gold-foundry"))
    game.does("place ironworker studio", "complete shaft-lighting")
    assert game.points(0) == 4 + 1


def test_20_gold_foundry_a_point_for_upgrading_with_gold() -> None:
    game = table(
        display="north-steam-pipeline",
        decks="golden+eastern",
        seat0=dict(goods="4 stone 2 iron 1 gold", heat=1, upgraded="gold-foundry"),
    )
    game.does("place ironworker studio", "complete north-steam-pipeline")
    assert game.points(0) == 5
    game.does("upgrade north-steam-pipeline")
    assert game.points(0) == 5 + 4 + 1


def test_20_gold_foundry_a_point_for_each_half() -> None:
    game = table(
        display="goldsmiths-workshop",
        seat0=dict(goods="5 gold", upgraded="gold-foundry"),
    )
    game.does("place ironworker studio", "complete goldsmiths-workshop")
    game.does("upgrade goldsmiths-workshop")
    assert game.points(0) == 7 + 8 + 2


def test_20_gold_foundry_none_without_gold() -> None:
    game = table(display="rails", seat0=dict(goods="4 iron", heat=2, upgraded="gold-foundry"))
    game.does("place ironworker studio", "complete rails", "upgrade rails")
    assert game.points(0) == 4 + 2


def test_20_gold_foundry_none_for_itself() -> None:
    assert upgraded("gold-foundry").points(0) == 4 + 5


def test_20_gold_foundry_not_upgraded_gives_none() -> None:
    game = table(display="shaft-lighting", seat0=dict(goods="2 gold", projects="gold-foundry"))
    game.does("place ironworker studio", "complete shaft-lighting")
    assert game.points(0) == 4


def test_21_entry_to_the_treasury_saves_a_gold_on_completing() -> None:
    game = table(
        display="shaft-lighting", seat0=dict(goods="1 gold", upgraded="entry-to-the-treasury")
    )
    game.does("place ironworker studio", "complete shaft-lighting")
    game.happened(Paid(0, 0, 0, goods("1 gold")))


def test_21_entry_to_the_treasury_saves_nothing_on_upgrading() -> None:
    game = table(
        display="goldsmiths-workshop",
        seat0=dict(goods="4 gold", upgraded="entry-to-the-treasury"),
    )
    game.does("place ironworker studio", "complete goldsmiths-workshop")
    game.does("upgrade goldsmiths-workshop")
    game.happened(Paid(0, 0, 0, goods("2 gold")))
    assert game.goods(0) == ""


def test_21_entry_to_the_treasury_gives_no_gold_back() -> None:
    game = table(display="rails", seat0=dict(goods="4 iron", upgraded="entry-to-the-treasury"))
    game.does("place ironworker studio", "complete rails")
    game.leaves()
    assert game.goods(0) == ""


def test_21_a_single_gold_becomes_free() -> None:
    game = table(display="gold-foundry", seat0=dict(heat=2, upgraded="entry-to-the-treasury"))
    game.does("place ironworker studio", "complete gold-foundry")
    game.leaves()
    assert game.player(0).projects == ("gold-foundry",)


def test_1_and_21_together() -> None:
    game = table(
        display="barricade-of-the-abyss",
        decks="western+golden",
        seat0=dict(goods="3 stone 1 iron", upgraded="master-tools entry-to-the-treasury"),
    )
    game.does("place ironworker studio", "complete barricade-of-the-abyss")
    game.leaves()
    assert (game.player(0).projects, game.goods(0)) == (("barricade-of-the-abyss",), "")


@pytest.mark.parametrize("name", ("colossal-statue", "goldsmiths-workshop"))
def test_22_23_points_only(name: str) -> None:
    game = upgraded(name)
    assert (game.goods(0), game.player(0).heat) == ("", 0)
    game.never(GoodsGained, HeatGained)


def test_24_main_crucible_2_points_for_each_crystal() -> None:
    game = last_action(seat0=dict(upgraded="main-crucible", goods="3 crystal 5 gold"))
    finish(game)
    assert game.points(0, "end") == 6


def test_25_jewelers_workshop_counts_completed_projects_that_cost_crystal() -> None:
    """Itself and all others whose completion asks for crystal, upgraded or not."""
    game = last_action(
        3,
        seat0=dict(
            upgraded="jewelers-workshop clan-elevator",
            projects="treasury-traps diamond-headed-crushers rails goldsmiths-workshop",
        ),
        seat1=dict(projects="runes-reinforcing-the-ceiling main-crucible hall-of-the-oldbeard"),
        seat2=dict(projects="gold-foundry secret-entrance colossal-statue"),
    )
    finish(game)
    assert game.points(0, "end") == 4


def test_25_jewelers_workshop_not_upgraded() -> None:
    game = last_action(seat0=dict(projects="jewelers-workshop treasury-traps"))
    finish(game)
    assert game.points(0, "end") == 0


def test_26_hall_of_the_oldbeard_a_point_for_each_gold() -> None:
    game = last_action(seat0=dict(upgraded="hall-of-the-oldbeard", goods="4 gold 2 crystal"))
    finish(game)
    assert game.points(0, "end") == 4


def test_27_treasury_traps_a_point_for_each_furnace_on_the_player_board() -> None:
    """Hot or cool; those installed do not count."""
    game = last_action(
        seat0=dict(upgraded="treasury-traps", hot=2, cool=3), furnaces={"lift": 0, "studio": 0}
    )
    finish(game)
    assert game.points(0, "end") == 5


# The Old Shaft --------------------------------------------------------------------------------


def test_28_points_only() -> None:
    game = upgraded("bridge-over-a-river-of-lava")
    assert (game.goods(0), game.player(0).heat, game.points(0)) == ("", 0, 10)


def test_29_reinforcing_old_scaffolding_gives_2_stone_1_iron() -> None:
    assert upgraded("reinforcing-old-scaffolding").goods(0) == "2 stone 1 iron"


def test_30_crumbling_earthwork_gives_all_others_a_gold() -> None:
    game = at_forge("crumbling-earthwork")
    game.does("upgrade crumbling-earthwork")
    assert [game.goods(seat) for seat in range(3)] == ["", "1 gold", "1 gold"]


def test_31_dangerous_obstruction_gives_all_others_3_stone() -> None:
    game = at_forge("dangerous-obstruction")
    game.does("upgrade dangerous-obstruction")
    assert [game.goods(seat) for seat in range(3)] == ["", "3 stone", "3 stone"]


def test_32_cursed_treasury_gives_one_of_each() -> None:
    assert upgraded("cursed-treasury").goods(0) == "1 stone 1 iron 1 gold 1 crystal"


def test_33_abandoned_lift_a_gold_at_the_start_of_each_turn() -> None:
    game = table(3, left=1, seat1=dict(upgraded="abandoned-lift"))
    game.visits("engineer", "lift")
    game.happened(GoodsGained(1, goods("1 gold"), "abandoned-lift"))
    assert [game.goods(seat) for seat in range(3)] == ["", "1 gold", ""]


def test_33_abandoned_lift_not_upgraded() -> None:
    game = table(left=1, seat1=dict(projects="abandoned-lift"))
    game.visits("engineer", "lift")
    game.never(GoodsGained)


@pytest.mark.parametrize(
    ("others", "mine_upgraded", "heat"),
    (
        ("", "", 10),
        ("cursed-treasury", "", 9),
        ("cursed-treasury abandoned-lift", "ammunition-store", 7),
        ("rails", "", 10),
    ),
)
def test_34_calcination_oven_1_heat_less_for_each_other_old_shaft_project(
    others: str, mine_upgraded: str, heat: int
) -> None:
    """At the forge with its 1 heat more."""
    clan: Seat = {"projects": f"calcination-oven {others}", "upgraded": mine_upgraded}
    for spare, offered in ((1, True), (0, False)):
        total = heat + spare
        game = table(seat0={**clan, **ways(total)})
        game.does("place blacksmith forge")
        moves = {option.notation for option in game.decision().options}
        assert ("upgrade calcination-oven" in moves) == offered
    game = table(seat0={**clan, **ways(heat + 1)})
    game.does("place blacksmith forge", "upgrade calcination-oven")
    assert game.player(0).heat == game.player(0).hot == 0
    assert game.points(0) == 10


def test_34_calcination_oven_with_the_studio_blacksmith() -> None:
    """His 2 heat come off after the card's own reduction: 10 - 1 - 2."""
    game = table(
        display="calcination-oven",
        seat0=dict(goods="1 stone", heat=8, projects="cursed-treasury"),
    )
    game.does("place blacksmith studio", "complete calcination-oven")
    game.does("upgrade calcination-oven")
    game.happened(Paid(0, 7, 0, goods("")))


def test_35_ammunition_store_lights_all_and_gives_2_heat() -> None:
    card = BY_NAME["ammunition-store"]
    game = table(
        display=card.name, seat0=dict(goods="4 stone 4 iron", cool=3, hot=1), furnaces={"lift": 0}
    )
    game.does("place ironworker studio", f"complete {card.name}", f"upgrade {card.name}")
    game.happened(FurnacesLit(0, 3), HeatGained(0, 2, "ammunition-store"))
    assert (game.player(0).hot, game.player(0).cool, game.player(0).heat) == (4, 0, 2)


def test_36_ribs_of_an_old_boiler_4_heat_for_the_owner_1_for_the_others() -> None:
    game = at_forge("ribs-of-an-old-boiler")
    game.does("upgrade ribs-of-an-old-boiler")
    assert [game.player(seat).heat for seat in range(3)] == [4, 1, 1]


def test_36_the_others_tracks_end_at_10_too() -> None:
    game = table(
        seat0=dict(projects="ribs-of-an-old-boiler", goods="2 stone", heat=9),
        seat1=dict(heat=10),
    )
    game.does("place blacksmith forge", "upgrade ribs-of-an-old-boiler")
    assert (game.player(0).heat, game.player(1).heat) == (10, 10)


# The Eastern District -------------------------------------------------------------------------


def test_37_southern_pipeline_1_heat_into_1_stone_at_any_time() -> None:
    """Between actions, again and again."""
    game = table(seat0=dict(heat=2, upgraded="southern-pipeline"))
    game.offers("pipeline stone")
    game.does("pipeline stone", "pipeline stone")
    assert (game.goods(0), game.player(0).heat) == ("2 stone", 0)
    game.lacks("pipeline stone")
    game.chooses(0, left=3)


def test_37_southern_pipeline_during_an_action() -> None:
    game = table(
        display="filled-fissure", seat0=dict(heat=1, goods="3 stone", upgraded="southern-pipeline")
    )
    game.does("place ironworker studio", "pipeline stone", "complete filled-fissure")
    game.leaves()
    assert game.player(0).projects == ("filled-fissure",)


def test_37_southern_pipeline_for_the_upgrade() -> None:
    game = table(
        display="central-gas-pipeline",
        seat0=dict(heat=5, goods="3 stone", upgraded="southern-pipeline"),
    )
    game.does("place ironworker studio", "complete central-gas-pipeline", "pipeline stone")
    game.does("upgrade central-gas-pipeline")
    assert (game.player(0).heat, game.goods(0)) == (0, "")


def test_37_southern_pipeline_with_the_heat_of_a_furnace() -> None:
    game = table(seat0=dict(hot=1, cool=1, upgraded="southern-pipeline"))
    game.does("pipeline stone")
    game.happened(Paid(0, 0, 1, goods("")))
    assert (game.player(0).hot, game.player(0).cool, game.goods(0)) == (0, 2, "1 stone")


def test_37_southern_pipeline_before_heat_is_lost() -> None:
    game = table(left=1, seat0=dict(heat=3, upgraded="southern-pipeline"))
    game.does("place ironworker mine-1", "done")
    game.asks(0, LAST_HEAT, "pipeline stone", "done")
    game.does("pipeline stone", "done")
    game.happened(TurnEnded(0, 2))
    assert game.goods(0) == "1 stone"


def test_37_southern_pipeline_needs_heat_and_the_upgrade() -> None:
    game = table(seat0=dict(heat=0, upgraded="southern-pipeline"))
    game.refuses("pipeline stone")
    game = table(seat0=dict(heat=3, projects="southern-pipeline"))
    game.refuses("pipeline stone")
    game = table(seat0=dict(heat=3), seat1=dict(upgraded="southern-pipeline"))
    game.refuses("pipeline stone")


def test_37_39_both_pipelines() -> None:
    game = table(seat0=dict(heat=3, upgraded="southern-pipeline north-steam-pipeline"))
    game.offers("pipeline stone", "pipeline iron")
    game.does("pipeline iron", "pipeline stone")
    assert game.goods(0) == "1 stone 1 iron"


def test_37_southern_pipeline_in_a_bonus_action() -> None:
    """At the end of the game too, with the heat of the last event."""
    game = last_action(
        decks="western+eastern",
        next_events="boiler-explosion",
        seat0=dict(projects="master-tools", upgraded="southern-pipeline"),
    )
    game.visits("engineer", "forge")
    game.does("pipeline stone")
    assert game.goods(0) == "1 stone"


def test_37_southern_pipeline_not_in_anothers_turn() -> None:
    game = table(turn=1, seat0=dict(heat=3, upgraded="southern-pipeline"))
    game.lacks("pipeline stone")
    assert [one.seat for one in game.decisions()] == [1]


def test_38_central_gas_pipeline_1_heat_at_the_start_of_each_turn() -> None:
    game = table(3, left=1, seat1=dict(upgraded="central-gas-pipeline"))
    game.visits("engineer", "lift")
    game.happened(HeatGained(1, 1, "central-gas-pipeline"))
    assert [game.player(seat).heat for seat in range(3)] == [0, 1, 0]


def test_38_central_gas_pipeline_on_a_full_track() -> None:
    game = table(left=1, seat1=dict(upgraded="central-gas-pipeline", heat=10))
    game.visits("engineer", "lift")
    assert game.player(1).heat == 10


def test_39_north_steam_pipeline_2_heat_into_1_iron() -> None:
    game = table(seat0=dict(heat=3, upgraded="north-steam-pipeline"))
    game.does("pipeline iron")
    assert (game.goods(0), game.player(0).heat) == ("1 iron", 1)
    game.lacks("pipeline iron")


def test_39_north_steam_pipeline_with_furnaces() -> None:
    game = table(seat0=dict(heat=1, hot=1, cool=0, upgraded="north-steam-pipeline"))
    game.does("pipeline iron")
    game.happened(Paid(0, 1, 1, goods("")))


def test_40_master_furnace_boilers_1_more_heat_from_an_opponent() -> None:
    game = table(furnaces={"forge": 1}, seat1=dict(upgraded="master-furnace-boilers"))
    game.visits("ironworker", "forge")
    assert game.player(1).heat == 2


def test_40_master_furnace_boilers_in_the_mine_too() -> None:
    game = table(furnaces={"mine-2": 1}, seat1=dict(upgraded="master-furnace-boilers"))
    game.visits("ironworker", "mine-2")
    assert game.player(1).heat == 1


def test_40_master_furnace_boilers_nothing_from_the_own_dwarves() -> None:
    game = table(furnaces={"forge": 0, "mine-1": 0}, seat0=dict(upgraded="master-furnace-boilers"))
    game.visits("ironworker", "forge")
    game.visits("blacksmith", "mine-1")
    assert game.player(0).heat == 0


def test_41_coal_crusher_a_new_furnace_lit() -> None:
    game = upgraded("coal-crusher")
    game.happened(FurnaceBuilt(0, "hot"))
    assert (game.player(0).hot, game.player(0).cool) == (1, 2)


def test_41_coal_crusher_with_all_eight_furnaces_out() -> None:
    game = at_forge("coal-crusher", hot=0, cool=8)
    game.does("upgrade coal-crusher")
    game.never(FurnaceBuilt, FurnacesLit)
    assert (game.player(0).hot, game.player(0).cool) == (0, 8)
    assert game.points(0) == 3


def test_42_main_valve_2_points_for_each_installed_furnace() -> None:
    game = last_action(
        seat0=dict(upgraded="main-valve", cool=3),
        furnaces={"lift": 0, "mine-4": 0, "forge": 1},
    )
    finish(game)
    assert game.points(0, "end") == 4


def test_43_runic_hall_one_more_action() -> None:
    game = at_forge("runic-hall")
    game.does("upgrade runic-hall")
    game.happened(ExtraActionEarned(0))
    game.leaves()
    for _ in range(3):
        game.chooses(0)
        game.visits(next(iter(game.pool(0))), "lift")
    game.chooses(1, left=3)


def test_43_runic_hall_in_the_last_action_of_a_turn() -> None:
    """The extra action comes after the current one has ended."""
    game = table(left=1, seat0=dict(projects="runic-hall", goods="1 stone", heat=6))
    game.does("place blacksmith forge", "upgrade runic-hall")
    game.leaves()
    game.chooses(0)
    game.visits("engineer", "lift")
    game.chooses(1, left=3)


def test_43_runic_hall_the_extra_action_comes_next() -> None:
    """Before the actions that are left of the turn (R42)."""
    game = at_forge("runic-hall")
    game.does("upgrade runic-hall")
    game.leaves()
    assert ExtraActionBegan(0) in game.facts
    game.visits("engineer", "lift")
    game.chooses(0, left=2)


def test_43_runic_hall_may_be_used_in_full() -> None:
    """The extra action begins like any other, with a placement."""
    game = table(left=1, seat0=dict(projects="runic-hall", goods="1 stone", heat=5))
    game.does("place blacksmith forge", "upgrade runic-hall")
    game.leaves()
    game.does("place engineer mine-4", "use basic")
    assert game.cart("mine-4", 0) == "1 crystal"
    game.chooses(1, left=3)


def test_43_runic_hall_says_that_the_extra_action_begins() -> None:
    game = table(left=1, seat0=dict(projects="runic-hall", goods="1 stone", heat=5))
    game.does("place blacksmith forge", "upgrade runic-hall")
    game.leaves()
    assert ExtraActionBegan(0) in game.facts


def test_43_runic_hall_the_extra_action_may_be_left_out() -> None:
    """The card says "can" (R43); the actions of the turn itself stay without a pass (R17)."""
    game = at_forge("runic-hall")
    game.does("upgrade runic-hall")
    game.leaves()
    game.offers("pass")
    game.does("pass")
    game.chooses(0, left=2)
    game.lacks("pass")
    game.refuses("pass", "no-such-option")


def test_43_runic_hall_left_out_in_the_last_action_ends_the_turn() -> None:
    game = table(left=1, seat0=dict(projects="runic-hall", goods="1 stone", heat=6))
    game.does("place blacksmith forge", "upgrade runic-hall")
    game.leaves()
    game.does("pass")
    game.chooses(1, left=3)


def test_44_gnomes_change_the_specialty_for_1_heat() -> None:
    game = table(seat0=dict(heat=1, upgraded="workshop-of-helpful-gnomes"))
    game.does("place engineer bellows")
    game.offers("as blacksmith", "as ironworker")
    game.does("as blacksmith")
    game.happened(Paid(0, 1, 0, goods("")), SpecialtyChanged(0, "blacksmith"))
    game.does("use blacksmith")
    assert game.player(0).heat == 2
    game.leaves()
    assert game.stands("bellows") == "engineer"


def test_44_gnomes_replace_the_old_specialty() -> None:
    game = table(seat0=dict(heat=1, upgraded="workshop-of-helpful-gnomes", cool=3))
    game.does("place blacksmith bellows", "as ironworker")
    game.lacks("use blacksmith")
    game.refuses("use blacksmith", "not-a-specialist")
    game.does("use ironworker")
    assert (game.player(0).hot, game.player(0).heat) == (3, 0)


def test_44_gnomes_need_1_heat() -> None:
    game = table(seat0=dict(heat=0, hot=0, upgraded="workshop-of-helpful-gnomes"))
    game.does("place engineer bellows")
    game.lacks("as blacksmith")
    game.refuses("as blacksmith", "cannot-afford")


def test_44_gnomes_once_an_action() -> None:
    game = table(seat0=dict(heat=3, upgraded="workshop-of-helpful-gnomes"))
    game.does("place engineer bellows", "as blacksmith")
    game.lacks("as ironworker", "as engineer")
    game.refuses("as ironworker", "already-used")


def test_44_gnomes_again_in_the_next_action() -> None:
    game = table(seat0=dict(heat=3, upgraded="workshop-of-helpful-gnomes"))
    game.does("place engineer bellows", "as blacksmith")
    game.leaves()
    game.does("place blacksmith workshop")
    game.offers("as ironworker")


def test_44_gnomes_serve_the_foreman() -> None:
    game = table(seat0=dict(heat=1, upgraded="workshop-of-helpful-gnomes"))
    game.does("place foreman bellows", "as blacksmith", "use blacksmith")
    assert game.player(0).heat == 2


def test_44_gnomes_in_the_mine_with_card_2() -> None:
    game = table(
        decks="western+eastern",
        seat0=dict(heat=1, upgraded="workshop-of-helpful-gnomes bowling-alley"),
    )
    game.does("place engineer mine-1", "as blacksmith", "use basic")
    assert game.cart("mine-1", 0) == "5 stone"


def test_44_gnomes_not_after_a_bonus_was_used() -> None:
    """The new specialty replaces the old one, whose bonus is spent (R34)."""
    game = table(seat0=dict(heat=3, cool=3, upgraded="workshop-of-helpful-gnomes"))
    game.does("place blacksmith bellows", "use blacksmith")
    game.lacks("as ironworker")


def test_44_gnomes_after_a_bonus_that_silverbeard_opened() -> None:
    """The dwarf's own specialty gave nothing yet, so it may still change (R34)."""
    game = table(
        decks="old-shaft+eastern",
        silverbeard=0,
        seat0=dict(heat=1, cool=3, upgraded="workshop-of-helpful-gnomes"),
    )
    game.does("place engineer bellows", "silverbeard blacksmith", "use blacksmith")
    game.offers("as ironworker")
    game.does("as ironworker", "use ironworker")
    assert (game.player(0).hot, game.player(0).heat) == (3, 2)


def test_44_gnomes_are_not_offered_for_a_bonus_with_nothing_to_follow() -> None:
    game = table(display="coal-crusher", seat0=dict(heat=1, upgraded="workshop-of-helpful-gnomes"))
    game.does("place ironworker studio")
    game.lacks("as engineer", "as blacksmith")


def test_44_gnomes_are_not_offered_if_their_heat_is_then_missing_for_the_bonus() -> None:
    """The only heat would be gone, and the project needs it."""
    game = table(
        display="gold-foundry central-gas-pipeline",
        seat0=dict(heat=3, goods="3 stone", upgraded="workshop-of-helpful-gnomes"),
    )
    game.does("place ironworker studio")
    game.offers("complete central-gas-pipeline")
    game.lacks("as engineer", "as blacksmith")


def test_44_gnomes_paid_by_a_furnace_that_the_bonus_lights_again() -> None:
    game = table(seat0=dict(hot=2, cool=0, upgraded="workshop-of-helpful-gnomes"))
    game.does("place engineer bellows", "as ironworker", "use ironworker")
    assert (game.player(0).hot, game.player(0).cool) == (2, 0)


def test_44_gnomes_beside_silverbeard() -> None:
    """A bonus opened by the token stays when the specialty changes (R34)."""
    game = table(
        decks="old-shaft+eastern",
        silverbeard=0,
        seat0=dict(heat=1, cool=3, upgraded="workshop-of-helpful-gnomes"),
    )
    game.does("place engineer bellows", "silverbeard ironworker", "as blacksmith")
    game.offers("use ironworker", "use blacksmith")


def test_44_gnomes_with_the_heat_of_a_furnace() -> None:
    game = table(seat0=dict(hot=1, cool=1, upgraded="workshop-of-helpful-gnomes"))
    game.does("place engineer bellows", "as blacksmith")
    game.happened(Paid(0, 0, 1, goods("")), SpecialtyChanged(0, "blacksmith"))


def test_44_gnomes_at_the_studio_and_the_lift() -> None:
    game = table(
        display="rails",
        decks="new-shaft+eastern",
        seat0=dict(goods="4 iron", heat=1, upgraded="workshop-of-helpful-gnomes"),
    )
    game.does("place ironworker studio", "as engineer", "complete rails", "take-back iron")
    assert game.goods(0) == "1 iron"
    game = table(seat0=dict(heat=1, upgraded="workshop-of-helpful-gnomes"))
    game.does("place blacksmith lift", "as ironworker", "lift 1")
    assert game.points(0, "lift") == 1


def test_44_gnomes_keep_the_colour_for_event_60_and_card_9() -> None:
    """The foreman who works as a blacksmith is still the foreman."""
    game = table(event="off-to-work", seat0=dict(heat=1, upgraded="workshop-of-helpful-gnomes"))
    game.does("place foreman bellows", "as blacksmith")
    assert game.points(0) == 0


def test_44_gnomes_not_upgraded() -> None:
    game = table(seat0=dict(heat=1, projects="workshop-of-helpful-gnomes"))
    game.does("place engineer bellows")
    game.lacks("as blacksmith")


def test_45_mill_chimney_points_for_extra_heat() -> None:
    game = table(
        display="mill-chimney", seat0=dict(goods="4 stone 2 gold 1 crystal", heat=2, hot=2, cool=1)
    )
    game.does("place ironworker studio", "complete mill-chimney", "upgrade mill-chimney")
    game.asks(0, BURN, *(f"burn {n}" for n in range(5)))
    game.does("burn 4")
    game.happened(Paid(0, 2, 2, goods("")))
    assert game.points(0) == 6 + 5 + 4
    assert (game.player(0).heat, game.player(0).hot) == (0, 0)


def test_45_mill_chimney_extra_heat_is_optional() -> None:
    game = table(display="mill-chimney", seat0=dict(goods="4 stone 2 gold 1 crystal", heat=3))
    game.does("place ironworker studio", "complete mill-chimney", "upgrade mill-chimney", "burn 0")
    assert (game.points(0), game.player(0).heat) == (11, 3)


def test_45_mill_chimney_the_blacksmiths_2_heat_are_no_extra_heat() -> None:
    game = table(display="mill-chimney", seat0=dict(goods="4 stone 2 gold 1 crystal", heat=1))
    game.does("place blacksmith studio", "complete mill-chimney", "upgrade mill-chimney")
    game.asks(0, BURN, "burn 0", "burn 1")


def test_45_mill_chimney_upgraded_for_free_burns_too() -> None:
    game = last_action(
        seat0=dict(projects="mill-chimney gold-foundry", hot=2, cool=0),
        decks="golden+eastern",
    )
    game.visits("engineer", "forge")
    game.does("upgrade mill-chimney", "burn 2", seat=0)
    assert game.points(0) == 5 + 2


def test_43_runic_hall_upgraded_for_free() -> None:
    game = last_action(seat0=dict(projects="runic-hall gold-foundry"), decks="golden+eastern")
    game.visits("engineer", "forge")
    game.does("upgrade runic-hall")
    game.chooses(0)
    game.does("place ironworker lift", "lift 1")
    assert game.points(0, "lift") == 1
    assert game.over()


def test_end_points_belong_to_upgraded_projects_only() -> None:
    game = last_action(
        seat0=dict(
            projects="armory barricade-of-the-abyss north-wall",
            goods="9 stone 9 iron",
        )
    )
    finish(game)
    assert game.points(0, "end") == 0


def test_end_points_come_after_the_last_event() -> None:
    """The stone that the last event's lift brings up counts."""
    game = last_action(
        seat0=dict(upgraded="barricade-of-the-abyss", goods="1 stone"),
        carts={"transit": {0: "2 stone"}},
        next_events="activation-of-the-transmission",
    )
    finish(game)
    assert game.points(0, "end") == 1


def test_lasting_effects_need_the_upgraded_side() -> None:
    game = end_of_round(seat0=dict(projects="central-gas-pipeline abandoned-lift"))
    game.visits("engineer", "lift")
    game.never(GoodsGained, HeatGained, PointsGained)
