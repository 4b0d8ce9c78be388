"""One playthrough: its text, and the match that its header and moves give."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from shared.engine.acts import Made, close, create, play
from shared.engine.game import Game
from shared.engine.match import Match, Seat
from shared.engine.record import Sealed, Secret
from shared.engine.table import Decision
from shared.games import GAMES

FOLDER = Path(__file__).parent
TITLE = "# {title}. Written by `make golden`: review the difference before committing it.\n"

Mover = Callable[[Match], tuple[int, str]]
"""Which seat moves next, and what."""


class Header(NamedTuple):
    """The terms of a playthrough; `style` and `wishes` tell how its moves are made up."""

    game: str
    edition: str
    players: int
    options: dict[str, str]
    seed: int
    style: str = "greedy"
    wishes: tuple[str, ...] = ()


class Playthrough(NamedTuple):
    """A file's content: terms, moves as (seat, notation), and the lines of the result."""

    header: Header
    moves: tuple[tuple[int, str], ...]
    result: tuple[str, ...]


class Played(NamedTuple):
    """A playthrough played: the closed match, and every step on the way with its record."""

    match: Match
    decisions: list[Decision]
    """The decision that each move answered."""
    matches: list[Match]
    records: list[Sealed]
    moves: list[tuple[int, str]]


def paths() -> list[Path]:
    return sorted(FOLDER.glob("*/*.play"))


def read(path: Path) -> Playthrough:
    """The playthrough behind a file; one that is to be made yet has no more than a header."""
    head, moves, result = [*path.read_text().split("\n\n"), "", ""][:3]
    fields = dict(line.split(": ", 1) for line in head.splitlines() if not line.startswith("#"))
    header = Header(
        game=fields["game"],
        edition=fields["edition"],
        players=int(fields["players"]),
        options=dict(pair.split("=") for pair in fields.get("options", "").split()),
        seed=int(fields["seed"]),
        style=fields["style"],
        wishes=tuple(fields.get("wishes", "").split()),
    )
    listed = (line.split(" ", 1) for line in moves.splitlines())
    return Playthrough(
        header, tuple((int(seat), move) for seat, move in listed), tuple(result.splitlines())
    )


def write(path: Path, header: Header, played: Played) -> None:
    """Put a playthrough into its file."""
    game = GAMES[header.game]
    lines = [
        f"game: {header.game}",
        f"edition: {game.edition}",
        f"players: {header.players}",
        *([f"options: {words(header.options)}"] if header.options else []),
        f"seed: {header.seed}",
        f"style: {header.style}",
        *([f"wishes: {' '.join(header.wishes)}"] if header.wishes else []),
    ]
    moves = [f"{seat} {move}" for seat, move in played.moves]
    parts = ("\n".join(part) for part in (lines, moves, result(played)))
    path.write_text(TITLE.format(title=game.title) + "\n\n".join(parts) + "\n")


def words(options: dict[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in options.items())


def result(played: Played) -> tuple[str, ...]:
    """What came of it: why it ended, points and ranks by seat, and the log's last hash."""
    match = played.match
    by_seat = sorted(match.standings(), key=lambda one: one.seat)
    return (
        f"end: {match.closed.reason if match.closed else ''}",
        f"points: {' '.join(str(one.points) for one in by_seat)}",
        f"ranks: {' '.join(str(one.rank) for one in by_seat)}",
        f"log: {match.version} records, {match.head}",
    )


def run(header: Header, mover: Mover) -> Played:
    """Play from setup to the closed log, as the product records it."""
    game: Game = GAMES[header.game]
    seats = [Seat(f"account-{seat}", f"Player {seat + 1}") for seat in range(header.players)]
    seed = header.seed.to_bytes(32, "big")
    entropy = [""] * header.players
    made = create(game, f"golden-{header.seed}", seats, header.options, "", seed, entropy, 1)
    played = Played(made.match, [], [made.match], [made.record], [])
    secrets: dict[int, tuple[Secret, ...]] = {}

    def keep(made: Made) -> None:
        played.matches.append(made.match)
        played.records.append(made.record)

    while not played.matches[-1].ended:
        match = played.matches[-1]
        seat, move = mover(match)
        played.decisions.append(next(one for one in match.decisions() if one.seat == seat))
        keep(play(match, seat, f"account-{seat}", move, match.version + 1))
        played.moves.append((seat, move))
    for record in played.records:
        if record.secrets:
            secrets[record.version] = record.secrets
    keep(close(played.matches[-1], secrets, played.matches[-1].version + 1))
    return played._replace(match=played.matches[-1])


def replay(playthrough: Playthrough) -> Played:
    """Play the moves of the file."""
    moves: Iterator[tuple[int, str]] = iter(playthrough.moves)
    return run(playthrough.header, lambda match: next(moves))


@cache
def replayed(path: Path) -> Played:
    """The file's playthrough played, once for all tests that look at it."""
    return replay(read(path))


def make(header: Header, folder: str) -> Played:
    """Have the game's own players play that header."""
    player: Any = importlib.import_module(f"tests.playthroughs.{folder}.player")
    return run(header, player.mover(header))
