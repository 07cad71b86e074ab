"""The options in which the printed rule texts differ, and the presets that name a combination of them."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal

from davidgoliath.rules.checks import TEXT, check_kind
from davidgoliath.rules.refusal import NotationError, Reason, Refusal

MOST_DEALS: Final = 20
HIGHEST_TARGET: Final = 9999


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One choice for every option. The default is `classic`.

    >>> str(RuleSet(deals=2, all_equal="sweep"))
    'classic deals=2 all_equal=sweep'
    >>> RuleSet.parse("manual").lowest_card_to
    'david'
    """

    deals: int | Literal["players"] = "players"
    """How many deals make a match: as many as players, or a number from 1 to 20."""
    target_score: int | None = None
    """The match ends after the deal in which someone reaches this total, if not before."""
    lowest_card_to: Literal["goliath", "david"] = "goliath"
    """Who captures the lowest card of a trick."""
    all_equal: Literal["split", "sweep"] = "split"
    """A trick of equal values: the last card is the highest and the one before it the lowest,
    or the last card is both and captures the whole trick."""

    def __post_init__(self) -> None:
        for name, (words, numbers) in OPTIONS.items():
            value = getattr(self, name)
            if value not in (numbers if type(value) is int else words):
                shown = "none" if value is None else value
                raise Refusal(Reason.OPTION_VALUE, option=name, value=shown, allowed=_wording(words, numbers))

    @classmethod
    def of(cls, preset: str = "classic", **options: Any) -> "RuleSet":
        """A preset with some options changed.

        >>> RuleSet.of("single", all_equal="sweep")
        RuleSet(deals=1, target_score=None, lowest_card_to='goliath', all_equal='sweep')
        """
        if preset not in tuple(PRESETS):
            raise Refusal(Reason.NO_SUCH_PRESET, preset=preset, presets=", ".join(PRESETS))
        for name in options:
            if name not in OPTIONS:
                raise Refusal(Reason.NO_SUCH_OPTION, option=name, options=", ".join(OPTIONS))
        return cls(**{**_as_dict(PRESETS[preset]), **options})

    @classmethod
    def parse(cls, text: str) -> "RuleSet":
        """A preset, and options behind it: `classic deals=2 all_equal=sweep`."""
        check_kind(text, str, f"{TEXT} such as 'classic deals=2'")
        preset, *words = text.split() or [""]
        options: dict[str, Any] = {}
        for word in words:
            name, _, value = word.partition("=")
            if name in options:
                raise NotationError(Reason.OPTION_TWICE, option=name)
            options[name] = _option_from(value)
        try:
            return cls.of(preset, **options)
        except Refusal as refusal:
            raise NotationError(refusal.reason, **refusal.arguments) from None

    def __str__(self) -> str:
        preset, options = self.preset_and_options()
        return " ".join([preset, *(f"{name}={'none' if value is None else value}" for name, value in options.items())])

    def preset_and_options(self) -> tuple[str, dict[str, Any]]:
        """The preset nearest to these rules, and the options that differ from it."""
        preset = _nearest_preset(self)
        near = _as_dict(PRESETS[preset])
        return preset, {name: value for name, value in _as_dict(self).items() if value != near[name]}

    def deals_for(self, players: int) -> int:
        """Rule 14: the number of deals in a match of so many players, if no target score ends it."""
        return players if self.deals == "players" else self.deals


def _as_dict(rules: RuleSet) -> dict[str, Any]:
    return {name: getattr(rules, name) for name in OPTIONS}


@lru_cache
def _nearest_preset(rules: RuleSet) -> str:
    own = _as_dict(rules).items()
    return min(PRESETS, key=lambda preset: len(own - _as_dict(PRESETS[preset]).items()))


def _option_from(text: str) -> int | str | None:
    if text == "none":
        return None
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text


def _wording(words: tuple[str | None, ...], numbers: range) -> str:
    choices = [word or "none" for word in words]
    return ", ".join(choices + ([f"{numbers[0]}–{numbers[-1]}"] if numbers else []))


OPTIONS: Final[dict[str, tuple[tuple[str | None, ...], range]]] = {
    "deals": (("players",), range(1, MOST_DEALS + 1)),
    "target_score": ((None,), range(1, HIGHEST_TARGET + 1)),
    "lowest_card_to": (("goliath", "david"), range(0)),
    "all_equal": (("split", "sweep"), range(0)),
}
"""Of each option the words and the numbers that it may be."""

CLASSIC: Final = RuleSet()
PRESETS: Final = {
    "classic": CLASSIC,
    "single": RuleSet(deals=1),
    "manual": RuleSet(deals=1, lowest_card_to="david"),
}
