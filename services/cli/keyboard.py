"""What a person types, read so that they can leave at any time."""

from __future__ import annotations

import asyncio
import io
import threading
from contextlib import suppress

from services.cli.show import console

STANDARD_INPUT = 0


async def typed(prompt: str) -> str:
    """The next line. Raises `EOFError` at the end of the input.

    A thread that nobody waits for reads it, so that Ctrl-C is obeyed at once and not after Enter.
    It reads unbuffered: Python cannot end while a thread waits inside the buffer of `sys.stdin`.
    """
    console.print(prompt, end="")
    loop = asyncio.get_running_loop()
    line: asyncio.Future[bytes] = loop.create_future()

    def settle(text: bytes) -> None:
        if not line.done():
            line.set_result(text)

    def read() -> None:
        text = b""
        with suppress(OSError):
            text = io.FileIO(STANDARD_INPUT, closefd=False).readline()
        with suppress(RuntimeError):  # the loop is closed: the person has left
            loop.call_soon_threadsafe(settle, text)

    threading.Thread(target=read, daemon=True).start()
    if not (text := await line):
        raise EOFError
    return text.decode(errors="replace").strip()
