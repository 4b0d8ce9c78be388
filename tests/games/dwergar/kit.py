"""A table of Dwergar in any legal position, to be played in the words of the rulebook.

    game = table(seat0=dict(pool="blacksmith foreman", goods="2 stone 1 iron", heat=1))
    game.does("place blacksmith bellows", "use blacksmith")
    game.happened(HeatGained(0, 2, "bellows"))

What a test does not say is filled in: the seat whose turn it is holds one worker of each kind and
its foreman, the other workers lie with another seat, the spaces and carts are empty, two
furnaces are cool, and the order track shows the first projects nobody has.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from functools import cache
from importlib import resources
from typing import Any, TypedDict

from shared.engine.chance import Chance
from shared.engine.data import replace
from shared.engine.table import Decision, decide, decisions, set_up
from shared.games import GAMES
from shared.games.dwergar.pieces import LEVELS, LINES, LOCATIONS, RESOURCES, WORKERS
from shared.games.dwergar.state import Player, State
from tests.games.kit import Position, counted, counts, listed

GAME = GAMES["dwergar"]
SEED = bytes(range(32))
BOX = tomllib.loads(resources.files("shared.games.dwergar").joinpath("content.toml").read_text())
PROJECTS: dict[str, Any] = BOX["projects"]
EVENTS: tuple[str, ...] = tuple(BOX["events"])
RECOMMENDED = ("western", "new-shaft", "golden", "old-shaft")

QUIET_EVENTS = (
    "hot-steam-ducts",
    "new-crystal-veins",
    "underfloor-heating",
    "chief-architect-changes-plans",
    "overheated-crank",
    "crusher-malfunction",
    "cave-in",
    "activation-of-the-transmission",
    "mining-union",
    "boiler-explosion",
)
"""Events for the rounds that a test does not look at: most of them are over at once."""

WITHIN_AN_ACTION = (
    "Use the space",
    "Take back one resource",
    "Upgrade the project just completed",
    "Pay extra heat for points",
)

CLAUSES = {
    "no-such-dwarf": ("3.1",),
    "pool-not-empty": ("3.7",),
    "pool-empty": ("3.7",),
    "no-such-worker": ("3.7",),
    "cart-not-empty": ("4.3",),
    "not-a-specialist": ("3.4",),
    "already-used": ("3.5",),
    "not-at-this-space": ("3.3",),
    "bonus-unavailable": ("13.12",),
    "cannot-afford": ("6.4",),
    "nothing-to-light": ("6.2",),
    "no-furnace-left": ("6.8",),
    "heat-track-full": ("6.6",),
    "only-the-foreman-installs": ("10.3",),
    "furnace-already-there": ("10.4",),
    "not-on-the-track": ("9.1",),
    "not-completed": ("8.4",),
    "no-silverbeard": ("11.5",),
    "no-such-option": ("3.1",),
}
"""Where RULES.md says why a move is refused."""


class Seat(TypedDict, total=False):
    """What a test says about one clan."""

    pool: str
    goods: str
    heat: int
    hot: int
    cool: int
    projects: str
    upgraded: str
    points: int
    extra: int


def goods(text: str) -> tuple[int, int, int, int]:
    """`2 stone 1 iron` as a fact has it."""
    return counts(text, RESOURCES)  # type: ignore[return-value]


def in_words(counts: tuple[int, ...]) -> str:
    """Goods, or a cart with its foreman, as the test writes them."""
    names = (*RESOURCES, "foreman")[: len(counts)]
    return listed(counts, names).replace("1 foreman", "foreman")


# Reaching a turn ------------------------------------------------------------------------------


QUIET = ("done", "pass", "keep", "take-back nothing", "burn 0")


def idle_move(decision: Decision) -> str:
    """An answer that changes as little as possible; a worker is placed before the foreman."""
    moves = [option.notation for option in decision.options]
    quiet = next((move for move in QUIET if move in moves), "")
    workers = [m for m in moves if m.startswith("place") and "foreman" not in m]
    return quiet or (workers or moves)[0]


@cache
def at_turn(
    players: int,
    options: tuple[tuple[str, str], ...],
    events: tuple[str, ...],
    round_: int,
    turn: int,
    left: int,
) -> tuple[Any, State]:
    """A match played idly up to that action: its content and state, the agenda included."""
    full = {option.name: option.default for option in GAME.options} | dict(options)
    content = GAME.content(players, full, "")
    state: Any = set_up(GAME, content, players, Chance(SEED, 1)).state
    state = replace(state, events=events[: len(state.events)])
    version = 2
    while True:
        decision = decisions(GAME, content, state)[0]
        here = (state.round, decision.seat, getattr(decision.question, "left", 0))
        if decision.title == "Choose an action" and here == (round_, turn, left):
            return content, state
        assert state.round <= round_, "that action does not come up"
        move = idle_move(decision)
        state = decide(GAME, content, state, decision.seat, move, Chance(SEED, version)).state
        version += 1


def event_order(first_drawn: int, round_: int, event: str, next_events: str) -> tuple[str, ...]:
    """The event pile that has `event` lie in that round and `next_events` drawn after it."""
    coming = next_events.split()
    quiet = [one for one in QUIET_EVENTS if one != event and one not in coming]
    before = round_ - 1 - first_drawn
    if event:
        assert before >= 0, f"no event can lie in round {round_}"
    lying = [event or quiet.pop()] if before >= 0 else []
    order = [*quiet[: max(before, 0)], *lying, *coming, *quiet[max(before, 0) :]]
    rest = [one for one in EVENTS if one not in order]
    order = list(dict.fromkeys(order + rest))
    assert set(order) == set(EVENTS)
    return tuple(order)


# Setting a position ---------------------------------------------------------------------------


def table(
    players: int = 2,
    *,
    round: int = 0,
    turn: int = 0,
    left: int = 3,
    event: str = "",
    next_events: str = "",
    decks: str = "",
    board: dict[str, str] | None = None,
    furnaces: dict[str, int] | None = None,
    carts: dict[str, dict[int, str]] | None = None,
    display: str | None = None,
    silverbeard: int = -1,
    options: dict[str, str] | None = None,
    seat0: Seat | None = None,
    seat1: Seat | None = None,
    seat2: Seat | None = None,
    seat3: Seat | None = None,
) -> Play:
    """A legal position in which `turn` chooses an action with `left` actions left."""
    seats: list[Seat] = [seat or {} for seat in (seat0, seat1, seat2, seat3)[:players]]
    chosen = dict(options or {})
    shown = (display or "").split()
    if "decks" not in chosen:
        chosen["decks"] = decks or deck_set(players, seats, shown)
    first_drawn = 2 if chosen.get("event_timing", "rulebook") == "rulebook" else 1
    round = round or (first_drawn + 1 if event else first_drawn if next_events else 1)
    events = event_order(first_drawn, round, event, next_events)
    key = tuple(sorted(chosen.items()))
    content, state = at_turn(players, key, events, round, turn, left)
    assert state.event == event or not event

    stands = dict.fromkeys(LOCATIONS, "") | (board or {})
    rides = {level: dict(carts.get(level, {})) if carts else {} for level in LEVELS}
    pools = fill_pools(seats, turn, stands, rides)
    state = replace(
        state,
        board=tuple(stands[location] for location in LOCATIONS),
        furnaces=tuple((furnaces or {}).get(location, -1) for location in LOCATIONS),
        carts=tuple(
            tuple(cart(rides[level].get(seat, "")) for seat in range(players)) for level in LEVELS
        ),
        silverbeard=silverbeard,
        players=tuple(clan(one, pool) for one, pool in zip(seats, pools, strict=True)),
    )
    state = deal_projects(state, None if display is None else shown)
    return Play(content, state)


def end_of_round(players: int = 2, **position: Any) -> Play:
    """The last action of round 2, after which the first event is drawn."""
    filled: Any = {"next_events": "chief-alchemist-makes-boom"} | position
    return table(players, turn=players - 1, left=1, **filled)


def last_action(players: int = 2, **position: Any) -> Play:
    """The last action of the last round."""
    filled: Any = {"round": 10, "next_events": "chief-alchemist-makes-boom"} | position
    return table(players, turn=players - 1, left=1, **filled)


def deck_set(players: int, seats: list[Seat], shown: list[str]) -> str:
    """The decks that the named projects belong to, and recommended ones to make up the number."""
    named = list(shown)
    for seat in seats:
        named += f"{seat.get('projects', '')} {seat.get('upgraded', '')}".split()
    needed = {PROJECTS[name]["deck"] for name in named}
    for deck in ("new-shaft", "old-shaft", "golden", "western", "eastern"):
        if len(needed) < players:
            needed.add(deck)
    assert len(needed) == players, f"{players} players cannot play with {sorted(needed)}"
    order = ("western", "new-shaft", "golden", "old-shaft", "eastern")
    return "+".join(deck for deck in order if deck in needed)


def cart(text: str) -> tuple[int, ...]:
    """`1 stone foreman` as a cart."""
    found = counted(text)
    return (*(found[name] for name in RESOURCES), found["foreman"])


def fill_pools(
    seats: list[Seat], turn: int, stands: dict[str, str], rides: dict[str, dict[int, str]]
) -> list[tuple[int, ...]]:
    """The pools of all seats, so that twelve workers and every foreman are in play."""
    away = {int(token[-1]) for token in stands.values() if token.startswith("foreman-")}
    away |= {seat for tile in rides.values() for seat, load in tile.items() if "foreman" in load}
    pools: list[Counter[str]] = []
    for number, seat in enumerate(seats):
        default = " ".join(WORKERS) if number == turn else ""
        if number not in away:
            default += " foreman"
        pools.append(counted(seat.get("pool", default)))
        assert pools[-1]["foreman"] == (number not in away), f"the foreman of seat {number}"
    used = Counter(token for token in stands.values() if token in WORKERS)
    for pool in pools:
        used += Counter({worker: pool[worker] for worker in WORKERS})
    takers = [n for n, seat in enumerate(seats) if "pool" not in seat and n != turn]
    while used.total() < 12:
        assert takers, "name fewer pools, or all twelve workers"
        worker = min(WORKERS, key=lambda kind: used[kind])
        pools[takers[-1]][worker] += 1
        used[worker] += 1
    return [(*(pool[worker] for worker in WORKERS), pool["foreman"]) for pool in pools]


def clan(seat: Seat, pool: tuple[int, ...]) -> Player:
    """One player as the test describes him."""
    return Player(
        pool=pool,  # type: ignore[arg-type]
        goods=goods(seat.get("goods", "")),
        heat=seat.get("heat", 0),
        hot=seat.get("hot", 0),
        cool=seat.get("cool", 2),
        projects=tuple(seat.get("projects", "").split()),
        upgraded=tuple(seat.get("upgraded", "").split()),
        points=(seat.get("points", 0), 0, 0, 0, 0, 0, 0),
        extra=seat.get("extra", 0),
    )


def deal_projects(state: State, shown: list[str] | None) -> State:
    """The order track as the test wants it; the pile holds what is left, basic cards on top."""
    taken = {p for player in state.players for p in (*player.projects, *player.upgraded)}
    cards = [name for name, card in PROJECTS.items() if card["deck"] in state.decks]
    cards.sort(key=lambda name: not PROJECTS[name].get("basic", False))
    if shown is None:
        shown = [name for name in cards if name not in taken][:5]
    pile = tuple(name for name in cards if name not in taken and name not in shown)
    return replace(state, display=tuple(shown), pile=pile, discarded=())


# Playing --------------------------------------------------------------------------------------


class Play(Position):
    """A position of Dwergar."""

    game, seed, clauses = GAME, SEED, CLAUSES
    state: State

    # What the test reads

    def goods(self, seat: int) -> str:
        return in_words(self.player(seat).goods)

    def points(self, seat: int, line: str = "") -> int:
        player = self.player(seat)
        return player.points[LINES.index(line)] if line else player.total

    def pool(self, seat: int) -> Counter[str]:
        return +Counter(dict(zip((*WORKERS, "foreman"), self.player(seat).pool, strict=True)))

    def stands(self, location: str) -> str:
        return self.state.board[LOCATIONS.index(location)]

    def furnace(self, location: str) -> int:
        return self.state.furnaces[LOCATIONS.index(location)]

    def cart(self, level: str, seat: int) -> str:
        return in_words(self.state.carts[LEVELS.index(level)][seat])

    # What the test does

    def leaves(self) -> None:
        """Decline whatever else the action offers."""
        while self.decisions() and self.decisions()[0].title in WITHIN_AN_ACTION:
            self.plays(idle_move(self.decision()))

    def visits(self, dwarf: str, location: str) -> None:
        """Place a dwarf and use nothing of the space."""
        self.does(f"place {dwarf} {location}")
        self.leaves()

    def rests(self) -> None:
        """All seats let the fire be at the end of the round."""
        while self.decisions() and "end of the round" in self.decisions()[0].title:
            self.plays("pass", self.decisions()[0].seat)

    # What the test claims

    def chooses(self, seat: int, left: int | None = None) -> None:
        """That seat is to choose an action."""
        asked = self.decision()
        assert (asked.title, asked.seat) == ("Choose an action", seat)
        if left is not None:
            assert asked.question.left == left

    def check(self) -> None:
        """Nothing of the box is lost or made."""
        state, seats = self.state, range(len(self.state.players))
        workers = Counter(token for token in state.board if token in WORKERS)
        cards = [*state.display, *state.pile, *state.discarded]
        for seat in seats:
            player = state.players[seat]
            workers += Counter({kind: player.pool[i] for i, kind in enumerate(WORKERS)})
            cards += [*player.projects, *player.upgraded]
            riding = sum(tile[seat][4] for tile in state.carts)
            foremen = player.pool[3] + state.board.count(f"foreman-{seat}") + riding
            assert foremen == 1, f"seat {seat} has {foremen} foremen"
            assert min(*player.pool, *player.goods, player.hot, player.cool) >= 0
            assert 0 <= player.heat <= 10
            assert player.hot + player.cool + state.furnaces.count(seat) <= 8
        assert workers.total() == 12 and max(workers.values()) <= 6, workers
        deck = sorted(name for name, card in PROJECTS.items() if card["deck"] in state.decks)
        assert sorted(cards) == deck
        drawn = [*state.events, *state.past_events, *([state.event] if state.event else [])]
        assert len(set(drawn)) == len(drawn)
