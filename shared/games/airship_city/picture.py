"""The table as text, at most 100 columns wide. Works on any viewer's state."""

from __future__ import annotations

from shared.games.airship_city.content import Content
from shared.games.airship_city.pieces import AWARDS, BONUSES, RESERVE, RESOURCES, SHIPS, SIDE
from shared.games.airship_city.resources import savings
from shared.games.airship_city.state import State
from shared.games.airship_city.tables import Airship, Bonus, PublicWork

SHORT = "wmgr"
"""One letter a resource: wood, metal, gold, gear."""
CELL = 23
WIDTH = 100
LEGEND = (
    f"w {RESOURCES[0]}, m {RESOURCES[1]}, g {RESOURCES[2]}, r {RESOURCES[3]}; "
    "crews by seat number, ' face down",
    "basic tiles: crest colours > bonuses once developed; * developed: crest, piggybacking bonus",
)


def picture(content: Content, state: State, names: tuple[str, ...]) -> str:
    """Round, city, donation board with prices, renovations, contracts on offer, depots."""
    lines = [
        *header(content, state, names),
        *city(content, state),
        *airships(content, state),
        *utilities(content, state),
        renovations(content),
        *offer(content, state),
        *goals(content),
    ]
    for seat in range(len(state.players)):
        lines += depot(content, state, seat, names[seat])
    lines += LEGEND
    return "\n".join(line[:WIDTH].rstrip() for line in lines)


def amount(goods: tuple[int, ...]) -> str:
    """Goods in short: `4w 2r`."""
    parts = [f"{n}{letter}" for n, letter in zip(goods, SHORT, strict=True) if n]
    return " ".join(parts) or "nothing"


def letters(resources: tuple[str, ...]) -> str:
    """Resources in short: `wm`."""
    return "".join(SHORT[RESOURCES.index(resource)] for resource in resources)


def header(content: Content, state: State, names: tuple[str, ...]) -> list[str]:
    """Round, stage, whose turn it is, and the stage bonuses to come."""
    stage = (state.round - 1) // content.numbers.rounds_a_stage + 1
    turn = f", {names[state.turn]}'s turn" if state.turn >= 0 else ""
    first = f", first player {names[state.first]}" if state.first >= 0 else ""
    bonuses = "; ".join(
        f"stage {number}: {amount(content.stages[id_].goods.goods())}"
        for number, id_ in enumerate(state.stage_bonuses, 2)
        if number > stage
    )
    lines = [f"Round {state.round} of {content.rounds}, stage {stage}{turn}{first}"]
    return [*lines, f"Bonuses to come: {bonuses}"] if bonuses else lines


# The city -----------------------------------------------------------------------------------


def city(content: Content, state: State) -> list[str]:
    """The grid: each tile with its crests or bonuses, and who stands there."""
    rule = "  " + ("+" + "-" * CELL) * SIDE + "+"
    head = "   " + "".join(f"{column:^{CELL + 1}}" for column in range(1, SIDE + 1))
    lines = [head.rstrip(), rule]
    for row in range(SIDE):
        tiles = state.grid[row * SIDE : (row + 1) * SIDE]
        for number, part in enumerate((title, sides, crews)):
            label = str(row + 1) if number == 0 else " "
            cells = (f" {part(content, state, tile)}"[:CELL] for tile in tiles)
            lines.append(f"{label} |" + "|".join(f"{cell:<{CELL}}" for cell in cells) + "|")
        lines.append(rule)
    return lines


def title(content: Content, state: State, tile: str) -> str:
    """A tile's name, with a star if it is developed, and what it produces."""
    name = f"{tile} *" if tile in state.developed else tile
    if content.location[tile] == "guild-hall":
        return f"{name} crew {content.numbers.hire}g"
    gains = content.gains.get(tile)
    return f"{name} {amount(gains)}" if gains else name


def bonus(one: Bonus) -> str:
    """A bonus in short: `1wm`."""
    return f"{one.count}{letters(one.of)}"


def sides(content: Content, state: State, tile: str) -> str:
    """The tile's bonuses, and before it is developed its crest colours."""
    table = content.tiles[tile]
    before = "crest" if tile in state.developed else f"{letters(table.crests)} >"
    piggyback = f", piggy {bonus(table.piggyback)}" if table.piggyback else ""
    return f"{before} {bonus(table.bonus)}{piggyback}"


def crews(content: Content, state: State, tile: str) -> str:
    """The crews on a tile, by seat."""
    found = []
    for seat, player in enumerate(state.players):
        found += [str(seat)] * player.ready.count(tile)
        found += [f"{seat}'"] * player.used.count(tile)
    return " ".join(found)


# Donation board -----------------------------------------------------------------------------


def row(markers: tuple[int, ...], spaces: int, holder: int) -> str:
    """A donation row: markers by seat, free spaces, the majority."""
    placed = "".join(str(seat) * count for seat, count in enumerate(markers))
    majority = f" majority {holder}" if holder >= 0 else ""
    return f"[{placed:.<{spaces}}]{majority}"


