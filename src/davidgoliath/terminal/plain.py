"""A match against bots in plain lines: for any terminal, a screen reader, or a script."""

from collections.abc import Callable, Mapping
from random import Random

from davidgoliath.match import Match, Player, ranking
from davidgoliath.rules import Card, DealState, Refusal, Seat
from davidgoliath.terminal.sheet import pile_sheet
from davidgoliath.texts import Texts


class PlainGame:
    """One person at a table of bots."""

    def __init__(
        self,
        match: Match,
        bots: Mapping[Seat, Player],
        texts: Texts,
        *,
        read: Callable[[str], str],
        write: Callable[[str], None],
        save: Callable[[Match], None],
    ) -> None:
        """`bots` sit in their seats, and the person in the one that is left.

        `read` shows a prompt and gives the next line, or raises EOFError where there is none.
        """
        self.match = match
        self.bots = bots
        self.texts = texts
        self.read, self.write, self.save = read, write, save
        (self.me,) = set(range(match.players)) - set(bots)
        self.names = [
            texts("play.you") if seat == self.me else texts("play.bot", number=(seat - self.me) % match.players)
            for seat in range(match.players)
        ]

    def run(self, rng: Random) -> bool:
        """Plays on to the end of the match: True if it was reached, False if the person left before."""
        state = self.match.state
        if state is not None:
            self._tell_deal(state)
            self._tell_trick(state)
        while not self.match.is_over:
            try:
                self._step(rng)
            except EOFError:
                self.write("\n" + self.texts("play.saved"))
                return False
        self._tell_end()
        return True

    def _step(self, rng: Random) -> None:
        state = self.match.state
        if state is None or state.to_play is None:
            self.match = self.match.shuffle_and_begin(rng)
        elif state.to_play == self.me:
            self.match = self._my_play(state)
        else:
            seat = state.to_play
            self.match = self.match.play(self.bots[seat].choose(state.view(seat), rng), seat)
        self.save(self.match)
        self._tell(state)

    def _my_play(self, state: DealState) -> Match:
        view = state.view(self.me)
        self.write(self.texts("play.hand", hand=view.hand))
        if view.legal_cards != view.hand:
            self.write(self.texts("play.legal", legal=view.legal_cards))
        while True:
            line = self.read(self.texts("play.prompt")).strip()
            if line in self._answers:
                self._answers[line](self, state)
                continue
            try:
                return self.match.play(Card.parse(line), self.me)
            except Refusal as refusal:
                self.write(self.texts.error(refusal))

    def _tell(self, before: DealState | None) -> None:
        """Says what the last step did."""
        state = self.match.deals[-1]
        if before is None:
            self._tell_deal(state)
        elif before.to_play is not None:
            trick = before.trick
            self.write("  " + self.texts("play.played", name=self.names[before.to_play], card=state.plays[-1]))
            if trick.leader == (before.to_play + 1) % state.players:
                self._tell_result(state)
        if not state.trick.cards:
            self._tell_trick(state)

    def _tell_deal(self, state: DealState) -> None:
        standing = state.standing
        dealer = self.names[state.deal.dealer]
        self.write("\n" + self.texts("play.deal", deal=standing.deal, deals=standing.deals, dealer=dealer))

    def _tell_trick(self, state: DealState) -> None:
        """The head of a new trick, or the table as it lies; after the last trick the score of the deal."""
        if state.is_over:
            self.write("\n" + self.texts("play.deal_over"))
            self._tell_piles(state)
            self._tell_totals(state)
            return
        scores = ", ".join(f"{name}: {score}" for name, score in zip(self.names, state.scores, strict=True))
        self.write("\n" + self.texts("play.trick", trick=len(state.tricks) + 1, scores=scores))
        for place, card in enumerate(state.trick.cards):
            self.write("  " + self.texts("play.played", name=self.names[state.trick.seat_of(place)], card=card))

    def _tell_result(self, state: DealState) -> None:
        if not state.results:
            self.write(self.texts("play.no_last_trick"))
            return
        result = state.results[-1]
        goliath, david = self.names[result.goliath], self.names[result.david]
        spoils, prize = result.captured_by(result.goliath), result.captured_by(result.david)
        key = "play.result_swept" if result.goliath == result.david else "play.result"
        self.write("  " + self.texts(key, goliath=goliath, david=david, spoils=spoils, prize=prize))

    def _tell_last_trick(self, state: DealState) -> None:
        for trick in state.tricks[-1:]:
            for place, card in enumerate(trick.cards):
                self.write("  " + self.texts("play.played", name=self.names[trick.seat_of(place)], card=card))
        self._tell_result(state)

    def _tell_piles(self, state: DealState) -> None:
        self.write(pile_sheet(state.piles, self.names, self.texts))

    def _tell_totals(self, state: DealState) -> None:
        totals = self.match.totals
        self.write(self.texts("play.totals"))
        for place, seat in sorted(zip(ranking(totals), range(len(totals)), strict=True)):
            self.write("  " + self.texts("play.place", place=place, name=self.names[seat], total=totals[seat]))

    def _tell_rules(self, state: DealState) -> None:
        self.write(self.texts.rules())

    def _tell_help(self, state: DealState) -> None:
        self.write(self.texts("play.help"))

    def _leave(self, state: DealState) -> None:
        raise EOFError

    def _tell_end(self) -> None:
        winners = self.match.winners
        names = ", ".join(self.names[seat] for seat in winners)
        self.write("\n" + self.texts("play.won" if len(winners) == 1 else "play.shared", names=names))

    _answers: Mapping[str, Callable[["PlainGame", DealState], None]] = {
        "?": _tell_help,
        "p": _tell_piles,
        "t": _tell_last_trick,
        "s": _tell_totals,
        "r": _tell_rules,
        "q": _leave,
    }
