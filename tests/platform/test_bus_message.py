"""What an entry looks like on the bus, without any bus."""

from __future__ import annotations

import pytest

from shared.engine.record import record_hash
from shared.platform.bus import stream_name, subject, subjects
from shared.platform.bus.message import DamagedMessage, headers, read
from shared.platform.store import LogEntry

BODY = b'{"at":1700000000123}'
ENTRY = LogEntry(7, "match-ab12", 3, "move", BODY, record_hash(BODY))


@pytest.mark.parametrize(
    ("stream", "type_", "expected"),
    [
        ("match-ab12", "move", "tally.v1.rules.match.ab12.move"),
        ("table-a-b", "opened", "tally.v1.rules.table.a-b.opened"),
        ("ratings", "rated", "tally.v1.rules.ratings._.rated"),
        ("match-a.b *>", "x.y", "tally.v1.rules.match.a_b___.x_y"),
    ],
)
def test_the_subject_names_kind_id_and_type(stream: str, type_: str, expected: str) -> None:
    assert subject("rules", LogEntry(1, stream, 1, type_, BODY, ENTRY.hash)) == expected


def test_a_service_has_one_stream_with_all_its_subjects() -> None:
    assert stream_name("rules") == "TALLY_RULES"
    assert subjects("rules") == "tally.v1.rules.>"


def test_what_is_written_is_what_is_read() -> None:
    assert read("rules", headers("rules", "epoch-1", ENTRY), BODY) == ("epoch-1", ENTRY)


def test_a_body_without_a_time_has_no_time_header() -> None:
    for body in (b"not json", b"{}", b'{"at":"noon"}', b'{"at":99999999999999999}'):
        entry = LogEntry(7, "match-ab12", 3, "move", body, record_hash(body))
        assert "ce-time" not in headers("rules", "e", entry)


@pytest.mark.parametrize(
    "change",
    [
        {"Tally-Position": "8"},
        {"Tally-Position": "seven"},
        {"Tally-Hash": "0" * 64},
        {"Tally-Version": ""},
        {"ce-id": "epoch-1"},
    ],
)
def test_a_changed_header_is_noticed(change: dict[str, str]) -> None:
    with pytest.raises(DamagedMessage):
        read("rules", {**headers("rules", "epoch-1", ENTRY), **change}, BODY)


def test_a_changed_body_and_a_missing_header_are_noticed() -> None:
    found = headers("rules", "epoch-1", ENTRY)
    with pytest.raises(DamagedMessage, match="do not give their hash"):
        read("rules", found, BODY + b" ")
    for name in ("ce-id", "ce-type", "ce-subject", "Tally-Position", "Tally-Hash"):
        with pytest.raises(DamagedMessage, match="lacks a header"):
            read("rules", {key: value for key, value in found.items() if key != name}, BODY)
    with pytest.raises(DamagedMessage):
        read("rules", None, BODY)
