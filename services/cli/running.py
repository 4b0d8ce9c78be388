"""Commands that start a system here: up, demo, token."""

from __future__ import annotations

import signal
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from services.cli.arguments import (
    FIRST_GAME,
    GUEST,
    HERE,
    As,
    DataDir,
    GameName,
    bots_for,
    game_of,
)
from services.cli.connection import Where, connect, run, token
from services.cli.demo import bot_match, prove
from services.cli.errors import CliError
from services.cli.show import console
from services.cli.system import System, running_system
from shared.platform.settings import SERVICE_PORTS

app = typer.Typer()

FIRST_MATCH = "first-match"
"""File in the data folder that says the match of welcome was played."""


@app.command()
def up(
    data_dir: DataDir = HERE,
    game: GameName = FIRST_GAME,
    free_ports: Annotated[bool, typer.Option(help="Take any free ports.")] = False,
    welcome: Annotated[bool, typer.Option(help="Play a first match of bots.")] = True,
) -> None:
    """Start the bus and all services, play a first match of bots, and serve until Ctrl-C."""
    played = game_of(game)
    started = time.monotonic()
    stop_as_by_ctrl_c()
    with running_system(data_dir, ports(free_ports)) as system:
        where = Where(data_dir, GUEST)
        console.print(f"Tallystick is up after {time.monotonic() - started:.1f} s:")
        for name, address in system.addresses.items():
            console.print(f"  {name:<8} {address}  [dim]log {system.log_of(name)}[/dim]")
        if welcome and not (data_dir / FIRST_MATCH).exists():
            match_id = run(_demo(where, game, bots_for(max(played.players)), data_dir))
            (data_dir / FIRST_MATCH).write_text(match_id + "\n")
            console.print(f"The export is in {_export_of(match_id, data_dir)}")
        console.print(INVITATION)
        _until_stopped(system)
    console.print("Stopped. The next `tally up` goes on with the same data.")


INVITATION = """
In another terminal (after `. .venv/bin/activate`, or with .venv/bin/tally):
  tally play                    play against bots; --game NAME for another game
  tally tables                  what is on; tally watch --match ID to look on
  tally export --match ID FILE  take a match home; tally verify FILE proves it
  tally token --as ann          a token for any gRPC client; reflection is on
Ctrl-C stops everything."""


def ports(free: bool) -> dict[str, int]:
    """The ports to ask for: the ordinary ones, or any that are free."""
    return dict.fromkeys(SERVICE_PORTS, 0) if free else {}


def stop_as_by_ctrl_c() -> None:
    """Let SIGTERM end the command as Ctrl-C does, so that nothing is left running."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)


def _until_stopped(system: System) -> None:
    """Wait for Ctrl-C or SIGTERM, or for a service to fail."""
    try:
        while (failed := system.failed()) is None:
            time.sleep(0.2)
    except KeyboardInterrupt:
        console.print("Stopping ...")
        return
    raise CliError(f"{failed} ended by itself; see {system.log_of(failed)}")


async def _demo(where: Where, game: str, bots: Sequence[str], folder: Path) -> str:
    async with connect(where) as connection:
        match_id = await bot_match(connection, game, bots)
        await prove(connection, match_id, _export_of(match_id, folder))
        return match_id


def _export_of(match_id: str, folder: Path) -> Path:
    return folder / f"{match_id}.tally"


@app.command()
def demo(
    game: GameName = FIRST_GAME,
    bots: Annotated[str, typer.Option(help="Kinds of bots, by commas.")] = "",
) -> None:
    """Start a system of its own, let bots play a match, export it, prove it, and stop."""
    kinds = bots.split(",") if bots else bots_for(min(game_of(game).players))
    stop_as_by_ctrl_c()
    with tempfile.TemporaryDirectory(prefix="tally-demo-") as scratch:
        folder = Path(scratch)
        with running_system(folder, ports(free=True)):
            run(_demo(Where(folder, GUEST), game, kinds, folder))


@app.command("token")
def token_command(
    data_dir: DataDir = HERE,
    account: As = GUEST,
    role: Annotated[list[str] | None, typer.Option(help="A role the token carries.")] = None,
    hours: Annotated[float, typer.Option(min=0.01, max=8760, help="How long it holds.")] = 12.0,
) -> None:
    """Print a token of the local development sign-in."""
    print(token(Where(data_dir, account), tuple(role or ()), hours * 3600))
