"""A process that is killed while it appends loses nothing that it had acknowledged."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from shared.platform.store import open_store
from tests.platform.append_forever import STREAMS
from tests.platform.store_samples import Raw

ROOT = Path(__file__).parents[2]
KILLS = 3


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_killed_writers_lose_and_double_nothing(
    database: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = (
        f"sqlite:///{tmp_path / 'store.db'}"
        if database == "sqlite"
        else str(request.getfixturevalue("postgres_url"))
    )
    acked: dict[str, int] = {}
    for run in range(KILLS):
        acked |= _write_and_kill(url, f"run{run}", random.uniform(0.1, 0.6))
    assert len(acked) == KILLS * STREAMS, "a run was killed before it wrote"
    asyncio.run(_check(url, acked))


def _write_and_kill(url: str, name: str, seconds: float) -> dict[str, int]:
    """Let a process append for a while, kill it, and tell what it had acknowledged."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.platform.append_forever", url, name],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line)
        if len({first.split()[0] for first in lines if first.startswith(name)}) == STREAMS:
            break
    time.sleep(seconds)
    process.kill()
    rest, printed = process.communicate(timeout=30)
    assert process.returncode == -9, printed
    # The last line may be cut off: it is not an answer that anybody could read.
    whole = ("".join(lines) + rest).split("\n")[:-1]
    return {line.split()[0]: int(line.split()[1]) for line in whole if line.startswith(name)}


async def _check(url: str, acked: dict[str, int]) -> None:
    async with open_store(url) as store:
        total = 0
        for stream, version in acked.items():
            versions = [stored.version for stored in await store.load(stream)]
            assert versions == list(range(1, len(versions) + 1))
            assert len(versions) >= version, "an acknowledged append was lost"
            assert await store.receipt("ann", f"{stream}:{len(versions)}") is not None
            total += len(versions)
        head = 0
        while head < total:
            moved = await store.positions_after(head, timeout=30)
            assert moved > head, "records never got their positions"
            head = moved
        log = await store.read_log(0, limit=total + 1)
        assert [entry.position for entry in log] == list(range(1, total + 1))
        assert len({(entry.stream, entry.version) for entry in log}) == total
    with Raw(url) as raw:
        assert raw.count("records") == raw.count("receipts") == total
