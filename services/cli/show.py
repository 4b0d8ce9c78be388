"""What a person reads: records as sentences, score sheets as tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from protos.tallystick.match.v1.match_pb2 import Decision, MatchRecord, RecordType, View
from protos.tallystick.scoring.v1.scoring_pb2 import (
    AGREEMENT_AGREES,
    AGREEMENT_DISAGREES,
    AGREEMENT_UNCOUNTED,
    ScoreSheet,
)

# Lines are left whole, so that what they say can be copied and searched.
console = Console(highlight=False, soft_wrap=True)
errors = Console(stderr=True, highlight=False, soft_wrap=True)


def record_lines(record: MatchRecord) -> list[str]:
    """A record as a person follows it: the move, then what happened."""
    kind = RecordType.Name(record.type).removeprefix("RECORD_TYPE_").lower()
    head = f"{record.version:>5}  {record.move or kind}"
    return [head, *(f"       {fact.sentence}" for fact in record.facts if fact.sentence)]


def show_record(record: MatchRecord) -> None:
    """Print a record."""
    head, *rest = record_lines(record)
    console.print(f"[bold]{escape(head)}[/bold]")
    for line in rest:
        console.print(escape(line))


def show_sheet(sheet: ScoreSheet) -> None:
    """Print a score sheet: a row for each reason, a column for each seat."""
    table = Table(
        title=f"{sheet.game}, match {sheet.match_id}" + ("" if sheet.final else " (live)")
    )
    table.add_column("")
    for total in sheet.totals:
        table.add_column(total.name, justify="right")
    reasons = list(dict.fromkeys((line.reason, line.reason_text) for line in sheet.lines))
    points = {(line.reason, line.seat): line.points for line in sheet.lines}
    for reason, text in reasons:
        row = [str(points.get((reason, total.seat), 0)) for total in sheet.totals]
        table.add_row(text or reason, *row)
    table.add_section()
    table.add_row("[bold]Total[/bold]", *(f"[bold]{one.points}[/bold]" for one in sheet.totals))
    if sheet.final:
        table.add_row("Place", *(str(one.rank) for one in sheet.totals))
    console.print(table)
    if sheet.agreement == AGREEMENT_AGREES:
        console.print("Scoring counted on its own and agrees with the rules service.")
    elif sheet.agreement == AGREEMENT_DISAGREES:
        console.print("[bold red]Scoring counted on its own and DISAGREES.[/bold red]")
    elif sheet.agreement == AGREEMENT_UNCOUNTED:
        console.print("Scoring lacks the edition of this match and could not count on its own.")


def show_board(view: View) -> None:
    """Print the position as its viewer may know it."""
    console.print(escape(view.picture))


def show_options(decision: Decision, undo: bool) -> None:
    """Print the question and its numbered answers."""
    console.print(f"\n[bold]{escape(decision.title)}[/bold]")
    for number, option in enumerate(decision.options, 1):
        console.print(
            f"  {number:>2}  {escape(option.label)}  [dim]{escape(option.notation)}[/dim]"
        )
    extra = (
        "number or notation" + (", u undo" if undo else "") + ", b board, s scores, resign, q leave"
    )
    console.print(f"[dim]{extra}[/dim]")


def columns(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a plain table."""
    table = Table(title=title)
    for head in heads:
        table.add_column(head)
    for row in rows:
        table.add_row(*map(escape, row))
    console.print(table)
