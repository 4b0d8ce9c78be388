"""A position of any game, played and questioned in the words of its rulebook.

A game's own kit sets positions up, and adds what its tests read:

    class Play(Position):
        game, seed, clauses = GAME, bytes(32), {"cannot-afford": ("5.3",)}

        def check(self) -> None:
            assert sorted(self.state.grid) == sorted(TILES)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import pytest

from shared.engine.chance import Chance
from shared.engine.data import Fact, encode
from shared.engine.errors import RuleViolation
from shared.engine.game import Game
from shared.engine.table import Decision, decide, decisions


def counted(text: str) -> Counter[str]:
    """`2 wood gear` as counts."""
    found: Counter[str] = Counter()
    number = 1
    for word in text.split():
        if word.isdigit():
            number = int(word)
        else:
            found[word] += number
            number = 1
    return found


def counts(text: str, names: Sequence[str]) -> tuple[int, ...]:
    """`2 wood 1 gear` as a fact has it, in the order of the names."""
    found = counted(text)
    assert set(found) <= set(names), text
    return tuple(found[name] for name in names)


def listed(counts: Sequence[int], names: Sequence[str]) -> str:
    """Counts as a test writes them."""
    return " ".join(f"{n} {name}" for n, name in zip(counts, names, strict=True) if n)


class Position:
    """A position being played, with the facts since the last moves."""

    game: ClassVar[Game]
    seed: ClassVar[bytes]
    clauses: ClassVar[Mapping[str, Sequence[str]]]
    """Where RULES.md says why a move is refused."""

    def __init__(self, content: Any, state: Any) -> None:
        self.content = content
        self.state = state
        self.facts: list[Fact] = []
        self._version = 1000
        self.check()

    def check(self) -> None:
        """Nothing of the box is lost or made, and the board tells one story."""
        raise NotImplementedError("a kit says what must hold of its game")

    # What the test reads

    def player(self, seat: int) -> Any:
        return self.state.players[seat]

    def standings(self) -> list[tuple[int, int, int]]:
        """(seat, rank, points), best first."""
        found = self.game.rank(self.content, self.state)
        return [(one.seat, one.rank, one.points) for one in found]

    def decisions(self) -> tuple[Decision, ...]:
        return decisions(self.game, self.content, self.state)

    def decision(self, seat: int | None = None) -> Decision:
        """The open decision, of that seat if several are open."""
        found = [one for one in self.decisions() if seat is None or one.seat == seat]
        assert len(found) == 1, f"{len(found)} decisions of seat {seat}: {found}"
        return found[0]

    def moves(self, seat: int | None = None) -> set[str]:
        return {option.notation for option in self.decision(seat).options}

    def all_of(self, kind: type[Fact]) -> list[Any]:
        return [one for one in self.facts if type(one) is kind]

    def over(self) -> bool:
        return self.state.over and not self.state.agenda

    # What the test does

    def does(self, *moves: str, seat: int | None = None) -> None:
        """Play moves; `facts` are those of all of them."""
        self.facts = []
        for move in moves:
            self.plays(move, seat)

    def plays(self, move: str, seat: int | None = None) -> None:
        """Play one move more; `facts` grow. What they fold to is what was decided."""
        asked = self.decision(seat)
        legal = [option.notation for option in asked.options]
        assert move in legal, f"{move!r} is not offered by {asked.title!r}: {legal}"
        chance = Chance(self.seed, self._version)
        outcome = decide(self.game, self.content, self.state, asked.seat, move, chance)
        self._version += 1
        folded: Any = self.state
        for fact in outcome.facts:
            folded = self.game.evolve[type(fact)](folded, fact)
        assert encode(folded) == encode(outcome.state)
        self.state = outcome.state
        self.facts += outcome.facts
        self.check()

    # What the test claims

    def asks(self, seat: int, title: str, *options: str) -> None:
        """The open decision is this one, with exactly these options."""
        asked = self.decision(seat)
        assert asked.title == title
        assert sorted(option.notation for option in asked.options) == sorted(options)

    def waits(self, seat: int, title: str) -> None:
        """That decision of that seat is open, and no other."""
        assert [(one.seat, one.title) for one in self.decisions()] == [(seat, title)]

    def offers(self, *moves: str, seat: int | None = None) -> None:
        legal = self.moves(seat)
        assert set(moves) <= legal, f"missing {set(moves) - legal} in {sorted(legal)}"

    def lacks(self, *moves: str, seat: int | None = None) -> None:
        legal = self.moves(seat)
        assert not set(moves) & legal, f"offered: {set(moves) & legal}"

    def refuses(self, move: str, code: str = "", seat: int | None = None) -> None:
        """The move is refused (for that reason, if one is named), and nothing changes."""
        asked = self.decision(seat)
        before = encode(self.state)
        chance = Chance(self.seed, self._version)
        with pytest.raises(RuleViolation) as refusal:
            decide(self.game, self.content, self.state, asked.seat, move, chance)
        code = code or refusal.value.code
        assert refusal.value.code == code, str(refusal.value)
        assert refusal.value.clause in self.clauses[code]
        assert encode(self.state) == before

    def happened(self, *facts: Fact) -> None:
        """These facts came about, in this order; others may lie between them."""
        rest = iter(self.facts)
        for fact in facts:
            assert any(one == fact for one in rest), f"{fact} is not (in this order) in:\n" + (
                "\n".join(map(str, self.facts))
            )

    def never(self, *kinds: type[Fact]) -> None:
        """No fact of these kinds came about."""
        found = [one for one in self.facts if isinstance(one, kinds)]
        assert not found, found
