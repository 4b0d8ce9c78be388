"""A table of Airship City in any legal position, to be played in the words of the rulebook.

    game = table(seat0=dict(crew="harbor mine-1", goods="2 gear"))
    game.does("slide row 3 east", "move harbor n")
    game.happened(TilesSlid(0, "row", 3, "east"))

What a test does not say is filled in: the city lies as in `box.GRID`, nothing is developed, every
seat has two crews on the Harbor and nothing else, and the first five contracts are on offer.
`at("mine-1")` is such a table where the seat's crew has just walked onto that tile.
"""

from __future__ import annotations

from functools import cache
from typing import Any, TypedDict

from shared.engine.chance import Chance
from shared.engine.data import replace
from shared.engine.table import Decision, decide, decisions, set_up
from shared.games.airship_city import GAME
from shared.games.airship_city.state import Player, State
from tests.games.airship_city.box import (
    CONTRACTS,
    GRID,
    LINES,
    RESOURCES,
    SHIPS,
    TILES,
    UTILITIES,
)
from tests.games.kit import Position, counted, counts, listed

WAYS = {"n": (-1, 0), "e": (0, 1), "s": (1, 0), "w": (0, -1)}

ACTIVATE = "Activate a crew"
LEAP = "Leap on"
USE = "Use the location"
LIGHTHOUSE = "Slide tiles by the Lighthouse"
DEVELOP = "Choose a tile to develop"
CREST = "Choose the crest bonus"
PIGGYBACK = "Take the piggybacking bonus"
FINISH = "Anything else before the turn ends"

CLAUSES = {
    "no-such-crew": ("3.1",),
    "off-the-grid": ("3.1",),
    "tile-already-passed": ("3.3",),
    "must-leap": ("3.2",),
    "crews-left": ("2.3",),
    "action-open": ("3.5",),
    "no-gear": ("4.1",),
    "not-at-this-location": ("6.1",),
    "cannot-afford": ("5.3",),
    "storage-full": ("5.2",),
    "no-crew-left": ("6.3",),
    "not-on-offer": ("6.6",),
    "prerequisite-missing": ("8.3", "9.2"),
    "not-for-sale": ("8.6",),
    "row-full": ("8.4", "9.3"),
    "no-marker-left": ("8.4", "9.3"),
    "already-unlocked": ("10.1",),
    "wrong-crest": ("10.2",),
    "crest-not-yours": ("7.2",),
    "not-in-the-bonus": ("7.4",),
    "not-your-contract": ("11.4",),
    "bonus-tile-not-earned": ("12.1",),
    "bonus-tile-used": ("12.1",),
    "no-such-option": ("2.4",),
}
"""Where RULES.md says why a move is refused."""


class Seat(TypedDict, total=False):
    """What a test says about one player. A crew with a `*` behind its tile is face down."""

    crew: str
    goods: str
    renovated: str
    ships: str
    utilities: str
    contracts: str
    completed: str
    failed: str
    flight: str
    negotiator: str
    barter: str
    points: int


def goods(text: str) -> tuple[int, int, int, int]:
    """`2 wood 1 gear` as a fact has it."""
    return counts(text, RESOURCES)  # type: ignore[return-value]


def in_words(counts: tuple[int, ...]) -> str:
    return listed(counts, RESOURCES)


NOTHING = goods("")


def less(cost: str, saved: str) -> str:
    """A cost after a discount, never below nothing."""
    left = zip(goods(cost), goods(saved), strict=True)
    return in_words(tuple(max(0, asked - off) for asked, off in left))


# Reaching a turn ------------------------------------------------------------------------------


def idle_move(decision: Decision) -> str:
    """An answer that changes as little as possible."""
    moves = [option.notation for option in decision.options]
    quiet = next((move for move in ("pass", "done", "end turn") if move in moves), "")
    steps = [m for m in moves if m.startswith(("move", "leap"))]
    return quiet or (steps or moves)[0]


def starting_seed(players: int, options: dict[str, str], first: int) -> tuple[Any, State, bytes]:
    """A fresh match in which that seat begins."""
    content = GAME.content(players, options, "")
    for number in range(100):
        seed = bytes([number]) * 32
        state: Any = set_up(GAME, content, players, Chance(seed, 1)).state
        if state.first == first:
            return content, state, seed
    raise AssertionError(f"seat {first} never begins")


@cache
def at_turn(
    players: int, options: tuple[tuple[str, str], ...], first: int, round_: int, turn: int
) -> tuple[Any, State]:
    """A match played idly up to that turn: its content and state, the agenda included."""
    full = {option.name: option.default for option in GAME.options} | dict(options)
    content, state, seed = starting_seed(players, full, first)
    version = 2
    while True:
        decision = decisions(GAME, content, state)[0]
        if decision.title == ACTIVATE and (state.round, decision.seat) == (round_, turn):
            return content, state
        assert state.round <= round_, "that turn does not come up"
        move = idle_move(decision)
        state = decide(GAME, content, state, decision.seat, move, Chance(seed, version)).state
        version += 1


