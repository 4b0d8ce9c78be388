"""The rules process as it is, and a note of when each record was durable.

The times go to `commits` in the data folder when the process ends; the clock is the machine's.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from services.rules.__main__ import wire
from shared.platform.service import serve
from shared.platform.store import Append, Store

_durable: list[str] = []
_append = Store.append


async def _noted(self: Store, append: Append) -> None:
    await _append(self, append)
    _durable.append(f"{append.stream} {append.records[0].version} {time.perf_counter()}")


if __name__ == "__main__":
    Store.append = _noted  # type: ignore[method-assign]
    try:
        serve("rules", wire)
    finally:
        Path(os.environ["TALLY_DATA_DIR"], "commits").write_text("\n".join(_durable))
