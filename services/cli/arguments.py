"""The options that several commands share, and how they are read."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from shlex import quote
from typing import Annotated, Any

import typer

from services.cli.connection import Where
from services.cli.errors import CliError
from services.cli.tables import ME
from shared.engine.game import Game
from shared.games import GAMES

DataDir = Annotated[Path, typer.Option("--data-dir", help="Folder of the system on this machine.")]
As = Annotated[str, typer.Option("--as", help="Account to act as (development sign-in).")]
TokenFile = Annotated[Path | None, typer.Option(help="File with a token to use instead of --as.")]
Host = Annotated[str | None, typer.Option(help="A system elsewhere, on the ordinary ports.")]
CaFile = Annotated[
    Path | None,
    typer.Option(help="Authorities (PEM) to believe: encrypts the calls. [TALLY_TLS_CA_FILE]"),
]
GameName = Annotated[str, typer.Option("--game", help="The game's id.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for a program.")]
Seats = Annotated[str, typer.Option(help="Who sits where, by commas: me, open, or a kind of bot.")]
Set = Annotated[list[str] | None, typer.Option("--set", help="A table option, NAME=VALUE.")]

HERE = Path("data")
GUEST = "guest"
"""Who calls when nobody says who."""
FIRST_GAME = next(iter(GAMES))
"""What is played when nobody says otherwise."""


def where_of(
    data_dir: DataDir = HERE,
    account: As = GUEST,
    token_file: TokenFile = None,
    host: Host = None,
    ca_file: CaFile = None,
) -> Where:
    """Where the system is and as whom it is called, as every command that calls it is told."""
    return Where(data_dir, account, token_file, host, ca_file)


def again(where: Where) -> str:
    """The options that say the same once more, for a command that is suggested."""
    account = where.account if where.account != GUEST and where.token_file is None else None
    told = {
        "--as": account,
        "--token-file": where.token_file,
        "--data-dir": where.data_dir if where.data_dir != HERE else None,
        "--host": where.host,
        "--ca-file": where.ca_file,
    }
    return "".join(f" {name} {quote(str(one))}" for name, one in told.items() if one is not None)


def at_a_system(command: Callable[..., None]) -> Callable[..., None]:
    """The command with the options of `where_of` in place of its argument `where`."""
    asked = signature(where_of, eval_str=True).parameters
    own = signature(command, eval_str=True).parameters

    @wraps(command)
    def told(**given: Any) -> None:
        where = where_of(**{name: given.pop(name) for name in asked})
        command(where=where, **given)

    options = [one for name, one in {**own, **asked}.items() if name != "where"]
    by_name = [one.replace(kind=Parameter.KEYWORD_ONLY) for one in options]
    told.__signature__ = Signature(by_name)  # type: ignore[attr-defined]
    return told


def game_of(name: str) -> Game:
    """The game of that name. Raises `CliError`."""
    if name not in GAMES:
        raise CliError(f"there is no game {name!r}; there are: {', '.join(GAMES)}")
    return GAMES[name]


def bots_for(players: int) -> list[str]:
    """Kinds of bots for some seats: planners and random ones by turns."""
    return [("planner", "random")[seat % 2] for seat in range(players)]


def seats_of(words: str, game: str) -> list[str]:
    """The seats as given; by default the caller and a full table of bots. Raises `CliError`."""
    if words:
        return words.split(",")
    return [ME, *bots_for(max(game_of(game).players) - 1)]


def text_of(file: Path | None) -> str:
    """What a file holds, nothing for none. Raises `CliError`."""
    if file is None:
        return ""
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise CliError(f"cannot read {file}: {error.strerror}") from error
    except ValueError as error:
        raise CliError(f"{file} is not text in UTF-8") from error


def options_of(words: list[str] | None) -> dict[str, str]:
    """The table options given as NAME=VALUE. Raises `CliError`."""
    chosen = {}
    for word in words or ():
        name, equals, value = word.partition("=")
        if not equals:
            raise CliError(f"{word!r}: an option is set as NAME=VALUE")
        chosen[name] = value
    return chosen
