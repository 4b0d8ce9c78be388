"""The `tally` command."""

from __future__ import annotations

import sys

import typer
from rich.markup import escape

from services.cli import offline, remote, running
from services.cli.errors import CliError
from services.cli.show import errors
from shared.engine.errors import BadOption, NotInstalled
from shared.platform.collector import relax_collector

app = typer.Typer(
    name="tally",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Run a Tallystick system, play on it, and prove its matches.",
)
for group in (running, remote, offline):
    app.add_typer(group.app)


def main() -> None:
    """Run the command; a refusal is one plain line and exit code 1."""
    relax_collector()
    try:
        app()
    except (CliError, BadOption, NotInstalled) as error:
        errors.print(f"[red]{escape(str(error))}[/red]")
        sys.exit(1)


if __name__ == "__main__":
    main()
