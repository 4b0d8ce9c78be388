"""House rules that a linter does not know."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from shared.platform.settings import CONCERNS
from tests.architecture.sources import ROOT, sources

VAGUE = {
    *("util", "utils", "common", "misc", "stuff"),
    *("helper", "helpers", "manager", "managers"),
}
FUNCTION_LINES = 70
MODULE_LINES = 500


def test_no_module_or_class_has_a_name_that_says_nothing() -> None:
    wrong = []
    for source in sources("shared", "services", "protos", "tests"):
        if VAGUE.intersection(source.path.with_suffix("").parts):
            wrong.append(str(source.path))
        for node in ast.walk(source.tree):
            if isinstance(node, ast.ClassDef):
                last = re.findall("[A-Z][a-z]*", node.name)[-1:] or [node.name]
                if last[0].lower() in VAGUE:
                    wrong.append(f"{source.path}:{node.lineno}: class {node.name}")
    assert not wrong, "\n".join(wrong)


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def _length(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def test_functions_fit_on_a_screen() -> None:
    wrong = [
        f"{source.path}:{function.lineno}: {function.name} has {_length(function)} lines"
        for source in sources("shared", "services")
        for function in _functions(source.tree)
        if _length(function) > FUNCTION_LINES
    ]
    assert not wrong, "\n".join(wrong)


def test_modules_have_one_subject() -> None:
    """Tables of data may be as long as the box is full; code may not."""
    wrong = []
    for source in sources("shared", "services"):
        code = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        lines = sum(_length(node) for node in source.tree.body if isinstance(node, code))
        if lines > MODULE_LINES:
            wrong.append(f"{source.path}: {lines} lines of code")
    assert not wrong, "\n".join(wrong)


def test_no_record_of_a_game_holds_a_float() -> None:
    """A float has no canonical bytes, and adds up differently elsewhere."""
    wrong = [
        f"{source.path}:{field.lineno}: {ast.unparse(field)}"
        for source in sources("shared/engine", "shared/games")
        for node in ast.walk(source.tree)
        if isinstance(node, ast.ClassDef)
        for field in node.body
        if isinstance(field, ast.AnnAssign)
        and re.search(r"\bfloat\b", re.sub(r"Callable\[.*", "", ast.unparse(field.annotation)))
    ]
    assert not wrong, "\n".join(wrong)


def test_the_arithmetic_of_a_game_stays_in_integers() -> None:
    """Except where a bot estimates what a position is worth: that is in no record."""
    wrong = [
        f"{source.path}:{node.lineno}: {ast.unparse(node)}"
        for source in sources("shared/games")
        if source.path.name != "appraising.py"
        for node in ast.walk(source.tree)
        if (isinstance(node, ast.Constant) and isinstance(node.value, float))
        or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and not _is_path(node))
        or (isinstance(node, ast.Name) and node.id == "float")
    ]
    assert not wrong, "\n".join(wrong)


def _is_path(division: ast.BinOp) -> bool:
    right = division.right
    return isinstance(right, ast.Constant) and isinstance(right.value, str)


def test_every_setting_is_read_somewhere() -> None:
    read = {
        node.attr
        for source in sources("shared", "services")
        if source.path != Path("shared/platform/settings.py")
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Attribute)
    }
    own = ast.parse((ROOT / "shared/platform/settings.py").read_text(encoding="utf-8"))
    read |= {node.attr for node in ast.walk(own) if isinstance(node, ast.Attribute)}
    unread = [name for concern in CONCERNS for name in concern.model_fields if name not in read]
    assert not unread, f"settings that nothing reads: {', '.join(unread)}"


def test_the_environment_is_read_in_one_place() -> None:
    """A variable read elsewhere would be in no table and refused as unknown."""
    allowed = {Path("shared/platform/settings.py")}
    wrong = [
        f"{source.path}:{number}: {line.strip()}"
        for source in sources("shared", "services")
        if source.path not in allowed
        for number, line in enumerate((ROOT / source.path).read_text().splitlines(), 1)
        if re.search(r"os\.getenv|os\.environ(\.get\(|\[)[\"']TALLY_", line)
    ]
    assert not wrong, "\n".join(wrong)
