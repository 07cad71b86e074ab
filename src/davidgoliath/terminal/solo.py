"""One person's match against bots, saved as it happens. It knows all hands; what shows it gets views."""

import time
from random import Random
from threading import Lock

from davidgoliath.bots import BOT, make_bot
from davidgoliath.match import Match, Player
from davidgoliath.match.spans import rest_of, span_of
from davidgoliath.rules import Card, Seat, View
from davidgoliath.terminal.saved import SavedMatch


class Solo:
    """A match of one person against bots. Whatever happens is in its file before anyone sees it."""

    def __init__(self, match: Match, saved: SavedMatch, rng: Random) -> None:
        """Raises `Refusal` where a bot can't be had. Bots that search take seconds to load."""
        self.match, self.saved, self.rng = match, saved, rng
        self.bots: dict[Seat, Player] = {
            seat: make_bot(name.removeprefix(BOT)) for seat, name in enumerate(saved.names) if name.startswith(BOT)
        }
        self.span = max(map(span_of, {type(bot): bot for bot in self.bots.values()}.values()))
        """Seconds that each card of a bot takes, whatever it holds."""
        (self.me,) = set(range(match.players)) - set(self.bots)
        self._thinking = Lock()

    @property
    def view(self) -> View | None:
        """What the person sees of the deal being played, or of the last one; None before the first."""
        return self.match.deals[-1].view(self.me) if self.match.deals else None

    @property
    def finished(self) -> tuple[View, ...]:
        """What the person saw at the end of each deal that is over."""
        return tuple(state.view(self.me) for state in self.match.deals if state.is_over)

    @property
    def to_play(self) -> Seat | None:
        """Whose turn it is; None between deals."""
        return self.match.state.to_play if self.match.state else None

    @property
    def trick_is_over(self) -> bool:
        """Whether the last card played was the last of its trick."""
        return bool(self.match.deals) and not self.match.deals[-1].table and bool(self.match.deals[-1].tricks)

    def deal(self) -> None:
        """Begins the next deal."""
        self._keep(self.match.shuffle_and_begin(self.rng))

    def think(self) -> Card:
        """The card of the bot whose turn it is. May take a while, and may be called from a thread."""
        with self._thinking:
            begun, state = time.monotonic(), self.match.deals[-1]
            seat = state.trick.seat_of(len(state.trick.cards))
            card = self.bots[seat].choose(state.view(seat), self.rng)
            time.sleep(rest_of(self.span, time.monotonic() - begun))
            return card

    def play(self, card: Card, seat: Seat) -> None:
        """Raises `IllegalPlay` where the rules say no."""
        self._keep(self.match.play(card, seat))

    def undo(self) -> bool:
        """Back to the person's last choice in this deal: False where there is none."""
        cards = self.match.deals[-1].cards_since(self.me) if self.match.deals else 0
        if cards:
            self._keep(self.match.take_back(cards))
        return cards > 0

    def mark_hint(self) -> None:
        """Keeps in the record that the person was shown a hint for the card to come, even if that is undone later."""
        number, state = len(self.match.deals) - 1, self.match.deals[-1]
        hints = self.saved.hints.get(number, ((),) * state.players)
        shown = {*hints[self.me], len(state.tricks) + 1}
        self.saved.hints[number] = (*hints[: self.me], tuple(sorted(shown)), *hints[self.me + 1 :])
        self._keep(self.match)

    def _keep(self, match: Match) -> None:
        self.saved.save(match)
        self.match = match