def airships(content: Content, state: State) -> list[str]:
    """Each airship: cost, points, price now and after a sale, discount, donation row."""
    lines = ["  airship             cost       VP  sells then each own marker saves"]
    for index, (id_, ship) in enumerate(zip(SHIPS, content.airships, strict=True)):
        now, then = prices(ship, state.steps[index])
        markers = row(state.ships[index], content.ship_spaces, state.shipbuilding[index])
        lines.append(
            f"  {id_:<20}{amount(ship.cost.goods()):<11}{ship.points:<4}{now:<6}{then:<5}"
            f"{saving(ship):<25}{markers}"
        )
    return [*lines, *prerequisites(content)]


def prices(ship: Airship, step: int) -> tuple[str, str]:
    """What a ship sells for now, and after the next sale."""
    if not ship.prices:
        return "-", ""
    return f"{ship.prices[step]}g", f"{ship.prices[min(step + 1, len(ship.prices) - 1)]}g"


def prerequisites(content: Content) -> list[str]:
    """What must be donated before a ship of level 2 or 3 (8.3, R3)."""
    count = content.numbers.prerequisite
    if content.rules.tourist_prerequisites == "family":
        return [f"  the 2nd and 3rd ship of a family need {count} own markers in the row above"]
    return [
        f"  the 2nd and 3rd wooden and metal ship need {count} own markers in the row above;",
        f"  passenger needs {count} on any 2nd ships, luxury-cruise {count} on any 3rd ships",
    ]


def saving(ship: Airship) -> str:
    """A ship's discount in short."""
    return f"{ship.discount.less}{letters((ship.discount.of,))} at {ship.discount.at}"


def utilities(content: Content, state: State) -> list[str]:
    """Each public utility: cost, points, needs, donation row."""
    lines = ["  public utility      cost       VP  needs"]
    for index, (id_, utility) in enumerate(content.utilities.items()):
        markers = row(state.utilities[index], content.utility_spaces, state.construction[index])
        cost = amount(utility.cost.goods())
        lines.append(f"  {id_:<20}{cost:<11}{utility.points:<4}{needs(utility):<33}{markers}")
    return lines


def needs(utility: PublicWork) -> str:
    """What must be donated before, in short."""
    parts = []
    for need in utility.needs:
        families = "/".join(need.families) if len(need.families) < 3 else "any"
        levels = "" if len(need.levels) == 3 else " L" + "/".join(map(str, need.levels))
        parts.append(f"{need.markers} {families}{levels}")
    return ", ".join(parts)[:32] or "-"


def renovations(content: Content) -> str:
    """What the Workshop asks and gives."""
    numbers = content.numbers
    gives = f"{numbers.renovation_points} VP, room for {numbers.renovated_capacity}"
    costs = "; ".join(
        f"{resource} {amount(cost.goods())}" for resource, cost in content.renovations.items()
    )
    return f"  renovation          {costs}; {gives}, not {numbers.capacity}"


def goals(content: Content) -> list[str]:
    """What the bonus effect tiles need, and what the places of each award are worth."""
    numbers = content.numbers
    barter = f"{numbers.bonus_utilities} utilities"
    if content.rules.barter == "contracts":
        barter = f"{numbers.bonus_contracts} contracts"
    parts = (f"{award} {'/'.join(map(str, getattr(content.awards, award)))}" for award in AWARDS)
    return [
        f"  bonus tiles: flight with {numbers.bonus_airships} airships donated, "
        f"negotiator {numbers.bonus_utilities} utilities, barter {barter}",
        f"  awards at the end: {', '.join(parts)} VP",
    ]


# Contracts and depots -----------------------------------------------------------------------


def offer(content: Content, state: State) -> list[str]:
    """The contracts on offer, two a line."""
    cells = [
        f"{id_:<14}term {content.contracts[id_].term}: {deal(content, id_)}" for id_ in state.offer
    ]
    lines = [f"  contracts on offer ({len(state.deck)} in the deck)"]
    for index in range(0, len(cells), 2):
        lines.append("    " + "".join(f"{cell:<48}" for cell in cells[index : index + 2]))
    return lines


def deal(content: Content, id_: str) -> str:
    """What a contract asks for and gives."""
    contract = content.contracts[id_]
    return f"{amount(contract.cost.goods())} for {contract.points} VP {contract.gold}g"


def depot(content: Content, state: State, seat: int, name: str) -> list[str]:
    """One player's depot."""
    player = state.players[seat]
    reserve = content.numbers.crews - player.crews
    lines = [
        f"{seat} {name[:20]}: {player.total} VP, {amount(player.goods)}; "
        f"crews {player.crews} (+{reserve}), markers {max(0, player.markers)}",
    ]
    more = []
    if player.renovated:
        more.append(f"renovated {letters(player.renovated)}")
    more += [f"{one} {side}" for one in BONUSES if (side := getattr(player, one)) != RESERVE]
    if player.completed or player.failed:
        more.append(f"contracts completed {len(player.completed)}, failed {len(player.failed)}")
    if more:
        lines.append(f"    {'; '.join(more)}")
    if discounts := saved(content, state, seat):
        lines.append(f"    saves {discounts}")
    for contract, terms in player.contracts:
        lines.append(f"    {contract:<14}term {terms}: {deal(content, contract)}")
    return lines


def saved(content: Content, state: State, seat: int) -> str:
    """The discounts of a seat, by location."""
    by_location = ((at, savings(content, state, seat, at)) for at in content.savings)
    return "; ".join(f"{amount(goods)} at {at}" for at, goods in by_location if any(goods))
