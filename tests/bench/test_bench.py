"""The bench itself: it measures, it says what it could not measure. Nothing here is timed."""

from __future__ import annotations

import dataclasses
import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from tests.bench.__main__ import chosen, collect, show
from tests.bench.comparators import boardgameio
from tests.bench.figures import FIGURES
from tests.bench.groups import GROUPS, ROOT

REPORT_KEYS = {
    "schema", "started", "seconds", "quick", "machine", "figures", "failed", "details",
}  # fmt: skip
FIGURE_KEYS = {
    "name", "title", "group", "value", "min", "max", "unit", "at_least", "at_most", "aim",
    "reached", "how", "not_measured",
}  # fmt: skip
MACHINE_KEYS = {
    "processor", "cores", "memory_gib", "system", "load_before", "python", "postgresql", "nats",
    "sqlite", "node", "packages", "disk",
}  # fmt: skip


def test_one_figure_from_the_command_line_to_the_file(tmp_path: Path) -> None:
    file = tmp_path / "bench.json"
    ran = subprocess.run(
        [sys.executable, "-m", "tests.bench", "--quick", "--only", "echo_gate", "--json", file],
        cwd=ROOT, capture_output=True, text=True, timeout=90,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "our server" in ran.stdout
    assert "not for quoting" in ran.stdout

    report = json.loads(file.read_text())
    assert report.keys() == REPORT_KEYS
    assert report["machine"].keys() == MACHINE_KEYS
    assert report["quick"] is True
    assert report["failed"] == []
    (figure,) = report["figures"]
    assert figure.keys() == FIGURE_KEYS
    assert figure["name"] == "echo_gate"
    assert 0 < figure["min"] <= figure["value"] <= figure["max"]
    assert report["details"]["echo"]["gate_ratio"] == figure["value"]


def test_a_comparator_that_is_not_installed_is_named_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(boardgameio.FOLDER, str(tmp_path))
    figures = chosen("boardgameio")
    report = collect(figures, quick=True, progress=lambda _: None)

    assert report["failed"] == []
    assert report["details"] == {}
    assert len(report["figures"]) == len(figures)
    for figure in report["figures"]:
        assert figure["value"] is None
        assert figure["reached"] is None
        assert "not installed" in figure["not_measured"] or "make peers" in figure["not_measured"]
    console = Console(record=True, width=200)
    show(report, console)
    assert console.export_text().count("not measured:") == len(figures)


def test_a_group_that_does_not_end_is_stopped_and_said_to_have_failed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(GROUPS, "echo", dataclasses.replace(GROUPS["echo"], timeout=0.05))
    report = collect(chosen("echo"), quick=True, progress=lambda _: None)

    assert report["failed"] == ["echo"]
    (figure,) = report["figures"]
    assert figure["value"] is None
    assert "no end within" in figure["not_measured"]


def test_every_figure_has_a_group_and_every_group_its_constants() -> None:
    names = [figure.name for figure in FIGURES]
    assert len(set(names)) == len(names)
    assert {figure.group for figure in FIGURES} == GROUPS.keys()
    for group in GROUPS.values():
        module = importlib.import_module(group.module)
        assert callable(getattr(module, group.function))
        for constant in group.quick:
            assert hasattr(module, constant), f"{group.module} has no {constant}"


def test_names_that_do_not_exist_are_refused() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.bench", "--only", "fold,speed"],
        cwd=ROOT, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert ran.returncode == 2
    assert "there is no speed" in ran.stderr
