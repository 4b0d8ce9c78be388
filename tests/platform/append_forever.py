"""A process that appends until it is killed, and says after each answer what was acknowledged.

Usage: python -m tests.platform.append_forever URL NAME
"""

from __future__ import annotations

import asyncio
import sys

from shared.platform.store import Store, open_store
from tests.platform.store_samples import append

STREAMS = 8


async def main(url: str, name: str) -> None:
    async with open_store(url) as store:
        await asyncio.gather(*(write(store, f"{name}-{n}") for n in range(STREAMS)))


async def write(store: Store, stream: str) -> None:
    version = 0
    while True:
        await store.append(append(stream, version, command_id=f"{stream}:{version + 1}"))
        version += 1
        print(stream, version, flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
