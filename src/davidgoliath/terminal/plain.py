"""A match against bots in plain lines: for any terminal, a screen reader, or a script."""

from collections.abc import Callable, Mapping

from davidgoliath.match import ranking
from davidgoliath.notation import DealRecord
from davidgoliath.rules import Card, Colour, DealState, Refusal
from davidgoliath.terminal.company import called
from davidgoliath.terminal.lines import columns
from davidgoliath.terminal.narrator import next_one, plain, says, story
from davidgoliath.terminal.scene import Scene
from davidgoliath.terminal.solo import Solo
from davidgoliath.terminal.transcript import deal_transcript, names_in, pile_transcript
from davidgoliath.texts import Texts


def replay_transcript(record: DealRecord, texts: Texts) -> str:
    """A deal written out, and its tricks in a sentence each."""
    lines = story(record.state.view(None), called(names_in(record, texts), texts), texts)
    told = columns([[str(number), plain(line)] for number, line in enumerate(lines, 1)], right={0}) if lines else []
    return "\n".join([deal_transcript(record, texts), "", texts("page.replay_story"), *told])


class PlainGame:
    """One person at a table of bots."""

    def __init__(self, solo: Solo, texts: Texts, *, read: Callable[[str], str], write: Callable[[str], None]) -> None:
        """`read` shows a prompt and gives the next line, or raises EOFError where there is none."""
        self.solo, self.texts = solo, texts
        self.read, self.write = read, write
        self.names = called(solo.saved.names, texts, solo.me)

    def run(self) -> bool:
        """Plays on to the end of the match: True if it was reached, False if the person left before."""
        state = self.solo.match.state
        if state is not None:
            self._tell_deal(state)
            self._tell_trick(state)
        while not self.solo.match.is_over:
            try:
                self._step()
            except EOFError:
                self.write("\n" + self.texts("play.saved"))
                return False
        self._tell_end()
        return True

    def _step(self) -> None:
        solo, state = self.solo, self.solo.match.state
        if state is None or state.to_play is None:
            solo.deal()
        elif state.to_play == solo.me:
            if not self._my_play(state):
                return
        else:
            solo.play(solo.think(), state.to_play)
        self._tell(state)

    def _my_play(self, state: DealState) -> bool:
        """Whether a card was played: one may also be taken back."""
        view = state.view(self.solo.me)
        self.write(self.texts("play.hand", hand=view.hand))
        if view.legal_cards != view.hand:
            self.write(self.texts("play.legal", legal=view.legal_cards))
        while True:
            line = self.read(self.texts("play.prompt")).strip()
            if not line:
                continue
            if line in self._answers:
                self._answers[line](self, state)
                continue
            if line == "u" and self.solo.undo():
                self._tell_trick(self.solo.match.deals[-1])
                return False
            if line == "u":
                self.write(self.texts("error.nothing_to_undo"))
                continue
            try:
                if line.endswith("?"):
                    self._tell_preview(state, Card.parse(line[:-1].strip()))
                else:
                    self.solo.play(Card.parse(line), self.solo.me)
                    return True
            except Refusal as refusal:
                self.write(self.texts.error(refusal))

    def _tell(self, before: DealState | None) -> None:
        """Says what the last step did."""
        state = self.solo.match.deals[-1]
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
        self.write(pile_transcript(state.piles, self.names, self.texts))

    def _tell_preview(self, state: DealState, card: Card) -> None:
        """What a card would do; the rules say why where it can't be played."""
        state.play(card, self.solo.me)
        scene = Scene(state.view(self.solo.me), self.names, pick=card)
        self.write("  " + " ".join(map(plain, says(scene, self.texts))))

    def _tell_radar(self, state: DealState) -> None:
        rows = [["", *map(str, Colour)]]
        for name, pile in zip(self.names, state.piles, strict=True):
            rows.append([name, *(next_one(pile.of_colour(colour)) for colour in Colour)])
        notes = (("▼18", "page.radar_two"), ("9 ▲", "page.radar_one"), ("+1", "page.radar_rubble"))
        legend = " · ".join(f"{sign} {self.texts(key, count=18)}" for sign, key in notes)
        self.write("\n".join([self.texts("page.radar"), *columns(rows), f"  ({legend})"]))

    def _tell_totals(self, state: DealState) -> None:
        totals = [before + score for before, score in zip(state.standing.totals, state.scores, strict=True)]
        self.write(self.texts("play.totals"))
        for place, seat in sorted(zip(ranking(totals), range(len(totals)), strict=True)):
            self.write("  " + self.texts("play.place", place=place, name=self.names[seat], total=totals[seat]))

    def _tell_hint(self, state: DealState) -> None:
        """The best card and why; the record says that it was told."""
        from davidgoliath.study.hints import hint  # here, because the judge takes a while to load
        from davidgoliath.terminal.look_back import hint_in_words

        view = state.view(self.solo.me)
        if len(view.legal_cards) == 1:
            self.write("  " + self.texts("study.page.forced"))
            return
        lines = hint_in_words(hint(view), self.names, self.texts)
        self.solo.mark_hint()
        self.write("\n".join(f"  {line}" for line in [*lines, self.texts("study.page.hint_marked")]))

    def _tell_review(self, state: DealState) -> None:
        """What is to be said of the last deal that is over."""
        from davidgoliath.study.review import final_review  # here, for the same reason
        from davidgoliath.terminal.look_back import look_back

        over = [deal for deal in self.solo.match.deals if deal.is_over]
        if not over:
            self.write(self.texts("play.no_deal_yet"))
            return
        self.write(self.texts("study.page.looking"))
        found = final_review(over[-1], self.solo.me)
        self.write(look_back(found, over[-1].standing.deals, self.names, self.texts))

    def _tell_rules(self, state: DealState) -> None:
        from davidgoliath.terminal.rules_transcript import rules_transcript  # here, because Rich takes a while to load

        self.write(rules_transcript(self.texts))

    def _tell_help(self, state: DealState) -> None:
        self.write(self.texts("play.help"))

    def _leave(self, state: DealState) -> None:
        raise EOFError

    def _tell_end(self) -> None:
        winners = self.solo.match.winners
        names = ", ".join(self.names[seat] for seat in winners)
        self.write("\n" + self.texts("play.won" if len(winners) == 1 else "play.shared", names=names))

    _answers: Mapping[str, Callable[["PlainGame", DealState], None]] = {
        "?": _tell_help,
        "p": _tell_piles,
        "d": _tell_radar,
        "t": _tell_last_trick,
        "s": _tell_totals,
        "i": _tell_hint,
        "v": _tell_review,
        "r": _tell_rules,
        "q": _leave,
    }
