"""A live match in memory: where it stands, what it asks, how viewers see it, who watches.

Only the position is kept, no records. A viewer's own view is made when first asked for, and
follows from then on what happens; it goes when the match leaves the cache.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence

from protos.tallystick.rules.v1.rules_pb2 import WatchMatchResponse
from services.rules.happened import Happened, Unread, as_happened, follow_as
from services.rules.render import watched_message
from shared.engine.acts import Made
from shared.engine.match import CLOSED, Match
from shared.engine.table import Decision
from shared.platform.rpc.streams import Mailbox

RECENT = 32
"""How many steps a viewer's view may lie behind before it is dropped and made anew."""

Box = Mailbox[WatchMatchResponse]


class Live:
    """One cached match. Commands hold `lock`; everything else happens between two awaits.

    `queued` counts the commands that hold or wait for the lock. `behind` says that the log may
    have grown without us: another process moved, or a write is in doubt.
    """

    __slots__ = ("_asked", "_boxes", "_recent", "_seen", "behind", "lock", "match", "queued")

    def __init__(self, match: Match) -> None:
        self.match = match
        self.lock = asyncio.Lock()
        self.queued = 0
        self.behind = False
        self._asked: tuple[Decision, ...] | None = None
        self._seen: dict[int, Match] | None = None
        self._recent: deque[Unread | Happened] | None = None
        self._boxes: dict[int, list[Box]] | None = None

    @property
    def in_use(self) -> bool:
        """Whether somebody watches or moves, so that it must stay in memory."""
        return bool(self._boxes) or self.queued > 0

    @property
    def watched(self) -> bool:
        """Whether somebody watches."""
        return bool(self._boxes)

    @property
    def asked(self) -> tuple[Decision, ...]:
        """The open decisions with their options, listed once for each position."""
        if self._asked is None:
            self._asked = self.match.decisions()
        return self._asked

    def advance_made(self, made: Sequence[Made], asked: tuple[Decision, ...]) -> None:
        """Go on to what was decided here and is durable now; tell who watches."""
        self._advance(made[-1].match, asked, [Unread(one.record, one.facts) for one in made])

    def advance_read(self, match: Match, steps: Sequence[Happened]) -> None:
        """Go on to what another process did, as the log tells it; tell who watches."""
        self._advance(match, None, steps)

    def _advance(
        self, match: Match, asked: tuple[Decision, ...] | None, steps: Sequence[Unread | Happened]
    ) -> None:
        self.match = match
        self._asked = asked
        if self._boxes:
            self._tell([as_happened(step) for step in steps])
        if self._seen:
            self._remember(steps)

    # -- how viewers see it ----------------------------------------------------------------

    def seen_by(self, viewer: int) -> Match | None:
        """The match as its log looks to a viewer; None if that was not made yet."""
        seen = self._seen.get(viewer) if self._seen else None
        if seen is None or seen.version == self.match.version:
            return seen
        assert self._seen is not None and self._recent is not None
        for step in self._recent:
            if step.record.version == seen.version + 1:
                seen = follow_as(viewer, seen, as_happened(step))
        self._seen[viewer] = seen
        return seen

    def keep_seen(self, viewer: int, seen: Match) -> None:
        """Keep a viewer's match, which stands where this one stands."""
        assert seen.version == self.match.version, "a view is made from the same log"
        if self._seen is None:
            self._seen, self._recent = {}, deque()
        self._seen[viewer] = seen

    def _remember(self, steps: Sequence[Unread | Happened]) -> None:
        """Keep the steps for views that were not asked for since; let the idlest of them go."""
        assert self._seen is not None and self._recent is not None
        self._recent.extend(steps)
        while len(self._recent) > RECENT:
            gone = self._recent.popleft().record.version
            self._seen = {v: seen for v, seen in self._seen.items() if seen.version >= gone}
        oldest = min((seen.version for seen in self._seen.values()), default=self.match.version)
        while self._recent and self._recent[0].record.version <= oldest:
            self._recent.popleft()

    # -- who watches -----------------------------------------------------------------------

    def watch(self, viewer: int, box: Box) -> Match:
        """Put every step from now on into a box; the viewer's match, up to which it has none."""
        seen = self.seen_by(viewer)
        assert seen is not None, "a watcher needs a view to know the points"
        if self._boxes is None:
            self._boxes = {}
        self._boxes.setdefault(viewer, []).append(box)
        return seen

    def unwatch(self, viewer: int, box: Box) -> None:
        """Put nothing more into that box."""
        if self._boxes and box in self._boxes.get(viewer, ()):
            self._boxes[viewer].remove(box)
            if not self._boxes[viewer]:
                del self._boxes[viewer]

    def _tell(self, steps: Sequence[Happened]) -> None:
        """One message for each step and kind of viewer, shared by all who watch alike."""
        assert self._boxes is not None and self._seen is not None
        for viewer, boxes in self._boxes.items():
            seen = self._seen[viewer]
            for step in steps:
                seen = follow_as(viewer, seen, step)
                newest = step is steps[-1]
                message = watched_message(seen, step, viewer, self.asked, newest)
                for box in boxes:
                    box.put(message)
                    if step.record.type == CLOSED:
                        box.close()
            self._seen[viewer] = seen
