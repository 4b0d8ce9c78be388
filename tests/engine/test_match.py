"""A match from its terms to its proof: what is refused, what is undone, what verifies."""

from __future__ import annotations

import random

import msgspec
import pytest

from shared.engine.acts import close, create, play, resign, undo
from shared.engine.errors import BadOption, BadRecord, RuleViolation, StaleDecision
from shared.engine.match import Match
from shared.engine.record import open_record, record_hash
from shared.engine.verify import export_lines, verify
from tests.conformance.playing import Log, play_out, seats_of, start
from tests.engine.harbour import HARBOUR

GAMES = {"harbour": HARBOUR}


def opened(players: int = 3) -> Match:
    """A match at its first decisions; the bids are open."""
    return start(HARBOUR, players, 1).match


def bid_all(match: Match) -> Match:
    for decision in match.decisions():
        match = play(match, decision.seat, "x", "bid 0", 5).match
    return match


@pytest.mark.parametrize(
    ("players", "options", "override", "says"),
    [
        (1, {}, "", "2, 3, 4 players"),
        (3, {"round": "2"}, "", "no option 'round'"),
        (3, {"rounds": "9"}, "", "2 or 3"),
        (3, {}, "plot_costs = [", "not TOML"),
        (3, {}, "plot_costs = [1]", "needs 4"),
    ],
)
def test_terms_that_the_game_does_not_know_are_refused(players, options, override, says) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(BadOption, match=says):
        create(HARBOUR, "m1", seats_of(players), options, override, b"s" * 32, [], 5)


def test_an_override_is_in_force_recorded_and_proved() -> None:
    made = create(HARBOUR, "m1", seats_of(2), {}, "plot_costs = [0, 0, 0, 0]", b"s" * 32, [], 5)
    assert made.match.content.plot_costs == (0, 0, 0, 0)
    ordinary = opened(2).created
    assert made.match.created.digest != ordinary.digest
    log = Log()
    log.add(made)
    verify(export_lines("match-m1", log.entries()), GAMES)


def test_an_answered_decision_is_stale_and_another_seats_is_not_mine() -> None:
    match = opened()
    mine = match.decisions()[0]
    moved = play(match, mine.seat, "x", "bid 1", 5, mine.id).match
    with pytest.raises(StaleDecision):
        play(moved, mine.seat, "x", "bid 1", 5, mine.id)
    with pytest.raises(RuleViolation, match="not-your-decision"):
        play(moved, mine.seat, "x", "bid 1", 5)


def test_a_games_own_reason_comes_with_its_clause() -> None:
    with pytest.raises(RuleViolation) as refusal:
        play(bid_all(opened()), 0, "x", "build castle", 5)
    assert (refusal.value.code, refusal.value.clause) == ("cannot-build", "2.1")


def test_a_sealed_answer_is_in_no_public_byte() -> None:
    made = play(opened(), 0, "x", "bid 2", 5)
    public = open_record(made.record.body)
    assert public.move == "?"
    assert b"bid 2" not in made.record.body
    assert b'"bid":"2"' not in made.record.body


def test_a_trigger_fires_and_nested_effects_finish_before_older_work() -> None:
    match = bid_all(opened())
    match = play(match, 0, "x", "build lighthouse", 5).match
    coins = match.state.players[0].coins
    match = play(match, 1, "x", "build quay", 5).match
    assert match.state.players[0].coins == coins + 1
    assert match.decisions()[0].seat == 2


def test_an_own_step_is_undone_to_the_position_before_it() -> None:
    match = bid_all(opened())
    moved = play(match, 0, "x", "build quay", 5).match
    assert moved.undo_to(0) == match.version
    assert moved.undo_to(1) is None
    back = undo(moved, 0, "x", match.version, 6)
    assert back.match.state == match.state
    assert back.match.version == moved.version + 1


def test_no_undo_behind_chance_or_another_seat() -> None:
    match = bid_all(opened())
    gambled = play(match, 0, "x", "gamble", 5).match
    with pytest.raises(RuleViolation, match="undo-barrier"):
        undo(gambled, 0, "x", match.version, 6)
    passed = play(match, 0, "x", "pass", 5).match
    answered = play(passed, 1, "x", "pass", 5).match
    with pytest.raises(RuleViolation, match="undo-barrier"):
        undo(answered, 0, "x", match.version, 6)


def test_a_resigned_seat_ranks_last_and_the_last_one_standing_wins() -> None:
    match = resign(opened(3), 1, "x", 5).match
    assert match.ended is None
    assert match.standings()[-1].seat == 1
    with pytest.raises(RuleViolation, match="already-resigned"):
        resign(match, 1, "x", 6)
    match = resign(match, 0, "x", 6).match
    assert match.ended == "resigned"
    assert [one.seat for one in match.standings()] == [2, 0, 1]
    assert match.decisions() == ()
    with pytest.raises(RuleViolation, match="match-over"):
        resign(match, 2, "x", 7)


