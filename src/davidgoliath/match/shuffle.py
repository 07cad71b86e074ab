"""The fair deal: a shuffle that nobody at the table can choose, and that anyone can recompute (`docs/fairness.md`).

The server draws a secret and publishes its commitment; the players' browsers answer with shares; all of it
together gives the cards. Everything that is hashed is a text, and the text of a `Shuffle` is what its record
keeps: so there is one encoding, and it is the one that people see.
"""

import re
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final, NamedTuple

from davidgoliath.notation import DealRecord, Entry
from davidgoliath.notation.reasons import NotationReason
from davidgoliath.rules import Card, CardSet, Deal, NotationError, Reason, ReasonCode, Refusal, Seat, deck
from davidgoliath.rules.cards import FEWEST_PLAYERS, HAND_SIZE, MOST_PLAYERS

FAMILY: Final = "sha256/"
VERSION: Final = f"{FAMILY}1"
SECRET_SIZE: Final = 32
SHARE_SIZE: Final = 16
NO_SHARE: Final = "-"

_SHARE: Final = f"(?:{NO_SHARE}|[0-9a-f]{{{2 * SHARE_SIZE}}})"
_TEXT: Final = re.compile(
    rf"{VERSION} match=([A-Za-z0-9_-]{{1,40}}) shuffle=([1-9][0-9]{{0,3}}) dealer=([0-9])"
    rf" shares=({_SHARE}(?:,{_SHARE})*) secret=([0-9a-f]{{{2 * SECRET_SIZE}}})"
)


class ShuffleReason(ReasonCode):
    """Why a shuffle is refused, or isn't that of a deal."""

    SHUFFLE_SYNTAX = "shuffle_syntax"
    SHUFFLE_PLAYERS = "shuffle_players"
    SHUFFLE_MATCH = "shuffle_match"
    SHUFFLE_NUMBER = "shuffle_number"
    SHUFFLE_DEALER = "shuffle_dealer"
    SHUFFLE_HAND = "shuffle_hand"
    SHUFFLE_MISSING = "shuffle_missing"


@dataclass(frozen=True, slots=True)
class Shuffle:
    """All that a deal's cards follow from. The secret stays with the server until the deal is over.

    >>> shuffle = Shuffle.fresh("m7", 1, dealer=2, players=3, source=bytes).with_share(1, b"sixteen of bytes")
    >>> str(shuffle.deal().hands[0])
    'R2,5,6,9 Y1,3,8,9 B2,4,5,8 V3,8,9'
    >>> shuffle.left_out
    (0, 2)
    >>> Shuffle.parse(str(shuffle)) == shuffle
    True
    """

    match: str
    """The id of the match: 1 to 40 letters, digits, `-` and `_`."""
    number: int
    """Which shuffle of its match this is, from 1. Those of aborted deals count, so none can go missing unnoticed."""
    dealer: Seat
    """Has no part in the cards, but must not be chosen by somebody who knows them."""
    shares: tuple[bytes | None, ...]
    """For each seat the 16 bytes that its browser drew; None where there was none in time, as with bots."""
    secret: bytes
    """32 bytes that the server drew before it knew any share."""

    def __post_init__(self) -> None:
        if not FEWEST_PLAYERS <= self.players <= MOST_PLAYERS:
            raise Refusal(Reason.PLAYERS_RANGE, players=self.players)
        if not _TEXT.fullmatch(str(self)):
            raise Refusal(ShuffleReason.SHUFFLE_SYNTAX)
        if self.dealer >= self.players:
            raise Refusal(Reason.NO_SUCH_SEAT, seat=self.dealer, players=self.players)

    @classmethod
    def fresh(
        cls, match: str, number: int, dealer: Seat, players: int, source: Callable[[int], bytes] = secrets.token_bytes
    ) -> "Shuffle":
        """A shuffle with a new secret and no shares yet. `source` gives so many bytes: the system's secure source."""
        return cls(match, number, dealer, (None,) * players, source(SECRET_SIZE))

    def with_share(self, seat: Seat, share: bytes) -> "Shuffle":
        """The shuffle with a seat's share: its first one, which nothing replaces."""
        if not 0 <= seat < self.players:
            raise Refusal(Reason.NO_SUCH_SEAT, seat=seat, players=self.players)
        if self.shares[seat] is not None:
            raise Refusal(NotationReason.SEAT_TWICE, seat=seat)
        return replace(self, shares=(*self.shares[:seat], share, *self.shares[seat + 1 :]))

    @classmethod
    def parse(cls, text: str) -> "Shuffle":
        """The shuffle of a record's `Shuffle` tag, exactly as `str` writes it."""
        version = text.partition(" ")[0]
        if version != VERSION:
            raise NotationError(NotationReason.NO_SUCH_FORMAT, text=version, expected=VERSION, column=1)
        found = _TEXT.fullmatch(text)
        if not found:
            raise NotationError(ShuffleReason.SHUFFLE_SYNTAX, column=1)
        match, number, dealer, words, secret = found.groups()
        shares = [None if word == NO_SHARE else bytes.fromhex(word) for word in words.split(",")]
        try:
            return cls(match, int(number), int(dealer), tuple(shares), bytes.fromhex(secret))
        except Refusal as refusal:
            raise NotationError(refusal.reason, **refusal.arguments, column=1) from None

    def __str__(self) -> str:
        shares = ",".join(NO_SHARE if share is None else share.hex() for share in self.shares)
        return self._text(f"shares={shares} ")

    def _text(self, shares: str) -> str:
        # The secret comes last, so that no hash of one text is the beginning of a hash of the other.
        head = f"{VERSION} match={self.match} shuffle={self.number} dealer={self.dealer}"
        return f"{head} {shares}secret={self.secret.hex()}"

    @property
    def players(self) -> int:
        return len(self.shares)

    @property
    def left_out(self) -> tuple[Seat, ...]:
        """The seats that have no share in this shuffle."""
        return tuple(seat for seat, share in enumerate(self.shares) if share is None)

    @property
    def commitment(self) -> str:
        """What is published before the deal: it binds the secret to this match, this shuffle and this dealer."""
        return sha256(self._text("").encode()).hexdigest()

    @property
    def seed(self) -> bytes:
        return sha256(str(self).encode()).digest()

    @property
    def cards(self) -> tuple[Card, ...]:
        """The deck as shuffled: every order is equally likely (Fisher and Yates)."""
        cards, stream = list(deck(self.players)), _stream(self.seed)
        for last in range(len(cards) - 1, 0, -1):
            place = _below(last + 1, stream)
            cards[last], cards[place] = cards[place], cards[last]
        return tuple(cards)

    def deal(self) -> Deal:
        """Rule 2: the first fifteen cards are seat 0's, the next fifteen seat 1's, and so on."""
        cards = self.cards
        hands = [CardSet.of(cards[start : start + HAND_SIZE]) for start in range(0, len(cards), HAND_SIZE)]
        return Deal(self.dealer, tuple(hands))

    def flaws(self, record: DealRecord) -> tuple[Refusal, ...]:
        """What in a record is not as this shuffle says: nothing, if the deal was fair."""
        if record.players != self.players:
            return (Refusal(ShuffleReason.SHUFFLE_PLAYERS, players=self.players),)
        found = []
        if record.match not in (None, self.match):
            found.append(Refusal(ShuffleReason.SHUFFLE_MATCH, match=self.match))
        if (record.number or 1) > self.number:
            found.append(Refusal(ShuffleReason.SHUFFLE_NUMBER, number=self.number, deal=record.number))
        if record.deal.dealer != self.dealer:
            found.append(Refusal(ShuffleReason.SHUFFLE_DEALER, seat=self.dealer))
        for seat, (hand, dealt) in enumerate(zip(self.deal().hands, record.deal.hands, strict=True)):
            if hand != dealt:
                found.append(Refusal(ShuffleReason.SHUFFLE_HAND, seat=seat, hand=hand))
        return tuple(found)


