"""The rules a second time, as plainly as can be, on lists and numbers: the oracle for property tests.

Nothing here uses the program's own code, only (colour, value) pairs.
"""

Pair = tuple[int, int]


def legal(hand: list[Pair], played: list[Pair]) -> list[Pair]:
    if played:
        of_led_colour = [card for card in hand if card[0] == played[0][0]]
        if of_led_colour:
            return of_led_colour
    return list(hand)


def captures(played: list[Pair], lowest_card_to: str, all_equal: str) -> tuple[int, int, dict[int, list[Pair]]]:
    """The places of Goliath and David in the order of play, and what each of them captures."""
    ranked = sorted(range(len(played)), key=lambda place: (played[place][1], place))
    goliath = ranked[-1]
    lowest_value = min(played[place][1] for place in ranked[:-1])
    david = max(place for place in ranked[:-1] if played[place][1] == lowest_value)
    if all_equal == "sweep" and len({value for _, value in played}) == 1:
        return goliath, goliath, {goliath: list(played)}
    taken = {goliath: [], david: [played[goliath]]}  # type: dict[int, list[Pair]]
    for place, card in enumerate(played):
        if place == david and lowest_card_to == "david":
            taken[david].append(card)
        elif place != goliath:
            taken[goliath].append(card)
    return goliath, david, taken


def score(pile: list[Pair]) -> int:
    total = 0
    for colour in range(5):
        values = [value for its_colour, value in pile if its_colour == colour]
        if len(values) == 1:
            total += values[0]
        elif len(values) == 2:
            total += values[0] + values[1]
        else:
            total += len(values)
    return total
