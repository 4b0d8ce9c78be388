"""The crank: one answer in, the facts it causes out. The only code that moves the agenda."""

from __future__ import annotations

from typing import Any, NamedTuple

from shared.engine.chance import Chance
from shared.engine.data import Choice, Effect, Fact
from shared.engine.errors import RuleViolation, StaleDecision
from shared.engine.game import AgendaSet, Game, Option, Together
from shared.engine.hidden import marks_of

STEPS_MAX = 10_000
"""More resolved effects than this after one move is a bug in a game, not a long move."""


class Decision(NamedTuple):
    """A question that the match waits on: whose seat, what is asked, the legal answers.

    `id` names the asking itself: it stays while other seats answer theirs, and a question
    that was answered, or asked anew, has another.
    """

    id: str
    seat: int
    title: str
    options: tuple[Option, ...]
    question: Any


class Outcome(NamedTuple):
    """What one move did: its facts, the state after them, and whether anybody learnt something."""

    facts: tuple[Fact, ...]
    state: Any
    barrier: bool


class Table:
    """The working state inside one move. Facts are folded at once, so later lines see them."""

    __slots__ = ("_agenda", "_informed", "chance", "content", "facts", "game", "state")

    def __init__(self, game: Game, content: Any, state: Any, chance: Chance) -> None:
        self.game = game
        self.content = content
        self.state = state
        self.chance = chance
        self.facts: list[Fact] = []
        self._agenda: list[Any] = list(state.agenda)
        self._informed = False

    def record(self, fact: Fact) -> None:
        """Let something happen at the table: fold the fact, and set off what waits for it."""
        kind = type(fact)
        self.state = self.game.evolve[kind](self.state, fact)
        self.facts.append(fact)
        if marks_of(kind).informs:
            self._informed = True
        trigger = self.game.triggers.get(kind)
        if trigger is not None:
            self.then(*trigger(self.content, self.state, fact))

    def then(self, *effects: Effect) -> None:
        """Put effects on the agenda, to be resolved in the order given, before all older work."""
        self._agenda.extend(reversed(effects))

    def _run(self) -> None:
        """Resolve effects until a seat is asked or nothing is left."""
        questions, resolvers = self.game.questions, self.game.resolvers
        for _ in range(STEPS_MAX):
            if not self._agenda:
                return
            kind = type(self._agenda[-1])
            if kind in questions:
                return
            effect = self._agenda.pop()
            if kind is not Together:
                resolvers[kind](self, effect)
            elif effect.questions:
                self._agenda.append(effect)
                return
        raise AssertionError(f"{self.game.id}: the agenda does not come to rest")

    def _finish(self, opened: int) -> Outcome:
        self.record(AgendaSet(tuple(self._agenda), opened))
        barrier = self._informed or self.chance.used
        return Outcome(tuple(self.facts), self.state, barrier)

    def _take_question(self, question: Any) -> Together[Any] | None:
        """Remove an answered question; the others that were asked together with it stay open."""
        top = self._agenda.pop()
        if type(top) is not Together or len(top.questions) == 1:
            return None
        rest = Together(tuple(other for other in top.questions if other is not question))
        self._agenda.append(rest)
        return rest


def set_up(game: Game, content: Any, players: int, chance: Chance) -> Outcome:
    """The opening facts of a match, and the first questions."""
    table = Table(game, content, game.blank(content, players), chance)
    game.setup(table)
    table._run()
    return table._finish(chance.version)


def decisions(game: Game, content: Any, state: Any) -> tuple[Decision, ...]:
    """The questions that the match waits on, with their options; none when it is over."""
    if not state.agenda:
        return ()
    top = state.agenda[-1]
    asked = top.questions if type(top) is Together else (top,)
    found = []
    for effect in asked:
        question = game.questions[type(effect)]
        options = question.options(content, state, effect)
        id_ = f"{state.opened}.{effect.seat}"
        found.append(Decision(id_, effect.seat, question.title, options, effect))
    return tuple(found)


def apply(
    game: Game, content: Any, state: Any, decision: Decision, choice: Choice, chance: Chance
) -> Outcome:
    """Carry out one offered option of an open decision."""
    table = Table(game, content, state, chance)
    rest = table._take_question(decision.question)
    game.questions[type(decision.question)].answer(table, decision.question, choice)
    table._run()
    still_open = rest is not None and table._agenda and table._agenda[-1] is rest
    return table._finish(state.opened if still_open else chance.version)


def choose(
    game: Game,
    content: Any,
    state: Any,
    open_decisions: tuple[Decision, ...],
    seat: int,
    move: str,
    decision_id: str = "",
) -> tuple[Decision, Choice]:
    """The decision and choice that a seat's move means.

    Raises `StaleDecision` if `decision_id` is given and is not open for the seat any more, and
    `RuleViolation` if the seat is not asked or the move is not among its options.
    """
    if not open_decisions:
        raise RuleViolation("match-over", detail="the match has ended; no more moves")
    mine = next((one for one in open_decisions if one.seat == seat), None)
    if mine is None:
        if decision_id:
            raise StaleDecision(decision_id)
        raise RuleViolation("not-your-decision", detail="the match waits on another seat")
    if decision_id and decision_id != mine.id:
        raise StaleDecision(decision_id)
    for option in mine.options:
        if option.notation == move:
            return mine, option.choice
    raise game.explain(content, state, mine.question, move) or RuleViolation(
        "not-offered", detail=f"{move!r} is not an option of: {mine.title}"
    )


def decide(game: Game, content: Any, state: Any, seat: int, move: str, chance: Chance) -> Outcome:
    """The facts that a seat's move causes. Raises `RuleViolation`; a refusal changes nothing."""
    decision, choice = choose(game, content, state, decisions(game, content, state), seat, move)
    return apply(game, content, state, decision, choice, chance)
