"""Commands that need nothing running: games, selfplay, verify, bench."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.progress import track

from services.cli.arguments import FIRST_GAME, Json, Set, game_of, options_of
from services.cli.errors import CliError
from services.cli.selfplay import Report, selfplay
from services.cli.show import columns, console, errors
from services.cli.verifying import verify_file
from shared.engine.errors import BadRecord, NotInstalled
from shared.engine.verify import Proof
from shared.games import GAMES

app = typer.Typer()


@app.command()
def games(as_json: Json = False) -> None:
    """The games, their player counts and table options."""
    if as_json:
        print(json.dumps([_game_json(one) for one in GAMES], indent=1))
        return
    for game in GAMES.values():
        counts = ", ".join(map(str, game.players))
        console.print(
            f"[bold]{game.id}[/bold]  {game.title}, {counts} players, edition {game.edition}"
        )
        rows = [(one.name, one.default, ", ".join(one.choices)) for one in game.options]
        columns("", ("option", "default", "choices"), rows)


def _game_json(game_id: str) -> dict[str, Any]:
    game = GAMES[game_id]
    return {
        "game": game.id,
        "title": game.title,
        "edition": game.edition,
        "players": list(game.players),
        "options": [
            {"name": one.name, "title": one.title, "default": one.default,
             "choices": list(one.choices)}
            for one in game.options
        ],
    }  # fmt: skip


@app.command("selfplay")
def selfplay_command(
    game: Annotated[str, typer.Argument(help="The game's id.")] = FIRST_GAME,
    players: Annotated[int, typer.Option(help="Seats, when --bots is not given.")] = 0,
    bots: Annotated[str, typer.Option(help="Kinds of bots, by commas.")] = "",
    matches: Annotated[int, typer.Option(min=1, help="How many matches.")] = 100,
    seed: Annotated[int, typer.Option(help="The same seed plays the same matches.")] = 1,
    option: Set = None,
    as_json: Json = False,
) -> None:
    """Let bots play matches in this process and print the figures."""
    played = game_of(game)
    kinds = bots.split(",") if bots else ["random"] * (players or max(played.players))
    if players and players != len(kinds):
        raise CliError(f"--bots names {len(kinds)} seats, --players says {players}")
    report: Report | None = None
    quiet = as_json or not console.is_terminal
    series = selfplay(played, kinds, matches, seed, options_of(option))
    for so_far in track(series, "playing", matches, disable=quiet, transient=True):
        report = so_far
    assert report is not None
    figures = report.as_json()
    if as_json:
        print(json.dumps(figures))
        return
    rows = [(name.replace("_", " "), _figure(value)) for name, value in figures.items()]
    columns("Self-play", ("figure", "value"), rows)


def _figure(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {inner}" for key, inner in value.items())
    return ", ".join(value) if isinstance(value, list) else str(value)


@app.command("verify")
def verify_command(
    file: Annotated[Path, typer.Argument(help="An exported match.")],
    kept: Annotated[
        list[str] | None, typer.Option(help="A record hash noted during play; must be in it.")
    ] = None,
    commitment: Annotated[
        str | None,
        typer.Option(help="The seed commitment that the table showed; must be its own."),
    ] = None,
    entropy: Annotated[
        list[str] | None, typer.Option(help="Entropy (hex) added at the table; must be in it.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Prove an exported match offline: exits 0 and says what was proved, or 1 and what is wrong.

    Exits 2 if nothing is known to be wrong, but the match's edition is not installed here.
    """
    try:
        proof = verify_file(file, kept or (), commitment, entropy or ())
    except BadRecord as error:
        if as_json:
            print(json.dumps({"ok": False, "version": error.version, "reason": error.reason}))
        else:
            first = f"First wrong record: {error.version}. " if error.version else ""
            errors.print(f"NOT proved. {first}{error.reason}", markup=False)
        raise typer.Exit(1) from error
    except NotInstalled as error:
        if as_json:
            print(json.dumps({"ok": False, "version": None, "reason": str(error)}))
        else:
            errors.print(f"NOT proved: its hash chain holds, but {error}", markup=False)
        raise typer.Exit(2) from error
    if as_json:
        print(json.dumps({"ok": True, **_proof_json(proof)}))
        return
    console.print(f"{proof.stream}: {proof.game}, edition {proof.edition}. Proved:")
    for claim in proof.proved:
        console.print(f"  - {claim}")
    for gap in proof.open:
        console.print(f"  ? not proved: {gap}")


def _proof_json(proof: Proof) -> dict[str, Any]:
    built: dict[str, Any] = msgspec.to_builtins(proof)
    return built


@app.command()
def bench() -> None:
    """Measure this machine (a source checkout is needed); the same as `make bench`."""
    if not Path("tests/bench/__main__.py").is_file():
        raise CliError("run this in a source checkout of Tallystick: it holds the benchmarks")
    runpy.run_module("tests.bench", run_name="__main__")
