"""Editions beside each other, and matches of what is not installed: sound, and not readable."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from shared.engine.data import replace
from shared.engine.errors import BadOption, BadRecord, NotInstalled
from shared.engine.game import Game, installed
from shared.engine.record import GENESIS, open_record
from shared.engine.replay import begin, restore
from shared.engine.verify import export_lines, verify
from tests.conformance.playing import Log, play_out
from tests.engine.harbour import HARBOUR
from tests.engine.harbour_2 import BOTH, HARBOUR_2


def other_content(players: int, options: Mapping[str, str], override: str) -> object:
    return replace(HARBOUR.content(players, options, override), plot_costs=(1, 1, 1, 1))


def no_content(players: int, options: Mapping[str, str], override: str) -> object:
    raise BadOption("this release has no option 'rounds'")


LACKING = {
    "game": {"chess": HARBOUR},
    "edition": {"harbour": HARBOUR_2},
    "content": {"harbour": replace(HARBOUR, content=other_content)},
    "content refused": {"harbour": replace(HARBOUR, content=no_content)},
}


def lines_of(log: Log) -> list[bytes]:
    return export_lines("match-m1", log.entries())


@pytest.fixture(params=LACKING)
def lacking(request: pytest.FixtureRequest) -> tuple[str, dict[str, Game]]:
    """An installation without something, and what it lacks."""
    return request.param.split()[0], LACKING[request.param]


def test_what_is_not_installed_is_named_with_what_is(lacking: tuple[str, dict[str, Game]]) -> None:
    missing, games = lacking
    log = play_out(HARBOUR, 3, 1)
    first = open_record(log.records[0].body)
    with pytest.raises(NotInstalled) as found:
        begin(games, first, GENESIS)
    with pytest.raises(NotInstalled):
        restore(games, log.entries())
    assert (found.value.missing, found.value.game, found.value.edition) == (missing, "harbour", "1")
    said = str(found.value)
    assert "'harbour', edition '1'" in said and "install a release" in said
    assert {"game": "chess", "edition": "here are: 2", "content": "content tables differ"}[
        missing
    ] in said


def test_a_proof_says_that_it_cannot_be_made_here(lacking: tuple[str, dict[str, Game]]) -> None:
    _, games = lacking
    finished, running = play_out(HARBOUR, 3, 1), play_out(HARBOUR, 3, 1)
    del running.records[5:]
    for log in (finished, running):
        with pytest.raises(NotInstalled):
            verify(lines_of(log), games)


def test_a_damaged_log_is_damaged_whatever_is_installed(
    lacking: tuple[str, dict[str, Game]],
) -> None:
    _, games = lacking
    log = play_out(HARBOUR, 3, 1)
    entries = log.entries()
    body, hash_ = entries[3]
    entries[3] = body.replace(b'"seat":', b'"seat": '), hash_
    with pytest.raises(BadRecord) as found:
        verify(export_lines("match-m1", entries), games)
    assert found.value.version == 4


@pytest.mark.parametrize("edition", [HARBOUR, HARBOUR_2], ids=["first", "second"])
def test_each_match_is_proved_by_the_edition_it_began_with(edition: Game) -> None:
    log = play_out(edition, 3, 2)
    proof = verify(lines_of(log), {"harbour": BOTH})
    assert proof.edition == edition.edition and not proof.open
    assert proof.standings == edition.rank(log.match.content, log.match.state)
    assert restore({"harbour": BOTH}, log.entries()).game.messages == edition.messages


def test_the_newest_edition_comes_first_and_only_it_is_offered() -> None:
    assert [one.edition for one in BOTH.editions] == ["2", "1"] and BOTH.edition == "2"
    assert installed({"harbour": BOTH}, "harbour", "1") is HARBOUR
    assert installed({"harbour": BOTH}, "harbour", "2") is BOTH
    with pytest.raises(NotInstalled, match="here are: 2, 1"):
        installed({"harbour": BOTH}, "harbour", "3")
