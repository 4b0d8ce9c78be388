"""The position at a table: one flat, immutable value. What a viewer does not know reads `?`."""

from __future__ import annotations

from typing import Any

from shared.engine.data import Data, replace
from shared.engine.game import GameState
from shared.games.dwergar.pieces import (
    EMPTY_CART,
    FOREMEN,
    LEVELS,
    LOCATIONS,
    NOTHING,
    WORKERS,
    Cart,
    Goods,
    Pool,
)


class Player(Data, frozen=True, gc=False):
    """What a clan has. `projects` are completed and not upgraded; `points` one count a line."""

    pool: Pool = (0, 0, 0, 1)
    goods: Goods = NOTHING
    heat: int = 0
    hot: int = 0
    cool: int = 0
    projects: tuple[str, ...] = ()
    upgraded: tuple[str, ...] = ()
    points: tuple[int, int, int, int, int, int, int] = (0, 0, 0, 0, 0, 0, 0)
    extra: int = 0

    @property
    def total(self) -> int:
        """The victory points so far."""
        return sum(self.points)


class State(GameState, frozen=True, gc=False):
    """The whole table. `turn` is the seat whose turn it is, -1 between turns."""

    decks: tuple[str, ...] = ()
    rounds: int = 0
    round: int = 0
    turn: int = -1
    board: tuple[str, ...] = ("",) * len(LOCATIONS)
    furnaces: tuple[int, ...] = (-1,) * len(LOCATIONS)
    carts: tuple[tuple[Cart, ...], ...] = ()
    display: tuple[str, ...] = ()
    pile: tuple[str, ...] = ()
    discarded: tuple[str, ...] = ()
    event: str = ""
    events: tuple[str, ...] = ()
    past_events: tuple[str, ...] = ()
    silverbeard: int = -1
    players: tuple[Player, ...] = ()
    over: bool = False


def blank(content: Any, players: int) -> State:
    """The empty table with that many seats."""
    carts = ((EMPTY_CART,) * players,) * len(LEVELS)
    start = Player(cool=content.numbers.furnaces_at_start)
    return State(carts=carts, players=(start,) * players)


def with_player(state: State, seat: int, **changes: Any) -> State:
    """The position with one player's fields changed."""
    players = list(state.players)
    players[seat] = replace(players[seat], **changes)
    return replace(state, players=tuple(players))


def completed(player: Player, deck: str, deck_of: dict[str, str]) -> int:
    """How many projects of a deck the player has completed, upgraded ones included."""
    return sum(deck_of[project] == deck for project in (*player.projects, *player.upgraded))


def furnaces_out(state: State, seat: int) -> int:
    """How many furnace tokens a seat has in play, on its board and installed."""
    player = state.players[seat]
    return player.hot + player.cool + state.furnaces.count(seat)


def other_seats(state: State, seat: int) -> tuple[int, ...]:
    """The other seats in turn order."""
    count = len(state.players)
    return tuple((seat + step) % count for step in range(1, count))


def pieces(content: Any, state: State) -> dict[str, int]:
    """How many there are of every kind of piece, wherever they lie."""
    players = state.players
    counts = {
        worker: state.board.count(worker) + sum(player.pool[kind] for player in players)
        for kind, worker in enumerate(WORKERS)
    }
    for seat, player in enumerate(players):
        riding = sum(tile[seat][4] for tile in state.carts)
        on_board = state.board.count(FOREMEN[seat])
        counts[FOREMEN[seat]] = player.pool[3] + on_board + riding
        supply = content.numbers.furnace_tokens - furnaces_out(state, seat)
        assert supply >= 0 and player.hot >= 0 and player.cool >= 0
    on_offer = len(state.pile) + len(state.display) + len(state.discarded)
    taken = sum(len(player.projects) + len(player.upgraded) for player in players)
    counts["projects"] = on_offer + taken
    counts["events"] = len(state.events) + len(state.past_events) + (state.event != "")
    return counts
