"""Chapter 12: the three bonus effect tiles."""

from __future__ import annotations

from shared.engine.game import Option
from shared.engine.table import Table
from shared.games.airship_city import choices as c
from shared.games.airship_city import facts as f
from shared.games.airship_city.content import Content
from shared.games.airship_city.pieces import BONUSES, READY, RESERVE, RESOURCES, USED
from shared.games.airship_city.resources import room
from shared.games.airship_city.state import Player, State


def airships_donated(state: State, seat: int) -> int:
    """12.2 The seat's donation markers in airship rows."""
    return sum(row[seat] for row in state.ships)


def utilities_built(state: State, seat: int) -> int:
    """12.3 The seat's donation markers in utility rows."""
    return sum(row[seat] for row in state.utilities)


def check_flight(table: Table, seat: int) -> None:
    """12.2 Long Distance Flight once enough airships are donated."""
    if airships_donated(table.state, seat) >= table.content.numbers.bonus_airships:
        _earn(table, seat, "flight")


def check_negotiator(table: Table, seat: int) -> None:
    """12.3 Skilled Negotiator, and Barter as printed, once enough utilities are built."""
    if utilities_built(table.state, seat) >= table.content.numbers.bonus_utilities:
        _earn(table, seat, "negotiator")
        if table.content.rules.barter == "printed":
            _earn(table, seat, "barter")


def check_barter(table: Table, seat: int) -> None:
    """12.4 Barter once enough contracts are completed, where the table plays it so (R2)."""
    content: Content = table.content
    if content.rules.barter == "contracts":
        completed = len(table.state.players[seat].completed)
        if completed >= content.numbers.bonus_contracts:
            _earn(table, seat, "barter")


def _earn(table: Table, seat: int, bonus: str) -> None:
    """12.1 A tile comes into play face up, once."""
    if getattr(table.state.players[seat], bonus) == RESERVE:
        table.record(f.BonusTileEarned(seat, bonus))


def refresh(table: Table, seat: int) -> None:
    """13.1 Used tiles are turned face up."""
    player = table.state.players[seat]
    if any(getattr(player, bonus) == USED for bonus in BONUSES):
        table.record(f.BonusTilesRefreshed(seat))


def barter_options(content: Content, player: Player) -> list[Option]:
    """12.4 Everything that 1 resource can be exchanged for."""
    if player.barter != READY:
        return []
    given = [resource for resource, held in zip(RESOURCES, player.goods, strict=True) if held]
    got = [resource for resource in RESOURCES if room(content, player, resource) > 0]
    return [c.EXCHANGES[one, other] for one in given for other in got if one != other]


def barter(table: Table, seat: int, choice: c.Exchange) -> None:
    """12.4 Exchange 1 resource for 1 of another kind."""
    table.record(f.BonusTileUsed(seat, "barter"))
    table.record(f.GoodsBartered(seat, choice.gave, choice.got))
