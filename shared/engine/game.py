"""How a game plugs in: one `Game` record of tables and small functions, no base class."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, Union

import msgspec

from shared.engine.data import Choice, Data, Effect, Fact, decode, encode, replace
from shared.engine.errors import BadOption, NotInstalled, RuleViolation

if TYPE_CHECKING:
    from shared.engine.chance import Chance
    from shared.engine.table import Table

E = TypeVar("E")


class GameState(Data, frozen=True, gc=False):
    """The base of every game's state: the pending work, and since when its top is open.

    `agenda` is a stack, top last. `opened` is the record version at which the question on top
    was put; with the seat it makes the decision id.
    """

    agenda: tuple[Any, ...] = ()
    opened: int = 0


class Together(Effect, Generic[E], frozen=True, gc=False):
    """Questions that several seats answer at the same time, each its own, in any order."""

    questions: tuple[E, ...]

    NESTED = ("questions",)


class AgendaSet(Fact, Generic[E], frozen=True, gc=False):
    """The pending work after a move: what the match waits on, and what follows."""

    agenda: tuple[E, ...]
    opened: int

    NESTED = ("agenda",)


class Option(NamedTuple):
    """One legal answer: its stable notation and its typed meaning."""

    notation: str
    choice: Choice


class Question(NamedTuple):
    """How a kind of effect asks a seat: the title, the legal answers, what an answer does.

    `options(content, state, effect)` lists them afresh; `answer(table, effect, choice)` carries
    the chosen one out. The effect must have a `seat`. `secret`: the others learn that the seat
    answered, but not what.
    """

    title: str
    options: Callable[[Any, Any, Any], tuple[Option, ...]]
    answer: Callable[[Table, Any, Any], None]
    secret: bool = False


class ScoreLine(Data, frozen=True, gc=False):
    """Points of one seat for one reason (a stable kebab-case word)."""

    seat: int
    reason: str
    points: int


class Standing(Data, frozen=True, gc=False):
    """A seat's final place: rank 1 is a winner, equal ranks are shared; `points` is the total."""

    seat: int
    rank: int
    points: int


class GameOption(Data, frozen=True, gc=False):
    """A setting of the table. `choices` empty: free text that the game itself validates."""

    name: str
    title: str
    default: str
    choices: tuple[str, ...] = ()


