"""A line that is reset, which nats-py does not always tell of."""

from __future__ import annotations

import asyncio
import gc
import logging
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from nats.aio.msg import Msg

from shared.platform.bus import Bus
from tests.platform.bus_world import eventually

LINGER_NOT = struct.pack("ii", 1, 0)  # closing sends a reset


class _Broker:
    """As much of NATS as a client needs to stay connected, on connections that can be reset."""

    def __init__(self) -> None:
        self._writers: list[asyncio.StreamWriter] = []
        self.url = ""

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)
        writer.write(b'INFO {"server_id":"x","version":"2.12.0","headers":true}\r\n')
        try:
            while line := await reader.readline():
                if line == b"PING\r\n":
                    writer.write(b"PONG\r\n")
        except OSError:
            pass
        finally:
            writer.close()

    def reset(self) -> None:
        for writer in self._writers:
            writer.get_extra_info("socket").setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, LINGER_NOT
            )
            writer.transport.abort()
        self._writers.clear()


@asynccontextmanager
async def _broker() -> AsyncIterator[_Broker]:
    broker = _Broker()
    server = await asyncio.start_server(broker.answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    broker.url = f"nats://127.0.0.1:{port}"
    async with server:
        yield broker


async def test_a_reset_that_meets_the_client_while_it_closes_leaves_nothing_behind(
    service: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def heard(message: Msg) -> None:
        raise AssertionError("nobody spoke")

    async with _broker() as broker, await Bus.connect(broker.url, service) as bus:
        before = asyncio.all_tasks()
        async with bus.session() as (client, _):
            await client.subscribe("some.subject", cb=heard)
            await asyncio.sleep(0.05)  # until that is sent
            client._pending.append(b"PUB some.subject 0\r\n\r\n")  # sent as it closes
            client._pending_data_size += 1
        del client
        broker.reset()
        await eventually(lambda: bus.generation == 2)
        await eventually(lambda: len(asyncio.all_tasks()) == len(before), 5, "as many tasks")
    with caplog.at_level(logging.ERROR, "asyncio"):
        gc.collect()
        await asyncio.sleep(0)
    assert [record.getMessage() for record in caplog.records if record.name == "asyncio"] == []
