"""The narrator: what goes on at the table in the page's sentences, as lines of words and cards."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from davidgoliath.match import ranking
from davidgoliath.rules import Card, CardSet, Colour, IllegalPlay, Reason, Seat, Trick, TrickResult, View
from davidgoliath.rules.scoring import next_card, points
from davidgoliath.rules.trick import tie
from davidgoliath.terminal.scene import Scene, gain, gains
from davidgoliath.texts import Texts


class Strong(str):
    """Words that stand out."""

    __slots__ = ()


Line: TypeAlias = list[str | Card]
"""Words and cards: whoever shows it paints them, or joins them to plain text."""

MOST_CARDS: Final = 3
"""So many cards are named one by one."""


def plain(line: Line) -> str:
    """
    >>> plain(["Ann ", Card.parse("R9"), Strong(" +9")])
    'Ann R9 +9'
    """
    return "".join(map(str, line))


def rich(texts: Texts, key: str, count: int | None = None, **parts: str | Card | Line) -> Line:
    """A text whose placeholders may be cards or strong words; it may depend on a number."""
    text = texts(key, count=count, **{name: f"{{{name}}}" for name in parts})
    line: Line = []
    for place, piece in enumerate(re.split(r"\{(\w+)\}", text)):
        part = parts[piece] if place % 2 else piece
        line += part if isinstance(part, list) else [part]
    return line


def signed(change: int) -> str:
    """
    >>> signed(3), signed(-3), signed(0)
    ('+3', '−3', '±0')
    """
    return f"+{change}" if change > 0 else f"−{-change}" if change < 0 else "±0"


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def why(trick: Trick, result: TrickResult, names: Sequence[str], texts: Texts) -> str:
    """Why a trick went as it did."""
    equal = tie(trick.cards)
    key = "page.why_all_equal" if equal == "all" else f"page.why_tie_{equal}" if equal else "page.why"
    if result.goliath == result.david:
        return texts("page.why_sweep", goliath=names[result.goliath])
    return texts(key, goliath=names[result.goliath], david=names[result.david])


def outcome(result: TrickResult, changes: dict[tuple[Seat, Colour], int], names: Sequence[str], texts: Texts) -> Line:
    """Who takes what, with names, cards and points."""
    line: Line = []
    if result.david != result.goliath:
        line += [*_takes("▼", texts("page.david"), result.david, result, changes, names, texts), "   "]
    return line + _takes("▲", texts("page.goliath"), result.goliath, result, changes, names, texts)


def _takes(
    mark: str,
    role: str,
    seat: Seat,
    result: TrickResult,
    changes: dict[tuple[Seat, Colour], int],
    names: Sequence[str],
    texts: Texts,
) -> Line:
    cards = result.captured_by(seat)
    shown: Line = [texts("page.cards", count=len(cards))] if len(cards) > MOST_CARDS else apart(cards)
    return [Strong(f"{mark} {role} {names[seat]}"), " ", *shown, " ", Strong(signed(gain(changes, seat)))]


def apart(cards: CardSet) -> Line:
    """Cards with a space between them."""
    line: Line = []
    for card in cards:
        line += [" ", card] if line else [card]
    return line


def says(scene: Scene, texts: Texts) -> list[Line]:
    """What the narrator says now: a head, and what belongs to it."""
    view, names = scene.view, scene.names
    if scene.held and scene.result:
        head = why(scene.trick, scene.result, names, texts)
        return [[Strong(head)], outcome(scene.result, scene.swings, names, texts)]
    if view.to_play is None:
        return [[texts("page.deal_over")]]
    if scene.preview and scene.result:
        ends = len(view.trick.cards) == view.players - 1
        return [
            [Strong(texts("page.if_last" if ends else "page.if_ended") + ":")],
            outcome(scene.result, scene.swings, names, texts),
        ]
    if scene.preview:
        return [[Strong(texts("page.you_lead") + ".")], [texts("page.you_lead_what")]]
    if scene.can_play:
        return [[Strong(texts("page.your_turn")), " ", _your_turn(view, texts)]]
    return [rich(texts, "page.is_thinking", name=Strong(names[view.to_play]))]


def _your_turn(view: View, texts: Texts) -> str:
    led = view.trick.led
    if led is None:
        return texts("page.lead_any")
    key = "page.follow" if view.hand.of_colour(led) else "page.follow_none"
    return capital(texts(key, colour=led))


def refused(refusal: IllegalPlay, texts: Texts) -> Line:
    """Why a card can't be played, as the page says it."""
    if refusal.reason == Reason.MUST_FOLLOW:
        colour, legal = texts(f"colour.{refusal.arguments['colour']}"), apart(refusal.arguments["legal"])
        return [refusal.arguments["card"], " ", *rich(texts, "page.refused.must_follow", colour=colour, legal=legal)]
    if refusal.reason == Reason.NOT_YOUR_TURN:
        return [texts("page.refused.not_your_turn")]
    return [capital(texts.error(refusal))]


def story(view: View, names: Sequence[str], texts: Texts) -> list[Line]:
    """Each finished trick in sentences with its cards."""
    return [
        _story_line(trick, result, changes, view.seat, names, texts)
        for trick, result, changes in zip(view.tricks, view.results, gains(view), strict=True)
    ]


def _story_line(
    trick: Trick,
    result: TrickResult,
    changes: dict[tuple[Seat, Colour], int],
    me: Seat | None,
    names: Sequence[str],
    texts: Texts,
) -> Line:
    def tell(key: str, seat: Seat) -> Line:
        return rich(
            texts,
            f"{key}_you" if seat == me else key,
            len(result.captured_by(seat)),
            name=names[seat],
            card=card_of(trick, seat),
            prize=apart(result.captured_by(seat)),
            points=Strong(signed(gain(changes, seat))),
        )

    goliath, david = result.goliath, result.david
    if goliath == david:
        return tell("page.story_sweep", goliath)
    return [*tell("page.story_goliath", goliath), " ", *tell("page.story_david", david)]


def card_of(trick: Trick, seat: Seat) -> Card:
    """What a seat played to a trick."""
    return trick.cards[(seat - trick.leader) % trick.players]


def next_one(cards: CardSet) -> str:
    """The radar: what one more card does to the cards of one colour, as the page signs it.

    >>> [next_one(CardSet.parse(cards)) for cards in ("-", "R4", "R4,10", "R1,2", "R4,10,11")]
    ['▲', '4 ▲', '▼11', '±0', '+1']
    """
    change = next_card(cards)
    if change is None:
        return f"{points(cards)} ▲" if cards else "▲"
    return "+1" if change == 1 else f"▼{-change}" if change else "±0"


def how_counted(cards: CardSet, texts: Texts) -> str:
    """Why the cards of one colour are worth what they are."""
    if next_card(cards) == 1:
        return texts("page.counts_rubble")
    return texts(["page.counts_none", "page.counts_one", "page.counts_two"][len(cards)])


def headline(totals: Sequence[int], names: Sequence[str], me: Seat | None, texts: Texts) -> str:
    """Who has won."""
    winners = [seat for seat, place in enumerate(ranking(totals)) if place == 1]
    if len(winners) > 1:
        return texts("page.end_shared", names=", ".join(names[seat] for seat in winners))
    first, second, *_ = sorted(totals, reverse=True)
    key = "page.end_you_win" if winners == [me] else "page.end_wins"
    return texts(key, name=names[winners[0]], count=first - second)


def ranked(points: Sequence[int]) -> Iterator[tuple[int, Seat]]:
    """Places and seats, the best first."""
    yield from sorted(zip(ranking(points), range(len(points)), strict=True))
