"""Reviews and hints as JSON, for programs. Points have one decimal."""

from typing import Any

from davidgoliath.rules import Card
from davidgoliath.study.grades import right_cards
from davidgoliath.study.hints import Hint
from davidgoliath.study.judges import JUDGE
from davidgoliath.study.values import Analysis, Choice, Estimate, Ledger, Reason, Review

Json = dict[str, Any]


def review_to_json(review: Review, cards: bool = False) -> Json:
    """A review; with all cards of each choice if they are wanted."""
    lost = review.lost_per_choice
    return {
        "deal": review.deal,
        "seat": review.seat,
        "choices": [choice_to_json(choice, cards) for choice in review.choices],
        "lost_per_choice": None if lost is None else _rounded(lost.value, 2),
        "low": None if lost is None else _rounded(lost.low, 2),
        "high": None if lost is None else _rounded(lost.high, 2),
        "ledger": None if review.ledger is None else ledger_to_json(review.ledger, steps=cards),
        "judge": review.judge,
    }


def choice_to_json(choice: Choice, cards: bool = False) -> Json:
    """`cards` has what each legal card is worth, `right` those that are no error."""
    more = {"cards": cards_to_json(choice.analysis), "right": _names(right_cards(choice.analysis))} if cards else {}
    return {
        "trick": choice.trick,
        "played": choice.played.name,
        "best": choice.analysis.best.name,
        **_named("loss", choice.loss),
        "grade": choice.grade.value,
        "reasons": [reason_to_json(reason) for reason in choice.reasons],
        **more,
    }


def hint_to_json(hint: Hint) -> Json:
    return {
        "best": hint.card.name,
        "instead": hint.instead.name if hint.instead else None,
        "cards": cards_to_json(hint.analysis),
        "reasons": [reason_to_json(reason) for reason in hint.reasons],
        "judge": JUDGE,
    }


def cards_to_json(analysis: Analysis) -> Json:
    """By card: what it is worth, between what that lies, and what it loses against the best one."""
    return {
        card.name: [*map(_rounded, estimate), _rounded(analysis.losses[card].value)]
        for card, estimate in analysis.cards.items()
    }


def reason_to_json(reason: Reason) -> Json:
    """Points as the played card has them: below 0 where it loses."""
    loss = reason.points
    found = {
        "reason": reason.kind.value,
        "colour": str(reason.colour) if reason.colour is not None else None,
        "seat": reason.seat,
        "card": reason.card.name if reason.card else None,
        "role": reason.role.value if reason.role else None,
        "share": _rounded(reason.share.value, 2) if reason.share else None,
        "best_share": _rounded(reason.best_share.value, 2) if reason.best_share else None,
        **_named("points", Estimate(-loss.value, -loss.high, -loss.low)),
    }
    return {key: value for key, value in found.items() if value is not None}


def ledger_to_json(ledger: Ledger, steps: bool = False) -> Json:
    dealt, own, others, result, values = ledger.printed
    printed: Json = {"dealt": dealt, "own": own, "others": others, "result": result}
    return {**printed, "steps": [*values]} if steps else printed


def _named(name: str, estimate: Estimate) -> Json:
    value, low, high = map(_rounded, estimate)
    return {name: value, "low": low, "high": high}


def _rounded(number: float, digits: int = 1) -> float:
    """Without the sign of nothing."""
    return round(number, digits) + 0.0


def _names(cards: list[Card]) -> list[str]:
    return [card.name for card in cards]
