"""The position at a table: one flat, immutable value. What a viewer does not know reads `?`."""

from __future__ import annotations

from typing import Any

from shared.engine.data import Data, replace
from shared.engine.game import GameState
from shared.games.airship_city.pieces import LINES, NOTHING, RESERVE, SHIPS, Goods, Grid

Rows = tuple[tuple[int, ...], ...]
"""Donation rows: for each, how many markers every seat has there."""


class Player(Data, frozen=True, gc=False):
    """What a player has. `ready` and `used` are the tiles of face-up and face-down crews."""

    ready: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    goods: Goods = NOTHING
    renovated: tuple[str, ...] = ()
    markers: int = 0
    contracts: tuple[tuple[str, int], ...] = ()
    completed: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    flight: str = RESERVE
    negotiator: str = RESERVE
    barter: str = RESERVE
    points: tuple[int, ...] = (0,) * len(LINES)

    @property
    def total(self) -> int:
        """The victory points so far."""
        return sum(self.points)

    @property
    def crews(self) -> int:
        """How many crews are on the grid."""
        return len(self.ready) + len(self.used)

    def stands_on(self, tile: str) -> bool:
        """Whether a crew of the player is on a tile."""
        return tile in self.ready or tile in self.used


class State(GameState, frozen=True, gc=False):
    """The whole table. `turn` is the seat whose turn it is, -1 between turns."""

    grid: Grid = ()
    developed: tuple[str, ...] = ()
    steps: tuple[int, ...] = (0,) * len(SHIPS)
    ships: Rows = ()
    shipbuilding: tuple[int, ...] = (-1,) * len(SHIPS)
    utility_ids: tuple[str, ...] = ()
    utilities: Rows = ()
    construction: tuple[int, ...] = ()
    offer: tuple[str, ...] = ()
    deck: tuple[str, ...] = ()
    stage_bonuses: tuple[str, ...] = ()
    first: int = -1
    round: int = 0
    turn: int = -1
    players: tuple[Player, ...] = ()
    ended_by: str = ""
    over: bool = False


def blank(content: Any, players: int) -> State:
    """The empty table with that many seats."""
    rows = len(content.utilities)
    none = (0,) * players
    return State(
        ships=(none,) * len(SHIPS),
        utility_ids=content.utility_ids,
        utilities=(none,) * rows,
        construction=(-1,) * rows,
        players=(Player(markers=content.numbers.markers),) * players,
    )


def with_player(state: State, seat: int, **changes: Any) -> State:
    """The position with one player's fields changed."""
    players = list(state.players)
    players[seat] = replace(players[seat], **changes)
    return replace(state, players=tuple(players))


def in_turn_order(state: State, first: int) -> tuple[int, ...]:
    """All seats, clockwise from one of them."""
    count = len(state.players)
    return tuple((first + step) % count for step in range(count))


def pieces(content: Any, state: State) -> dict[str, int]:
    """How many there are of every kind of piece, wherever they lie."""
    counts = {"tiles": len(set(state.grid))}
    taken = 0
    for seat, player in enumerate(state.players):
        donated = sum(row[seat] for row in (*state.ships, *state.utilities))
        held = state.shipbuilding.count(seat) + state.construction.count(seat)
        counts[f"markers of seat {seat}"] = player.markers + donated + held
        assert player.crews <= content.numbers.crews
        assert min(player.goods) >= 0
        taken += len(player.contracts) + len(player.completed) + len(player.failed)
    counts["contracts"] = len(state.deck) + len(state.offer) + taken
    counts["stage bonuses"] = len(state.stage_bonuses)
    return counts
