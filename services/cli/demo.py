"""A match of bots through the public contract, followed live, exported and proved."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

from services.cli.connection import Connection
from services.cli.play import final_sheet
from services.cli.show import console, show_sheet
from services.cli.tables import export, open_table, watch
from services.cli.verifying import verify_file
from services.cli.waiting import started
from shared.games import GAMES


async def bot_match(
    connection: Connection, game: str, bots: Sequence[str], quiet: bool = False
) -> str:
    """Let bots play a match, show how it goes and its score sheet; the match's id."""
    table = await open_table(connection, game, bots)
    match_id = await started(connection, table, quiet)
    if not quiet:
        console.print(f"{GAMES[game].title}: {len(bots)} bots play match [bold]{match_id}[/bold]")
    with Progress(
        SpinnerColumn(), TextColumn("{task.description}"), BarColumn(pulse_style="dim"),
        console=console, transient=True, disable=quiet or not sys.stdout.isatty(),
    ) as progress:  # fmt: skip
        task = progress.add_task("starting", total=None)
        async for watched in watch(connection, match_id):
            facts = [fact.sentence for fact in watched.record.facts if fact.sentence]
            progress.update(task, description=f"move {watched.record.version:>4}  {facts[-1:]}")
    sheet = await final_sheet(connection, match_id)
    if not quiet:
        show_sheet(sheet)
    return match_id


async def prove(connection: Connection, match_id: str, file: Path) -> None:
    """Export a match to a file and prove it from that file alone. Raises `BadRecord`."""
    lines = await export(connection, match_id)
    file.write_bytes(b"".join(line + b"\n" for line in lines))
    proof = verify_file(file)
    console.print("Exported; from the file alone it is proved that there are")
    for claim in proof.proved:
        console.print(f"  - {claim}")
