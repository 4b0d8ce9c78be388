"""How services hear of each other: a relay per log, consumers that survive everything, hints."""

from shared.platform.bus.connection import Bus
from shared.platform.bus.consumer import Consumer
from shared.platform.bus.errors import BusDown, BusError, EpochChanged, ForeignStream, LogGap
from shared.platform.bus.follow import Follower
from shared.platform.bus.message import stream_name, subject, subjects
from shared.platform.bus.relay import Relay

__all__ = [
    "Bus",
    "Relay",
    "Consumer",
    "Follower",
    "stream_name",
    "subject",
    "subjects",
    "BusError",
    "BusDown",
    "EpochChanged",
    "ForeignStream",
    "LogGap",
]