def log_with_everything() -> Log:
    """A match with undos and a resignation in it, closed."""
    log, rng = start(HARBOUR, 3, 5), random.Random(5)
    undone = 0
    while not log.match.ended:
        match = log.match
        lowest = match.undo_to(match.trail_seat)
        if lowest is not None and undone < 3:
            undone += 1
            log.add(undo(match, match.trail_seat, "x", lowest, 50))
        elif match.version == 15:
            log.add(resign(match, 2, "x", 51))
        else:
            decision = rng.choice(match.decisions())
            log.add(play(match, decision.seat, "x", rng.choice(decision.options).notation, 52))
    log.add(close(log.match, log.secrets(), 99))
    assert undone == 3
    assert log.match.resigned == (2,)
    return log


def test_a_match_with_undos_and_a_resignation_verifies() -> None:
    log = log_with_everything()
    proof = verify(export_lines("match-m1", log.entries()), GAMES)
    assert proof.records == log.match.version
    assert proof.standings == log.match.standings()
    assert proof.open == ()


def test_a_running_match_verifies_as_far_as_it_is_open() -> None:
    log = start(HARBOUR, 2, 3)
    proof = verify(export_lines("match-m1", log.entries()), GAMES)
    assert proof.open


def rewritten(log: Log, version: int, change) -> list[tuple[bytes, str]]:  # type: ignore[no-untyped-def]
    """A forger's log: one record changed, and every later hash and `prev` made to fit."""
    entries: list[tuple[bytes, str]] = []
    for body, _ in log.entries():
        plain = msgspec.json.decode(body)
        if plain["version"] == version:
            change(plain)
        if entries:
            plain["prev"] = entries[-1][1]
        data = msgspec.json.encode(plain, order="sorted")
        entries.append((data, record_hash(data)))
    return entries


def other_seed(plain) -> None:  # type: ignore[no-untyped-def]
    plain["facts"][0]["seed"] = "11" * 32


def no_seed(plain) -> None:  # type: ignore[no-untyped-def]
    plain["facts"][0]["seed"] = "not hex"


def swapped_standings(plain) -> None:  # type: ignore[no-untyped-def]
    plain["facts"][0]["standings"].reverse()


def other_opening(plain) -> None:  # type: ignore[no-untyped-def]
    plain["facts"][0]["openings"][0]["secret"]["value"].reverse()


@pytest.mark.parametrize(
    ("version", "change", "wrong"),
    [
        (2, lambda plain: plain.update(actor="mallory", seat=1), 2),
        (4, lambda plain: plain["facts"].pop(), 4),
        (6, lambda plain: plain.update(state="00"), 6),
        (1, lambda plain: plain["facts"][0].update(commitment="00"), None),
        (None, other_seed, None),
        (None, no_seed, None),
        (None, swapped_standings, None),
        (None, other_opening, 1),
    ],
    ids=["seat", "fact", "state", "commitment", "seed", "no-seed", "result", "opening"],
)
def test_a_forger_who_mends_the_chain_is_still_found(version, change, wrong) -> None:  # type: ignore[no-untyped-def]
    log = play_out(HARBOUR, 3, 2)
    last = log.match.version
    forged = rewritten(log, version or last, change)
    with pytest.raises(BadRecord) as found:
        verify(export_lines("match-m1", forged), GAMES)
    assert found.value.version == (wrong or last)


def test_a_forger_who_changes_only_a_time_is_found_by_a_hash_that_a_player_kept() -> None:
    log = play_out(HARBOUR, 3, 2)
    kept = log.records[6].hash
    verify(export_lines("match-m1", log.entries()), GAMES, kept=[kept])
    forged = rewritten(log, 4, lambda plain: plain.update(at=1))
    with pytest.raises(BadRecord, match="kept"):
        verify(export_lines("match-m1", forged), GAMES, kept=[kept])


@pytest.mark.parametrize(
    "lines",
    [
        [],
        [b""],
        [b"not json"],
        [b'{"format":"other","head":"","records":0,"stream":"s"}'],
        [b'{"format":"tallystick/export/v1","head":"","records":0,"stream":"s"}'],
    ],
)
def test_a_file_that_is_no_export_is_refused(lines: list[bytes]) -> None:
    with pytest.raises(BadRecord):
        verify(lines, GAMES)


SMUGGLED = {
    "space": (b'{"body"', b'{ "body"'),
    "another field": (b'{"body"', b'{"author":"mallory","body"'),
    "a field twice": (b'{"body"', b'{"body":{},"body"'),
    "space behind": (b'"}', b'"} '),
}


@pytest.mark.parametrize(("written", "instead"), SMUGGLED.values(), ids=SMUGGLED)
def test_a_line_with_anything_that_an_export_does_not_write_is_refused(
    written: bytes, instead: bytes
) -> None:
    lines = export_lines("match-m1", play_out(HARBOUR, 2, 1).entries())
    verify([line + b"\r\n" for line in lines], GAMES)
    body, end = lines[3][:-2], lines[3][-2:]
    lines[3] = body.replace(written, instead, 1) + end.replace(written, instead)
    with pytest.raises(BadRecord, match="more than an export writes") as found:
        verify(lines, GAMES)
    assert found.value.version == 3


def test_a_shortened_export_is_refused() -> None:
    log = play_out(HARBOUR, 2, 1)
    lines = export_lines("match-m1", log.entries())
    with pytest.raises(BadRecord, match="header says") as found:
        verify(lines[:-1], GAMES)
    assert found.value.version == log.match.version
