"""What must hold of a match whatever happened to the processes that played it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Row, Select, create_engine, func, select
from sqlalchemy.engine import make_url

from protos.tallystick.log.v1.log_pb2 import LogEntry, ReadLogRequest
from protos.tallystick.rules.v1.rules_pb2 import GetViewRequest, ResignMatchResponse
from protos.tallystick.scoring.v1.scoring_pb2 import (
    AGREEMENT_AGREES,
    AGREEMENT_PENDING,
    ScoreSheet,
)
from services.cli.tables import export, score_sheet
from shared.engine.match import MOVE, RESIGNED, UNDO, Match
from shared.engine.record import Record, Secret, check_chain, open_record
from shared.engine.replay import restore
from shared.engine.verify import read_export, verify
from shared.games import GAMES
from shared.platform.rpc.client import problem
from shared.platform.store.tables import receipts, records
from tests.e2e.playing import Told
from tests.e2e.world import Caller, World, eventually
from tests.platform.bus_world import on_the_bus


class Checked(NamedTuple):
    """The match that was checked, as its public log tells it."""

    records: list[Record]
    hashes: list[str]
    match: Match


async def check(world: World, match_id: str, told: Iterable[Told] = ()) -> Checked:
    """Prove that nothing was lost or doubled, and that everybody agrees on what happened.

    Nobody may be moving at the match meanwhile.
    """
    async with world.caller("auditor", ["service"]) as auditor:
        log = await _placed_log(auditor, world.databases["rules"])
        own = [one for one in log if one.stream == f"match-{match_id}"]
        check_chain((one.body, one.hash) for one in own)
        played = [open_record(one.body) for one in own]
        hashes = [one.hash for one in own]
        assert [one.version for one in own] == list(range(1, len(own) + 1))
        _check_answers(played, hashes, told)
        _check_receipts(world.databases["rules"], match_id, played, hashes)
        match = await _check_export(auditor, match_id, hashes)
        await _check_view(auditor, match)
        await _check_bus(world, len(log))
        if world["scoring"].running:
            await _check_sheet(auditor, match)
    return Checked(played, hashes, match)


async def _placed_log(auditor: Caller, url: str) -> list[LogEntry]:
    """The whole log of rules, once all that is stored has its place in it."""
    log: list[LogEntry] = []

    async def placed() -> bool:
        log[:] = await read_log(auditor)
        ((stored,),) = _rows(url, select(func.count()).select_from(records))
        return len(log) == stored

    await eventually(placed, "every stored record gets its place in the log")
    return log


async def read_log(auditor: Caller) -> list[LogEntry]:
    """The whole log of rules, which must be gapless, with every stream in its order."""
    log: list[LogEntry] = []
    async for answer in auditor.rules_log.ReadLog(ReadLogRequest()):
        log.extend(answer.batch.entries)
    assert [entry.position for entry in log] == list(range(1, len(log) + 1)), "positions have gaps"
    reached: dict[str, int] = {}
    for entry in log:
        assert entry.version == reached.get(entry.stream, 0) + 1, f"{entry.stream} is out of order"
        reached[entry.stream] = entry.version
    return log


def _check_answers(played: list[Record], hashes: list[str], told: Iterable[Told]) -> None:
    """Every move that was answered with OK is in the log, once and unchanged."""
    versions = set()
    for one in told:
        assert one.version not in versions, "two commands were told the same version"
        versions.add(one.version)
        record = played[one.version - 1]
        assert hashes[one.version - 1] == one.hash, "the record is not the one that was answered"
        assert (record.type, record.actor, record.move) == (MOVE, one.account, one.request.move)


def _rows(url: str, query: Select[Any]) -> Sequence[Row[Any]]:
    """What is in a service's database, read past the service."""
    address = make_url(url)
    if address.get_backend_name() == "sqlite":
        address = address.set(database=f"file:{address.database}", query={"mode": "ro", "uri": "1"})
    else:
        address = address.set(drivername="postgresql+psycopg")
    engine = create_engine(address)
    try:
        with engine.connect() as connection:
            return connection.execute(query).all()
    finally:
        engine.dispose()


