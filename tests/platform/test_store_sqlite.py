"""What is particular to SQLite: its settings, its old libraries, its one file."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from shared.platform.store import CannotOpen, UnsafeSettings, open_store
from shared.platform.store.sqlite import check_settings, warn_of_old_library
from shared.platform.store.wal import connect, connect_wal
from tests.platform.store_samples import Raw, append


def test_a_store_in_memory_is_refused() -> None:
    for url in ("sqlite://", "sqlite:///:memory:"):
        with pytest.raises(UnsafeSettings, match="give a file"):
            open_store(url)


def test_what_cannot_be_opened_is_named_with_the_reason(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.db"
    damaged.write_text("this is not a database, and long enough to tell\n" * 20)
    with pytest.raises(CannotOpen, match=r"damaged\.db cannot be opened: file is not a database"):
        open_store(f"sqlite:///{damaged}")
    with pytest.raises(CannotOpen, match=r"store\.db cannot be opened: .*File exists"):
        open_store(f"sqlite:///{damaged}/store.db")
    with pytest.raises(CannotOpen, match=r"127\.0\.0\.1:1/tally cannot be opened: ") as caught:
        open_store("postgresql://aladdin:opensesame@127.0.0.1:1/tally?application_name=x")
    assert "opensesame" not in str(caught.value) and "aladdin" not in str(caught.value)


def test_a_file_in_use_is_waited_for_when_it_becomes_a_log(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    other = connect(path)
    other.execute("BEGIN IMMEDIATE")
    other.execute("CREATE TABLE first (x)")
    leaving = threading.Timer(0.3, other.execute, ["COMMIT"])
    leaving.start()
    connection = connect_wal(path)
    leaving.join()
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()
    other.close()


@pytest.mark.parametrize(
    "pragma", ["journal_mode = DELETE", "synchronous = NORMAL", "foreign_keys = OFF"]
)
def test_settings_that_may_lose_commits_are_refused(tmp_path: Path, pragma: str) -> None:
    connection = sqlite3.connect(tmp_path / "store.db", isolation_level=None)
    for right in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {right}")
    check_settings(connection)
    connection.execute(f"PRAGMA {pragma}")
    with pytest.raises(UnsafeSettings, match=pragma.split()[0]):
        check_settings(connection)
    connection.close()


@pytest.mark.parametrize(
    ("version", "warned"),
    [((3, 40, 1), True), ((3, 51, 2), True), ((3, 51, 3), False), ((3, 52, 0), False)],
)
def test_a_library_with_the_wal_reset_bug_is_named(
    version: tuple[int, int, int], warned: bool
) -> None:
    with capture_logs() as logs:
        warn_of_old_library(version)
    assert [entry["event"] for entry in logs] == ["sqlite-wal-reset-bug"] * warned


async def test_the_file_stays_whole_under_readers_and_checkpoints(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.db'}"
    async with open_store(url) as store:
        for version in range(0, 1500, 50):
            await asyncio.gather(
                *(store.append(append(f"m{n}", version, count=50)) for n in range(4)),
                *(store.load(f"m{n}") for n in range(4)),
            )
        assert (tmp_path / "store.db-wal").stat().st_size > 0
    with Raw(url) as raw:
        assert raw.rows("PRAGMA integrity_check") == [("ok",)]
        assert raw.count("records") == raw.count("log_index") == 6000


async def test_replacing_a_record_is_refused_too(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.db'}"
    async with open_store(url) as store:
        await store.append(append("m", 0))
        statement = "INSERT OR REPLACE INTO records VALUES (1, 'm', 1, 'Other', x'00', '')"
        writer = store._writer
        with pytest.raises(Exception, match="records is append-only"):
            await writer.submit(lambda connection: connection.execute(statement))
        assert (await store.load("m"))[0].type == "Moved"


async def test_nobody_else_may_read_the_file(tmp_path: Path) -> None:
    path = tmp_path / "new" / "store.db"
    async with open_store(f"sqlite:///{path}") as store:
        await store.append(append("m", 0))
        files = list(path.parent.iterdir())
        assert len(files) >= 2
        assert {file.stat().st_mode & 0o077 for file in files} == {0}
