"""What can happen at a table before and after play, as it is written into the table's log.

A table's log is the stream `table-<id>`. Other services read it by the names below: the type of
a record, the names and fields of its facts. They are a contract: add, never change.
"""

from __future__ import annotations

from shared.engine.data import Data, Fact

OPENED = "opened"
SEATED = "seated"
LEFT = "left"
BOT_SEATED = "bot-seated"
KICKED = "kicked"
INVITED = "invited"
COMMITTED = "committed"
ENTROPY_ADDED = "entropy-added"
CALLED = "called"
STARTED = "started"
BEGAN = "began"
FINISHED = "finished"
CLOSED = "closed"

PLAYER = "player"
"""The kind of a seat that a person holds; every other kind is a kind of bot."""

ANY_SEAT = -1
"""An invitation that is not bound to one seat."""


class TableOpened(Fact, frozen=True, gc=False):
    """A table with all its settings. `content` is an override of the game's tables as text.

    `quick` numbers the quick-match tables of one game and player count from 1; 0 is a table that
    somebody opened by hand. A quick table has no owner.
    """

    game: str
    edition: str
    players: int
    options: dict[str, str]
    content: str
    digest: str
    owner: str
    unlisted: bool
    quick: int = 0


class SeatKept(Fact, frozen=True, gc=False):
    """A seat is kept for one account."""

    seat: int
    account: str


class SeatTaken(Fact, frozen=True, gc=False):
    """A person sat down."""

    seat: int
    account: str
    name: str


class BotSeated(Fact, frozen=True, gc=False):
    """The owner put a bot on a seat."""

    seat: int
    account: str
    name: str
    bot: str


class SeatLeft(Fact, frozen=True, gc=False):
    """A person stood up."""

    seat: int
    account: str


class SeatKicked(Fact, frozen=True, gc=False):
    """The owner freed a seat."""

    seat: int
    account: str


class InvitationMade(Fact, frozen=True, gc=False):
    """Who has the code may join. Only its SHA-256 is written; `expires` is in milliseconds."""

    code: str
    seat: int
    expires: int


class SeedCommitted(Fact, frozen=True, gc=False):
    """Rules has committed to the seed of the match, before any seat added entropy."""

    commitment: str


class EntropyAdded(Fact, frozen=True, gc=False):
    """A person added bytes (hex) of their own to the chance of the match."""

    seat: int
    entropy: str


class StartCalled(Fact, frozen=True, gc=False):
    """Seats no longer change; the match is ordered when everybody has added entropy, or soon."""


class MatchSeat(Data, frozen=True, gc=False):
    """Who plays a seat: the account, the name to show, and `player` or a kind of bot."""

    account: str
    name: str
    kind: str


class TableStarted(Fact, frozen=True, gc=False):
    """The order to set up the match: everything that rules needs. The match has the table's id.

    `commitment` is the one that the table showed: rules sets up no match with another seed.
    """

    game: str
    edition: str
    options: dict[str, str]
    content: str
    digest: str
    seats: tuple[MatchSeat, ...]
    entropy: tuple[str, ...]
    commitment: str = ""
    unlisted: bool = False


class MatchBegan(Fact, frozen=True, gc=False):
    """Rules has set the match up."""

    match: str


class MatchFinished(Fact, frozen=True, gc=False):
    """Rules has closed the match: `played` to the end or `resigned`."""

    reason: str


class TableClosed(Fact, frozen=True, gc=False):
    """The table is gone without a match. `detail` is in words, where there is more to say."""

    reason: str
    detail: str = ""