def _check_receipts(url: str, match_id: str, played: list[Record], hashes: list[str]) -> None:
    """Every act in the log belongs to exactly one command, and every command to one act."""
    query = select(receipts.c.response).where(receipts.c.stream == f"match-{match_id}")
    # All answers to acts begin alike: version and hash.
    answers = [ResignMatchResponse.FromString(row[0]) for row in _rows(url, query)]
    acts = [
        (record.version, hash_)
        for record, hash_ in zip(played, hashes, strict=True)
        if record.type in (MOVE, UNDO, RESIGNED)
    ]
    assert sorted((one.version, one.hash) for one in answers) == acts


async def _check_export(auditor: Caller, match_id: str, hashes: list[str]) -> Match:
    """The export holds what the log holds, and proves it; the match as all may know it."""
    lines = await export(auditor.connection, match_id)
    proof = verify(lines, GAMES, kept=hashes)
    assert (proof.records, proof.head) == (len(hashes), hashes[-1])
    _, entries = read_export(lines)
    match = restore(GAMES, entries)
    if match.closed is None:
        return match
    assert not proof.open, "a match that is over must be proved in full"
    opened: dict[int, tuple[Secret, ...]] = {}
    for opening in match.closed.openings:
        opened[opening.version] = (*opened.get(opening.version, ()), opening.secret)
    return restore(GAMES, entries, opened)


async def _check_view(auditor: Caller, match: Match) -> None:
    """What rules shows is what the log gives."""
    view = (await auditor.rules.GetView(GetViewRequest(match_id=match.id))).view
    assert (view.version, view.hash) == (match.version, match.head)
    assert {one.seat: one.points for one in view.scores} == _totals(match)


async def _check_bus(world: World, head: int) -> None:
    """The bus carries the log in order, each entry once, but for what was taken out of it."""
    expected = sorted(set(range(1, head + 1)) - world.lost_on_bus)

    async def carried() -> bool:
        found = await on_the_bus(world.nats.url, "rules")
        assert found == sorted(set(found)), "the bus doubles or reorders"
        return found == expected

    await eventually(carried, "the bus carries the whole log")


async def _check_sheet(auditor: Caller, match: Match) -> None:
    """Scoring has counted the same from the facts alone."""
    sheet = await sheet_at(auditor, match.id, match.version)
    lines = [line for line in match.game.score(match.content, match.state) if line.points]
    counted = [line for line in sheet.lines if line.points]
    assert sorted((one.seat, one.reason, one.points) for one in counted) == sorted(
        (one.seat, one.reason, one.points) for one in lines
    )
    assert {one.seat: one.points for one in sheet.totals} == _totals(match)
    assert sheet.final == (match.closed is not None)
    assert sheet.agreement == (AGREEMENT_AGREES if match.closed else AGREEMENT_PENDING)
    if match.closed:
        standings = {one.seat: (one.points, one.rank) for one in match.closed.standings}
        assert {one.seat: (one.points, one.rank) for one in sheet.totals} == standings


async def sheet_at(caller: Caller, match_id: str, version: int) -> ScoreSheet:
    """The sheet of a match once scoring has reached a version."""
    found: list[ScoreSheet] = []
    seen = "nothing"

    async def reached() -> bool:
        nonlocal seen
        try:
            found[:] = [await score_sheet(caller.connection, match_id)]
        except Exception as error:  # not yet there, or scoring is just starting
            seen = problem(error).reason  # type: ignore[arg-type]
            return False
        seen = f"version {found[0].version}"
        return found[0].version >= version

    try:
        await eventually(reached, f"scoring reaches version {version}")
    except AssertionError as error:
        raise AssertionError(f"{error}; it is at {seen}") from None
    assert found[0].version == version
    return found[0]


def _totals(match: Match) -> dict[int, int]:
    totals = dict.fromkeys(range(len(match.created.seats)), 0)
    for line in match.game.score(match.content, match.state):
        totals[line.seat] += line.points
    return totals
