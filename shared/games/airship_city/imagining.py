"""A possible world behind what a viewer sees, so that a bot can look ahead without cheating."""

from __future__ import annotations

from shared.engine.chance import Chance
from shared.engine.data import UNKNOWN, replace
from shared.games.airship_city.content import Content
from shared.games.airship_city.state import State


def imagine(content: Content, state: State, chance: Chance) -> State:
    """The same position with the deck filled from the contracts not yet seen."""
    if UNKNOWN not in state.deck:
        return state
    seen = set(state.offer)
    for player in state.players:
        seen.update(player.completed, player.failed)
        seen.update(contract for contract, _ in player.contracts)
    unseen = tuple(contract for contract in content.contracts if contract not in seen)
    return replace(state, deck=chance.shuffle(unseen)[: len(state.deck)])
