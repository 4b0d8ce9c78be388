"""boardgame.io beside us, by turns: its reducer in process, and its server at 64 matches.

In process it plays tic-tac-toe, whose options need no listing; we play Dwergar of four at random
with every option listed. Its server keeps matches in memory; ours makes each move durable on
PostgreSQL before it answers. A move counts when two seats have it: two socket.io clients there,
two `WatchMatch` streams here; one client process on each side. Loopback only.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import NamedTuple

import uvloop

from protos.tallystick.rules.v1 import rules_pb2 as pb
from shared.games import GAMES
from shared.platform.collector import relax_collector
from shared.platform.embedded.nats import EmbeddedNats
from shared.platform.embedded.postgres import EmbeddedPostgres, free_port
from tests.bench import playing
from tests.bench.rounds import percentile, ratio, spread
from tests.bench.rules import Table, Tally, new_table
from tests.services.rules.world import ROOT, Player, World, open_world

MATCHES = 64
SECONDS = 3.0
ROUNDS = 3
GAME = "dwergar"
SCRIPT = Path(__file__).with_suffix(".cjs")
FOLDER = "TALLY_BENCH_NODE_MODULES"
"""Names the folder to measure with; `make peers` fills the ordinary one."""


def node_modules() -> Path:
    """Where boardgame.io is looked for."""
    return Path(os.environ.get(FOLDER) or ROOT / "build" / "bench" / "node_modules")


def missing() -> str:
    """Why it cannot be measured here; empty if it can."""
    if shutil.which("node") is None:
        return "node is not installed"
    if not (node_modules() / "boardgame.io").is_dir():
        return f"boardgame.io is not in {node_modules()}: make peers (needs npm)"
    return ""


def run() -> dict[str, float]:
    """The figures by name."""
    figures = reducing()
    with (
        tempfile.TemporaryDirectory() as folder,
        EmbeddedPostgres() as database,
        EmbeddedNats() as nats,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as loop,
    ):
        return figures | loop.run(serving(Path(folder), database.url(), nats.url))


class Node:
    """One node process that answers lines; it ends with its input."""

    def __init__(self, *arguments: str) -> None:
        self._process = subprocess.Popen(
            ["node", str(SCRIPT), *arguments], cwd=node_modules().parent,
            env={**os.environ, "NODE_ENV": "production"},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def line(self) -> str:
        """What it says next."""
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        assert said, "node ended without an answer"
        return said.strip()

    def ask(self, seconds: float) -> dict[str, float]:
        """Let it measure for so long."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{seconds}\n")
        self._process.stdin.flush()
        answer: dict[str, float] = json.loads(self.line())
        return answer

    def stop(self) -> None:
        """End it."""
        self._process.terminate()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(5)


@contextmanager
def node(*arguments: str) -> Iterator[Node]:
    process = Node(*arguments)
    try:
        yield process
    finally:
        process.stop()


# -- in process --------------------------------------------------------------------------------


def reducing() -> dict[str, float]:
    """Random playouts, in moves a second of one processor."""
    relax_collector()
    game = GAMES[GAME]
    players = max(game.players)
    content = playing.content_of(game, players)
    ours, theirs = [], []
    with node("reducer") as reducer:
        reducer.ask(0.5)  # warm
        for number in range(ROUNDS):
            theirs.append(reducer.ask(playing.SECONDS)["moves_per_second"])
            ours.append(playing.playout_rate(game, content, players, f"beside/{number}"))
    return {
        **spread("boardgameio_reducer_ours_per_s", ours),
        **spread("boardgameio_reducer_theirs_per_s", theirs),
        **ratio("boardgameio_reducer_ratio", ours, theirs),
    }


# -- the server --------------------------------------------------------------------------------


class Pace(NamedTuple):
    """What one round came to."""

    per_s: float
    p99_ms: float


