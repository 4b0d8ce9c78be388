"""What a durable move costs over gRPC, beside a bare echo; watching, long matches, memory.

Real processes: rules on PostgreSQL with NATS, a bare grpc.aio echo, and one client that plays
Dwergar against the first and calls the second in turn. Run by itself
(`python -m tests.bench.rules`) or collected through `run()`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import uvloop
from grpc import aio

from protos.tallystick.match.v1.match_pb2 import Decision
from protos.tallystick.rules.v1 import rules_pb2 as pb
from protos.tallystick.rules.v1 import rules_pb2_grpc
from services.rules.live import Live
from shared.engine.hidden import SPECTATOR
from shared.engine.match import Match, Seat, create, play
from shared.games import GAMES
from shared.platform.embedded.nats import EmbeddedNats
from shared.platform.embedded.postgres import EmbeddedPostgres
from tests.services.rules.world import ROOT, Player, World, open_world

IN_FLIGHT = 64
SECONDS = 4.0
ROUNDS = 3
GAME = "dwergar"
WATCHED = 16
WATCHED_MOVES = 1_500
PACE = 200
"""Moves a second while the watchers are measured: many matches of people, not a benchmark."""

LONG_MATCH = 1_200
SAMPLE = 150
CACHED = 2_000
CACHED_MOVES = 60


def run() -> dict[str, float]:
    """The figures by name; ratios are taken within this run."""
    with tempfile.TemporaryDirectory() as folder, EmbeddedPostgres() as database:
        with EmbeddedNats() as nats, asyncio.Runner(loop_factory=uvloop.new_event_loop) as loop:
            figures = loop.run(measure(Path(folder), database.url(), nats.url))
    figures["cached_match_kb"] = cached_match_kb()
    return {name: round(value, 3) for name, value in figures.items()}


async def measure(folder: Path, database: str, nats_url: str) -> dict[str, float]:
    """All that needs servers."""
    figures: dict[str, float] = {}
    async with open_world(folder, database, nats_url) as world, echo() as bare:
        player = world.player("bench")
        figures |= await against_echo(world, player, bare)
        figures |= await watching(world, player)
        figures |= await long_match(world, player)
    return figures


# -- moves beside a bare echo ------------------------------------------------------------------


class Tally:
    """Calls and how long each took, in milliseconds."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self.started = time.perf_counter()
        self.stop = self.started + SECONDS

    async def call(self, sent: Any) -> Any:
        """Wait for a call and note its time."""
        before = time.perf_counter()
        answer = await sent
        self.times.append((time.perf_counter() - before) * 1e3)
        return answer

    def rate(self) -> float:
        """Calls a second."""
        return len(self.times) / (time.perf_counter() - self.started)

    def percentile(self, part: float) -> float:
        """The time within which that part of the calls was answered."""
        return sorted(self.times)[int(len(self.times) * part)]


async def against_echo(
    world: World, player: Player, bare: rules_pb2_grpc.RulesServiceStub
) -> dict[str, float]:
    """Both in turn, so that they see the same machine."""
    seats = [await new_seat(world, player) for _ in range(IN_FLIGHT)]
    rounds: list[tuple[float, float, float, float]] = []
    for number in range(ROUNDS + 1):
        echoed, moved = Tally(), None
        await asyncio.gather(*(keep_calling(echoed, bare) for _ in range(IN_FLIGHT)))
        echo_rate = echoed.rate()
        moved = Tally()
        cpu = cpu_seconds(world.rules.pid)
        await asyncio.gather(*(seat.keep_moving(moved) for seat in seats))
        cpu = cpu_seconds(world.rules.pid) - cpu
        if number:  # the first round warms up
            rounds.append(
                (moved.rate(), moved.rate() / echo_rate, moved.percentile(0.99),
                 cpu / len(moved.times) * 1e6)
            )  # fmt: skip
    return {
        "play_moves_per_second": statistics.median(one[0] for one in rounds),
        "play_move_ratio": statistics.median(one[1] for one in rounds),
        "play_move_p99_ms": statistics.median(one[2] for one in rounds),
        "play_move_server_cpu_us": statistics.median(one[3] for one in rounds),
    }


