"""Chapter 9: the Chief Architect's Studio, where projects are completed."""

from __future__ import annotations

from shared.engine.data import replace
from shared.engine.game import Option
from shared.engine.table import Table
from shared.games.dwergar import choices as c
from shared.games.dwergar import effects as e
from shared.games.dwergar import facts as f
from shared.games.dwergar.content import Content, Price
from shared.games.dwergar.furnaces import pay, pipeline_options, use_pipeline
from shared.games.dwergar.modifiers import (
    bonuses_of,
    can_pay,
    completion_prices,
    upgrade_price,
)
from shared.games.dwergar.pieces import NOTHING, ONE, RESOURCES, Goods
from shared.games.dwergar.projects import gold_points, pay_upgrade
from shared.games.dwergar.state import State


def studio_options(content: Content, state: State, space: e.UseSpace) -> list[Option]:
    """9.1 Complete one project of the order track."""
    if "basic" in space.used:
        return []
    player, options = state.players[space.seat], []
    for project in state.display:
        prices = completion_prices(content, player, project)
        payable = [price for _, price in prices if can_pay(player, price)]
        if payable:
            price = payable[0] if len(payable) == 1 else content.completion[project]
            options.append(c.complete(project, *price))
    return options


def complete(table: Table, space: e.UseSpace, choice: c.Complete) -> None:
    """9.1 Pay for a project; asks first what a discount saves, if that is open."""
    seat, project = space.seat, choice.project
    bonuses = bonuses_of(table.content, table.state, space)
    table.then(e.OfferSpace(replace(space, used=(*space.used, "basic", *bonuses))))
    question = e.ChooseSaving(seat, project, bonuses)
    payable = _payable(table.content, table.state, question)
    if len(payable) > 1:
        table.then(question)
    else:
        _pay_project(table, question, payable[0][1])


def _payable(
    content: Content, state: State, question: e.ChooseSaving
) -> list[tuple[tuple[str, ...], Price]]:
    player = state.players[question.seat]
    prices = completion_prices(content, player, question.project)
    return [(saved, price) for saved, price in prices if can_pay(player, price)]


def saving_options(content: Content, state: State, question: e.ChooseSaving) -> tuple[Option, ...]:
    """9.2 The discounts of cards 1 and 21 that make the project payable."""
    return tuple(c.save(saved) for saved, _ in _payable(content, state, question))


def choose_saving(table: Table, question: e.ChooseSaving, choice: c.Save) -> None:
    """9.2 Pay with the chosen discount."""
    payable = _payable(table.content, table.state, question)
    price = next(price for saved, price in payable if saved == choice.resources)
    _pay_project(table, question, price)


def _pay_project(table: Table, question: e.ChooseSaving, price: Price) -> None:
    seat, project = question.seat, question.project
    pay(table, seat, price, e.FinishProject(seat, project, price.goods, question.bonuses))


def finish_project(table: Table, effect: e.FinishProject) -> None:
    """9.3 The project and its points; then take-back (9.4) and upgrade (9.5)."""
    content, seat, project = table.content, effect.seat, effect.project
    points = content.projects[project].points
    table.record(f.ProjectCompleted(seat, project, points))
    gold_points(table, seat, project, content.completion[project].goods, effect.paid)
    less = content.numbers.studio_upgrade_heat if "blacksmith" in effect.bonuses else 0
    table.then(e.OfferUpgrade(e.UpgradeNow(seat, project, less)))
    if "engineer" in effect.bonuses:
        goods = returnable(content, content.completion[project].goods, effect.paid)
        if any(goods):
            table.then(e.TakeBack(seat, goods))


def returnable(content: Content, printed: Goods, paid: Goods) -> Goods:
    """9.4 A 1 for each resource of which the project cost more than 1 (R4)."""
    looked_at = paid if content.rules.take_back == "paid" else printed
    stone, iron, gold, crystal = (
        int(counted > 1 and given > 0) for counted, given in zip(looked_at, paid, strict=True)
    )
    return (stone, iron, gold, crystal)


def take_back_options(content: Content, state: State, question: e.TakeBack) -> tuple[Option, ...]:
    """9.4 One of the resources paid, or nothing."""
    found = [
        c.REGAIN[resource]
        for resource, count in zip(RESOURCES, question.goods, strict=True)
        if count
    ]
    return (*found, c.REGAIN["nothing"])


def take_back(table: Table, question: e.TakeBack, choice: c.Regain) -> None:
    """9.4 Regain one resource."""
    goods = ONE.get(choice.resource, NOTHING)
    if any(goods):
        table.record(f.GoodsGained(question.seat, goods, "studio"))


def upgrade_now_options(
    content: Content, state: State, question: e.UpgradeNow
) -> tuple[Option, ...]:
    """9.5 Upgrade the project just completed, or keep it as it is."""
    player = state.players[question.seat]
    options = []
    price = upgrade_price(content, player, question.project, -question.less)
    if can_pay(player, price):
        options.append(c.upgrade(question.project, *price))
    return (*options, *pipeline_options(content, player), c.KEEP)


def offer_upgrade(table: Table, effect: e.OfferUpgrade) -> None:
    """9.5 Ask only if the upgrade is, or can be brought, within reach."""
    if len(upgrade_now_options(table.content, table.state, effect.question)) > 1:
        table.then(effect.question)


def upgrade_now(
    table: Table, question: e.UpgradeNow, choice: c.Upgrade | c.UsePipeline | c.Keep
) -> None:
    """9.5 The upgrade, heat turned into goods for it, or neither."""
    if isinstance(choice, c.Upgrade):
        pay_upgrade(table, question.seat, question.project, -question.less)
    elif isinstance(choice, c.UsePipeline):
        use_pipeline(table, question.seat, choice, e.OfferUpgrade(question))
