"""How a server answers the outside: where, how much, how long."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerConfig:
    """The limits of one server. Sizes in bytes, times in seconds.

    `rate_*` hold for one account, or one address where nobody signed in; `strangers_per_second`
    bounds how many tokens not seen before one address may present. Accounts with one of
    `unlimited_roles` are not held back: they are ours. `stream_grace` is how long a stream may
    take to say goodbye when it must end; `drain` how long open calls get at shutdown. With
    `certificate` and `private_key` (PEM files) everything is encrypted.
    """

    listen: str = "127.0.0.1:0"
    reflection: bool = True
    max_message: int = 65_536
    rate_per_second: float = 100.0
    rate_burst: float = 200.0
    strangers_per_second: float = 50.0
    unlimited_roles: frozenset[str] = frozenset({"service", "bots"})
    deadline: float = 10.0
    max_streams: int = 10_000
    max_streams_per_account: int = 64
    stream_max_age: float = 1800.0
    stream_grace: float = 2.0
    drain: float = 5.0
    certificate: Path | None = None
    private_key: Path | None = None

    def channel_options(self) -> list[tuple[str, int]]:
        """The same for the gRPC core, with a keepalive that suits phones.

        A phone pings every 30-60 s while a stream is open; faster than 20 s is too many. A dead
        phone is noticed within 80 s. A port that is taken is an error, not shared.
        """
        age = int(self.stream_max_age * 1000)
        return [
            ("grpc.max_receive_message_length", self.max_message),
            ("grpc.so_reuseport", 0),
            ("grpc.keepalive_time_ms", 60_000),
            ("grpc.keepalive_timeout_ms", 20_000),
            ("grpc.keepalive_permit_without_calls", 0),
            ("grpc.http2.min_ping_interval_without_data_ms", 20_000),
            ("grpc.http2.max_ping_strikes", 2),
            ("grpc.max_connection_age_ms", age),
            ("grpc.max_connection_age_grace_ms", age + 60_000),
        ]
