"""The games on offer: what can be asked of them when a table is opened, and their description."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec

from protos.tallystick.lobby.v1 import lobby_pb2 as pb
from shared.engine.data import Choice
from shared.engine.errors import BadOption
from shared.engine.game import Game, content_digest, installed
from shared.platform.rpc.errors import FailedPrecondition, InvalidArgument, NotFound

MAX_OVERRIDE = 65_536
"""Bytes of a content override: several times the largest game's own tables."""


class Terms(NamedTuple):
    """What a table plays: the game, all its options, the content override and its digest."""

    game: Game
    players: int
    options: dict[str, str]
    content: str
    digest: str


def rulebook(game: Game) -> str:
    """The rules in our words, from the folder that the game's code lies in; empty if none."""
    folder = game.state.__module__.rpartition(".")[0]
    path = files(folder).joinpath("RULES.md")
    return path.read_text(encoding="utf-8") if path.is_file() else ""


class Offer:
    """The games and bots of this server."""

    def __init__(
        self,
        games: Mapping[str, Game],
        bots: Mapping[str, str],
        rules_text: Callable[[Game], str] = rulebook,
    ) -> None:
        """`bots` are the kinds of bots with the names to show."""
        self.games = games
        self.bots = bots
        self._rules_text = rules_text
        self.describe = cache(self._describe)

    def game(self, name: str) -> Game:
        """The game of that id. Raises `NotFound`."""
        found = self.games.get(name)
        if found is None:
            raise NotFound(
                "GAME_NOT_FOUND",
                f"there is no game {name!r} here; there are: {', '.join(sorted(self.games))}",
                game=name,
            )
        return found

    def plays(self, name: str, edition: str) -> bool:
        """Whether a match of a game can begin in an edition, be it the newest or an earlier one."""
        return edition in self._editions(name)

    def must_play(self, name: str, edition: str) -> None:
        """Refuse an edition that was on offer when a table was opened and is not here any more."""
        if not self.plays(name, edition):
            here = ", ".join(self._editions(name)) or "none"
            raise FailedPrecondition(
                "EDITION_NOT_INSTALLED",
                f"the table was opened for edition {edition} of {name!r}; the editions of it "
                f"installed here are: {here}. Open a new table",
                game=name, edition=edition, installed=here,
            )  # fmt: skip

    def _editions(self, name: str) -> list[str]:
        game = self.games.get(name)
        return [one.edition for one in game.editions] if game is not None else []

    def bot_name(self, kind: str, field: str) -> str:
        """The name to show for a kind of bot. Raises `InvalidArgument`."""
        if kind not in self.bots:
            raise InvalidArgument(field, f"{kind!r} is no bot; it is {_words(self.bots)}")
        return self.bots[kind]

    def terms(self, name: str, players: int, options: Mapping[str, str], override: str) -> Terms:
        """What a table will play, checked by the game itself. Raises `InvalidArgument`."""
        game = self.game(name)
        self.check_players(game, players)
        full = _full_options(game, options)
        if len(override.encode()) > MAX_OVERRIDE:
            raise InvalidArgument("content_override", f"at most {MAX_OVERRIDE} bytes")
        content = _content(game, players, full, override)
        return Terms(game, players, full, override, content_digest(content))

    def check_players(self, game: Game, players: int) -> None:
        """Raises `InvalidArgument` for a number of players that the game does not take."""
        if players not in game.players:
            raise InvalidArgument(
                "players", f"{game.title} takes {_words(map(str, game.players))}, not {players}"
            )

    def summary(self, game: Game) -> pb.GameSummary:
        """One line of the list of games."""
        return pb.GameSummary(
            game=game.id, title=game.title, edition=game.edition, players=game.players
        )

    def _describe(self, name: str, edition: str = "") -> pb.DescribeGameResponse:
        """All that a client needs to offer and to draw a game, in its newest edition or that one.

        The content digest is that of the smallest player count with every option at its default.
        Raises `NotFound` or `NotInstalled`.
        """
        game = self.game(name)
        if edition:
            game = installed(self.games, name, edition)
        rules = self._rules_text(game)
        defaults = {option.name: option.default for option in game.options}
        content = game.content(min(game.players), defaults, "")
        return pb.DescribeGameResponse(
            game=self.summary(game),
            options=[
                pb.GameOption(
                    name=one.name, title=one.title, choices=one.choices, default_choice=one.default
                )
                for one in game.options
            ],
            board_schema_json=_schema(game.state),
            fact_schemas_json=_schemas(tuple(game.evolve)),
            choice_schemas_json=_schemas(_choices(game)),
            rules_text=rules,
            rules_digest=hashlib.sha256(rules.encode()).hexdigest(),
            content_digest=content_digest(content),
            messages=game.messages,
            bots=sorted(self.bots),
        )


def _full_options(game: Game, options: Mapping[str, str]) -> dict[str, str]:
    known = {option.name: option for option in game.options}
    full = {name: option.default for name, option in known.items()}
    for name, value in options.items():
        field = f"options[{name!r}]"
        if name not in known:
            raise InvalidArgument(field, f"{game.title} has no such option; it has {_words(known)}")
        choices = known[name].choices
        if choices and value not in choices:
            raise InvalidArgument(field, f"it is {_words(choices)}, not {value!r}")
        full[name] = value
    return full


def _content(game: Game, players: int, options: Mapping[str, str], override: str) -> Any:
    """The tables of the match. A refusal is the override's fault if all is well without it."""
    try:
        return game.content(players, options, override)
    except (RecursionError, ValueError) as error:
        if not override:
            raise
        # What its grammar allows and no parser takes: too deep, too many digits.
        raise InvalidArgument("content_override", f"it cannot be read: {error}") from error
    except BadOption as error:
        field = "options"
        if override and _accepts(game, players, options):
            field = "content_override"
        raise InvalidArgument(field, str(error)) from error


def _accepts(game: Game, players: int, options: Mapping[str, str]) -> bool:
    try:
        game.content(players, options, "")
    except BadOption:
        return False
    return True


def _choices(game: Game) -> list[type[Any]]:
    """The choices of a game: those of its messages that are not facts."""
    found: dict[str, type[Any]] = {}
    waiting: list[type[Any]] = [Choice]
    while waiting:
        for kind in waiting.pop().__subclasses__():
            waiting.append(kind)
            if kind.__name__ in game.messages and _same_game(kind, game):
                found[kind.__name__] = kind
    return list(found.values())


def _same_game(kind: type[Any], game: Game) -> bool:
    """Whether a type is declared in the folder of the game's state."""
    return kind.__module__.rpartition(".")[0] == game.state.__module__.rpartition(".")[0]


def _schema(kind: Any) -> str:
    return msgspec.json.encode(msgspec.json.schema(kind), order="sorted").decode()


def _schemas(kinds: tuple[type[Any], ...] | list[type[Any]]) -> dict[str, str]:
    return {kind.__name__: _schema(kind) for kind in kinds}


def _words(words: Any) -> str:
    return " or ".join(words) if not isinstance(words, str) else words