class Table:
    """A match of which one account holds all seats, played at random by it."""

    def __init__(self, world: World, player: Player, match_id: str, asked: Sequence[Decision]) -> None:
        self._world = world
        self._player = player
        self._match_id = match_id
        self._asked = asked
        self._random = random.Random(match_id)
        self.version = 0

    def request(self) -> pb.PlayMoveRequest:
        """The next move."""
        decision = self._asked[0]
        return pb.PlayMoveRequest(
            match_id=self._match_id,
            decision_id=decision.decision_id,
            move=self._random.choice(decision.options).notation,
            command_id=f"{self._match_id}-{self.version}",
        )

    def take(self, answer: pb.PlayMoveResponse) -> bool:
        """Note what is asked next; False when the match is over."""
        self.version = answer.version
        self._asked = answer.decisions
        return not answer.over

    async def keep_moving(self, tally: Tally) -> None:
        """Play until the time is up, and another match when this one is over."""
        while time.perf_counter() < tally.stop:
            answer = await tally.call(self._player.rules.PlayMove(self.request()))
            if not self.take(answer):
                table = await new_seat(self._world, self._player)
                self._match_id, self._asked, self.version = table._match_id, table._asked, 0


async def new_seat(world: World, player: Player) -> Table:
    """A new match of two seats, both ours."""
    match_id = await world.start_table(
        [player.account] * 2, GAME, edition=GAMES[GAME].edition, wait=False
    )
    await world.exists(match_id, player)
    view = await player.view(match_id)
    asked = await player.rules.ListDecisions(pb.ListDecisionsRequest(match_id=match_id, seat=0))
    own = [one for one in view.decisions if one.options]
    if not own:
        asked = await player.rules.ListDecisions(pb.ListDecisionsRequest(match_id=match_id, seat=1))
        own = [one for one in asked.decisions if one.options]
    return Table(world, player, match_id, own)


async def keep_calling(tally: Tally, bare: rules_pb2_grpc.RulesServiceStub) -> None:
    """Call the echo with a request of a move's size until the time is up."""
    request = pb.PlayMoveRequest(
        match_id="0" * 12, decision_id="100.0", move="place blacksmith bellows", command_id="0" * 32
    )
    while time.perf_counter() < tally.stop:
        await tally.call(bare.PlayMove(request))


class Echo(rules_pb2_grpc.RulesServiceServicer):
    """Answers with what it was sent."""

    async def PlayMove(self, request: pb.PlayMoveRequest, context: Any) -> pb.PlayMoveResponse:
        return pb.PlayMoveResponse(version=1, hash=request.move)


async def serve_echo() -> None:
    """The comparator: grpc.aio as it comes, on the same event loop as our services."""
    server = aio.server()
    rules_pb2_grpc.add_RulesServiceServicer_to_server(Echo(), server)
    print(server.add_insecure_port("127.0.0.1:0"), flush=True)
    await server.start()
    await server.wait_for_termination()


@asynccontextmanager
async def echo() -> AsyncIterator[rules_pb2_grpc.RulesServiceStub]:
    """The echo in a process of its own."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.bench.rules", "--echo",
        stdout=subprocess.PIPE, cwd=ROOT,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        port = int(await process.stdout.readline())
        async with aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            yield rules_pb2_grpc.RulesServiceStub(channel)
    finally:
        process.kill()
        await process.wait()


def cpu_seconds(pid: int) -> float:
    """The processor time that a process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


# -- watching ----------------------------------------------------------------------------------


