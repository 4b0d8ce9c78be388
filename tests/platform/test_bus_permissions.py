"""The deployment's bus configuration on a real server: a service may say only what is its own."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import nats
import nkeys
import pytest

from shared.platform.bus import Bus, Consumer, Follower, Relay, stream_name
from shared.platform.embedded.nats import EmbeddedNats
from tests.platform.bus_world import FileLog, Projection, eventually, running, up_to

CONFIG = Path(__file__).parents[2] / "deploy" / "nats" / "nats.conf"
SERVICES = ("lobby", "rules", "scoring")
HEARS = [
    ("lobby", "rules"),
    ("lobby", "scoring"),
    ("rules", "lobby"),
    ("scoring", "rules"),
    ("scoring", "lobby"),
]


class Deployment(NamedTuple):
    url: str
    seeds: dict[str, str]


@pytest.fixture
def deployment(tmp_path: Path) -> Iterator[Deployment]:
    seeds = {name: _seed() for name in SERVICES}
    keys = {f"{name.upper()}_NKEY": _public(seed) for name, seed in seeds.items()}
    text = CONFIG.read_text(encoding="utf-8")
    assert text.count('store_dir: "/data"') == 1
    config = tmp_path / "nats.conf"
    config.write_text(text.replace('"/data"', f'"{tmp_path}"'), encoding="utf-8")
    with EmbeddedNats(tmp_path / "nats", config=config, environment=keys) as server:
        yield Deployment(server.url, seeds)


def _seed() -> str:
    return str(nkeys.encode_seed(os.urandom(32), nkeys.PREFIX_BYTE_USER).decode())


def _public(seed: str) -> str:
    return str(nkeys.from_seed(bytearray(seed.encode())).public_key.decode())


async def _line(deployment: Deployment, name: str) -> Bus:
    return await Bus.connect(deployment.url, name, nkey_seed=deployment.seeds[name])


@pytest.mark.parametrize(("hearer", "speaker"), HEARS)
async def test_each_service_publishes_its_log_and_consumes_the_others(
    deployment: Deployment, tmp_path: Path, hearer: str, speaker: str
) -> None:
    log = FileLog(tmp_path / "log.sqlite3")
    projection = Projection(tmp_path / "projection.sqlite3")
    heard: list[int] = []

    async def blind(after: int, limit: int) -> list[object]:
        return []

    async with await _line(deployment, speaker) as own, await _line(deployment, hearer) as other:
        relay = Relay(own, log, speaker)
        consumer = Consumer(
            other,
            name=f"{hearer}-{speaker}",
            service=speaker,
            handler=projection.handle,
            checkpoint=projection.checkpoint,
            read_log=blind,  # type: ignore[arg-type]  # everything must come over the bus
            dead_letter=projection.bury,
        )
        follower = Follower(other, speaker, lambda entry: heard.append(entry.position))
        async with running(relay, consumer, follower):
            await follower.ready.wait()
            log.append(5)
            await eventually(lambda: projection.applied == up_to(5))
            await eventually(lambda: heard == up_to(5))


def forbidden_to(name: str) -> Iterator[str]:
    """Subjects that a service must not publish to."""
    own = stream_name(name)
    yield from ("anything", "tally.v1", "tally.v2.x", f"_INBOX_{name}.x", "$SYS.REQ.SERVER.PING")
    yield from ("$JS.API.INFO", "$JS.API.STREAM.LIST", "$JS.API.STREAM.NAMES")
    for verb in ("DELETE", "PURGE", "MSG.DELETE", "SNAPSHOT", "RESTORE", "LEADER.STEPDOWN"):
        yield f"$JS.API.STREAM.{verb}.{own}"
    yield f"$JS.API.CONSUMER.CREATE.{own}.{name}-{name}"
    for other in SERVICES:
        if other == name:
            continue
        stream = stream_name(other)
        yield from (f"tally.v1.{other}.match.x.move", f"_INBOX_{other}.x")
        for verb in ("CREATE", "UPDATE", "DELETE", "PURGE", "MSG.DELETE", "MSG.GET", "INFO"):
            yield f"$JS.API.STREAM.{verb}.{stream}"
        yield f"$JS.API.DIRECT.GET.{stream}"
        third = next(one for one in SERVICES if one not in (name, other))
        foreign = f"{third}-{other}"
        yield f"$JS.API.CONSUMER.CREATE.{stream}.{foreign}"
        yield f"$JS.API.CONSUMER.CREATE.{stream}.{name}-{other}.tally.v1.{other}.>"
        yield f"$JS.API.CONSUMER.CREATE.{stream}"
        yield f"$JS.API.CONSUMER.DURABLE.CREATE.{stream}.{foreign}"
        yield f"$JS.API.CONSUMER.DELETE.{stream}.{foreign}"
        yield f"$JS.API.CONSUMER.DELETE.{stream}.{name}-{other}"
        yield f"$JS.API.CONSUMER.MSG.NEXT.{stream}.{foreign}"
        yield f"$JS.ACK.{stream}.{foreign}.1.1.1.1.1"


@pytest.mark.parametrize("name", SERVICES)
async def test_every_forbidden_subject_is_a_permission_violation(
    deployment: Deployment, name: str
) -> None:
    forbidden = list(forbidden_to(name))
    refused = await _refused(deployment, name, publish=forbidden)
    assert refused == {f'publish to "{subject}"'.lower() for subject in forbidden}


@pytest.mark.parametrize("name", SERVICES)
async def test_nobody_may_listen_to_what_is_not_meant_for_it(
    deployment: Deployment, name: str
) -> None:
    others = [f"_INBOX_{other}.>" for other in SERVICES if other != name]
    forbidden = [">", "_INBOX.>", "$JS.API.>", "$JS.ACK.>", "$SYS.>", "*.v1.>", *others]
    refused = await _refused(deployment, name, listen=forbidden)
    assert refused == {f'subscription to "{subject}"'.lower() for subject in forbidden}


async def _refused(
    deployment: Deployment,
    name: str,
    publish: Sequence[str] = (),
    listen: Sequence[str] = (),
) -> set[str]:
    """What the server said it forbids, out of what was tried."""
    said: list[str] = []

    async def note(error: Exception) -> None:
        said.append(str(error))

    client = await nats.connect(
        deployment.url,
        nkeys_seed_str=deployment.seeds[name],
        inbox_prefix=f"_INBOX_{name}",
        error_cb=note,
    )
    try:
        for subject in publish:
            await client.publish(subject, b"{}")
        for subject in listen:
            await client.subscribe(subject)
        await client.flush()
        await eventually(lambda: len(said) >= len(publish) + len(listen))
    finally:
        await client.close()
    return {text.lower().removeprefix("nats: permissions violation for ") for text in said}


@pytest.mark.parametrize("seed", ["", _seed()], ids=["nobody", "a stranger"])
async def test_who_has_no_identity_does_not_get_in_and_says_why(
    deployment: Deployment, seed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async with await Bus.connect(deployment.url, "rules", nkey_seed=seed, patience=0.5) as bus:
        assert not bus.connected
    assert "".join(capsys.readouterr()).count("NATS refuses this service") == 1


async def test_a_service_that_oversteps_says_so_once(
    deployment: Deployment, capsys: pytest.CaptureFixture[str]
) -> None:
    async with await _line(deployment, "rules") as bus, bus.session() as (client, _):
        for _ in range(3):
            await client.publish("tally.v1.lobby.match.x.move", b"")
        await client.flush()
        await asyncio.sleep(0.05)
    assert "".join(capsys.readouterr()).count("NATS forbids this service a subject") == 1
