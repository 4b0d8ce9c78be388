"""Watchers of a match that come back whenever their stream ends, and count what they get."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from grpc import aio

from protos.tallystick.rules.v1.rules_pb2 import WatchMatchRequest
from protos.tallystick.stream.v1.stream_pb2 import END_REASON_COMPLETE
from tests.e2e.playing import IN_DOUBT
from tests.e2e.world import Caller, eventually


class Watcher:
    """Follows a match as its caller may see it, for ever resuming from the last version it has.

    `patience` bounds the records after which it hangs up by itself, at random.
    """

    def __init__(self, caller: Caller, match_id: str, patience: int = 0, seed: int = 1) -> None:
        self.hashes: list[str] = []
        self.sentences: list[str] = []
        self.over = False
        self.begun = 0
        self.sent_away = 0
        self._caller = caller
        self._match_id = match_id
        self._patience = patience
        self._rng = random.Random(seed)

    async def run(self) -> None:
        """Watch until the match is over. A gap or a double fails."""
        while not self.over:
            self.begun += 1
            try:
                await self._watch_once()
            except aio.AioRpcError as error:
                if error.code() not in IN_DOUBT:
                    raise
                await asyncio.sleep(0.1)

    async def _watch_once(self) -> None:
        left = self._rng.randint(1, self._patience) if self._patience else 0
        request = WatchMatchRequest(match_id=self._match_id, after_version=len(self.hashes))
        call = self._caller.rules.WatchMatch(request)
        async for message in call:
            if message.HasField("ended"):
                self.sent_away += 1
                assert message.ended.resume_after == len(self.hashes)
                self.over = message.ended.reason == END_REASON_COMPLETE
            if not message.HasField("record"):
                continue
            record = message.record.record
            assert record.version == len(self.hashes) + 1, "a gap or a double"
            self.hashes.append(record.hash)
            self.sentences += [fact.sentence for fact in record.facts]
            left -= 1
            if left == 0:
                call.cancel()
                return

    async def reached(self, version: int) -> None:
        """Wait until it has got this far."""
        await eventually(lambda: len(self.hashes) >= version, f"the watcher is at {version}")


@asynccontextmanager
async def watching(watchers: Sequence[Watcher]) -> AsyncIterator[None]:
    """Let them watch meanwhile; one that failed fails the test."""
    tasks = [asyncio.create_task(watcher.run()) for watcher in watchers]
    try:
        yield
    finally:
        for task in tasks:
            if not task.done():
                task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
    for result in results:
        if result is not None and not isinstance(result, asyncio.CancelledError):
            raise result