def _stream(seed: bytes) -> Iterator[int]:
    """Bytes without end: the SHA-256 of the seed and a counter, block after block."""
    block = 0
    while True:
        yield from sha256(seed + block.to_bytes(4, "big")).digest()
        block += 1


def _below(limit: int, stream: Iterator[int]) -> int:
    """An even number from 0 to `limit - 1`: bytes beyond the last whole multiple of the limit are passed over."""
    fair = 256 - 256 % limit
    return next(byte for byte in stream if byte < fair) % limit


class Verdict(NamedTuple):
    """What became of checking one deal of a file."""

    line: int
    record: DealRecord | None
    """None: it can't be read, and the flaw says why."""
    shuffle: Shuffle | None
    """None: there is nothing to check, or it can't be read."""
    flaws: tuple[Refusal, ...]


def verdicts(entries: Iterable[Entry]) -> Iterator[Verdict]:
    """Recomputes the shuffle of every deal that has one."""
    for line, record in entries:
        if isinstance(record, NotationError):
            yield Verdict(line, None, None, (record,))
        elif record.shuffle is None or not record.shuffle.startswith(FAMILY):
            yield Verdict(line, record, None, ())
        else:
            try:
                shuffle = Shuffle.parse(record.shuffle)
                yield Verdict(line, record, shuffle, shuffle.flaws(record))
            except NotationError as error:
                yield Verdict(line, record, None, (error.within("shuffle").at(line=line),))


def missing(found: Iterable[Verdict]) -> Iterator[Refusal]:
    """Shuffles that others of the same match say there were: deals that were left out of the file.

    A file may begin later than its match. Only if the first deal is there are all before it expected.
    """
    numbers: dict[str, set[int]] = defaultdict(set)
    begun = set()
    for _, record, shuffle, _ in found:
        if record and shuffle:
            numbers[shuffle.match].add(shuffle.number)
            if record.number == 1:
                begun.add(shuffle.match)
    for match, there in numbers.items():
        gone = sorted(set(range(1 if match in begun else min(there), max(there))) - there)
        if gone:
            yield Refusal(ShuffleReason.SHUFFLE_MISSING, match=match, numbers=", ".join(map(str, gone)))
