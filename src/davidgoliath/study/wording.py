"""What study says as sentences: a key of the catalogues and its arguments, for whoever words them.

The page words the same sentences in JavaScript. So the choice of a sentence is made here, once: `Sentence` is what the
server sends, and only what an argument is called says how it is shown (`_shown`).
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from davidgoliath.rules import Card, Colour
from davidgoliath.study.values import CLOSE, Choice, Reason, ReasonKind
from davidgoliath.texts import Texts

ELIDED: Final = (1, 8, 11)
"""Values before which an Italian article loses its vowel."""
SURE: Final = {0: "never", 100: "always"}
"""What isn't said as a number."""


class Sentence(NamedTuple):
    """A text of the catalogues with its arguments, as JSON may have them: cards and colours as they are written, seats
    as numbers, how often something happens as a percentage."""

    key: str
    arguments: Mapping[str, Any]


def sentence(reason: Reason, played: Card, best: Card) -> Sentence:
    """What to say of a reason. With points it is followed by them: `study.with_points`."""
    kind, good = reason.kind, reason.points.value > 0
    key, arguments = f"study.reason.{kind}", dict[str, Any]()
    share = reason.share.value if reason.share else 0.0
    best_share = reason.best_share.value if reason.best_share else 0.0
    often, less = max(share, best_share), min(share, best_share)
    if kind in (ReasonKind.KEEP, ReasonKind.DROP, ReasonKind.VOID):
        if reason.card is None:
            return Sentence("study.reason.hand", {"card": str(best if good else played)})
        arguments["card"] = str(reason.card)
        if reason.role:
            key = f"{key}_{reason.role}"
        return Sentence(key, {**arguments, "often": _percent(often)} if often else arguments)
    first, second = (best, played) if best_share > share else (played, best)
    pays = good == (first is best)
    is_close = often - less < CLOSE
    if is_close and kind in (ReasonKind.GAIN, ReasonKind.RIVAL_GAIN):  # it is not how often, but what
        first, second = (best, played) if good == (kind == ReasonKind.GAIN) else (played, best)
    arguments = {"card": str(first), "other": str(second)}
    if reason.colour is not None:
        arguments |= {"colour": str(reason.colour), "colours": str(reason.colour)}
    if not is_close or kind not in (ReasonKind.GAIN, ReasonKind.RIVAL_GAIN):
        arguments |= {"often": _percent(often), "less": _percent(less)}
    match kind:
        case ReasonKind.DAVID if reason.card:
            key = f"study.reason.prize_{'pays' if pays else 'costs'}"
            arguments["prize"] = str(reason.card)
        case ReasonKind.GAIN if reason.colour is None:
            key = "study.reason.capture_better"
            first, second = (best, played) if good else (played, best)
            arguments = {"card": str(first), "other": str(second)}
        case ReasonKind.GAIN if is_close:
            key = "study.reason.gain_better"
        case ReasonKind.RIVAL_GAIN if is_close:
            key = "study.reason.rival_more"
        case ReasonKind.RIVAL_GAIN if pays:
            key = "study.reason.rival_harm"
        case ReasonKind.GOLIATH | ReasonKind.DAVID | ReasonKind.GAIN | ReasonKind.LEAD:
            key = f"{key}_{'pays' if pays else 'costs'}"
    if kind in (ReasonKind.RIVAL_GAIN, ReasonKind.RIVAL_THIRD_CARD):
        if reason.seat is None:
            key += "_someone"
        else:
            arguments["name"] = reason.seat
    return Sentence(key, arguments)


def mistake(choice: Choice) -> Sentence:
    """What was wrong, in a sentence: the reasons come after it."""
    points = choice.loss.value
    arguments = {"trick": choice.trick, "played": str(choice.played), "best": str(choice.analysis.best)}
    return Sentence("study.mistake", {**arguments, "points": round(points, 1)})


def worded(said: Sentence, texts: Texts, names: Sequence[str]) -> str:
    """A sentence in a language. `names` are the players', by seat."""
    shown = {name: _shown(name, said.arguments, texts, names) for name in said.arguments}
    text = texts(said.key, **shown)
    return text[:1].upper() + text[1:]


def _percent(share: float) -> int:
    """Rounded, but only what is always or never so is 100 or 0."""
    return round(100 * share) if share in (0, 1) else min(max(round(100 * share), 1), 99)


def _shown(name: str, arguments: Mapping[str, Any], texts: Texts, names: Sequence[str]) -> str:
    value = arguments[name]
    match name:
        case "card" | "other" | "prize" | "played" | "best":
            return card_name(Card.parse(value), texts)
        case "colour" | "colours":
            return texts(f"study.{name}.{Colour.parse(value)}")
        case "often" | "less":
            if value in SURE:
                return texts(f"study.often.{SURE[value]}")
            is_short = name == "less" and arguments["often"] not in SURE  # of what has just been said
            return texts(f"study.often.{'less' if is_short else 'some'}", count=value)
        case "name":
            return str(names[value])
        case "points":
            return texts.number(value, "+.1f").replace("-", "−")
    return str(value)


def card_name(card: Card, texts: Texts) -> str:
    """A card with its article, as in “the red 7”."""
    form = "card_elided" if card.value in ELIDED else "card"
    return texts(f"study.{form}.{card.colour}", value=card.value)
