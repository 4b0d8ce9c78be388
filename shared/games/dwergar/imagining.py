"""A possible world behind what a viewer sees, so that a bot can look ahead without cheating."""

from __future__ import annotations

from shared.engine.chance import Chance
from shared.engine.data import UNKNOWN, replace
from shared.games.dwergar.content import Content
from shared.games.dwergar.setup import pile_parts
from shared.games.dwergar.state import State


def imagine(content: Content, state: State, chance: Chance) -> State:
    """The same position with the unknown piles filled from the cards not yet seen."""
    if UNKNOWN in state.pile:
        state = replace(state, pile=imagine_pile(content, state, chance))
    if UNKNOWN in state.events:
        seen = {*state.past_events, state.event}
        unseen = tuple(event for event in content.events if event not in seen)
        state = replace(state, events=chance.shuffle(unseen)[: len(state.events)])
    return state


def imagine_pile(content: Content, state: State, chance: Chance) -> tuple[str, ...]:
    """A possible project pile: unseen basic projects lie on top of unseen advanced ones."""
    seen = {*state.display, *state.discarded}
    for player in state.players:
        seen.update(player.projects, player.upgraded)
    parts = (
        tuple(project for project in part if project not in seen)
        for part in pile_parts(content, state.decks)
    )
    return tuple(project for part in parts for project in chance.shuffle(part))
