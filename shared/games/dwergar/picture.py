"""The table as text, at most 100 columns wide. Works on any viewer's state."""

from __future__ import annotations

from shared.games.dwergar.content import Content
from shared.games.dwergar.pieces import (
    FOREMAN,
    LEVELS,
    LOCATIONS,
    OUTSIDE,
    OWNER,
    RESOURCES,
    WORKERS,
    Cart,
)
from shared.games.dwergar.state import Player, State

SHORT = "sigc"
"""One letter a resource: stone, iron, gold, crystal."""
WIDTH = 100


def picture(content: Content, state: State, names: tuple[str, ...]) -> str:
    """Round and event, spaces, mine, order track and clans."""
    lines = [
        *header(content, state, names),
        *spaces(state, names),
        *mine(state, names),
        *track(content, state),
    ]
    for seat, player in enumerate(state.players):
        lines += clan(content, state, seat, player, names[seat])
    lines.append(
        f"s {RESOURCES[0]}, i {RESOURCES[1]}, g {RESOURCES[2]}, c {RESOURCES[3]}, h heat; "
        "+F foreman in the cart; [n] furnace of seat n"
    )
    return "\n".join(line[:WIDTH].rstrip() for line in lines)


def header(content: Content, state: State, names: tuple[str, ...]) -> list[str]:
    """Round, turn and the lying event."""
    turn = f", {names[state.turn]}'s turn" if state.turn >= 0 else ""
    beard = f", Silverbeard: {names[state.silverbeard]}" if state.silverbeard >= 0 else ""
    lines = [f"Round {state.round} of {state.rounds}{turn}{beard}"]
    if state.event:
        event = content.events[state.event]
        lines.append(f"Event: {event.name}. {event.text}")
    return lines


def who(token: str, names: tuple[str, ...]) -> str:
    """Who stands at a space."""
    return f"{names[OWNER[token]]}'s foreman" if token in OWNER else token or "-"


def spaces(state: State, names: tuple[str, ...]) -> list[str]:
    """The six places outside the mine, two columns."""
    cells = []
    for index, location in enumerate(LOCATIONS[:OUTSIDE]):
        owner = state.furnaces[index]
        furnace = f" [{owner}]" if owner >= 0 else ""
        cells.append(f"{location:<11}{who(state.board[index], names)}{furnace}"[:47])
    return [f"  {cells[i]:<48}{cells[i + 1]}" for i in range(0, OUTSIDE, 2)]


def load(cart: Cart) -> str:
    """A cart in short: `3s+F`."""
    goods = "".join(f"{n}{letter}" for n, letter in zip(cart, SHORT, strict=False) if n)
    return (goods or "-") + ("+F" if cart[4] else "")


def mine(state: State, names: tuple[str, ...]) -> list[str]:
    """The levels with carts, from the top, and who works there."""
    head = "".join(f"{name[:12]:<14}" for name in names)
    lines = [f"  {'mine':<11}{'':<24}{head}"]
    for index, level in enumerate(LEVELS):
        worker = ""
        if level in LOCATIONS:
            place = LOCATIONS.index(level)
            owner = state.furnaces[place]
            furnace = f" [{owner}]" if owner >= 0 else ""
            worker = f"{who(state.board[place], names)[:19]}{furnace}"
        carts = "".join(f"{load(cart):<14}" for cart in state.carts[index])
        lines.append(f"  {level:<11}{worker:<24}{carts}")
    return lines


def price(heat: int, goods: tuple[int, ...]) -> str:
    """A cost in short: `1h 3i`."""
    parts = [f"{heat}h"] if heat else []
    parts += [f"{n}{letter}" for n, letter in zip(goods, SHORT, strict=True) if n]
    return " ".join(parts) or "free"


def track(content: Content, state: State) -> list[str]:
    """The projects on offer, with their costs and points."""
    lines = [f"  order track ({len(state.pile)} in the pile, {len(state.events)} events left)"]
    for id_ in state.display:
        card = content.projects[id_]
        done = f"{price(*content.completion[id_])}: {card.points} VP"
        more = price(*content.upgrade[id_])
        more += f": {card.upgrade_points} VP" if card.upgrade_points else ""
        lines.append(f"    {id_:<30}{card.deck:<11}{done:<19}upgrade {more}")
        lines.append(f"      {card.text}")
    return lines


def clan(content: Content, state: State, seat: int, player: Player, name: str) -> list[str]:
    """One player board."""
    dwarves = [
        f"{count} {kind}" if kind != FOREMAN else FOREMAN
        for kind, count in zip((*WORKERS, FOREMAN), player.pool, strict=True)
        if count
    ]
    goods = price(0, player.goods) if any(player.goods) else "no goods"
    furnaces = f"furnaces {player.hot} hot {player.cool} cool"
    lines = [
        f"{seat} {name[:20]}: {player.total} VP, heat {player.heat}, {furnaces}, {goods}",
        f"    dwarves: {', '.join(dwarves) or 'none'}",
    ]
    for title, cards in (("completed", player.projects), ("upgraded", player.upgraded)):
        line = f"    {title}:"
        for card in cards:
            if len(line) + len(card) + 2 > WIDTH:
                lines.append(line)
                line = "     "
            line += f" {card}"
        if cards:
            lines.append(line)
    return lines
