"""Pages of tables, newest first."""

from __future__ import annotations

import heapq
from collections.abc import Iterator

from protos.tallystick.lobby.v1 import lobby_pb2 as pb
from services.lobby.app import Lobby
from services.lobby.table import Table
from shared.platform.rpc.errors import InvalidArgument

PAGE, MAX_PAGE = 50, 200
DIGITS = 18
"""Of the time in a page token."""

Key = tuple[int, str]


def page(lobby: Lobby, request: pb.ListTablesRequest, account: str) -> tuple[list[Table], str]:
    """The tables of one page, and the token of the next, empty on the last."""
    if not 0 <= request.page_size <= MAX_PAGE:
        raise InvalidArgument("page_size", f"it is 1 to {MAX_PAGE}, or 0 for {PAGE}")
    if request.filter not in pb.TableFilter.values():
        raise InvalidArgument("filter", "it is MINE or PLAYING, or left out")
    size = request.page_size or PAGE
    below = _key_of(request.page_token)
    wanted = (
        table
        for table in _filtered(lobby, request.filter, account)
        if request.game in ("", table.game) and (below is None or _key(table) < below)
    )
    found = heapq.nlargest(size + 1, wanted, key=_key)
    return found[:size], _token(found[size - 1]) if len(found) > size else ""


def _filtered(lobby: Lobby, wanted: pb.TableFilter, account: str) -> Iterator[Table]:
    if wanted == pb.TABLE_FILTER_MINE:
        return lobby.directory.tables_of(account)
    if wanted == pb.TABLE_FILTER_PLAYING:
        return (table for table in lobby.directory.playing_tables() if not table.unlisted)
    return joinable(lobby)


def joinable(lobby: Lobby) -> Iterator[Table]:
    """The open, listed tables at which a match can begin here."""
    return (
        table
        for table in lobby.directory.open_tables()
        if not table.unlisted and lobby.offer.plays(table.game, table.edition)
    )


def _key(table: Table) -> Key:
    return table.opened_at, table.id


def _token(table: Table) -> str:
    return f"{table.opened_at}.{table.id}"


def _key_of(token: str) -> Key | None:
    if not token:
        return None
    at, _, table_id = token.partition(".")
    if not at.isdecimal() or len(at) > DIGITS or not table_id:
        raise InvalidArgument("page_token", "use the token of the page before, or leave it empty")
    return int(at), table_id
