"""Chapter 14: after the last round: deck leaders, end-of-game points, the winners."""

from __future__ import annotations

from shared.engine.game import Option
from shared.engine.table import Table
from shared.games.dwergar import choices as c
from shared.games.dwergar import effects as e
from shared.games.dwergar import facts as f
from shared.games.dwergar.content import Content
from shared.games.dwergar.modifiers import leaders
from shared.games.dwergar.pieces import NOTHING, RESOURCE_INDEX
from shared.games.dwergar.state import Player, State


def end_game(table: Table, effect: e.EndGame) -> None:
    """14.1, 14.2 Silverbeard leaves; the Western leaders do their bonus actions in turn order."""
    if table.state.silverbeard >= 0:
        table.record(f.SilverbeardReturned(table.state.silverbeard))
    table.then(e.AwardFreeUpgrades())
    actions = table.content.numbers.bonus_actions
    first = bonus_leaders(table, "western")
    for seat in first:
        table.record(f.BonusActionsAwarded(seat, actions))
    for seat in reversed(first):
        table.then(e.NextAction(seat, actions), e.OfferLastHeat(seat))


def bonus_leaders(table: Table, deck: str) -> tuple[int, ...]:
    """11.1, 11.3 Who leads in a deck in play (R6)."""
    if deck not in table.state.decks:
        return ()
    least = 1 if table.content.rules.leader_bonus == "needs-one" else 0
    return leaders(table.content, table.state, deck, least)


def award_free_upgrades(table: Table, effect: e.AwardFreeUpgrades) -> None:
    """14.3 The Golden leaders each upgrade one project for free, in turn order."""
    table.then(e.ScoreEnd())
    first = bonus_leaders(table, "golden")
    for seat in first:
        table.record(f.FreeUpgradeAwarded(seat))
    for seat in reversed(first):
        table.then(e.OfferFreeUpgrade(seat), e.NextAction(seat, 0))


def offer_free_upgrade(table: Table, effect: e.OfferFreeUpgrade) -> None:
    """14.3 Ask only if there is a project to upgrade."""
    if table.state.players[effect.seat].projects:
        table.then(e.FreeUpgrade(effect.seat))


def free_upgrade_options(
    content: Content, state: State, question: e.FreeUpgrade
) -> tuple[Option, ...]:
    """14.3 Any completed project, of any deck, or none."""
    projects = state.players[question.seat].projects
    return (*(c.upgrade(project, 0, NOTHING) for project in projects), c.KEEP)


def free_upgrade(table: Table, question: e.FreeUpgrade, choice: c.Upgrade | c.Keep) -> None:
    """14.3 The whole cost is waived; the effects count."""
    if isinstance(choice, c.Upgrade):
        table.then(e.FinishUpgrade(question.seat, choice.project, NOTHING))


# End-of-game points -------------------------------------------------------------------------


def crystal_projects(content: Content, player: Player) -> int:
    """12.25 Projects that cost crystal to complete, or by R11 in either half."""
    both = content.rules.jewelers_workshop == "both-halves"
    crystal = RESOURCE_INDEX["crystal"]
    return sum(
        content.completion[project].goods[crystal] > 0
        or (both and content.upgrade[project].goods[crystal] > 0)
        for project in (*player.projects, *player.upgraded)
    )


def counted(content: Content, state: State, seat: int, of: str) -> int:
    """12 How many a seat has of what end-of-game points may count."""
    player = state.players[seat]
    if of == "upgraded":
        return len(player.upgraded)
    if of == "crystal-projects":
        return crystal_projects(content, player)
    if of == "furnaces":
        return player.hot + player.cool
    if of == "installed":
        return state.furnaces.count(seat)
    return player.goods[RESOURCE_INDEX[of]]


def end_points(content: Content, state: State, seat: int, project: str) -> int:
    """14.4 What an upgraded project earns at the end of the game."""
    end = content.projects[project].end
    if end is None:
        return 0
    return end.points * (counted(content, state, seat, end.of) // end.per)


def score_end(table: Table, effect: e.ScoreEnd) -> None:
    """14.4 Projects' points; then the game is over."""
    content = table.content
    for seat, player in enumerate(table.state.players):
        for project in player.upgraded:
            points = end_points(content, table.state, seat, project)
            if points:
                table.record(f.PointsGained(seat, points, "end", project))
    table.record(f.GameEnded())
