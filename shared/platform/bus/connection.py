"""One service's line to NATS: it comes back for ever, and never keeps a message for later.

Publishing while the line is down raises. A client that buffers instead would send old messages
after the service has already decided what to do about the outage. So a client that lost its
connection is thrown away and a new one made; whoever works over it works in a `session`, which
ends at that moment.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

import nats
import nats.errors
from nats.aio.client import Client
from nats.js import JetStreamContext

from shared.platform.bus.errors import BusDown
from shared.platform.logging import get_logger

REQUEST_SECONDS = 3.0
RETRY_SECONDS = 0.25

log = get_logger("bus")


def heed_cancellation() -> None:
    """End a task that was told to end while a library swallowed the news.

    `asyncio.wait_for` of Python 3.11 drops a cancellation that meets its result, and nats-py
    drops one while it flushes. Loops over their calls would then run for ever.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


class Bus:
    """The line of one service. `name` is its identity: its inbox is `_INBOX_<name>`."""

    def __init__(self, url: str | Sequence[str], name: str, **credentials: Any) -> None:
        self.name = name
        self._servers = url.split(",") if isinstance(url, str) else list(url)
        self._credentials = credentials
        self._client: Client | None = None
        self._js: JetStreamContext | None = None
        self._up = asyncio.Event()
        self._closed = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None
        self._sessions: set[asyncio.Timeout] = set()
        self._said: set[str] = set()
        self.generation = 0
        """Counts connections, so that a worker sees that the line was down in between."""

    @classmethod
    async def connect(
        cls,
        url: str | Sequence[str],
        name: str,
        *,
        nkey_file: Path | None = None,
        nkey_seed: str = "",
        user: str = "",
        password: str = "",
        patience: float = 2.0,
    ) -> Bus:
        """Open the line. If NATS does not answer within `patience`, keep trying behind the scenes.

        A service starts without its bus: it is slower to hear of others, and loses nothing.
        """
        credentials: dict[str, Any] = {
            "nkeys_seed": str(nkey_file) if nkey_file else None,
            "nkeys_seed_str": nkey_seed or None,
            "user": user or None,
            "password": password or None,
        }
        bus = cls(url, name, **{key: value for key, value in credentials.items() if value})
        bus._keeper = asyncio.create_task(bus._keep(), name=f"bus-{name}")
        if not await bus.wait_connected(patience):
            log.warning("NATS does not answer; going on without the bus", service=name)
        return bus

    async def close(self) -> None:
        """Hang up."""
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)
            self._keeper = None
        await self._hang_up()

    async def __aenter__(self) -> Bus:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    @property
    def connected(self) -> bool:
        """Whether the line is up."""
        return self._up.is_set()

    async def wait_connected(self, timeout: float | None = None) -> bool:
        """Wait until the line is up; whether it is."""
        try:
            async with asyncio.timeout(timeout):
                await self._up.wait()
        except TimeoutError:
            return False
        return True

    @asynccontextmanager
    async def session(self) -> AsyncIterator[tuple[Client, JetStreamContext]]:
        """A piece of work over one connection: `BusDown` at the moment that it drops."""
        if not self._up.is_set() or self._client is None or self._js is None:
            raise BusDown(f"{self.name} has no connection to NATS")
        scope = asyncio.timeout(None)
        try:
            async with scope:
                self._sessions.add(scope)
                yield self._client, self._js
                heed_cancellation()
        except TimeoutError as error:
            if scope.expired():
                raise BusDown(f"{self.name} lost its connection to NATS") from error
            raise
        finally:
            self._sessions.discard(scope)

    async def _keep(self) -> None:
        """Connect, and again whenever the connection is lost."""
        while True:
            heed_cancellation()
            try:
                await self._dial()
                await self._closed.wait()
            except (OSError, TimeoutError, nats.errors.Error) as error:
                await self._complain(error)
            await self._hang_up()
            await asyncio.sleep(RETRY_SECONDS)

    async def _dial(self) -> None:
        """Make a connected client, or raise after a few attempts."""
        self._closed.clear()
        self._client = client = Client()
        await client.connect(
            self._servers,
            name=f"tallystick-{self.name}",
            inbox_prefix=f"_INBOX_{self.name}",
            no_echo=True,  # a service knows what it said itself
            pending_size=-1,
            allow_reconnect=False,
            max_reconnect_attempts=1,
            reconnect_time_wait=RETRY_SECONDS,  # type: ignore[arg-type]  # seconds, any number
            connect_timeout=2,
            ping_interval=10,
            max_outstanding_pings=2,
            error_cb=self._complain,
            disconnected_cb=self._went_down,
            **self._credentials,
        )
        heed_cancellation()
        self._watch_over(client)
        self._js = client.jetstream(timeout=REQUEST_SECONDS)
        self.generation += 1
        self._said.clear()
        self._up.set()
        log.info("connected to NATS", service=self.name, connection=self.generation)

    def _watch_over(self, client: Client) -> None:
        """Notice the end of the connection by the end of what works on it.

        nats-py tells of it too, but not when a reset meets it while it closes: its reading task
        then dies of that, without a word.
        """

        def ended(task: asyncio.Task[None]) -> None:
            if not task.cancelled() and task.exception() is not None:
                log.debug("the connection broke", service=self.name, problem=str(task.exception()))
            if client is self._client:
                self._closed.set()

        for task in (client._reading_task, client._ping_interval_task, client._flusher_task):
            if task is not None:
                task.add_done_callback(ended)

    async def _hang_up(self) -> None:
        client, self._client, self._js = self._client, None, None
        await self._went_down()
        if client is None:
            return
        # A reset that meets nats-py while it closes breaks that off. So it is closed (again),
        # with nothing left to send over a line that may be dead.
        client._status = Client.DISCONNECTED
        client._pending, client._pending_data_size = [], 0
        with contextlib.suppress(OSError):
            await client.close()

    async def _went_down(self) -> None:
        if not self._up.is_set():
            return
        self._up.clear()
        now = asyncio.get_running_loop().time()
        for scope in tuple(self._sessions):
            if scope.when() is None:
                scope.reschedule(now)
        log.warning("lost the connection to NATS", service=self.name)

    async def _complain(self, error: Exception) -> None:
        """Say what is wrong once, not at every attempt."""
        problem = f"{type(error).__name__}: {error}"
        complaint = _advice(problem) or "trouble with NATS: " + problem
        if complaint in self._said:
            return
        self._said.add(complaint)
        level = log.error if _advice(problem) else log.warning
        level(complaint, service=self.name, problem=problem)


def _advice(problem: str) -> str:
    """What to do about a problem that only a person can solve."""
    text = problem.lower()
    if "permissions violation" in text:
        return "NATS forbids this service a subject: compare deploy/nats/nats.conf"
    if "authorization" in text:
        return "NATS refuses this service: check TALLY_NATS_NKEY_FILE and the server's users"
    return ""
