"""Measure everything, one thing after the other: `make bench`.

    python -m tests.bench [--only NAME,NAME] [--quick] [--json FILE]

Prints a table and writes JSON. Leave the machine alone meanwhile. Nothing here is a test: the
exit code tells whether everything could be measured, not whether it reached what it must.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from tests.bench import machine
from tests.bench.figures import FIGURES, MORE, NUMBERS, OTHERS, Figure, number
from tests.bench.groups import GROUPS, GroupFailed, measure

SCHEMA = 1


def main() -> int:
    """Measure, tell, write; 1 if something failed."""
    arguments = parsed()
    told = Console(stderr=True)
    with told.status("") as status:
        report = collect(
            arguments.only, arguments.quick, lambda text: status.update(f"measuring {text}")
        )
    show(report, Console())
    arguments.json.write_text(json.dumps(report, indent=1) + "\n")
    told.print(f"written to {arguments.json}")
    return 1 if any(report["failed"]) else 0


def parsed() -> argparse.Namespace:
    """The options; names that do not exist are refused."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument(
        "--only", type=chosen, default=list(FIGURES), metavar="NAME,NAME",
        help=f"figures or groups: {', '.join(GROUPS)}, {', '.join(f.name for f in FIGURES)}",
    )  # fmt: skip
    parser.add_argument("--quick", action="store_true", help="short and rough: to see that it runs")
    parser.add_argument("--json", type=Path, default=Path("bench.json"), metavar="FILE")
    return parser.parse_args()


def chosen(text: str) -> list[Figure]:
    """The figures of the given names."""
    names = {name.strip() for name in text.split(",") if name.strip()}
    known = {figure.name for figure in FIGURES} | {figure.group for figure in FIGURES}
    if not names or names - known:
        raise argparse.ArgumentTypeError(
            f"there is no {', '.join(sorted(names - known)) or 'name'}; there are: "
            f"{', '.join(sorted(known))}"
        )
    return [figure for figure in FIGURES if figure.name in names or figure.group in names]


def collect(
    figures: Sequence[Figure], quick: bool, progress: Callable[[str], None]
) -> dict[str, Any]:
    """All the figures and the groups behind them, as `bench.json` has them."""
    begun = time.monotonic()
    started = datetime.now(UTC).isoformat(timespec="seconds")
    progress("the machine")
    described = machine.describe()
    measured: dict[str, dict[str, float]] = {}
    reasons: dict[str, str] = {}
    failed: list[str] = []
    for name in dict.fromkeys(figure.group for figure in figures):
        progress(name)
        reasons[name] = GROUPS[name].lacks()
        if reasons[name]:
            continue
        try:
            measured[name] = measure(name, quick)
        except GroupFailed as error:
            reasons[name] = f"failed: {error}"
            failed.append(name)
    return {
        "schema": SCHEMA,
        "started": started,
        "seconds": round(time.monotonic() - begun),
        "quick": quick,
        "machine": described,
        "figures": [
            figure.told(measured.get(figure.group), reasons[figure.group]) for figure in figures
        ],
        "failed": failed,
        "details": measured,
    }


def show(report: dict[str, Any], console: Console) -> None:
    """The table for a person."""
    told = {entry["name"]: entry for entry in report["figures"]}
    for part in (NUMBERS, MORE, OTHERS):
        rows = [figure for figure in FIGURES if figure.part == part and figure.name in told]
        if rows:
            console.print(table(part, rows, told))
    console.print(described(report["machine"]))
    if report["quick"]:
        console.print("[bold yellow]quick: short rounds, to see that it runs; not for quoting[/]")


def table(title: str, rows: Sequence[Figure], told: dict[str, Any]) -> Table:
    """One part of the figures."""
    made = Table(title=title, title_justify="left", title_style="bold", expand=True)
    made.add_column("figure", ratio=3)
    made.add_column("measured", justify="right", ratio=2)
    made.add_column("must reach", justify="right", ratio=2)
    made.add_column("reached", justify="center", min_width=7)
    made.add_column("how measured", ratio=6)
    for figure in rows:
        entry = told[figure.name]
        if entry["value"] is None:
            reason = entry["not_measured"].strip().splitlines()[-1]
            made.add_row(figure.title, "-", figure.target, "-", f"not measured: {reason}")
            continue
        value = f"{number(entry['value'])} {figure.unit}".strip()
        if entry["min"] is not None:
            value += f"\n[dim]{number(entry['min'])} - {number(entry['max'])}[/]"
        reached = {None: "", True: "[green]yes[/]", False: "[red]no[/]"}[entry["reached"]]
        made.add_row(figure.title, value, figure.target, reached, figure.how)
    return made


def described(about: dict[str, Any]) -> str:
    """The machine in a few lines."""
    disk = about["disk"]
    return (
        f"{about['cores']} cores of {about['processor']}, {about['memory_gib']} GiB, "
        f"{about['system']}, load {about['load_before']} before\n"
        f"disk: {disk['fsync_per_s']:,} fsync/s (p50 {disk['fsync_p50_ms']} ms, "
        f"p99 {disk['fsync_p99_ms']} ms)\n"
        f"Python {about['python']}, PostgreSQL {about['postgresql'] or 'none'}, "
        f"NATS {about['nats'] or 'none'}, SQLite {about['sqlite']}, "
        f"Node {about['node'] or 'none'}"
    )


if __name__ == "__main__":
    sys.exit(main())
