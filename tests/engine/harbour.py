"""Harbour: a tiny made-up game that uses every part of the engine once.

Hidden cards, sealed simultaneous bids, nested effects, a trigger, chance, a content table that
can be overridden. Three rounds; each round all seats bid for a card, then each takes one action.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Annotated, Any

from shared.engine.chance import Chance
from shared.engine.data import UNKNOWN, Choice, Data, Effect, Fact, replace
from shared.engine.errors import BadOption, RuleViolation
from shared.engine.game import (
    Game,
    GameOption,
    GameState,
    Option,
    Question,
    ScoreLine,
    Standing,
    Together,
)
from shared.engine.hidden import REVEALED, SECRET, SecretTo
from shared.engine.table import Table

PLOTS = ("quay", "lighthouse", "market", "warehouse")
CARDS = ("salvage-crew", "harbour-master", "rope", "anchor", "lantern", "net", "barrel", "sail")


class Content(Data, frozen=True, gc=False):
    """The tables of one match."""

    rounds: int
    plot_costs: tuple[int, ...]
    deck: tuple[str, ...]


class Player(Data, frozen=True, gc=False):
    coins: int = 3
    hand: tuple[str, ...] = ()
    houses: tuple[str, ...] = ()
    bid: str = ""


class State(GameState, frozen=True, gc=False, kw_only=True):
    players: tuple[Player, ...]
    deck: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    round: int = 0


class DeckShuffled(Fact, frozen=True, gc=False):
    deck: Annotated[tuple[str, ...], SECRET]


class CardsDrawn(Fact, frozen=True, gc=False):
    seat: int
    cards: Annotated[tuple[str, ...], SecretTo("seat")]


class CardsDiscarded(Fact, frozen=True, gc=False):
    seat: int
    cards: Annotated[tuple[str, ...], REVEALED]


class RoundStarted(Fact, frozen=True, gc=False):
    round: int


class BidSealed(Fact, frozen=True, gc=False):
    seat: int
    bid: Annotated[str, SecretTo("seat")]


class BidsRevealed(Fact, frozen=True, gc=False):
    bids: Annotated[tuple[str, ...], REVEALED]


class CoinsPaid(Fact, frozen=True, gc=False):
    seat: int
    coins: int


class CoinsGained(Fact, frozen=True, gc=False):
    seat: int
    coins: int


class HouseBuilt(Fact, frozen=True, gc=False):
    seat: int
    plot: str


class DieRolled(Fact, frozen=True, gc=False):
    seat: int
    pips: int


class StartRound(Effect, frozen=True, gc=False):
    round: int


class RevealBids(Effect, frozen=True, gc=False):
    pass


class Draw(Effect, frozen=True, gc=False):
    seat: int
    cards: int


class Gain(Effect, frozen=True, gc=False):
    seat: int
    coins: int


class AskBid(Effect, frozen=True, gc=False):
    seat: int


class AskTurn(Effect, frozen=True, gc=False):
    seat: int


class AskKeep(Effect, frozen=True, gc=False):
    seat: int
    cards: Annotated[tuple[str, ...], SecretTo("seat")]


class AskMaster(Effect, frozen=True, gc=False):
    seat: int


class Bid(Choice, frozen=True, gc=False):
    coins: int


class Build(Choice, frozen=True, gc=False):
    plot: str


class PlayCard(Choice, frozen=True, gc=False):
    card: str


class Gamble(Choice, frozen=True, gc=False):
    pass


class Keep(Choice, frozen=True, gc=False):
    card: str


class TakeCoins(Choice, frozen=True, gc=False):
    pass


class TakeCards(Choice, frozen=True, gc=False):
    pass


class Pass(Choice, frozen=True, gc=False):
    pass


def with_player(state: State, seat: int, **changes: Any) -> State:
    players = list(state.players)
    players[seat] = replace(players[seat], **changes)
    return replace(state, players=tuple(players))


def load_content(players: int, options: Mapping[str, str], override: str) -> Content:
    rounds = options["rounds"]
    if rounds not in ("2", "3"):
        raise BadOption(f"rounds is 2 or 3, not {rounds!r}")
    try:
        table = tomllib.loads(override)
    except tomllib.TOMLDecodeError as error:
        raise BadOption(f"the content override is not TOML: {error}") from error
    costs = table.get("plot_costs", [1, 2, 2, 1])
    if len(costs) != len(PLOTS) or not all(type(cost) is int for cost in costs):
        raise BadOption(f"plot_costs needs {len(PLOTS)} whole numbers")
    return Content(int(rounds), tuple(costs), CARDS * 3)


def set_up(table: Table) -> None:
    table.record(DeckShuffled(table.chance.shuffle(table.content.deck)))
    seats = range(len(table.state.players))
    table.then(*(Draw(seat, 2) for seat in seats), StartRound(1))


def start_round(table: Table, effect: StartRound) -> None:
    if effect.round > table.content.rounds:
        return
    seats = range(len(table.state.players))
    table.record(RoundStarted(effect.round))
    table.then(
        Together(tuple(AskBid(seat) for seat in seats)),
        RevealBids(),
        *(AskTurn(seat) for seat in seats),
        StartRound(effect.round + 1),
    )


def bid_options(_: Content, state: State, ask: AskBid) -> tuple[Option, ...]:
    most = min(2, state.players[ask.seat].coins)
    return tuple(Option(f"bid {coins}", Bid(coins)) for coins in range(most + 1))


def answer_bid(table: Table, ask: AskBid, choice: Bid) -> None:
    table.record(BidSealed(ask.seat, str(choice.coins)))


def reveal_bids(table: Table, _: RevealBids) -> None:
    bids = tuple(player.bid for player in table.state.players)
    table.record(BidsRevealed(bids))
    winners = [seat for seat, bid in enumerate(bids) if bid == max(bids)]
    if len(winners) == 1 and int(bids[winners[0]]):
        table.record(CoinsPaid(winners[0], int(bids[winners[0]])))
        table.then(Draw(winners[0], 1))


def draw(table: Table, effect: Draw) -> None:
    cards = table.state.deck[: effect.cards]
    if cards:
        table.record(CardsDrawn(effect.seat, cards))


def gain(table: Table, effect: Gain) -> None:
    table.record(CoinsGained(effect.seat, effect.coins))


def turn_options(content: Content, state: State, ask: AskTurn) -> tuple[Option, ...]:
    me = state.players[ask.seat]
    built = {plot for player in state.players for plot in player.houses}
    found = [
        Option(f"build {plot}", Build(plot))
        for plot, cost in zip(PLOTS, content.plot_costs, strict=True)
        if plot not in built and me.coins >= cost
    ]
    found += [Option(f"play {card}", PlayCard(card)) for card in sorted(set(me.hand))]
    return (*found, Option("gamble", Gamble()), Option("pass", Pass()))


def answer_turn(table: Table, ask: AskTurn, choice: Choice) -> None:
    seat = ask.seat
    match choice:
        case Build(plot):
            table.record(CoinsPaid(seat, table.content.plot_costs[PLOTS.index(plot)]))
            table.record(HouseBuilt(seat, plot))
        case PlayCard(card):
            table.record(CardsDiscarded(seat, (card,)))
            table.then(*play_card(table, seat, card))
        case Gamble():
            pips = table.chance.below(6) + 1
            table.record(DieRolled(seat, pips))
            if pips >= 4:
                table.then(Gain(seat, 2))


def play_card(table: Table, seat: int, card: str) -> tuple[Effect, ...]:
    if card == "salvage-crew" and (drawn := table.state.deck[:3]):
        table.record(CardsDrawn(seat, drawn))
        return (AskKeep(seat, drawn), Gain(seat, 1))
    return (AskMaster(seat),) if card == "harbour-master" else (Gain(seat, 1),)


def keep_options(_: Content, __: State, ask: AskKeep) -> tuple[Option, ...]:
    return tuple(Option(f"keep {card}", Keep(card)) for card in sorted(set(ask.cards)))


def answer_keep(table: Table, ask: AskKeep, choice: Keep) -> None:
    rest = list(ask.cards)
    rest.remove(choice.card)
    if rest:
        table.record(CardsDiscarded(ask.seat, tuple(rest)))


def master_options(_: Content, __: State, ___: AskMaster) -> tuple[Option, ...]:
    return (Option("take coins", TakeCoins()), Option("take cards", TakeCards()))


def answer_master(table: Table, ask: AskMaster, choice: Choice) -> None:
    table.then(Gain(ask.seat, 3) if type(choice) is TakeCoins else Draw(ask.seat, 2))


def lighthouse_pays(_: Content, state: State, fact: HouseBuilt) -> tuple[Effect, ...]:
    """Whoever owns the lighthouse gains 1 coin when another seat builds."""
    return tuple(
        Gain(seat, 1)
        for seat, player in enumerate(state.players)
        if "lighthouse" in player.houses and seat != fact.seat
    )


def without(hand: tuple[str, ...], cards: tuple[str, ...]) -> tuple[str, ...]:
    """The hand less some cards; a card that the viewer does not know counts as one unknown."""
    rest = list(hand)
    for card in cards:
        rest.remove(card if card in rest else UNKNOWN)
    return tuple(rest)


def drawn(state: State, fact: CardsDrawn) -> State:
    hand = state.players[fact.seat].hand + fact.cards
    return replace(with_player(state, fact.seat, hand=hand), deck=state.deck[len(fact.cards) :])


def discarded(state: State, fact: CardsDiscarded) -> State:
    hand = without(state.players[fact.seat].hand, fact.cards)
    state = with_player(state, fact.seat, hand=hand)
    return replace(state, discards=state.discards + fact.cards)


def paid(state: State, fact: CoinsPaid) -> State:
    return with_player(state, fact.seat, coins=state.players[fact.seat].coins - fact.coins)


def gained(state: State, fact: CoinsGained) -> State:
    return with_player(state, fact.seat, coins=state.players[fact.seat].coins + fact.coins)


def built(state: State, fact: HouseBuilt) -> State:
    return with_player(state, fact.seat, houses=(*state.players[fact.seat].houses, fact.plot))


def bids_open(state: State, fact: BidsRevealed) -> State:
    pairs = zip(state.players, fact.bids, strict=True)
    return replace(state, players=tuple(replace(player, bid=bid) for player, bid in pairs))


def score(_: Content, state: State) -> tuple[ScoreLine, ...]:
    lines = []
    for seat, player in enumerate(state.players):
        lines.append(ScoreLine(seat, "houses", 3 * len(player.houses)))
        lines.append(ScoreLine(seat, "coins", player.coins))
    return tuple(lines)


def rank(content: Content, state: State) -> tuple[Standing, ...]:
    totals = [0] * len(state.players)
    for line in score(content, state):
        totals[line.seat] += line.points
    return tuple(
        Standing(seat, 1 + sum(other > total for other in totals), total)
        for seat, total in enumerate(totals)
    )


def imagine(content: Content, state: State, chance: Chance) -> State:
    """Deal the cards that the viewer cannot see at random among the places they may be."""
    unseen = list(content.deck)
    for card in (*state.discards, *(card for player in state.players for card in player.hand)):
        if card != UNKNOWN:
            unseen.remove(card)
    cards = list(chance.shuffle(unseen))
    players = tuple(
        replace(
            player,
            hand=tuple(cards.pop() if card == UNKNOWN else card for card in player.hand),
            bid="0" if player.bid == UNKNOWN else player.bid,
        )
        for player in state.players
    )
    return replace(state, players=players, deck=tuple(cards))


def appraise(content: Content, state: State) -> tuple[float, ...]:
    totals = [0.2 * len(player.hand) for player in state.players]
    for line in score(content, state):
        totals[line.seat] += line.points
    return tuple(totals)


def picture(_: Content, state: State, names: tuple[str, ...]) -> str:
    rows = [f"Harbour, round {state.round}, {len(state.deck)} cards in the deck"]
    for name, player in zip(names, state.players, strict=True):
        houses, hand = ", ".join(player.houses) or "-", ", ".join(player.hand) or "-"
        rows.append(f"{name}: {player.coins} coins, houses {houses}, hand {hand}")
    return "\n".join(rows)


def pieces(_: Content, state: State) -> dict[str, int]:
    hands = sum(len(player.hand) for player in state.players)
    return {"cards": hands + len(state.deck) + len(state.discards)}


def explain(_: Content, __: State, ask: Any, move: str) -> RuleViolation | None:
    if type(ask) is AskTurn and move.startswith("build "):
        return RuleViolation("cannot-build", "2.1", f"{move[6:]!r} is taken or too dear")
    return None


HARBOUR = Game(
    id="harbour",
    title="Harbour",
    edition="1",
    players=(2, 3, 4),
    options=(GameOption("rounds", "Rounds to play", "3", ("2", "3")),),
    state=State,
    content=load_content,
    blank=lambda _, players: State(players=(Player(),) * players),
    setup=set_up,
    evolvers={
        DeckShuffled: lambda state, fact: replace(state, deck=fact.deck),
        CardsDrawn: drawn,
        CardsDiscarded: discarded,
        RoundStarted: lambda state, fact: replace(state, round=fact.round),
        BidSealed: lambda state, fact: with_player(state, fact.seat, bid=fact.bid),
        BidsRevealed: bids_open,
        CoinsPaid: paid,
        CoinsGained: gained,
        HouseBuilt: built,
        DieRolled: lambda state, _: state,
    },
    resolvers={StartRound: start_round, RevealBids: reveal_bids, Draw: draw, Gain: gain},
    questions={
        AskBid: Question("Bid for a card", bid_options, answer_bid, secret=True),
        AskTurn: Question("Take an action", turn_options, answer_turn),
        AskKeep: Question("Keep one card", keep_options, answer_keep, secret=True),
        AskMaster: Question("Harbour Master", master_options, answer_master),
    },
    score=score,
    rank=rank,
    imagine=imagine,
    appraise=appraise,
    picture=picture,
    pieces=pieces,
    explain=explain,
    triggers={HouseBuilt: lighthouse_pays},
    messages={
        "DeckShuffled": "The deck is shuffled.",
        "CardsDrawn": "{seat} draws {cards}.",
        "CardsDiscarded": "{seat} discards {cards}.",
        "RoundStarted": "Round {round} begins.",
        "BidSealed": "{seat} seals a bid of {bid}.",
        "BidsRevealed": "The bids are {bids}.",
        "CoinsPaid": "{seat} pays {coins}.",
        "CoinsGained": "{seat} gains {coins}.",
        "HouseBuilt": "{seat} builds a house on the {plot}.",
        "DieRolled": "{seat} rolls a {pips}.",
        "Bid": "Bid {coins}",
        "Build": "Build on the {plot}",
        "PlayCard": "Play {card}",
        "Gamble": "Roll the die",
        "Keep": "Keep {card}",
        "TakeCoins": "Take 3 coins",
        "TakeCards": "Draw 2 cards",
        "Pass": "Pass",
    },
    reasons={"houses": "Houses", "coins": "Coins"},
    move_limit=100,
)
