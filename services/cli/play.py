"""A terminal client for one seat: the board, what just happened, numbered options, undo."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress

import grpc
from grpc import aio
from rich.markup import escape

from protos.tallystick.match.v1.match_pb2 import RECORD_TYPE_UNDO, Decision, View
from protos.tallystick.rules.v1.rules_pb2 import (
    GetViewRequest,
    PlayMoveRequest,
    ResignMatchRequest,
    UndoMoveRequest,
)
from protos.tallystick.scoring.v1.scoring_pb2 import ScoreSheet
from services.cli.connection import Connection
from services.cli.gaps import patiently
from services.cli.keyboard import typed
from services.cli.show import console, show_board, show_options, show_record, show_sheet
from services.cli.tables import command_id, score_sheet, watch
from shared.platform.rpc.client import problem


class Leave(Exception):
    """The person wants to stop; the match goes on waiting."""


async def play(connection: Connection, match_id: str, again: str = "") -> None:
    """Play the caller's seats until the match is over or the person leaves.

    `again` are the options that the same person has to give to come back.
    """
    view = await get_view(connection, match_id)
    console.print(f"Match {match_id}")
    if view.viewer_seat < 0:
        console.print("You have no seat in this match: you look on.")
    show_board(view)
    changed = False
    answered: set[str] = set()
    try:
        await _ask(connection, match_id, view.decisions, answered, changed)
        async for watched in watch(connection, match_id, view.version):
            show_record(watched.record)
            if watched.record.type == RECORD_TYPE_UNDO:
                answered.clear()
            changed = changed or watched.record.actor != connection.account
            if await _ask(connection, match_id, watched.decisions, answered, changed):
                changed = False
    except (Leave, EOFError, asyncio.CancelledError) as left:
        console.print(f"The match goes on. Come back with: tally play --match {match_id}{again}")
        if isinstance(left, asyncio.CancelledError):
            raise
        return
    show_board(await get_view(connection, match_id))
    show_sheet(await final_sheet(connection, match_id))


async def _ask(
    connection: Connection,
    match_id: str,
    decisions: Iterable[Decision],
    answered: set[str],
    changed: bool,
) -> bool:
    """Put every decision of the caller to the person that is not answered yet; whether any was.

    The board comes first if others have `changed` it since the person saw it.
    """
    asked = False
    for decision in decisions:
        if decision.options and decision.decision_id not in answered:
            answered.add(decision.decision_id)
            view = await patiently(lambda: get_view(connection, match_id))
            if view.seats[decision.seat].resigned:  # a bot answers for it
                continue
            if changed and not asked:
                show_board(view)
            asked = True
            await _answer(connection, view, decision)
    return asked


async def get_view(connection: Connection, match_id: str) -> View:
    """The match as the caller may know it."""
    view: View = (await connection.rules.GetView(GetViewRequest(match_id=match_id))).view
    return view


async def _answer(connection: Connection, view: View, decision: Decision) -> None:
    """Ask the person until one answer is accepted (or taken back, or left)."""
    show_options(decision, undo=view.HasField("undo_to"))
    while True:
        said = await typed("> ")
        try:
            if await _carry_out(connection, view, decision, said):
                return
        except aio.AioRpcError as error:
            trouble = problem(error)
            console.print(f"[red]{escape(trouble.message)}[/red]")
            if trouble.code == grpc.StatusCode.ABORTED:
                return


async def _carry_out(connection: Connection, view: View, decision: Decision, said: str) -> bool:
    """Do what was typed; whether that answered the decision."""
    match said:
        case "":
            return False
        case "q" | "quit":
            raise Leave
        case "b" | "board":
            show_board(await get_view(connection, view.match_id))
            return False
        case "s" | "scores":
            show_sheet(await score_sheet(connection, view.match_id))
            return False
        case "u" | "undo":
            return await _undo(connection, view)
        case "resign":
            return await _resign(connection, view, decision.seat)
    move = said
    if said.isdecimal() and 1 <= int(said) <= len(decision.options):
        move = decision.options[int(said) - 1].notation
    request = PlayMoveRequest(
        match_id=view.match_id,
        decision_id=decision.decision_id,
        move=move,
        command_id=command_id(),
    )
    await patiently(lambda: connection.rules.PlayMove(request))
    return True


async def _undo(connection: Connection, view: View) -> bool:
    """Take back the last step; whether there is one."""
    if not view.HasField("undo_to"):
        console.print("There is nothing that you can take back now.")
        return False
    request = UndoMoveRequest(
        match_id=view.match_id, to_version=last_step(view), command_id=command_id()
    )
    await patiently(lambda: connection.rules.UndoMove(request))
    return True


async def _resign(connection: Connection, view: View, seat: int) -> bool:
    """Give the seat up if the person means it; whether they do."""
    console.print("You will rank last; if others play on, a bot does so for you. It is for good.")
    if (await typed("Type yes to resign: ")).lower() != "yes":
        return False
    request = ResignMatchRequest(match_id=view.match_id, seat=seat, command_id=command_id())
    await patiently(lambda: connection.rules.ResignMatch(request))
    return True


def last_step(view: View) -> int:
    """The version to undo to for taking back as little as possible."""
    return max(view.undo_to, view.version - 1)


async def final_sheet(connection: Connection, match_id: str, seconds: float = 5.0) -> ScoreSheet:
    """The sheet of a finished match; scoring follows within moments, so wait for it briefly."""
    for _ in range(int(seconds / 0.05)):
        with suppress(aio.AioRpcError):
            sheet = await score_sheet(connection, match_id)
            if sheet.final:
                return sheet
        await asyncio.sleep(0.05)
    return await score_sheet(connection, match_id)
