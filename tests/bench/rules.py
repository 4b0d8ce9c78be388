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
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import uvloop
from grpc import aio

from protos.tallystick.match.v1.match_pb2 import Decision
from protos.tallystick.rules.v1 import rules_pb2 as pb
from protos.tallystick.rules.v1 import rules_pb2_grpc
from services.rules.live import Live
from shared.engine.acts import create, play
from shared.engine.hidden import SPECTATOR
from shared.engine.match import Match, Seat
from shared.games import GAMES
from shared.platform.embedded.nats import EmbeddedNats
from shared.platform.embedded.postgres import EmbeddedPostgres
from tests.bench.rounds import percentile, ratio, spread
from tests.services.rules.world import ROOT, Player, World, open_world

IN_FLIGHT = 64
SECONDS = 4.0
ROUNDS = 3
GAME = "dwergar"
SEATS = 4
WATCHED = 16
WATCHED_MOVES = 1_500
PACE = 200
"""Moves a second while the watchers are measured: many matches of people, not a benchmark."""

LONG_MATCH = 1_000
SHORT_MATCH = 10
SAMPLE = 150
CACHED = 2_000
CACHED_MOVES = 60


def run() -> dict[str, float]:
    """The figures by name; ratios are taken within this run."""
    with (
        tempfile.TemporaryDirectory() as folder,
        EmbeddedPostgres() as database,
        EmbeddedNats() as nats,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as loop,
    ):
        figures = loop.run(measure(Path(folder), database.url(), nats.url))
    figures["cached_match_kb"] = cached_match_kb()
    return {name: round(value, 3) for name, value in figures.items()}


async def measure(folder: Path, database: str, nats_url: str) -> dict[str, float]:
    """All that needs servers."""
    figures: dict[str, float] = {}
    async with echo() as bare, open_world(folder, database, nats_url) as world:
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
        self.rate = 0.0
        self._started = time.perf_counter()
        self.stop = self._started + SECONDS

    async def call(self, sent: Any) -> Any:
        """Wait for a call and note its time."""
        before = time.perf_counter()
        answer = await sent
        self.times.append((time.perf_counter() - before) * 1e3)
        return answer

    def end(self) -> None:
        """All calls are answered."""
        self.rate = len(self.times) / (time.perf_counter() - self._started)


async def against_echo(
    world: World, player: Player, bare: rules_pb2_grpc.RulesServiceStub
) -> dict[str, float]:
    """Both in turn, so that they see the same machine. Each round has new matches, made before."""
    echoes: list[Tally] = []
    moves: list[Tally] = []
    costs: list[float] = []
    for _ in range(ROUNDS + 1):
        tables = [await new_table(world, player) for _ in range(IN_FLIGHT)]
        echoes.append(Tally())
        await asyncio.gather(*(keep_calling(echoes[-1], bare) for _ in tables))
        echoes[-1].end()
        spent = cpu_seconds(world.rules.pid)
        moves.append(Tally())
        await asyncio.gather(*(table.keep_moving(moves[-1]) for table in tables))
        moves[-1].end()
        costs.append((cpu_seconds(world.rules.pid) - spent) / len(moves[-1].times) * 1e6)
    del echoes[0], moves[0], costs[0]  # the first round warms up
    rates = [one.rate for one in moves]
    return {
        **spread("play_moves_per_second", rates),
        **ratio("play_move_ratio", rates, [one.rate for one in echoes]),
        **spread("play_move_p99_ms", [percentile(one.times, 0.99) for one in moves]),
        **spread("play_move_server_cpu_us", costs),
    }


class Table:
    """A match of which one account holds all seats, played at random by it."""

    def __init__(self, player: Player, match_id: str, asked: Sequence[Decision]) -> None:
        self._player = player
        self.match_id = match_id
        self._asked = asked
        self._random = random.Random(match_id)
        self.version = 0

    def request(self, option: int | None = None) -> pb.PlayMoveRequest:
        """The next move: a random one, or the option of that number."""
        decision = self._asked[0]
        chosen = (
            self._random.choice(decision.options) if option is None else decision.options[option]
        )
        return pb.PlayMoveRequest(
            match_id=self.match_id,
            decision_id=decision.decision_id,
            move=chosen.notation,
            command_id=f"{self.match_id}-{self.version}",
        )

    def take(self, answer: pb.PlayMoveResponse) -> bool:
        """Note what is asked next; False when the match is over."""
        self.version = answer.version
        self._asked = answer.decisions
        return not answer.over

    async def keep_moving(self, tally: Tally) -> None:
        """Play until the time is up; a match is longer than a round."""
        while time.perf_counter() < tally.stop:
            answer = await tally.call(self._player.rules.PlayMove(self.request()))
            assert self.take(answer), "the match ended within the round: make rounds shorter"