# Setting a position ---------------------------------------------------------------------------


def table(
    players: int = 3,
    *,
    round: int = 1,
    turn: int = 0,
    first: int = 0,
    grid: str = GRID,
    developed: str = "",
    prices: dict[str, int] | None = None,
    offer: str | None = None,
    deck: str | None = None,
    stages: str = "early-wood early-metal late-wood late-metal",
    options: dict[str, str] | None = None,
    seat0: Seat | None = None,
    seat1: Seat | None = None,
    seat2: Seat | None = None,
    seat3: Seat | None = None,
) -> Play:
    """A legal position in which `turn` is about to activate a crew."""
    seats: list[Seat] = [{**(seat or {})} for seat in (seat0, seat1, seat2, seat3)[:players]]
    content, state = at_turn(players, tuple(sorted((options or {}).items())), first, round, turn)
    tiles = tuple(grid.split())
    assert sorted(tiles) == sorted(TILES)
    ships = rows(seats, "ships", tuple(SHIPS))
    utilities = rows(seats, "utilities", tuple(UTILITIES))
    offered, pile = deal_contracts(seats, offer, deck)
    shipbuilding = tuple(leader(row) for row in ships)
    construction = tuple(leader(row) for row in utilities)
    start = 0 if players == 4 else 1
    done = (turn - first) % players
    state = replace(
        state,
        grid=tiles,
        developed=tuple(developed.split()),
        steps=tuple(
            (prices or {}).get(name, start) if ship.prices else 0 for name, ship in SHIPS.items()
        ),
        ships=ships,
        utilities=utilities,
        shipbuilding=shipbuilding,
        construction=construction,
        offer=offered,
        deck=pile,
        stage_bonuses=tuple(stages.split()),
        players=tuple(
            depot(
                seat,
                donated=sum(row[number] for row in ships),
                built=sum(row[number] for row in utilities),
                majorities=(*shipbuilding, *construction).count(number),
                moved=(number - first) % players < done,
            )
            for number, seat in enumerate(seats)
        ),
    )
    return Play(content, state)


