"""The score pad in plain lines, for people with the real cards: in any terminal, for a screen reader, from a script."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from davidgoliath.match import ranking
from davidgoliath.notation import ScorePad, Tally
from davidgoliath.notation.pad import told_apart
from davidgoliath.notation.reasons import NotationReason
from davidgoliath.rules import Colour, ReasonCode, Refusal, RuleSet, deck
from davidgoliath.terminal.pad_transcript import pad_text, points_transcript, reckoning
from davidgoliath.texts import Texts

FEW_LEFT = 20
"""So many cards left over are named; of more there is only the number."""

Read = Callable[[str], str]
Write = Callable[[str], None]


class PadReason(ReasonCode):
    """Why a line about a pad isn't enough."""

    VALUES_MISSING = "values_missing"


def ask_pad(players: int | None, rules: RuleSet, texts: Texts, read: Read, write: Write) -> ScorePad:
    """A new pad: who plays, in which order, and who deals first."""
    while players is None:
        line = read(texts("scoring.ask_players")).strip()
        try:
            players = int(line) if line.isascii() and line.isdigit() else None
            deck(players or 0)
        except Refusal as refusal:
            write(texts.error(refusal))
            players = None
    names: list[str] = []
    while len(names) < players:
        number = len(names) + 1
        name = read(texts("scoring.ask_name", number=number)).strip() or texts("pad.player", number=number)
        try:
            ScorePad((name,) * players)
            told = told_apart([*names, name])[-1]
            if told != name:
                write(texts("scoring.told_apart", name=name, other=told))
            names.append(told)
        except Refusal as refusal:
            write(texts.error(refusal))
    while True:
        line = read(texts("scoring.ask_dealer", name=names[0])).strip()
        wanted = [seat for seat, name in enumerate(names) if line.casefold() in (str(seat + 1), name.casefold())]
        if wanted or not line:
            return ScorePad(tuple(names), rules, wanted[0] if wanted else 0)
        write(texts("scoring.no_such_player", text=line, most=players))


class _Step(NamedTuple):
    """Where somebody was before a change."""

    pad: ScorePad
    deal: int
    seat: int