async def new_table(world: World, player: Player) -> Table:
    """A new match of four seats, all ours."""
    match_id = await world.start_table(
        [player.account] * SEATS, GAME, edition=GAMES[GAME].edition, wait=False
    )
    await world.exists(match_id, player)
    for seat in range(SEATS):
        asked = await player.rules.ListDecisions(
            pb.ListDecisionsRequest(match_id=match_id, seat=seat)
        )
        own = [one for one in asked.decisions if one.options]
        if own:
            return Table(player, match_id, own)
    raise AssertionError("a new match asks nobody")


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
    """From the moment a move is durable until a watcher has its record.

    The rules process notes when each record is durable, and the client when it arrives.
    """
    world.rules.terminate()
    await world.rules.died()
    world.rules.start("tests.bench.rules_process")
    await world.rules.ready()
    tables = [await new_table(world, player) for _ in range(WATCHED)]
    sent: dict[tuple[str, int], float] = {}
    seen: dict[tuple[str, int], float] = {}

    async def look(match_id: str) -> None:
        request = pb.WatchMatchRequest(match_id=match_id, after_version=1)
        async for message in player.rules.WatchMatch(request):
            if message.WhichOneof("event") == "record":
                seen[f"match-{match_id}", message.record.record.version] = time.perf_counter()

    async def move(table: Table) -> None:
        for _ in range(WATCHED_MOVES // WATCHED):
            before = time.perf_counter()
            answer = await player.rules.PlayMove(table.request())
            sent[f"match-{table.match_id}", answer.version] = before
            assert table.take(answer), "the match ended: measure fewer moves"
            await asyncio.sleep(WATCHED / PACE)

    looking = [asyncio.create_task(look(table.match_id)) for table in tables]
    await asyncio.sleep(1)
    await asyncio.gather(*(move(table) for table in tables))
    await asyncio.sleep(1)
    for looker in looking:
        looker.cancel()
    await asyncio.gather(*looking, return_exceptions=True)
    world.rules.terminate()
    await world.rules.died()
    durable = dict(_read_commits(world.folder / "commits"))
    world.rules.start()
    await world.rules.ready()
    missing = sent.keys() - seen.keys()
    assert not missing, f"{len(missing)} moves never reached their watcher"
    delays = [(seen[key] - durable[key]) * 1e3 for key in sent]
    whole = [(seen[key] - sent[key]) * 1e3 for key in sent]
    return {
        "watch_p50_ms": percentile(delays, 0.5),
        "watch_p99_ms": percentile(delays, 0.99),
        "move_sent_to_watch_p99_ms": percentile(whole, 0.99),
    }


def _read_commits(file: Path) -> Iterator[tuple[tuple[str, int], float]]:
    for line in file.read_text().splitlines():
        stream, version, at = line.split()
        yield (stream, int(version)), float(at)


# -- long matches ------------------------------------------------------------------------------


async def long_match(world: World, player: Player) -> dict[str, float]:
    """The same move in a match of a thousand records and in new ones, by turns."""
    old = await new_table(world, player)
    while old.version < LONG_MATCH:
        await there_and_back(player, old)
    late: list[float] = []
    early: list[float] = []
    for number in range(SAMPLE):
        if number % SHORT_MATCH == 0:
            young = await new_table(world, player)
            for _ in range(SHORT_MATCH // 2):
                await there_and_back(player, young)
        late.append(await there_and_back(player, old))
        early.append(await there_and_back(player, young))
    early_ms, late_ms = statistics.median(early), statistics.median(late)
    return {
        "move_10_ms": early_ms,
        "move_1000_ms": late_ms,
        "move_1000_over_move_10": late_ms / early_ms,
    }


async def there_and_back(player: Player, table: Table) -> float:
    """Make a move and take it back; the milliseconds that the move took."""
    request = table.request(option=0)
    before = time.perf_counter()
    answer = await player.rules.PlayMove(request)
    took = (time.perf_counter() - before) * 1e3
    undone = await player.rules.UndoMove(
        pb.UndoMoveRequest(
            match_id=table.match_id,
            to_version=answer.version - 1,
            command_id=f"{table.match_id}-undo-{answer.version}",
            seat=int(request.decision_id.rpartition(".")[2]),
        )
    )
    table.version = undone.version
    return took


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
    seats = [Seat(f"account-{number}-{seat}", f"Player {seat}") for seat in range(SEATS)]
    seed = choose.randbytes(32)
    match: Match = create(GAMES[GAME], f"m{number}", seats, {}, "", seed, [""] * SEATS, 0).match
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