async def watching(world: World, player: Player) -> dict[str, float]:
    """From the answer to a move until a watcher has its record, and from sending the move."""
    tables = [await new_seat(world, player) for _ in range(WATCHED)]
    sent: dict[tuple[str, int], float] = {}
    answered: dict[tuple[str, int], float] = {}
    seen: dict[tuple[str, int], float] = {}

    async def look(match_id: str) -> None:
        stream = player.rules.WatchMatch(pb.WatchMatchRequest(match_id=match_id, after_version=1))
        async for message in stream:
            if message.WhichOneof("event") == "record":
                seen[match_id, message.record.record.version] = time.perf_counter()

    lookers = [asyncio.create_task(look(table._match_id)) for table in tables]
    await asyncio.sleep(1)

    async def move(table: Table) -> None:
        for _ in range(WATCHED_MOVES // WATCHED):
            before = time.perf_counter()
            answer = await player.rules.PlayMove(table.request())
            key = (table._match_id, answer.version)
            sent[key], answered[key] = before, time.perf_counter()
            if not table.take(answer):
                return
            await asyncio.sleep(WATCHED / PACE)

    await asyncio.gather(*(move(table) for table in tables))
    await asyncio.sleep(1)
    for looker in lookers:
        looker.cancel()
    await asyncio.gather(*lookers, return_exceptions=True)
    missing = sent.keys() - seen.keys()
    assert not missing, f"{len(missing)} moves never reached their watcher"
    after_answer = sorted(max(0.0, seen[key] - answered[key]) * 1e3 for key in answered)
    whole = sorted((seen[key] - sent[key]) * 1e3 for key in sent)
    return {
        "watch_p99_ms": after_answer[int(len(after_answer) * 0.99)],
        "move_sent_to_watch_p50_ms": whole[len(whole) // 2],
        "move_sent_to_watch_p99_ms": whole[int(len(whole) * 0.99)],
    }


# -- long matches ------------------------------------------------------------------------------


async def long_match(world: World, player: Player) -> dict[str, float]:
    """The same move early and late in one match: it is taken back each time."""
    table = await new_seat(world, player)
    times: dict[int, float] = {}
    version, request = 1, table.request()
    while version < LONG_MATCH:
        request.command_id = uuid.uuid4().hex
        before = time.perf_counter()
        answer = await player.rules.PlayMove(request)
        times[answer.version] = (time.perf_counter() - before) * 1e3
        undone = await player.rules.UndoMove(
            pb.UndoMoveRequest(
                match_id=request.match_id,
                to_version=answer.version - 1,
                command_id=uuid.uuid4().hex,
                seat=int(request.decision_id.rpartition(".")[2]),
            )
        )
        version = undone.version
    early = statistics.median(t for v, t in times.items() if 10 <= v < 10 + SAMPLE)
    late = statistics.median(t for v, t in times.items() if 1_000 <= v < 1_000 + SAMPLE)
    return {"move_10_ms": early, "move_1000_ms": late, "move_1000_over_move_10": late / early}


# -- memory ------------------------------------------------------------------------------------


def cached_match_kb() -> float:
    """How much more memory a process needs for each live match, in a process of its own."""
    measured = subprocess.run(
        [sys.executable, "-m", "tests.bench.rules", "--cached"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return float(measured.stdout)


def fill_cache() -> float:
    """Kilobytes a match: matches of four in mid-game, with what they ask listed."""
    lives = [midgame(-1)]
    before = resident_kb()
    lives += [midgame(number) for number in range(CACHED)]
    assert all(live.asked or live.match.ended for live in lives)
    return (resident_kb() - before) / CACHED


def midgame(number: int) -> Live:
    """A match after some random moves."""
    choose = random.Random(number)
    seats = [Seat(f"account-{number}-{seat}", f"Player {seat}") for seat in range(4)]
    seed = choose.randbytes(32)
    match: Match = create(GAMES[GAME], f"m{number}", seats, {}, "", seed, [""] * 4, 0).match
    for _ in range(CACHED_MOVES):
        asked = match.decisions()
        decision = choose.choice(asked)
        assert decision.seat != SPECTATOR
        move = choose.choice(decision.options).notation
        match = play(match, decision.seat, "bench", move, 0, decision.id, asked).match
    return Live(match)


def resident_kb() -> float:
    """The memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1024


def main() -> None:
    """Measure, or be one of the processes that measuring needs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--echo", action="store_true")
    parser.add_argument("--cached", action="store_true")
    arguments = parser.parse_args()
    if arguments.echo:
        uvloop.run(serve_echo())
    elif arguments.cached:
        print(fill_cache())
    else:
        print(json.dumps(run(), indent=1))


if __name__ == "__main__":
    main()