class PlainPad:
    """A running pad: it is asked what everyone captured, deal by deal."""

    def __init__(
        self, pad: ScorePad, texts: Texts, *, read: Read, write: Write, copy: Write, save: Callable[[ScorePad], None]
    ) -> None:
        """`read` shows a prompt and gives the next line, or raises EOFError where there is none.

        `copy` writes what is to be copied: it breaks no line, as `write` may.
        """
        self.pad = pad
        self.texts = texts
        self.names = told_apart(pad.names)
        self.read, self.write, self.copy, self._save = read, write, copy, save
        self.deal = self.seat = 0
        self.past: list[_Step] = []

    def run(self) -> None:
        """Asks until the person leaves, or until there are no more lines."""
        self._go_on()
        while True:
            try:
                line = self.read(self._prompt()).strip()
                if self._is_done and line == "":
                    return
                self._take(line)
            except EOFError:
                self.write("")
                return
            except Refusal as refusal:
                self.write(self.texts.error(refusal))

    def save(self) -> None:
        """Where that can't be, everything is still here."""
        try:
            self._save(self.pad)
        except OSError as error:
            self.write(self.texts("scoring.unsaved", why=self.texts.trouble(error)))

    @property
    def _is_done(self) -> bool:
        """The match is over, and nobody is correcting it."""
        return self.pad.is_over and self.seat < 0

    def _prompt(self) -> str:
        if self._is_done:
            return self.texts("scoring.prompt_over")
        return self.texts("scoring.prompt", number=self.seat + 1, name=self.names[self.seat])

    def _take(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if word in self._answers:
            self._answers[word](self, rest.strip())
        elif line.isascii() and line.isdigit():
            self._turn_to(int(line))
        elif line in ("", "-"):
            self._turn_to((self.seat + 1) % self.pad.players + 1)
        elif self._is_done:
            raise Refusal(NotationReason.MATCH_IS_OVER)
        elif line.startswith("-"):
            self._change(self.pad.take(self.deal, self.seat, Tally.parse(line[1:])))
        else:
            self._change(self.pad.give(self.deal, self.seat, Tally.parse(line)))

    def _change(self, pad: ScorePad) -> None:
        tally = pad.deals[self.deal][self.seat]
        for colour, worth in zip(Colour, tally.points, strict=True):
            if worth is None:
                raise Refusal(PadReason.VALUES_MISSING, colour=colour)
        self.past.append(_Step(self.pad, self.deal, self.seat))
        self.pad = pad
        worths = [f"{colour} {reckoning(tally, colour)}" for colour in Colour if tally.count(colour)]
        self.write("  " + ", ".join([*worths, f"{self.texts('score.total')} {pad.scores(self.deal)[self.seat]}"]))
        if pad.is_complete(self.deal):
            self._tell_scores(self.deal)
            self._go_on()
        else:
            self._tell_left()
        self.save()

    def _go_on(self) -> None:
        """To the first deal that isn't complete, or to a new one, or to the end."""
        pad = self.pad
        unfinished = [deal for deal in range(len(pad.deals)) if not pad.is_complete(deal)]
        if pad.is_over:
            self.deal, self.seat = len(pad.deals) - 1, -1
            self._tell_end()
            return
        if not unfinished:
            self.pad = pad.begin()
            unfinished = [len(pad.deals)]
        self.deal = unfinished[0]
        tallies = self.pad.deals[self.deal]
        self.seat = next((seat for seat, tally in enumerate(tallies) if not tally), 0)
        self._tell_deal()
        if any(tallies):
            self._tell_left()

    def _turn_to(self, number: int) -> None:
        if not 1 <= number <= self.pad.players:
            self.write(self.texts("scoring.no_such_player", text=number, most=self.pad.players))
            return
        if number == 1 and self.seat == self.pad.players - 1:
            self._tell_left()
        self.seat = number - 1
        if tally := self.pad.deals[self.deal][self.seat]:
            self.write("  " + self.texts("scoring.so_far", cards=tally))

    def _tell_deal(self) -> None:
        pad, deals = self.pad, self.pad.rules.deals_for(self.pad.players)
        dealer, leader = self.names[pad.dealer_of(self.deal)], self.names[pad.leader_of(self.deal)]
        head = self.texts("scoring.deal", deal=self.deal + 1, deals=max(deals, self.deal + 1))
        self.write(f"\n{head} {self.texts('pad.turns', dealer=dealer, leader=leader)}")

    def _tell_left(self, _: str = "") -> None:
        total, left = sum(self.pad.left(self.deal)), self.pad.left_over(self.deal)
        named = total <= FEW_LEFT and len(left) == total
        self.write("  " + self.texts("scoring.left", count=total) + (f": {left}" if named else ""))

    def _tell_scores(self, deal: int) -> None:
        self.write("\n" + points_transcript(self.pad, deal, self.texts))
        self._tell_totals()

    def _tell_totals(self, _: str = "") -> None:
        totals = self.pad.standing.totals
        self.write(self.texts("play.totals"))
        for place, seat in sorted(zip(ranking(totals), range(self.pad.players), strict=True)):
            self.write("  " + self.texts("play.place", place=place, name=self.names[seat], total=totals[seat]))

    def _tell_end(self) -> None:
        totals = self.pad.standing.totals
        names = [name for name, total in zip(self.names, totals, strict=True) if total == max(totals)]
        self.write("\n" + self.texts("play.won" if len(names) == 1 else "play.shared", names=", ".join(names)))

    def _undo(self, _: str) -> None:
        if not self.past:
            self.write(self.texts("scoring.no_undo"))
            return
        self.pad, self.deal, self.seat = self.past.pop()
        self.save()
        self._tell_deal()
        self._tell_left()

    def _open(self, text: str) -> None:
        """A deal by its number, to look at it or to correct it; without one, the deal to go on with."""
        number = int(text) if text.isascii() and text.isdigit() else 0
        if not text:
            self._go_on()
        elif 1 <= number <= len(self.pad.deals):
            self.deal, self.seat = number - 1, 0
            self._tell_deal()
            self.write(points_transcript(self.pad, self.deal, self.texts))
            self._tell_left()
        else:
            self.write(self.texts("scoring.no_such_deal", text=text, most=len(self.pad.deals)))

    def _tell_text(self, _: str) -> None:
        self.write(pad_text(self.pad, self.texts))

    def _tell_json(self, _: str) -> None:
        self.copy(str(self.pad))

    def _tell_help(self, _: str) -> None:
        self.write(self.texts("scoring.help"))

    def _leave(self, _: str) -> None:
        raise EOFError

    _answers: Mapping[str, Callable[["PlainPad", str], None]] = {
        "?": _tell_help,
        "u": _undo,
        "l": _tell_left,
        "s": _tell_totals,
        "d": _open,
        "t": _tell_text,
        "j": _tell_json,
        "q": _leave,
    }
