"""A deal: fifteen tricks, from the hands to the piles (rules 2 to 12)."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import NamedTuple

from davidgoliath.rules.cards import HAND_SIZE, Card, CardSet, check_players, deck
from davidgoliath.rules.checks import CARD, CARD_SET, RANDOM, RULE_SET, check_kind, check_seat, check_tuple
from davidgoliath.rules.refusal import IllegalPlay, Reason, Refusal
from davidgoliath.rules.ruleset import CLASSIC, RuleSet
from davidgoliath.rules.scoring import score
from davidgoliath.rules.standing import Standing
from davidgoliath.rules.trick import Seat, Trick, TrickResult, legal_mask, settle
from davidgoliath.rules.view import View


@dataclass(frozen=True, slots=True)
class Deal:
    """Who deals, and the hands that everyone gets (rule 2)."""

    dealer: Seat
    hands: tuple[CardSet, ...]

    def __post_init__(self) -> None:
        check_tuple(self.hands, CardSet, CARD_SET)
        whole, seen = deck(self.players).mask, 0
        check_seat(self.dealer, self.players, field="dealer")
        for seat, hand in enumerate(self.hands):
            mask = hand.mask
            if mask.bit_count() != HAND_SIZE or mask & seen or mask & ~whole:
                raise _flaw(seat, hand, CardSet(seen), self.players)
            seen |= mask

    @property
    def players(self) -> int:
        return len(self.hands)

    @property
    def first_leader(self) -> Seat:
        """Rule 3: the player on the dealer's left."""
        return (self.dealer + 1) % self.players

    @classmethod
    def shuffled(cls, players: int, rng: Random, dealer: Seat | None = None) -> "Deal":
        """A random deal. The dealer is random unless given.

        >>> Deal.shuffled(3, Random(7), dealer=2).first_leader
        0
        """
        check_players(players)
        check_kind(rng, Random, RANDOM)
        # `random` is the one method whose numbers Python promises never to change for a seed
        cards = sorted(_cards_of(players), key=lambda card: rng.random())
        hands = [CardSet.of(cards[start : start + HAND_SIZE]) for start in range(0, len(cards), HAND_SIZE)]
        return cls(rng.randrange(players) if dealer is None else dealer, tuple(hands))


@lru_cache
def _cards_of(players: int) -> tuple[Card, ...]:
    return tuple(deck(players))


def _flaw(seat: Seat, hand: CardSet, seen: CardSet, players: int) -> Refusal:
    """What is wrong with a hand."""
    for card in hand - deck(players):
        return Refusal(Reason.NOT_IN_DECK, field="hands", seat=seat, card=card, players=players)
    for card in hand & seen:
        return Refusal(Reason.CARD_TWICE, field="hands", seat=seat, card=card)
    return Refusal(Reason.HAND_SIZE, field="hands", seat=seat, count=len(hand))


