"""The options that say where a system is: said once, understood by every command that calls it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import pytest
import typer
from typer.main import get_command
from typer.testing import CliRunner

from services.cli import remote
from services.cli.arguments import Json, at_a_system
from services.cli.connection import Where

WHERE = {"--data-dir", "--as", "--token-file", "--host", "--ca-file"}
COMMANDS = get_command(remote.app).commands  # type: ignore[attr-defined]

app = typer.Typer()


@app.command()
@at_a_system
def look(
    where: Where, match: Annotated[str, typer.Option("--match")], as_json: Json = False
) -> None:
    """Look at a match."""
    print([str(part) for part in where], match, as_json)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_that_calls_a_system_can_be_told_where_it_is(name: str) -> None:
    options = {one for parameter in COMMANDS[name].params for one in parameter.opts}
    assert options >= WHERE
    assert "where" not in {parameter.name for parameter in COMMANDS[name].params}


def test_what_is_said_arrives_beside_the_commands_own_options() -> None:
    told = CliRunner().invoke(
        app,
        "--as ann --match m1 --host example.org --json --data-dir d --token-file t --ca-file c",
    )
    expected = Where(Path("d"), "ann", Path("t"), "example.org", Path("c"))
    assert told.output.strip() == f"{[str(part) for part in expected]} m1 True"


def test_what_is_not_said_has_a_default_and_what_is_needed_is_asked_for() -> None:
    told = CliRunner().invoke(app, ["--match", "m1"])
    assert told.output.strip() == "['data', 'guest', 'None', 'None', 'None'] m1 False"
    refused = CliRunner().invoke(app, [])
    assert refused.exit_code == 2 and "--match" in refused.output
