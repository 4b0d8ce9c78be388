"""The table as text, at most 100 columns wide. Works on any viewer's state."""

from __future__ import annotations

from shared.games.dwergar.content import Content, Price
from shared.games.dwergar.effects import ChooseAction, NextAction, UseSpace
from shared.games.dwergar.modifiers import upgrade_price
from shared.games.dwergar.pieces import (
    BASIC,
    FOREMAN,
    LEVELS,
    LOCATION_INDEX,
    LOCATIONS,
    OUTSIDE,
    OWNER,
    RESOURCES,
    WORKERS,
    Cart,
)
from shared.games.dwergar.state import Player, State, completed, furnaces_out

SHORT = "sigc"
"""One letter a resource: stone, iron, gold, crystal."""
WIDTH = 100


def picture(content: Content, state: State, names: tuple[str, ...]) -> str:
    """Round and event, spaces, mine, order track and clans."""
    lines = [
        *header(content, state, names),
        *spaces(content, state),
        *mine(content, state, names),
        *track(content, state),
    ]
    for seat, player in enumerate(state.players):
        lines += clan(content, state, seat, player, names[seat])
    return "\n".join(line[:WIDTH].rstrip() for line in (*lines, *legend(content)))


def header(content: Content, state: State, names: tuple[str, ...]) -> list[str]:
    """Round, whose actions, the lying event."""
    turn = f", {names[state.turn]}'s turn" if state.turn >= 0 else ""
    beard = f", Silverbeard: {names[state.silverbeard]}" if state.silverbeard >= 0 else ""
    lines = [f"Round {state.round} of {state.rounds}{turn}{beard}", *at_work(state, names)]
    if state.event:
        event = content.events[state.event]
        lines += [f"Event: {event.name}", f"  {event.text}"]
    return lines


def at_work(state: State, names: tuple[str, ...]) -> list[str]:
    """Whose actions are being done: how many are left, and the dwarf in use."""
    after = next((one.left for one in reversed(state.agenda) if isinstance(one, NextAction)), 0)
    for one in reversed(state.agenda):
        if isinstance(one, ChooseAction):
            if not one.optional:
                return [f"{names[one.seat]} chooses an action; after it: {after_this(one.left)}"]
            kind = "an extra" if one.seat == state.turn else "a bonus"
            return [f"{names[one.seat]} may do {kind} action; after it: {after_this(one.left)}"]
        if isinstance(one, UseSpace):
            used = f", used: {', '.join(one.used)}" if one.used else ""
            where = f"{names[one.seat]}'s {one.dwarf} is at {one.location}{used}"
            return [f"{where}; after it: {after_this(after + state.players[one.seat].extra + 1)}"]
    return []


def after_this(left: int) -> str:
    """How many actions follow."""
    return "1 action" if left == 2 else f"{left - 1} actions"


def price(heat: int, goods: tuple[int, ...]) -> str:
    """A cost in short: `1h 3i`."""
    parts = [f"{heat}h"] if heat else []
    parts += [f"{n}{letter}" for n, letter in zip(goods, SHORT, strict=True) if n]
    return " ".join(parts) or "free"


def space(content: Content, state: State, index: int) -> str:
    """A location, who stands there, and whose furnace is there or what one costs."""
    token, owner = state.board[index], state.furnaces[index]
    who = f"foreman {OWNER[token]}" if token in OWNER else token or "-"
    furnace = f"[{owner}]" if owner >= 0 else price(0, content.install[index])
    return f"  {LOCATIONS[index]:<11}{who:<11}{furnace:<8}"


def spaces(content: Content, state: State) -> list[str]:
    """The six places outside the mine, and what can be done there."""
    lines = [f"  {'place':<11}{'dwarf':<11}{'furnace':<8}basic action; bonuses"]
    for index, location in enumerate(LOCATIONS[:OUTSIDE]):
        halves = does(content, location)
        bonuses = [f"{worker} {halves[worker]}" for worker in content.bonuses[location]]
        lines.append(space(content, state, index) + "; ".join((halves[BASIC], *bonuses)))
    return lines


def does(content: Content, location: str) -> dict[str, str]:
    """What the halves of a place outside the mine do, in short."""
    n, shop = content.numbers, content.workshop
    forging = [f"{price(*cost).replace(' ', '+')}>{m[0]}" for m, cost in content.forging.items()]
    return {
        "laboratory": {
            BASIC: f"{n.laboratory_exchanges} exchange",
            "ironworker": f"light 1, {n.laboratory_heat}h",
            "blacksmith": f"{n.laboratory_extra} exchanges more",
        },
        "bellows": {
            BASIC: "light 1",
            "ironworker": "light all",
            "blacksmith": f"{n.bellows_heat}h",
        },
        "lift": {
            BASIC: "1 level, 1h each more",
            "ironworker": "1 VP a level",
            "engineer": "1s to carts",
        },
        "workshop": {
            BASIC: f"furnace for {price(*shop.basic.price())}",
            "ironworker": "light 1",
            "engineer": f"furnace for {price(*shop.engineer.price())}",
        },
        "forge": {
            BASIC: " ".join(forging),
            "blacksmith": f"upgrades +{n.forge_upgrade_heat}h",
            "engineer": f"{n.forge_heat}h",
        },
        "studio": {
            BASIC: "complete 1",
            "blacksmith": f"upgrade -{n.studio_upgrade_heat}h",
            "engineer": "take 1 back",
        },
    }[location]