class DealState(NamedTuple):
    """A deal as it stands: everything, all hands included. Never hand it to a player: give them a `view`.

    Sets of cards are kept as masks (`CardSet.mask`), since a deal makes sixty of these; the properties
    give them as `CardSet`.

    >>> state = DealState.start(Deal.shuffled(3, Random(7), dealer=2))
    >>> while not state.is_over:
    ...     state = state.play(min(state.legal_cards))
    >>> state.scores
    (21, 34, 30)
    """

    deal: Deal
    rules: RuleSet
    standing: Standing
    hand_masks: tuple[int, ...]
    leader: Seat
    """Who leads the trick being played; after the last one, who would lead."""
    table: tuple[Card, ...]
    """The cards of the trick being played, in the order of play."""
    tricks: tuple[Trick, ...]
    """The finished tricks."""
    results: tuple[TrickResult, ...]
    """What became of each of them."""
    pile_masks: tuple[int, ...]
    to_play: Seat | None
    """Whose turn it is; None when the deal is over."""
    legal_mask: int

    @classmethod
    def start(cls, deal: Deal, rules: RuleSet | None = None, standing: Standing | None = None) -> "DealState":
        """The deal before its first card. Without a `standing`, it is the first of a match."""
        rules = CLASSIC if rules is None else rules
        check_kind(deal, Deal, "a Deal, such as Deal.shuffled(4, Random(7)),")
        check_kind(rules, RuleSet, RULE_SET)
        standing = Standing.at_start(rules, deal.players) if standing is None else standing
        check_kind(standing, Standing, "a Standing")
        if len(standing.totals) != deal.players:
            raise ValueError(f"a standing of {deal.players} totals is needed here, not of {len(standing.totals)}")
        hands = tuple([hand.mask for hand in deal.hands])
        leader = deal.first_leader
        return cls(
            deal,
            rules,
            standing,
            hand_masks=hands,
            leader=leader,
            table=(),
            tricks=(),
            results=(),
            pile_masks=(0,) * deal.players,
            to_play=leader,
            legal_mask=hands[leader],
        )

    @property
    def players(self) -> int:
        return len(self.hand_masks)

    @property
    def hands(self) -> tuple[CardSet, ...]:
        """What each seat still holds."""
        return tuple([CardSet(mask) for mask in self.hand_masks])

    @property
    def piles(self) -> tuple[CardSet, ...]:
        """Rule 10: what each seat has captured."""
        return tuple([CardSet(mask) for mask in self.pile_masks])

    @property
    def trick(self) -> Trick:
        """The trick being played: after the last one, an empty one."""
        return Trick._make((self.players, self.leader, self.table))

    @property
    def legal_cards(self) -> CardSet:
        """What the seat to play may play: nothing when the deal is over."""
        return CardSet(self.legal_mask)

    @property
    def is_over(self) -> bool:
        """Rule 12."""
        return self.to_play is None

    @property
    def scores(self) -> tuple[int, ...]:
        """What each pile is worth now."""
        return tuple([score(pile) for pile in self.piles])

    @property
    def plays(self) -> tuple[Card, ...]:
        """All cards played so far, in order."""
        return tuple([card for trick in (*self.tricks, self.trick) for card in trick.cards])

    def at(self, place: int) -> "DealState":
        """The same deal when so many of its cards had been played: at 0, before the first one."""
        return DealState.start(self.deal, self.rules, self.standing).play_all(self.plays[:place])

    def cards_since(self, seat: Seat) -> int:
        """How many cards fell since a seat had its last choice, its own included; 0 if it has had none yet."""
        check_seat(seat, self.players)
        seats = [trick.seat_of(place) for trick in (*self.tricks, self.trick) for place in range(len(trick.cards))]
        return seats[::-1].index(seat) + 1 if seat in seats else 0

    def play(self, card: Card, seat: Seat | None = None) -> "DealState":
        """The state after this card. `seat` is who asks: the seat to play, unless given."""
        deal, rules, standing, hand_masks, leader, table, tricks, results, piles, player, legal = self
        bit = card.bit if isinstance(card, Card) else 0
        if not legal & bit or player is None or (seat is not None and seat != player):
            raise self._refusal(card, seat)
        next_player = (player + 1) % len(hand_masks)
        if next_player == leader:
            return self.play_all((card,))
        hands = list(hand_masks)
        hands[player] ^= bit
        table = (*table, card)
        legal = legal_mask(hands[next_player], table)
        return tuple.__new__(  # a third of the time of `DealState(...)`, sixty times a deal
            DealState, (deal, rules, standing, tuple(hands), leader, table, tricks, results, piles, next_player, legal)
        )

    def play_all(self, cards: Iterable[Card]) -> "DealState":
        """The state after several cards, as if played one by one, without making the states between.

        Rules 6 to 12: a complete trick is captured, and Goliath leads the next one.
        """
        deal, rules, standing, hand_masks, leader, table, tricks, results, piles, player, legal = self
        hands = list(hand_masks)
        for card in cards:
            bit = card.bit if isinstance(card, Card) else 0
            if not legal & bit or player is None:
                state = DealState(
                    deal, rules, standing, tuple(hands), leader, table, tricks, results, piles, player, legal
                )
                raise state._refusal(card, None)
            hands[player] ^= bit
            table = (*table, card)
            player = (player + 1) % len(hands)
            if player != leader:
                legal = legal_mask(hands[player], table)
                continue
            trick = Trick._make((len(hands), leader, table))
            result = settle(trick, rules)
            tricks, results, piles = (*tricks, trick), (*results, result), result.add_to(piles)
            leader, table, legal = result.goliath, (), hands[result.goliath]
            player = leader if legal else None
        return DealState(deal, rules, standing, tuple(hands), leader, table, tricks, results, piles, player, legal)

    def _refusal(self, card: Card, seat: Seat | None) -> IllegalPlay:
        """Says why, and names the legal cards only to the seat whose turn it is."""
        check_kind(card, Card, CARD)
        if self.to_play is None:
            return IllegalPlay(Reason.DEAL_IS_OVER)
        if seat is not None and seat != self.to_play:
            return IllegalPlay(Reason.NOT_YOUR_TURN, seat=seat, to_play=self.to_play)
        if card not in self.hands[self.to_play]:
            return IllegalPlay(Reason.NOT_IN_HAND, card=card, legal=self.legal_cards)
        return IllegalPlay(Reason.MUST_FOLLOW, card=card, colour=self.trick.led, legal=self.legal_cards)

    def view(self, seat: Seat | None) -> View:
        """All that a seat may know; None is a spectator. The one place that hides anything."""
        if seat is not None:
            check_seat(seat, self.players)
        return View(
            seat=seat,
            rules=self.rules,
            standing=self.standing,
            dealer=self.deal.dealer,
            hand=CardSet() if seat is None else CardSet(self.hand_masks[seat]),
            trick=self.trick,
            tricks=self.tricks,
            results=self.results,
            piles=self.piles,
        )
