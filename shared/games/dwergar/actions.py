"""Chapter 3: an action once the dwarf stands at its space: what is left to use, and using it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shared.engine.data import replace
from shared.engine.game import Option
from shared.engine.table import Table
from shared.games.dwergar import choices as c
from shared.games.dwergar import effects as e
from shared.games.dwergar import facts as f
from shared.games.dwergar import foreman, forge, furnaces, laboratory, lift, mine, studio
from shared.games.dwergar import powers as p
from shared.games.dwergar.content import Content, Price
from shared.games.dwergar.modifiers import bonuses_off, owned, specialty_settled
from shared.games.dwergar.pieces import (
    BASIC,
    FOREMAN,
    LOCATION_INDEX,
    LOCATIONS,
    OUTSIDE,
    WORKERS,
)
from shared.games.dwergar.state import Player, State, with_player

Halves = Callable[[Content, State, e.UseSpace], list[Option]]

HALVES: dict[str, Halves] = {
    "laboratory": laboratory.laboratory_options,
    "bellows": furnaces.bellows_options,
    "lift": lift.lift_options,
    "workshop": furnaces.workshop_options,
    "forge": forge.forge_options,
    "studio": studio.studio_options,
    **dict.fromkeys(LOCATIONS[OUTSIDE:], mine.mine_options),
}
"""What the basic action and the bonuses of each space offer."""


def space_options(content: Content, state: State, space: e.UseSpace) -> tuple[Option, ...]:
    """3.3-3.6 Everything that the dwarf may still use at its space, in any order."""
    options = HALVES[space.location](content, state, space)
    if space.dwarf == FOREMAN and "install" not in space.used:
        options += foreman.install_options(content, state, space)
    if state.silverbeard == space.seat == state.turn:
        options += silverbeard_options(content, state, space)
    player = state.players[space.seat]
    if player.upgraded:
        options += specialty_options(content, state, player, space)
        options += furnaces.pipeline_options(content, player)
    options.append(c.DONE)
    return tuple(options)


def offer_space(table: Table, effect: e.OfferSpace) -> None:
    """3.3 Ask only while something is left to use."""
    if len(space_options(table.content, table.state, effect.space)) > 1:
        table.then(effect.space)


# More bonuses -------------------------------------------------------------------------------


def silverbeard_options(content: Content, state: State, space: e.UseSpace) -> list[Option]:
    """11.5 Discard the token for a bonus of the space that the dwarf does not have."""
    if space.beard or bonuses_off(content, state, space.location):
        return []
    return [
        c.SILVERBEARD[space.location, worker]
        for worker in content.bonuses[space.location]
        if worker not in space.skills and bonus_helps(content, state, space, worker)
    ]


def spend_silverbeard(table: Table, space: e.UseSpace, choice: c.SpendSilverbeard) -> None:
    """11.5 The token is gone until the next round; the bonus is open in this action."""
    table.then(e.OfferSpace(replace(space, beard=choice.worker)))
    table.record(f.SilverbeardSpent(space.seat, choice.worker))


def specialty_options(
    content: Content, state: State, player: Player, space: e.UseSpace
) -> list[Option]:
    """12.44 Pay for another specialty, once an action and before a bonus was used."""
    gnomes = owned(content, player, p.ChangeSpecialty)
    heat = gnomes[0].heat if gnomes else 0
    if not gnomes or heat > player.heat + player.hot:
        return []
    if specialty_settled(space):
        return []
    if space.dwarf == FOREMAN and content.rules.gnomes_and_foreman != "allowed":
        return []
    if LOCATION_INDEX[space.location] >= OUTSIDE:
        if not mine.mine_options(content, state, space):
            return []
        useful = {power.worker for power in owned(content, player, p.Skilled)}
        return [
            c.change_to(worker, heat) for worker in WORKERS if worker in useful - set(space.skills)
        ]
    if bonuses_off(content, state, space.location):
        return []
    return [
        c.change_to(worker, heat)
        for worker in content.bonuses[space.location]
        if worker not in space.skills
        and worker != space.beard
        and any(bonus_helps(content, one, space, worker) for one in paid(state, space.seat, heat))
    ]


def paid(state: State, seat: int, heat: int) -> list[State]:
    """6.4 How things stand once the heat is paid, for every split between track and furnaces."""
    player = state.players[seat]
    least, most = furnaces.track_heat(player, heat)
    splits = [(track, heat - track) for track in range(least, most + 1)]
    return [
        with_player(
            state, seat, heat=player.heat - track, hot=player.hot - out, cool=player.cool + out
        )
        for track, out in splits
    ]


def bonus_helps(content: Content, state: State, space: e.UseSpace, worker: str) -> bool:
    """Whether one more bonus would give the dwarf anything to do."""
    if space.location == "studio":
        return bool(studio.studio_options(content, state, space))
    if space.location == "lift" and worker == "ironworker":
        return lift.may_lift(content, state, space)
    if space.location == "laboratory" and worker == "blacksmith":
        return laboratory.can_exchange(content, state.players[space.seat])
    more = replace(space, skills=(*space.skills, worker))
    halves = HALVES[space.location]
    return len(halves(content, state, more)) > len(halves(content, state, space))


def change_specialty(table: Table, space: e.UseSpace, choice: c.ChangeTo) -> None:
    """12.44 For this action the dwarf has the named specialty instead of its own."""
    player = table.state.players[space.seat]
    heat = owned(table.content, player, p.ChangeSpecialty)[0].heat
    changed = replace(space, skills=(choice.worker,), used=(*space.used, "as"))
    named = e.NameSpecialty(space.seat, choice.worker)
    furnaces.pay(table, space.seat, Price(heat), named, e.OfferSpace(changed))


def name_specialty(table: Table, effect: e.NameSpecialty) -> None:
    """12.44 Say the new specialty."""
    table.record(f.SpecialtyChanged(effect.seat, effect.worker))


# Answers ------------------------------------------------------------------------------------

BASIC_ACTIONS: dict[str, Callable[[Table, int], None]] = {
    "bellows": furnaces.light_one,
    "workshop": furnaces.build_for_iron,
}

BONUSES: dict[tuple[str, str], Callable[[Table, int], None]] = {
    ("laboratory", "ironworker"): laboratory.laboratory_fire,
    ("bellows", "ironworker"): furnaces.light_all,
    ("bellows", "blacksmith"): furnaces.bellows_heat,
    ("workshop", "ironworker"): furnaces.light_one,
    ("workshop", "engineer"): furnaces.build_for_stone,
    ("forge", "engineer"): forge.forge_heat,
}


def use_basic(table: Table, space: e.UseSpace, choice: c.UseBasic) -> None:
    """3.3 The basic half."""
    table.then(e.OfferSpace(replace(space, used=(*space.used, BASIC))))
    BASIC_ACTIONS[space.location](table, space.seat)


def use_bonus(table: Table, space: e.UseSpace, choice: c.UseBonus) -> None:
    """3.4 A specialist half."""
    table.then(e.OfferSpace(replace(space, used=(*space.used, choice.worker))))
    BONUSES[space.location, choice.worker](table, space.seat)


def use_pipeline(table: Table, space: e.UseSpace, choice: c.UsePipeline) -> None:
    """12.37, 12.39 Heat into goods in the middle of an action."""
    furnaces.use_pipeline(table, space.seat, choice, e.OfferSpace(space))


def finish(table: Table, space: e.UseSpace, choice: c.Done) -> None:
    """3.6 Nothing more is used."""


ANSWERS: dict[type[Any], Callable[[Table, e.UseSpace, Any], None]] = {
    c.LoadCart: mine.load_cart,
    c.UseBasic: use_basic,
    c.UseBonus: use_bonus,
    c.SpendSilverbeard: spend_silverbeard,
    c.ChangeTo: change_specialty,
    c.UsePipeline: use_pipeline,
    c.Install: foreman.install,
    c.Exchange: laboratory.exchange,
    c.UseLift: lift.use_lift,
    c.PutStone: lift.put_stone,
    c.Forge: forge.forge,
    c.Upgrade: forge.upgrade_at_forge,
    c.Complete: studio.complete,
    c.Done: finish,
}


def use_space(table: Table, space: e.UseSpace, choice: Any) -> None:
    """3.3 Use one of the things that the space offers."""
    ANSWERS[type(choice)](table, space, choice)