def load(cart: Cart) -> str:
    """A cart in short: `3s+F`."""
    goods = "".join(f"{n}{letter}" for n, letter in zip(cart, SHORT, strict=False) if n)
    return (goods or "-") + ("+F" if cart[4] else "")


def mine(content: Content, state: State, names: tuple[str, ...]) -> list[str]:
    """The levels with carts, from the top, who works there and what they yield."""
    head = "".join(f"{name[:12]:<14}" for name in names)
    lines = [f"  {'mine':<11}{'':<19}{'loads':<11}{head}"]
    for index, level in enumerate(LEVELS):
        place = f"  {level:<41}"
        if level in LOCATIONS:
            table = content.locations[level]
            goods = price(0, table.goods.goods()).replace(" ", "")
            more = price(0, table.furnace.goods())
            place = f"{space(content, state, LOCATION_INDEX[level])}{goods} +{more}".ljust(43)
        carts = "".join(f"{load(cart):<14}" for cart in state.carts[index])
        lines.append(place + carts)
    return lines


def track(content: Content, state: State) -> list[str]:
    """The projects on offer, with their costs and points."""
    lines = [f"  order track ({len(state.pile)} in the pile, {len(state.events)} events left)"]
    for id_ in state.display:
        card = content.projects[id_]
        done = f"{price(*content.completion[id_])}: {card.points} VP"
        lines.append(
            f"    {id_:<30}{card.deck:<11}{done:<22}{upgrade(content, id_, content.upgrade[id_])}"
        )
        lines.append(f"      {card.text}")
    return lines


def upgrade(content: Content, project: str, cost: Price) -> str:
    """What an upgrade costs and gives."""
    points = content.projects[project].upgrade_points
    return f"upgrade {price(*cost)}" + (f": {points} VP" if points else "")


def clan(content: Content, state: State, seat: int, player: Player, name: str) -> list[str]:
    """One player board, and the projects beside it."""
    dwarves = [
        f"{count} {kind}" if kind != FOREMAN else FOREMAN
        for kind, count in zip((*WORKERS, FOREMAN), player.pool, strict=True)
        if count
    ]
    goods = price(0, player.goods) if any(player.goods) else "no goods"
    spare = content.numbers.furnace_tokens - furnaces_out(state, seat)
    furnaces = f"furnaces {player.hot} hot {player.cool} cool {spare} to build"
    lines = [
        f"{seat} {name[:20]}: {player.total} VP, heat {player.heat}, {furnaces}, {goods}",
        f"    dwarves: {', '.join(dwarves) or 'none'}",
    ]
    counts = [(deck, completed(player, deck, content.deck_of)) for deck in state.decks]
    if any(count for _, count in counts):
        done = ", ".join(f"{count} {deck}" for deck, count in counts if count)
        lines.append(f"    projects: {done}")
    for id_ in player.projects:
        cost = upgrade_price(content, player, id_, 0)
        lines.append(f"      {id_:<30} {upgrade(content, id_, cost)}")
        lines.append(f"        {content.projects[id_].text}")
    return lines + upgraded(content, player)


def upgraded(content: Content, player: Player) -> list[str]:
    """Upgraded projects: those that still matter with their text, the rest in a row."""
    lasting, over = [], "      upgraded:"
    lines = []
    for id_ in player.upgraded:
        card = content.projects[id_]
        if card.lasting or card.end:
            lasting += [f"      {id_} (upgraded)", f"        {card.text}"]
            continue
        if len(over) + len(id_) + 1 > WIDTH:
            lines.append(over)
            over = "       "
        over += f" {id_}"
    return [*lasting, *lines, *([over] if over.strip() != "upgraded:" else [])]


def legend(content: Content) -> list[str]:
    """What the short forms mean."""
    rows = (
        f"1{gave[0]}>{'/'.join(f'{n}{got[0]}' for got, n in row.items())}"
        for gave, row in content.laboratory.items()
    )
    letters = ", ".join(f"{letter} {name}" for letter, name in zip(SHORT, RESOURCES, strict=True))
    return [
        f"{letters}, h heat; exchanges {' '.join(rows)}",
        "foreman n, [n]: of seat n; furnace: else the price of one; +F: foreman in the cart",
        "loads, after the +: what an own furnace adds, and the extra goods of cards and events",
    ]
