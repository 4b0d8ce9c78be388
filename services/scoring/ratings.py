"""How good players are: openskill (Plackett-Luce) over the final ranks of each match.

A match rates accounts, not seats. Where one account holds several seats (two bots of a kind), the
lowest of them counts and the others are left out: the seat is fixed before play, so holding more
seats gives no better chance, and nobody is ever rated against themself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from openskill.models import PlackettLuce

MODEL = PlackettLuce()


class Skill(NamedTuple):
    """The estimate of a player's strength, how unsure it is, and after how many matches."""

    mu: float = MODEL.mu
    sigma: float = MODEL.sigma
    matches: int = 0

    @property
    def ordinal(self) -> float:
        """A careful estimate: to show and to sort by."""
        return self.mu - 3 * self.sigma


def counted_seats(accounts: Sequence[str]) -> frozenset[int]:
    """The seats that count: for each account its lowest."""
    return frozenset(accounts.index(account) for account in set(accounts))


def rated(before: Sequence[Skill], ranks: Sequence[int]) -> list[Skill]:
    """The skills after a match with these final ranks; equal ranks are a tie."""
    teams = [[MODEL.rating(mu=one.mu, sigma=one.sigma)] for one in before]
    after = MODEL.rate(teams, ranks=[float(rank) for rank in ranks])
    return [
        Skill(float(team[0].mu), float(team[0].sigma), old.matches + 1)
        for team, old in zip(after, before, strict=True)
    ]
