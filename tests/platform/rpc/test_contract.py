"""The public contract: well-formed, generated code current, every call answerable."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from google.protobuf.descriptor import MethodDescriptor

from protos.tallystick.lobby.v1 import lobby_pb2
from protos.tallystick.log.v1 import log_pb2
from protos.tallystick.rules.v1 import rules_pb2
from protos.tallystick.scoring.v1 import scoring_pb2

PROTOS = Path(__file__).resolve().parents[3] / "protos"
SERVICES = [
    service
    for module in (lobby_pb2, rules_pb2, scoring_pb2, log_pb2)
    for service in module.DESCRIPTOR.services_by_name.values()
]
METHODS = [method for service in SERVICES for method in service.methods]
READS = ("Get", "List", "Describe", "Watch", "Export", "Read")


def test_the_protos_follow_the_standard() -> None:
    buf = Path(sys.executable).with_name("buf")
    result = subprocess.run(
        [buf, "lint"], cwd=PROTOS, capture_output=True, text=True, timeout=60, check=False
    )
    assert result.returncode == 0, result.stdout


def test_the_generated_code_is_current() -> None:
    result = _check(PROTOS)
    assert result.returncode == 0, result.stdout


def test_a_stale_generated_file_is_noticed(tmp_path: Path) -> None:
    copy = tmp_path / "protos"
    shutil.copytree(PROTOS, copy, ignore=shutil.ignore_patterns("__pycache__"))
    with (copy / "tallystick/match/v1/match_pb2.py").open("a") as file:
        file.write("# changed by hand\n")
    result = _check(copy)
    assert result.returncode == 1
    assert "tallystick/match/v1/match_pb2.py" in result.stdout


def _check(protos: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, protos / "generate.py", "--check"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.full_name)
def test_what_changes_something_can_be_repeated_and_what_lists_has_pages(
    method: MethodDescriptor,
) -> None:
    request, response = method.input_type.fields_by_name, method.output_type.fields_by_name
    assert ("command_id" in request) == (not method.name.startswith(READS))
    if "page_token" in request:
        assert {"page_size", "page_token"} <= set(request)
        assert "next_page_token" in response