def rows(seats: list[Seat], kind: Any, names: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    """The donation spaces: a row for each airship or utility, a count for each seat."""
    counts = [counted(seat.get(kind, "")) for seat in seats]
    assert {name for count in counts for name in count} <= set(names), counts
    return tuple(tuple(count[name] for count in counts) for name in names)


def leader(row: tuple[int, ...]) -> int:
    """The seat with more markers in a row than any other, or -1."""
    most = max(row)
    return row.index(most) if row.count(most) == 1 else -1


def deal_contracts(
    seats: list[Seat], offer: str | None, deck: str | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The offer and the deck. Tiles that lie nowhere else failed the last seat long ago."""
    taken = set(" ".join(f"{s.get('completed', '')} {s.get('failed', '')}" for s in seats).split())
    taken |= {name.split(":")[0] for s in seats for name in s.get("contracts", "").split()}
    held = set((deck or "").split())
    free = [name for name in CONTRACTS if name not in taken and name not in held]
    offered = tuple(free[:5] if offer is None else offer.split())
    rest = [name for name in free if name not in offered]
    if deck is None:
        return offered, tuple(rest)
    seats[-1]["failed"] = f"{seats[-1].get('failed', '')} {' '.join(rest)}"
    return offered, tuple(deck.split())


def depot(seat: Seat, *, donated: int, built: int, majorities: int, moved: bool) -> Player:
    """One player as the test describes him; `moved`: his turn of this round is over."""
    crews = [(tile.rstrip("*"), moved or "*" in tile) for tile in seat_crew(seat)]
    earned = {True: "ready", False: "reserve"}
    terms = [one.partition(":") for one in seat.get("contracts", "").split()]
    return Player(
        ready=tuple(sorted(tile for tile, down in crews if not down)),
        used=tuple(sorted(tile for tile, down in crews if down)),
        goods=goods(seat.get("goods", "")),
        renovated=tuple(seat.get("renovated", "").split()),
        markers=20 - donated - built - majorities,
        contracts=tuple((name, int(n) if n else CONTRACTS[name].term) for name, _, n in terms),
        completed=tuple(seat.get("completed", "").split()),
        failed=tuple(seat.get("failed", "").split()),
        flight=seat.get("flight", earned[donated >= 3]),
        negotiator=seat.get("negotiator", earned[built >= 3]),
        barter=seat.get("barter", earned[built >= 3]),
        points=(seat.get("points", 0), 0, 0, 0, 0, 0, 0, 0),
    )


def seat_crew(seat: Seat) -> list[str]:
    crew = seat.get("crew", "harbor harbor").split()
    assert 2 <= len(crew) <= 4, "a player has two to four crews"
    return crew


def beside(grid: str, tile: str) -> dict[str, str]:
    """The neighbours of a tile, and the way from each to the tile."""
    tiles = grid.split()
    row, column = divmod(tiles.index(tile), 4)
    found = {}
    for way, (down, right) in WAYS.items():
        y, x = row - down, column - right
        if 0 <= y < 4 and 0 <= x < 4:
            found[tiles[4 * y + x]] = way
    return found


def at(tile: str, players: int = 3, *, last: bool = False, **position: Any) -> Play:
    """A table where a crew of the seat at turn has just moved onto that tile.

    If the test does not place its crews, the other one stands elsewhere, ready, or face down if
    this is the `last` one of the turn.
    """
    turn, ways = position.get("turn", 0), beside(position.get("grid", GRID), tile)
    spare = "harbor" if tile != "harbor" else "lighthouse"
    free = next(one for one in ways if one != spare)
    seat = {"crew": f"{free} {spare}{'*' if last else ''}"} | position.get(f"seat{turn}", {})
    game = table(players, **position | {f"seat{turn}": seat})
    origin = next(one for one in seat["crew"].split() if one in ways)
    game.does(f"move {origin} {ways[origin]}")
    return game


def last_turn(players: int = 3, *, first: int = 0, **position: Any) -> Play:
    """The last turn of a round; `rests()` ends it."""
    return table(players, turn=(first - 1) % players, first=first, **position)


# Playing --------------------------------------------------------------------------------------


class Play(Position):
    """A position of Airship City."""

    game, seed, clauses = GAME, bytes(range(32)), CLAUSES
    state: State

    # What the test reads

    def goods(self, seat: int) -> str:
        return in_words(self.player(seat).goods)

    def points(self, seat: int, line: str = "") -> int:
        points = self.player(seat).points
        return points[LINES.index(line)] if line else sum(points)

    def crew(self, seat: int) -> str:
        """Where a player's crews are, those face down with a `*`."""
        player = self.player(seat)
        return " ".join(sorted([*player.ready, *(f"{tile}*" for tile in player.used)]))

    def row(self, number: int) -> str:
        return " ".join(self.state.grid[4 * number - 4 : 4 * number])

    def column(self, number: int) -> str:
        return " ".join(self.state.grid[number - 1 :: 4])

    def donated(self, seat: int, name: str) -> int:
        """A player's markers in the donation spaces of an airship or a utility."""
        if name in SHIPS:
            return self.state.ships[list(SHIPS).index(name)][seat]
        return self.state.utilities[list(UTILITIES).index(name)][seat]

    def majority(self, name: str) -> int:
        if name in SHIPS:
            return self.state.shipbuilding[list(SHIPS).index(name)]
        return self.state.construction[list(UTILITIES).index(name)]

    def step(self, ship: str) -> int:
        return self.state.steps[list(SHIPS).index(ship)]

    # What the test does

    def rests(self) -> None:
        """Whoever is at turn ends it, doing as little as possible; `facts` grow."""
        seat, round_ = self.state.turn, self.state.round
        while self.decisions() and (self.state.turn, self.state.round) == (seat, round_):
            self.plays(idle_move(self.decisions()[0]), self.decisions()[0].seat)

    def ends_the_round(self) -> None:
        """All who are still to move rest."""
        self.facts = []
        round_ = self.state.round
        while self.decisions() and self.state.round == round_:
            self.rests()

    def check(self) -> None:
        """Nothing of the box is lost or made, and the board tells one story."""
        state = self.state
        assert sorted(state.grid) == sorted(TILES)
        assert set(state.developed) <= set(TILES)
        assert state.shipbuilding == tuple(leader(row) for row in state.ships)
        assert state.construction == tuple(leader(row) for row in state.utilities)
        contracts = [*state.offer, *state.deck]
        for seat, player in enumerate(state.players):
            assert 2 <= len(player.ready) + len(player.used) <= 4
            assert {*player.ready, *player.used} <= set(TILES)
            for name, have in zip(RESOURCES, player.goods, strict=True):
                assert 0 <= have <= (20 if name in player.renovated else 10)
            contracts += [*(name for name, _ in player.contracts)]
            contracts += [*player.completed, *player.failed]
            placed = sum(row[seat] for row in (*state.ships, *state.utilities))
            held = (*state.shipbuilding, *state.construction).count(seat)
            assert player.markers == 20 - placed - held
        if len(contracts) == len(CONTRACTS):
            assert sorted(contracts) == sorted(CONTRACTS)
