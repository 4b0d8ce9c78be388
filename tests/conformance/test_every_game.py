"""What every game must hold to, at every player count, under seeded random play."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from shared.engine.acts import play, undo
from shared.engine.chance import Chance
from shared.engine.data import encode, replace
from shared.engine.errors import RuleViolation
from shared.engine.game import Game, Together, read_state
from shared.engine.hidden import SPECTATOR, redact
from shared.engine.match import Match
from shared.engine.record import Sealed, check_chain, open_record
from shared.engine.replay import begin, follow, restore, visible_facts
from shared.engine.sentences import sayable, sentence
from shared.engine.table import apply, decisions
from shared.engine.verify import export_lines, verify
from shared.games import GAMES
from tests.conformance.playing import SEEDS, Log, play_out
from tests.engine.harbour_2 import BOTH

ALL: dict[str, Game] = {"harbour": BOTH, **GAMES}


def named(game: Game) -> str:
    """What to call a game in this edition."""
    return f"{game.id}@{game.edition}"


EDITIONS = {named(edition): edition for game in ALL.values() for edition in game.editions}
CASES = [
    pytest.param(game, players, seed, id=f"{name}-{players}p-seed{seed}")
    for name, game in EDITIONS.items()
    for players in game.players
    for seed in range(1, SEEDS + 1)
]
every_match = pytest.mark.parametrize(("game", "players", "seed"), CASES)
"""One random match of every game in every edition, player count and seed."""


@cache
def match_log(name: str, players: int, seed: int) -> Log:
    return play_out(EDITIONS[name], players, seed)


def running(log: Log) -> Iterator[Match]:
    """The match at every record that waits on somebody."""
    return (match for match in log.matches if not match.ended)


def viewers(players: int) -> range:
    return range(SPECTATOR, players)


@cache
def seen_by(name: str, players: int, seed: int, viewer: int | None) -> tuple[Match, ...]:
    """The match after every record as a viewer knows it (None: everything), by folding."""
    log = match_log(name, players, seed)
    found: list[Match] = []
    for sealed in log.records:
        record = open_record(sealed.body)
        match = found[-1] if found else begin(ALL, record, sealed.hash, log.match.server_seed)
        facts = visible_facts(record, sealed.secrets, viewer)
        found.append(follow(match, record, facts, sealed.hash))
    return tuple(found)


def full_facts(game: Game, sealed: Sealed) -> tuple[Any, ...]:
    """All facts of a move with everything hidden put back."""
    return game.decoder.decode(visible_facts(open_record(sealed.body), sealed.secrets))


@every_match
def test_it_ends_and_every_seat_gets_a_place(game: Game, players: int, seed: int) -> None:
    match = match_log(named(game), players, seed).match
    standings = match.standings()
    assert sorted(one.seat for one in standings) == list(range(players))
    assert min(one.rank for one in standings) == 1
    totals = [0] * players
    for line in game.score(match.content, match.state):
        totals[line.seat] += line.points
        assert line.reason in game.reasons
    assert {one.seat: one.points for one in standings} == dict(enumerate(totals))


@every_match
def test_only_asked_seats_have_options_and_all_differ(game: Game, players: int, seed: int) -> None:
    for match in running(match_log(named(game), players, seed)):
        open_now = match.decisions()
        assert open_now
        assert len({decision.seat for decision in open_now}) == len(open_now)
        assert len({decision.id for decision in open_now}) == len(open_now)
        for decision in open_now:
            notations = [option.notation for option in decision.options]
            assert notations, f"{decision.title}: a question without an answer"
            assert len(set(notations)) == len(notations)
            assert decision.title


@every_match
def test_every_offered_option_is_accepted(game: Game, players: int, seed: int) -> None:
    rng = random.Random(seed)
    for match in running(match_log(named(game), players, seed)):
        if rng.random() > 0.25:
            continue
        before = encode(match.state)
        for decision in match.decisions():
            for option in decision.options:
                chance = Chance(match.seed, match.version + 1)
                outcome = apply(game, match.content, match.state, decision, option.choice, chance)
                assert outcome.state != match.state or outcome.facts
        assert encode(match.state) == before


@every_match
def test_made_up_and_out_of_turn_moves_are_refused_without_a_change(
    game: Game, players: int, seed: int
) -> None:
    log = match_log(named(game), players, seed)
    for match in list(running(log))[::7]:
        before = encode(match.state)
        offered = {decision.seat: decision.options for decision in match.decisions()}
        for seat in range(players):
            for move in ("", "frobnicate", "?", "place nobody nowhere", "x" * 500):
                with pytest.raises(RuleViolation) as refusal:
                    play(match, seat, "somebody", move, 5)
                assert refusal.value.code
        for seat in set(range(players)) - set(offered):
            move = next(iter(offered.values()))[0].notation
            with pytest.raises(RuleViolation, match="not-your-decision"):
                play(match, seat, "somebody", move, 5)
        assert encode(match.state) == before
    with pytest.raises(RuleViolation, match="match-over"):
        play(log.match, 0, "somebody", "pass", 5)


@every_match
def test_the_log_folds_to_the_live_position_at_every_record(
    game: Game, players: int, seed: int
) -> None:
    log = match_log(named(game), players, seed)
    check_chain(log.entries())
    assert seen_by(named(game), players, seed, None) == tuple(log.matches)
    assert restore(ALL, log.entries(), log.secrets(), log.match.server_seed) == log.match


@every_match
def test_state_and_agenda_survive_the_codec_at_every_record(
    game: Game, players: int, seed: int
) -> None:
    for match in match_log(named(game), players, seed).matches:
        data = encode(match.state)
        again = read_state(game, data)
        assert again == match.state
        assert encode(again) == data


@every_match
def test_playing_the_same_moves_again_gives_the_same_bytes(
    game: Game, players: int, seed: int
) -> None:
    log = match_log(named(game), players, seed)
    proof = verify(export_lines("match-m1", log.entries()), ALL)
    assert proof.open == ()
    assert proof.standings == log.match.standings()


@every_match
def test_a_viewers_fold_is_the_fold_of_the_redacted_facts(
    game: Game, players: int, seed: int
) -> None:
    log = match_log(named(game), players, seed)
    for viewer in viewers(players):
        seen = seen_by(named(game), players, seed, viewer)
        for before, after, sealed in zip(seen, seen[1:-1], log.records[1:-1], strict=False):
            state = before.state
            for fact in full_facts(game, sealed):
                state = game.evolve[type(fact)](state, redact(fact, viewer))
            assert state == after.state


@every_match
def test_what_is_hidden_from_a_viewer_changes_nothing_the_viewer_gets(
    game: Game, players: int, seed: int
) -> None:
    """Twin worlds: another world that the viewer cannot tell apart offers the same options."""
    log = match_log(named(game), players, seed)
    for match in list(running(log))[::11]:
        for viewer in range(players):
            seen = seen_by(named(game), players, seed, viewer)[match.version - 1]
            twin = game.imagine(match.content, seen.state, Chance(b"twin" * 8, match.version))
            assert b'"?"' not in encode(twin)
            for real, other in zip(
                decisions(game, match.content, match.state),
                decisions(game, match.content, twin),
                strict=True,
            ):
                assert (real.id, real.seat, real.title) == (other.id, other.seat, other.title)
                if real.seat == viewer:
                    assert real.options == other.options
                    assert refusal(match, real.question) == refusal(
                        replace(match, state=twin), other.question
                    )


def refusal(match: Match, question: object) -> str:
    return str(match.game.explain(match.content, match.state, question, "no such move"))


@every_match
def test_nobody_learns_anything_from_a_record_that_is_no_barrier(
    game: Game, players: int, seed: int
) -> None:
    log = match_log(named(game), players, seed)
    for viewer in viewers(players):
        unknown = 0
        for view, sealed in zip(
            seen_by(named(game), players, seed, viewer)[:-1], log.records, strict=False
        ):
            count = encode(view.state).count(b'"?"')
            if not open_record(sealed.body).barrier:
                assert count >= unknown, f"version {sealed.version} reveals without a mark"
            unknown = count


@every_match
def test_pieces_are_conserved(game: Game, players: int, seed: int) -> None:
    log = match_log(named(game), players, seed)
    first = log.matches[0]
    pieces = game.pieces(first.content, first.state)
    assert pieces
    for match in log.matches:
        assert game.pieces(match.content, match.state) == pieces


@every_match
def test_undo_to_every_allowed_record_is_the_fold_of_the_prefix(
    game: Game, players: int, seed: int
) -> None:
    log = match_log(named(game), players, seed)
    tried = 0
    for match in list(running(log))[::3]:
        for step in match.trail:
            made = undo(match, match.trail_seat, "me", step.version, 9999)
            prefix = restore(ALL, log.entries(step.version), log.secrets())
            assert made.match.state == prefix.state
            assert made.match.decisions() == prefix.decisions()
            entries = [*log.entries(match.version), (made.record.body, made.record.hash)]
            assert restore(ALL, entries, log.secrets()).state == prefix.state
            tried += 1
        others = set(range(players)) - {match.trail_seat}
        for seat in others:
            with pytest.raises(RuleViolation, match="undo-barrier"):
                undo(match, seat, "other", match.version - 1, 9999)
    assert tried or game.id == "harbour"


@every_match
def test_every_fact_choice_and_position_can_be_told_to_everybody(
    game: Game, players: int, seed: int
) -> None:
    log = match_log(named(game), players, seed)
    names = tuple(f"Player {seat + 1}" for seat in range(players))
    for match, sealed in list(zip(log.matches, log.records, strict=True))[1:-1]:
        for fact in sayable(full_facts(game, sealed)):
            for viewer in viewers(players):
                told = sentence(game, redact(fact, viewer), names)
                assert told.endswith(".") and "{" not in told
        for decision in match.decisions():
            for option in decision.options:
                assert sentence(game, option.choice, names)
    for viewer in viewers(players):
        for view in seen_by(named(game), players, seed, viewer)[:-1:9]:
            for line in game.picture(view.content, view.state, names).splitlines():
                assert len(line) <= 100, line


def test_simultaneous_answers_commute_and_keep_their_decision_ids() -> None:
    """Both orders are accepted with the ids first seen, and give the same position."""
    log = match_log("harbour@1", 3, 1)
    first = log.matches[0]
    assert type(first.state.agenda[-1]) is Together
    ids = {decision.seat: decision.id for decision in first.decisions()}

    def answered(order: tuple[int, ...]) -> Match:
        match = first
        for seat in order:
            match = play(match, seat, "x", "bid 1", 5, ids[seat]).match
        return match

    one, other = answered((0, 1, 2)), answered((2, 0, 1))
    assert one.state.players == other.state.players
