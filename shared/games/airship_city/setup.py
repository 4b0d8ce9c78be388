"""Chapter 1: setting up the city and the depots."""

from __future__ import annotations

from shared.engine.table import Table
from shared.games.airship_city import effects as e
from shared.games.airship_city import facts as f
from shared.games.airship_city.content import Content
from shared.games.airship_city.market import refill
from shared.games.airship_city.state import in_turn_order


def set_up(table: Table) -> None:
    """1.1-1.6 Everything before the first round."""
    content: Content = table.content
    table.record(f.TilesLaid(table.chance.shuffle(tuple(content.tiles))))
    start = content.numbers.price_start[content.players - 3]
    table.record(f.PricesSet(tuple(start if ship.prices else 0 for ship in content.airships)))
    table.record(f.StageBonusesDrawn((*_two(table, "early"), *_two(table, "late"))))
    table.record(f.ContractsShuffled(table.chance.shuffle(tuple(content.contracts))))
    refill(table, content.numbers.contracts_on_offer)
    first = table.chance.below(content.players)
    table.record(f.FirstPlayerChosen(first))
    wood, metal, gold, gear = content.start.goods.goods()
    crews = content.numbers.crews_at_start
    for place, seat in enumerate(in_turn_order(table.state, first)):
        goods = (wood, metal, gold, gear + content.start.gears[place])
        table.record(f.DepotPrepared(seat, goods, crews, content.harbor))
    table.then(e.BeginRound(1))


def _two(table: Table, part: str) -> tuple[str, ...]:
    """1.4 Two random stage bonuses of a part of the game."""
    stages = table.content.stages
    return table.chance.shuffle([id_ for id_, one in stages.items() if one.part == part])[:2]
