"""The machine that is measured on, so that figures of two machines are not mixed up."""

from __future__ import annotations

import os
import platform
import shutil
import sqlite3
import subprocess
import tempfile
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from shared.platform.embedded.nats import EmbeddedNatsError, server_binary
from shared.platform.embedded.postgres import EmbeddedPostgresError, binaries
from tests.bench.rounds import percentile

SYNC_SECONDS = 1.0
PACKAGES = ("grpcio", "nats-py", "psycopg", "sqlalchemy", "msgspec", "uvloop", "eventsourcing")


def describe() -> dict[str, Any]:
    """Processor, memory, disk and the versions of what is measured."""
    return {
        "processor": processor(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "system": f"{platform.system()} {platform.release()}",
        "load_before": round(os.getloadavg()[0], 2),
        "python": platform.python_version(),
        "postgresql": postgresql(),
        "nats": nats(),
        "sqlite": sqlite3.sqlite_version,
        "node": said("node", "--version"),
        "packages": {name: installed(name) for name in PACKAGES},
        "disk": syncs(),
    }


def processor() -> str:
    """The model of the processor as the system names it."""
    known = Path("/proc/cpuinfo")
    for line in known.read_text().splitlines() if known.exists() else ():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def postgresql() -> str:
    try:
        return said(str(binaries() / "postgres"), "--version").removeprefix(
            "postgres (PostgreSQL) "
        )
    except EmbeddedPostgresError:
        return ""


def nats() -> str:
    try:
        return said(str(server_binary()), "--version").removeprefix("nats-server: v")
    except EmbeddedNatsError:
        return ""


def said(program: str, *arguments: str) -> str:
    """What a program answers; empty if there is none."""
    if shutil.which(program) is None:
        return ""
    ran = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=20)
    return ran.stdout.strip()


def installed(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def syncs() -> dict[str, float]:
    """Appends of 512 bytes, each synced, where the measured databases lie."""
    times: list[float] = []
    with tempfile.TemporaryFile(buffering=0) as file:
        end = time.perf_counter() + SYNC_SECONDS
        while (begun := time.perf_counter()) < end:
            file.write(b"x" * 512)
            os.fsync(file.fileno())
            times.append(time.perf_counter() - begun)
    return {
        "fsync_per_s": round(len(times) / sum(times)),
        "fsync_p50_ms": round(percentile(times, 0.5) * 1e3, 3),
        "fsync_p99_ms": round(percentile(times, 0.99) * 1e3, 3),
    }
