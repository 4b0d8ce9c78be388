"""Watching a match: what the log has already, then what happens, without a gap or a double.

The box is hung up at one version before the backlog is read, so what happens meanwhile waits in
it. A watcher that does not keep up is sent away with the version to resume from.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

from protos.tallystick.rules.v1.rules_pb2 import WatchMatchResponse
from services.rules.book import MatchBook
from services.rules.live import Box, Live
from services.rules.render import watched_message
from shared.engine.match import Match
from shared.engine.table import Decision
from shared.platform.rpc.streams import Beat, End, Mailbox, ended, heartbeat

WAITING = 256
"""How many steps may wait for a slow watcher."""

PAGE = 100


async def ready_to_watch(book: MatchBook, match_id: str, viewer: int) -> Live:
    """A match with the viewer's view made, certain to hear of everything as long as no one waits.

    Making the view takes time, in which the match may have left the cache and come back.
    """
    while True:
        live = await book.current(match_id)
        await book.seen_by(live, viewer)
        if book.cached(match_id) is live:
            return live


async def watch(
    book: MatchBook, match_id: str, viewer: int, after: int, beat: float
) -> AsyncIterator[WatchMatchResponse]:
    """All steps of a match after a version, as a viewer may know them, until it is over."""
    live = await ready_to_watch(book, match_id, viewer)
    box: Box = Mailbox(WAITING)
    seen = live.watch(viewer, box)
    if live.match.closed is not None:
        box.close()
    reached = after
    try:
        async for message in _backlog(book, seen, live.asked, viewer, after):
            reached = message.record.record.version
            yield message
        async for step in box.steps(beat):
            match step:
                case Beat():
                    yield WatchMatchResponse(heartbeat=heartbeat(reached))
                case End(reason):
                    yield WatchMatchResponse(ended=ended(reason, reached))
                case message:
                    reached = message.record.record.version
                    yield message
    finally:
        live.unwatch(viewer, box)


async def _backlog(
    book: MatchBook, seen: Match, asked: tuple[Decision, ...], viewer: int, after: int
) -> AsyncIterator[WatchMatchResponse]:
    """The steps that lie between a version and a viewer's match; what is asked with the last."""
    while after < seen.version:
        steps = await book.steps(seen, after, min(PAGE, seen.version - after))
        for step in steps:
            after = step.record.version
            newest = after == seen.version
            yield watched_message(seen, step, viewer, asked if newest else (), newest)