class Game(msgspec.Struct, frozen=True, dict=True, kw_only=True):
    """Everything the engine needs to know of a game.

    `content(players, options, override)` builds the immutable tables of one match (raises
    `BadOption`); `blank(content, players)` is the state before setup; `setup(table)` records the
    opening facts and pushes the first work. Resolvers carry out effects, questions ask, evolvers
    apply facts without knowing rules, triggers answer a recorded fact with more effects.
    `score` gives the lines of the sheet at any time, `rank` the order of the seats.
    """

    id: str
    title: str
    edition: str
    players: tuple[int, ...]
    options: tuple[GameOption, ...]
    state: type[GameState]
    content: Callable[[int, Mapping[str, str], str], Any]
    blank: Callable[[Any, int], Any]
    setup: Callable[[Table], None]
    evolvers: Mapping[type[Any], Callable[[Any, Any], Any]]
    resolvers: Mapping[type[Any], Callable[[Table, Any], None]]
    questions: Mapping[type[Any], Question]
    score: Callable[[Any, Any], tuple[ScoreLine, ...]]
    rank: Callable[[Any, Any], tuple[Standing, ...]]
    imagine: Callable[[Any, Any, Chance], Any]
    """Fill the unknown parts of a viewer's state with a possible world, for bots."""
    appraise: Callable[[Any, Any], tuple[float, ...]]
    """What each seat's position is worth about, in points: `(content, state)`, for bots only."""
    picture: Callable[[Any, Any, tuple[str, ...]], str]
    """The table as text, at most 100 columns: (content, state, names of the seats)."""
    pieces: Callable[[Any, Any], Mapping[str, int]]
    """`(content, state)` to the count of every kind of piece wherever it is; it never changes."""
    messages: Mapping[str, str]
    """English templates by the class name of facts and choices, `{field}` for parameters."""
    names: Mapping[str, str] = {}
    """English names of ids that appear as parameters."""
    formats: Mapping[str, Callable[[Any], str]] = {}
    """How parameters of a field name read, where a plain name or number would not do."""
    reasons: Mapping[str, str] = {}
    """English texts of the reasons on score lines."""
    triggers: Mapping[type[Any], Callable[[Any, Any, Any], tuple[Effect, ...]]] = {}
    """`(content, state, fact)` to the effects that the fact sets off, first to resolve first."""
    explain: Callable[[Any, Any, Any, str], RuleViolation | None] = lambda *_: None
    """`(content, state, question, notation)`: why that notation is not offered."""
    move_limit: int = 5000
    """No match takes more moves than this; the conformance suite holds the game to it."""
    earlier: tuple[Game, ...] = ()
    """Earlier editions, newest first: no new match begins with one, those that did go on."""

    def after(self, *earlier: Game) -> Game:
        """The game with its earlier editions beside it, newest first."""
        return replace(self, earlier=earlier)

    @property
    def editions(self) -> tuple[Game, ...]:
        """Every edition that can be played, newest first."""
        return (self, *self.earlier)

    @cached_property
    def effect_type(self) -> Any:
        """The union of all effects, as the codec sees it."""
        generic: Any = Together
        together = generic[union_of(*self.questions)]
        return union_of(together, *self.questions, *self.resolvers)

    @cached_property
    def fact_type(self) -> Any:
        """The union of all facts, as the codec sees it."""
        generic: Any = AgendaSet
        return union_of(generic[self.effect_type], *self.evolvers)

    @cached_property
    def evolve(self) -> Mapping[type[Any], Callable[[Any, Any], Any]]:
        """The state after a fact, by the fact's type: the game's own evolvers and the agenda's."""
        return {**self.evolvers, AgendaSet: _agenda_set}

    @cached_property
    def decoder(self) -> msgspec.json.Decoder[tuple[Any, ...]]:
        """Decodes the `facts` of a stored record."""
        several: Any = tuple
        return msgspec.json.Decoder(several[self.fact_type, ...])


def _agenda_set(state: Any, fact: AgendaSet[Any]) -> Any:
    return replace(state, agenda=fact.agenda, opened=fact.opened)


def installed(games: Mapping[str, Game], name: str, edition: str) -> Game:
    """A game in the edition that a match began with. Raises `NotInstalled`."""
    newest = games.get(name)
    if newest is None:
        raise NotInstalled("game", name, edition, sorted(games))
    for game in newest.editions:
        if game.edition == edition:
            return game
    raise NotInstalled("edition", name, edition, (game.edition for game in newest.editions))


def read_state(game: Game, data: bytes) -> Any:
    """The state behind its canonical bytes, pending work included. Raises `BadPayload`."""
    state = decode(data, game.state)
    several: Any = tuple
    agenda = msgspec.convert(state.agenda, several[game.effect_type, ...])
    return replace(state, agenda=agenda)


def union_of(*types: Any) -> Any:
    """The union type of record types known only at run time."""
    return Union.__getitem__(types)


def content_digest(content: Any) -> str:
    """The SHA-256 of a match's content tables, as hex; recorded when the match is created."""
    return hashlib.sha256(b"tallystick/content/v1\n" + encode(content)).hexdigest()


def full_options(game: Game, chosen: Mapping[str, str]) -> dict[str, str]:
    """Every option of the game with its value, defaults where none was chosen.

    Raises `BadOption` for an option that the game does not have.
    """
    full = {option.name: option.default for option in game.options}
    for name, value in chosen.items():
        if name not in full:
            has = ", ".join(full) or "none"
            raise BadOption(f"{game.title} has no option {name!r}; it has: {has}")
        full[name] = value
    return full
