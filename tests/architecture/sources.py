"""The repository's own Python files, parsed once."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
CODE = ("shared", "services", "protos")
GENERATED = ("_pb2.py", "_pb2_grpc.py", "_grpc.py")
SKIPPED = {".git", ".venv", "data", "build", "dist", "__pycache__", "node_modules"}


class Source(NamedTuple):
    """One hand-written module: its path from the root, and its syntax tree."""

    path: Path
    tree: ast.Module

    @property
    def module(self) -> str:
        """Its import path, which is its folder path."""
        parts = self.path.with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def imports(self) -> Iterator[tuple[int, str]]:
        """Every module it names in an import, with the line; `from a import b` names `a.b` too."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from ((node.lineno, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{self.path}:{node.lineno}: relative import"
                assert node.module is not None
                yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


@cache
def sources(*folders: str) -> tuple[Source, ...]:
    """The modules below the folders, generated code left out."""
    found = []
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if not path.name.endswith(GENERATED):
                tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
                found.append(Source(path.relative_to(ROOT), tree))
    return tuple(found)


def files() -> Iterator[Path]:
    """Every file of the repository as a clone has it: nothing that a tool or a run left behind."""
    for folder in sorted(ROOT.iterdir()):
        if folder.name in SKIPPED or folder.name.endswith((".egg-info", "_cache")):
            continue
        for path in sorted(folder.rglob("*")) if folder.is_dir() else (folder,):
            inside = path.relative_to(ROOT).parts
            if path.is_file() and not SKIPPED.intersection(inside):
                yield path
