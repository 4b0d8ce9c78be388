"""Write the Python code of the public contract beside its .proto files, or check it is current.

python protos/generate.py            writes
python protos/generate.py --check    exits 1 and names what differs

The .proto files import each other as `tallystick/...`, which is what every other language wants.
Python imports by folder path, so the generated imports are led to `protos.tallystick`.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

import grpc_tools
from google.protobuf.descriptor_pb2 import (
    FileDescriptorProto,
    FileDescriptorSet,
    MethodDescriptorProto,
)
from grpc_tools import protoc

HERE = Path(__file__).resolve().parent
OWN_IMPORT = re.compile(r"^from tallystick\.", re.MULTILINE)
BARE_MAPPING = re.compile(r"(?<!as )\b_Mapping\b(?!\[)")
LINT_HEADER = "# ruff: noqa\n"


def main() -> int:
    """Generate in place, or compare with a fresh generation."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = generate(Path(folder))
    if "--check" not in sys.argv[1:]:
        for path, text in fresh.items():
            (HERE / path).write_text(text, encoding="utf-8")
        for stale in generated_files() - fresh.keys():
            (HERE / stale).unlink()
        return 0
    wrong = sorted(generated_files() ^ fresh.keys()) + sorted(
        path
        for path in generated_files() & fresh.keys()
        if (HERE / path).read_text(encoding="utf-8") != fresh[path]
    )
    for path in wrong:
        print(f"protos/{path} is not what its .proto gives: run python protos/generate.py")
    return 1 if wrong else 0


def generated_files() -> set[str]:
    """The generated files that are there, relative to `protos/`."""
    return {
        path.relative_to(HERE).as_posix()
        for path in (HERE / "tallystick").rglob("*.py*")
        if "_pb2" in path.name and path.suffix in {".py", ".pyi"}
    }


def generate(folder: Path) -> dict[str, str]:
    """The text of every generated file by its path relative to `protos/`."""
    sources = sorted(path.relative_to(HERE).as_posix() for path in HERE.rglob("*.proto"))
    well_known = Path(grpc_tools.__file__).parent / "_proto"
    status = protoc.main(
        [
            "protoc",
            f"-I{HERE}",
            f"-I{well_known}",
            f"--python_out={folder}",
            f"--pyi_out={folder}",
            f"--grpc_python_out={folder}",
            f"--descriptor_set_out={folder / 'all.binpb'}",
            *sources,
        ]
    )
    if status != 0:
        raise SystemExit("protoc refused the .proto files: see above")
    files = FileDescriptorSet.FromString((folder / "all.binpb").read_bytes()).file
    texts = {
        path.relative_to(folder).as_posix(): corrected(path.read_text(encoding="utf-8"))
        for path in sorted(folder.rglob("*.py*"))
    }
    for file in files:
        stub = f"{file.name.removesuffix('.proto')}_pb2_grpc"
        if file.service:
            texts[f"{stub}.pyi"] = typed_stub(file)
        else:
            del texts[f"{stub}.py"]
    return {path: LINT_HEADER + text for path, text in texts.items()}


def corrected(text: str) -> str:
    """Imports by folder path, and the type arguments that mypy --strict wants."""
    text = OWN_IMPORT.sub("from protos.tallystick.", text)
    return BARE_MAPPING.sub("_Mapping[str, object]", text)


def typed_stub(file: FileDescriptorProto) -> str:
    """Types for the services of one file, as asyncio servers and clients use them."""
    package = file.package
    module = file.name.rsplit("/", 1)[-1].removesuffix(".proto")
    lines = [
        "from collections.abc import AsyncIterator",
        "",
        "import grpc",
        "from grpc import aio",
        "",
        f"from protos.{package} import {module}_pb2 as pb",
    ]
    for service in file.service:
        lines += ["", f"class {service.name}Stub:"]
        lines += ["    def __init__(self, channel: aio.Channel | grpc.Channel) -> None: ..."]
        lines += [client_line(method) for method in service.method]
        lines += ["", f"class {service.name}Servicer:"]
        lines += [server_line(method) for method in service.method]
        lines += [
            "",
            f"def add_{service.name}Servicer_to_server(",
            f"    servicer: {service.name}Servicer, server: aio.Server | grpc.Server",
            ") -> None: ...",
        ]
    return "\n".join(lines) + "\n"


def client_line(method: MethodDescriptorProto) -> str:
    """How a client sees one RPC."""
    request, response = types_of(method)
    kind = "UnaryStream" if method.server_streaming else "UnaryUnary"
    return f"    {method.name}: aio.{kind}MultiCallable[{request}, {response}]"


def server_line(method: MethodDescriptorProto) -> str:
    """How a servicer sees one RPC: a stream is an async generator."""
    request, response = types_of(method)
    start, returned = "async def", response
    if method.server_streaming:
        start, returned = "def", f"AsyncIterator[{response}]"
    context = f"aio.ServicerContext[{request}, {response}]"
    return (
        f"    {start} {method.name}(\n"
        f"        self, request: {request}, context: {context}\n"
        f"    ) -> {returned}: ..."
    )


def types_of(method: MethodDescriptorProto) -> tuple[str, str]:
    """The request and response types; clients do not stream in this contract."""
    if method.client_streaming:
        raise SystemExit(f"{method.name}: client streams are not part of this contract")
    request, response = (
        name.rsplit(".", 1)[-1] for name in (method.input_type, method.output_type)
    )
    return f"pb.{request}", f"pb.{response}"


if __name__ == "__main__":
    sys.exit(main())
