"""A review and a hint in words, and a chart of text: for the command line, plain lines and the app."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from davidgoliath.rules import Card, View
from davidgoliath.rules.cards import HAND_SIZE
from davidgoliath.study.hints import Hint
from davidgoliath.study.review import lost_per_choice
from davidgoliath.study.strength import strength
from davidgoliath.study.values import ERRORS, Choice, Estimate, Ledger, Reason, Review
from davidgoliath.study.wording import card_name, mistake, sentence, worded
from davidgoliath.terminal.bars import bars
from davidgoliath.terminal.company import bot_name
from davidgoliath.terminal.lines import columns, wrapped
from davidgoliath.terminal.narrator import capital
from davidgoliath.texts import Texts

ROWS: Final = 6
"""Of the chart, besides the line of 0."""


def figure(number: float, texts: Texts, form: str = ".1f") -> str:
    """
    >>> figure(2.34, Texts("de"), "+.1f"), figure(-1.5, Texts("en"))
    ('+2,3', '−1.5')
    """
    written = texts.number(number, form).replace("-", "−")
    return written if re.search("[1-9]", written) else written.lstrip("+−")


def signed(points: float, texts: Texts) -> str:
    """
    >>> signed(2.34, Texts("en")), signed(-0.02, Texts("en"))
    ('+2.3', '0.0')
    """
    return figure(points, texts, "+.1f")


def between(estimate: Estimate, texts: Texts, form: str = ".1f") -> dict[str, str]:
    """An estimate as arguments of a text."""
    points, low, high = (figure(number, texts, form) for number in estimate)
    return {"points": points, "low": low, "high": high}


def because(
    reasons: Sequence[Reason], played: Card, best: Card, loss: Estimate, names: Sequence[str], texts: Texts
) -> list[str]:
    """Reasons with what the better card gains by them, and by the rest of the deal."""
    said = [(worded(sentence(reason, played, best), texts, names), reason.points.value) for reason in reasons]
    rest = capital(texts("study.rest")), loss.value - sum(points for _, points in said)
    return [
        texts("study.with_points", reason=words, points=signed(points, texts))
        for words, points in ([*said, rest] if said else [])
    ]


def in_words(choice: Choice, names: Sequence[str], texts: Texts) -> list[str]:
    """An error, and why it is one."""
    grade, costs = texts(f"study.grade.{choice.grade}"), between(choice.loss, texts)
    return [
        worded(mistake(choice), texts, names),
        capital(texts("look_back.sure", grade=grade, low=costs["low"], high=costs["high"])),
        *because(choice.reasons, choice.played, choice.analysis.best, choice.loss, names, texts),
    ]


def chart(review: Review, players: int, texts: Texts) -> list[str]:
    """What the deal was worth to the seat at its start and after each trick, and below in which tricks errors are."""
    if not review.ledger:
        return []
    errors = {choice.trick for choice in review.choices if choice.grade in ERRORS}
    numbers = range(1, HAND_SIZE + 1)
    feet = [["", *map(str, numbers)], ["", *("▲" if number in errors else "" for number in numbers)]]
    values = review.ledger.steps[::players]
    return bars(values, ROWS, lambda value: signed(value, texts) if value else "0", *feet[: 1 + bool(errors)])


def parts(ledger: Ledger, texts: Texts) -> list[list[str]]:
    """Where the points came from, in rows that add up."""
    printed = ledger.printed._asdict()
    names = ("dealt", "own", "others", "result")
    return [[capital(texts(f"study.ledger.{name}")), signed(printed[name], texts)] for name in names]


def how_strong(lost: Estimate | None, players: int, texts: Texts) -> list[str]:
    """Between which bots that was, and by how many points lost per choice."""
    if lost is None:
        return [texts("study.page.strength_unsure")]
    above, below = strength(lost, players)
    if above and below:
        where = texts("study.page.strength_between", lower=bot_name(texts, above), upper=bot_name(texts, below))
    elif below:
        where = texts("study.page.strength_below", name=bot_name(texts, below))
    elif above:
        where = texts("study.page.strength_above", name=bot_name(texts, above))
    else:
        where = texts("study.page.strength_unsure")
    return [where, texts("study.page.lost_per_choice", **between(lost, texts, ".2f"))]


def look_back(review: Review, deals: int, names: Sequence[str], texts: Texts) -> str:
    """All of a review, for people. `deals`: of how many this is one."""
    where = texts("page.deal_of", deal=review.deal, deals=deals)
    blocks = [[f"{capital(where)} · {names[review.seat]}", *how_strong(review.lost_per_choice, len(names), texts)]]
    errors = review.costliest
    blocks.append([texts("study.page.costly") if errors else texts("study.page.costly_none")])
    for choice in errors:
        first, *more = in_words(choice, names, texts)
        blocks.append([f"  {first}", *(f"    {line}" for line in more)])
    if review.choices:
        blocks.append(_choices(review.choices, texts))
    if review.ledger:
        blocks.append(columns(parts(review.ledger, texts), {1}))
        blocks.append([f"  {line}" for line in chart(review, len(names), texts)])
    return _set_out(blocks)


def sum_up(reviews: Sequence[Review], name: str, players: int, texts: Texts) -> str:
    """How strong somebody was in several deals."""
    deals = texts("count.deals", count=len(reviews))
    lost = lost_per_choice(choice for review in reviews for choice in review.choices)
    return _set_out([[f"{deals} · {name}", *how_strong(lost, players, texts)]])


def _choices(choices: Sequence[Choice], texts: Texts) -> list[str]:
    heads = ("look_back.trick", "look_back.played", "look_back.best", "look_back.costs")
    rows = [[*map(texts, heads), "95 %", ""]]
    for choice in choices:
        costs, grade = between(choice.loss, texts), texts(f"study.grade.{choice.grade}")
        span = texts("arena.range", low=costs["low"], high=costs["high"])
        rows.append([str(choice.trick), str(choice.played), str(choice.analysis.best), costs["points"], span, grade])
    return columns(rows, {0, 3})


def hint_in_words(hint: Hint, names: Sequence[str], texts: Texts) -> list[str]:
    """The card, and why."""
    said = [texts("study.hint", best=card_name(hint.card, texts))]
    if hint.instead is None:
        return said
    loss = hint.analysis.losses[hint.instead]
    is_sure = hint.reasons or loss.low > 0
    compared = texts(f"study.page.hint{'' if is_sure else '_close'}", best=hint.card, other=hint.instead)
    said.append(f"{compared} ({signed(loss.value, texts)})" if is_sure else compared)
    return [*said, *because(hint.reasons, hint.instead, hint.card, loss, names, texts)]


def hint_table(hint: Hint, view: View, names: Sequence[str], texts: Texts) -> str:
    """A hint with what every card is worth."""
    deal = texts("page.deal_of", deal=view.standing.deal, deals=view.standing.deals)
    trick = texts("page.trick_number", number=len(view.tricks) + 1)
    first, *more = hint_in_words(hint, names, texts)
    rows = [[texts("look_back.card"), texts("look_back.worth"), "95 %", texts("look_back.costs")]]
    losses = hint.analysis.losses
    for card in sorted(losses, key=lambda card: (card is not hint.card, losses[card].value)):
        worth, loss = between(hint.analysis.cards[card], texts, "+.1f"), losses[card]
        span = texts("arena.range", low=worth["low"], high=worth["high"])
        rows.append([str(card), worth["points"], span, figure(loss.value, texts)])
    where = f"{capital(deal)} · {trick} · {names[view.seat or 0]}"
    return _set_out([[where], [first, *(f"  {line}" for line in more)], columns(rows, {1, 3})])


def _set_out(blocks: Iterable[Sequence[str]]) -> str:
    return "\n\n".join("\n".join(map(wrapped, block)) for block in blocks)
