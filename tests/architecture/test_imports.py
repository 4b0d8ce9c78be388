"""Who may import whom. The arrows point one way: services -> platform, games -> engine."""

from __future__ import annotations

import ast
import sys

import pytest

from tests.architecture.sources import Source, sources

OURS = ("shared", "services", "protos", "tests")

IMPURE = {
    *("asyncio", "concurrent", "multiprocessing", "signal", "subprocess", "threading"),
    *("ctypes", "ftplib", "http", "io", "mmap", "os", "pathlib", "pickle", "shelve", "shutil"),
    *("select", "selectors", "smtplib", "socket", "sqlite3", "ssl", "tempfile", "urllib"),
    *("datetime", "logging", "random", "secrets", "sys", "time", "uuid", "warnings"),
}
"""What reaches the world, the clock or chance. None of it may be in the rules of a game."""

PURE_PACKAGES = {"msgspec", "cryptography"}
"""The two packages of others that the engine stands on: records and ChaCha20."""

WORLD_CALLS = {"open", "print", "input", "exec", "eval", "breakpoint", "__import__"}

PLATFORM_MAY = ("shared.platform", "shared.engine.record", "shared.engine.data", "protos")
PLATFORM_ERRORS = "shared.engine.errors"


def _is_below(name: str, *parents: str) -> bool:
    return any(name == parent or name.startswith(parent + ".") for parent in parents)


def _ours(source: Source) -> list[tuple[int, str]]:
    return [(line, name) for line, name in source.imports() if _is_below(name, *OURS)]


def _wrong(found: list[tuple[Source, int, str]]) -> str:
    return "\n".join(f"{source.path}:{line}: imports {name}" for source, line, name in found)


def test_there_is_something_to_look_at() -> None:
    assert len(sources("shared/engine")) > 5
    assert len(sources("shared/platform")) > 5


def test_the_engine_imports_nothing_of_ours() -> None:
    wrong = [
        (source, line, name)
        for source in sources("shared/engine")
        for line, name in _ours(source)
        if not _is_below(name, "shared.engine")
    ]
    assert not wrong, _wrong(wrong)


def test_a_game_imports_the_engine_and_itself() -> None:
    wrong = []
    for source in sources("shared/games"):
        is_registry = source.module == "shared.games"
        allowed = ["shared.engine", *(["shared.games"] if is_registry else [])]
        if not is_registry:
            allowed.append(".".join(source.module.split(".")[:3]))
        wrong += [(source, *use) for use in _ours(source) if not _is_below(use[1], *allowed)]
    assert not wrong, _wrong(wrong)


def test_the_platform_knows_no_game() -> None:
    wrong = [
        (source, line, name)
        for source in sources("shared/platform")
        for line, name in _ours(source)
        if not _is_below(name, *PLATFORM_MAY, PLATFORM_ERRORS)
    ]
    assert not wrong, _wrong(wrong)


def test_services_never_import_each_other() -> None:
    wrong = []
    for source in sources("services"):
        own = ".".join(source.module.split(".")[:2])
        wrong += [
            (source, line, name)
            for line, name in _ours(source)
            if not _is_below(name, own, "shared", "protos")
        ]
    assert not wrong, _wrong(wrong)


def test_nothing_shipped_imports_the_tests_or_their_tools() -> None:
    tools = ("tests", "pytest", "hypothesis", "testcontainers", "eventsourcing", "jsonschema")
    wrong = [
        (source, line, name)
        for source in sources("shared", "services")
        for line, name in source.imports()
        if _is_below(name, *tools)
    ]
    assert not wrong, _wrong(wrong)


def test_rules_reach_neither_world_nor_clock_nor_chance() -> None:
    standard = sys.stdlib_module_names - IMPURE
    wrong = [
        (source, line, name)
        for source in sources("shared/engine", "shared/games")
        for line, name in source.imports()
        if not _is_below(name, "shared") and name.split(".")[0] not in standard | PURE_PACKAGES
    ]
    assert not wrong, _wrong(wrong)


@pytest.mark.parametrize("folder", ["shared/engine", "shared/games"])
def test_rules_call_nothing_that_reaches_the_world(folder: str) -> None:
    wrong = [
        f"{source.path}:{node.lineno}: calls {node.func.id}"
        for source in sources(folder)
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in WORLD_CALLS
    ]
    assert not wrong, "\n".join(wrong)


def test_the_rules_of_a_game_name_no_transport_or_database() -> None:
    """Proves the check above: an offending module is found, not only absent."""
    offending = Source(
        sources("shared/engine")[0].path, ast.parse("import sqlalchemy\nfrom os import path\n")
    )
    names = [name for _, name in offending.imports()]
    assert names == ["sqlalchemy", "os.path"]
    standard = sys.stdlib_module_names - IMPURE
    assert all(name.split(".")[0] not in standard | PURE_PACKAGES for name in names)
