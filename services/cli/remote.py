"""Commands that call a running system: tables, open, play, watch, log, export, describe."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from google.protobuf.json_format import MessageToDict
from grpc import aio

from protos.tallystick.lobby.v1.lobby_pb2 import (
    TABLE_FILTER_MINE,
    TABLE_FILTER_PLAYING,
    TABLE_FILTER_UNSPECIFIED,
    DescribeGameRequest,
    QuickMatchRequest,
    Table,
    TableStatus,
)
from protos.tallystick.rules.v1.rules_pb2 import GetHistoryRequest
from services.cli.arguments import (
    FIRST_GAME,
    GameName,
    Json,
    Seats,
    Set,
    again,
    at_a_system,
    options_of,
    seats_of,
    text_of,
)
from services.cli.connection import Connection, Where, connect, run
from services.cli.errors import CliError
from services.cli.play import play
from services.cli.show import columns, console, show_record
from services.cli.tables import command_id, export, listed, open_table, watch
from services.cli.waiting import seated, started
from shared.platform.rpc.client import problem

app = typer.Typer()


@app.command()
@at_a_system
def tables(
    where: Where,
    mine: Annotated[
        bool, typer.Option("--mine", help="Your own instead, those that are over too.")
    ] = False,
    as_json: Json = False,
) -> None:
    """The tables that are open or playing."""
    kinds = [TABLE_FILTER_MINE] if mine else [TABLE_FILTER_UNSPECIFIED, TABLE_FILTER_PLAYING]

    async def work() -> list[Table]:
        async with connect(where) as connection:
            return [table for kind in kinds for table in await listed(connection, kind)]

    found = run(work())
    if as_json:
        print(json.dumps([MessageToDict(one) for one in found], indent=1))
        return
    rows = [
        (
            one.table_id,
            one.game,
            TableStatus.Name(one.status).removeprefix("TABLE_STATUS_").lower(),
            ", ".join(seat.name or seat.bot or "(free)" for seat in one.seats),
            one.match_id,
        )
        for one in found
    ]
    if not rows:
        console.print("There are none.")
        return
    columns("Tables", ("table", "game", "status", "seats", "match"), rows)


@app.command("open")
@at_a_system
def open_command(
    where: Where,
    game: GameName = FIRST_GAME,
    seats: Seats = "me,open",
    option: Set = None,
    content: Annotated[Path | None, typer.Option(help="A content override for the game.")] = None,
) -> None:
    """Open a table for others to join; it starts with `tally play --table ID` of its owner."""
    override = text_of(content)

    async def work() -> str:
        async with connect(where) as connection:
            chosen = options_of(option)
            table = await open_table(connection, game, seats.split(","), chosen, override)
            return table.table_id

    print(run(work()))


@app.command("play")
@at_a_system
def play_command(
    where: Where,
    game: GameName = FIRST_GAME,
    seats: Seats = "",
    option: Set = None,
    match: Annotated[str, typer.Option("--match", help="Go on with this match.")] = "",
    table: Annotated[str, typer.Option("--table", help="Join this table, or start your own.")] = "",
    quick: Annotated[int, typer.Option(help="Play with this many who also want to.")] = 0,
) -> None:
    """Play in the terminal: a new match against bots, or one that is there."""

    async def work() -> None:
        async with connect(where) as connection:
            match_id = match
            if table:
                match_id = await _join(connection, table)
            elif quick:
                match_id = await _quick(connection, game, quick)
            elif not match_id:
                opened = await open_table(
                    connection, game, seats_of(seats, game), options_of(option)
                )
                match_id = await started(connection, opened)
            await play(connection, match_id, again(where))

    run(work())


async def _join(connection: Connection, table_id: str) -> str:
    """Sit down at a table if there is a seat, start it if it is ours, wait until it plays."""
    table = await seated(connection, table_id)
    return await started(connection, table)


async def _quick(connection: Connection, game: str, players: int) -> str:
    """Wait for others who want the same game, on if we wait already."""
    request = QuickMatchRequest(game=game, players=players, command_id=command_id())
    try:
        table = (await connection.lobby.QuickMatch(request)).table
    except aio.AioRpcError as error:
        trouble = problem(error)
        if trouble.reason != "ALREADY_QUEUED":
            raise
        return await _join(connection, trouble.metadata["table_id"])
    return await started(connection, table)


@app.command("watch")
@at_a_system
def watch_command(
    where: Where,
    match: Annotated[str, typer.Option("--match", help="The match's id.")],
    after: Annotated[int, typer.Option(help="Only records after this version.")] = 0,
    as_json: Json = False,
) -> None:
    """Follow a match live until it is over."""

    async def work() -> None:
        async with connect(where) as connection:
            async for watched in watch(connection, match, after):
                if as_json:
                    print(json.dumps(MessageToDict(watched.record)), flush=True)
                else:
                    show_record(watched.record)

    run(work())


@app.command()
@at_a_system
def log(
    where: Where,
    match: Annotated[str, typer.Option("--match", help="The match's id.")],
    as_json: Json = False,
) -> None:
    """The history of a match so far, as you may know it."""

    async def work() -> None:
        async with connect(where) as connection:
            after = 0
            while True:
                page = await connection.rules.GetHistory(
                    GetHistoryRequest(match_id=match, after_version=after, page_size=200)
                )
                for record in page.records:
                    if as_json:
                        print(json.dumps(MessageToDict(record)))
                    else:
                        show_record(record)
                if not page.HasField("next_after_version"):
                    return
                after = page.next_after_version

    run(work())


@app.command("export")
@at_a_system
def export_command(
    where: Where,
    file: Annotated[Path, typer.Argument(help="Where to write it.")],
    match: Annotated[str, typer.Option("--match", help="The match's id.")],
) -> None:
    """Write a match to a file that `tally verify` can prove anywhere."""

    async def work() -> list[bytes]:
        async with connect(where) as connection:
            return await export(connection, match)

    lines = run(work())
    try:
        file.write_bytes(b"".join(line + b"\n" for line in lines))
    except OSError as error:
        raise CliError(f"cannot write {file}: {error.strerror}") from error
    console.print(f"{len(lines) - 1} records written to {file}")


@app.command()
@at_a_system
def describe(
    where: Where,
    game: Annotated[str, typer.Argument(help="The game's id.")],
) -> None:
    """All that a client needs to know of a game, as JSON."""

    async def work() -> Any:
        async with connect(where) as connection:
            return await connection.lobby.DescribeGame(DescribeGameRequest(game=game))

    print(json.dumps(MessageToDict(run(work())), indent=1))
