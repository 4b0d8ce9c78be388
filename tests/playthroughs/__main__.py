"""`make golden`: play the header of every playthrough again and rewrite its file."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.playthroughs.playthrough import FOLDER, make, paths, read, write


def main(names: list[str]) -> None:
    """All files, or those named."""
    for path in [Path(name).resolve() for name in names] or paths():
        before = path.read_text()
        header = read(path).header
        write(path, header, make(header, path.parent.name))
        told = "unchanged" if path.read_text() == before else "CHANGED"
        print(f"{path.relative_to(FOLDER)}: {told}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