async def serving(folder: Path, database: str, nats_url: str) -> dict[str, float]:
    """Moves a second at 64 matches, both servers up, one of them busy at a time."""
    theirs: list[Pace] = []
    seen: list[Pace] = []
    answered: list[Pace] = []
    async with open_world(folder, database, nats_url) as world, their_client() as client:
        player = world.player("bench")
        for number in range(ROUNDS + 1):
            said = await asyncio.to_thread(client.ask, SECONDS)
            paces = await play_watched(world), await play_alone(world, player)
            if number:  # the first round warms up
                theirs.append(Pace(said["moves_per_second"], said["p99_ms"]))
                seen.append(paces[0])
                answered.append(paces[1])
    figures: dict[str, float] = {}
    for name, paces_of in {"theirs": theirs, "ours": seen, "ours_unwatched": answered}.items():
        figures |= spread(f"boardgameio_server_{name}_per_s", [one.per_s for one in paces_of])
        figures |= spread(f"boardgameio_server_{name}_p99_ms", [one.p99_ms for one in paces_of])
    rates = [one.per_s for one in theirs]
    figures |= ratio("boardgameio_server_ratio", [one.per_s for one in seen], rates)
    return figures | ratio(
        "boardgameio_server_ratio_unwatched", [one.per_s for one in answered], rates
    )


@asynccontextmanager
async def their_client() -> AsyncIterator[Node]:
    """Their server and a client process that plays on it."""
    port = str(free_port())
    with ExitStack() as stack:
        server = stack.enter_context(node("server", port))
        while not (await asyncio.to_thread(server.line)).isdigit():
            pass
        yield stack.enter_context(node("client", port, str(MATCHES)))


def tally() -> Tally:
    """A tally that ends after our seconds."""
    begun = Tally()
    begun.stop = time.perf_counter() + SECONDS
    return begun


def pace(done: Tally) -> Pace:
    """All its calls are answered."""
    done.end()
    return Pace(done.rate, percentile(done.times, 0.99))


async def play_alone(world: World, player: Player) -> Pace:
    """A move counts when its answer is there: it is durable then."""
    tables = [await new_table(world, player) for _ in range(MATCHES)]
    done = tally()
    await asyncio.gather(*(table.keep_moving(done) for table in tables))
    return pace(done)


async def play_watched(world: World) -> Pace:
    """A move counts when both watches of its match have it; an account has only so many watches."""
    players = [world.player(f"bench-{number}") for number in range(1 + (MATCHES - 1) // 16)]
    seated = [players[number // 16] for number in range(MATCHES)]
    tables = [Watched(await new_table(world, player), player) for player in seated]
    try:
        for table in tables:
            await table.watch()
        done = tally()
        await asyncio.gather(*(table.keep_moving(done) for table in tables))
        return pace(done)
    finally:
        await asyncio.gather(*(table.leave() for table in tables))


class Watched:
    """A match with a watch for each of two of its seats."""

    def __init__(self, table: Table, player: Player) -> None:
        self._table = table
        self._player = player
        self._seen = [0, 0]
        self._news = asyncio.Event()
        self._looking: list[asyncio.Task[None]] = []

    async def watch(self) -> None:
        """Begin to watch, and wait until both watches are there."""
        self._looking = [asyncio.create_task(self._look(seat)) for seat in (0, 1)]
        await self._seen_by_both(1)

    async def _look(self, seat: int) -> None:
        request = pb.WatchMatchRequest(match_id=self._table.match_id, seat=seat, after_version=0)
        try:
            async for message in self._player.rules.WatchMatch(request):
                if message.WhichOneof("event") == "record":
                    self._seen[seat] = message.record.record.version
                    self._news.set()
        finally:
            self._news.set()

    async def _seen_by_both(self, version: int) -> None:
        while min(self._seen) < version:
            self._news.clear()
            for looking in self._looking:
                if looking.done():
                    await looking
                    raise AssertionError("a watch ended while its match went on")
            await self._news.wait()

    async def keep_moving(self, done: Tally) -> None:
        """Play until the time is up; a match is longer than a round."""
        while time.perf_counter() < done.stop:
            answer = await done.call(self._move())
            assert self._table.take(answer), "the match ended within the round"

    async def _move(self) -> pb.PlayMoveResponse:
        answer: pb.PlayMoveResponse = await self._player.rules.PlayMove(self._table.request())
        await self._seen_by_both(answer.version)
        return answer

    async def leave(self) -> None:
        """Watch no longer."""
        for looking in self._looking:
            looking.cancel()
        await asyncio.gather(*self._looking, return_exceptions=True)


def main() -> None:
    """Measure."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    print(missing() or json.dumps(run(), indent=1))


if __name__ == "__main__":
    main()
