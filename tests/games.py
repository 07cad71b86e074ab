"""Random deals, games and records for property tests."""

from random import Random

from hypothesis import strategies as st

from davidgoliath import Card, CardSet, Deal, DealRecord, DealState, Match, MatchRecord, RuleSet

players = st.integers(3, 6)
randoms = st.integers(0, 2**32).map(Random)
names = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=12)

tricks = st.sets(st.integers(1, 15)).map(sorted).map(tuple)


@st.composite
def rule_sets(draw: st.DrawFn) -> RuleSet:
    return RuleSet.of(
        deals=draw(st.sampled_from(["players", 1, 2, 3, 5, 20])),
        target_score=draw(st.none() | st.integers(1, 400)),
        lowest_card_to=draw(st.sampled_from(["goliath", "david"])),
        all_equal=draw(st.sampled_from(["split", "sweep"])),
    )


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    """Random deals, and some of long suits: there the values of a trick are often equal."""
    n, rng = draw(players), draw(randoms)
    deal = Deal.shuffled(n, rng)
    if draw(st.booleans()):
        return deal
    by_value = sorted((card for hand in deal.hands for card in hand), key=lambda card: (card.value, rng.random()))
    return Deal(deal.dealer, tuple(CardSet.of(by_value[seat::n]) for seat in range(n)))


def play_at_random(state: DealState, rng: Random, most: int = 90) -> DealState:
    while not state.is_over and most:
        state = state.play(rng.choice(list(state.legal_cards)))
        most -= 1
    return state


@st.composite
def states(draw: st.DrawFn, finished: bool | None = None) -> DealState:
    """A deal somewhere between its start and its end."""
    state = DealState.start(draw(deals()), draw(rule_sets()))
    most = 90 if finished else draw(st.integers(0, 90))
    return play_at_random(state, draw(randoms), most)


@st.composite
def records(draw: st.DrawFn) -> DealRecord:
    state = draw(states())
    n = state.players
    number = draw(st.none() | st.integers(1, state.standing.deals))
    low = (state.rules.target_score or 1000) - 1
    return DealRecord(
        state.rules,
        state.deal,
        state.plays,
        number,
        draw(st.none() | st.tuples(*[names] * n)),
        draw(st.none() | names),
        draw(st.none() | st.dates()),
        draw(st.none() | st.tuples(*[st.integers(0, low)] * n)),
        draw(st.none() | names),
        draw(st.none() | st.tuples(*[tricks] * n)),
    )


@st.composite
def match_records(draw: st.DrawFn) -> MatchRecord:
    n, rules, rng = draw(players), draw(rule_sets()), draw(randoms)
    match = Match(n, rules)
    for _ in range(draw(st.integers(1, 3))):
        if match.is_over:
            break
        match = match.shuffle_and_begin(rng)
        while match.state:
            match = match.play(rng.choice(list(match.state.legal_cards)))
    if not match.is_over and draw(st.booleans()):
        match = match.shuffle_and_begin(rng)
    return match.record(names=draw(st.none() | st.tuples(*[names] * n)), match=draw(st.none() | names))


def swapped(state: DealState, seat: int | None, rng: Random) -> DealState:
    """The same deal with cards exchanged between hands that the seat can't see, as far as play allows."""
    hands = [set(hand) for hand in state.hands]
    others = [other for other in range(state.players) if other != seat]
    voids = state.view(None).voids
    for _ in range(40):
        a, b = rng.sample(others, 2)
        if hands[a] and hands[b]:
            x, y = rng.choice(sorted(hands[a])), rng.choice(sorted(hands[b]))
            if x.colour not in voids[b] and y.colour not in voids[a]:
                hands[a] ^= {x, y}
                hands[b] ^= {x, y}
    played = [dealt - now for dealt, now in zip(state.deal.hands, state.hands, strict=True)]
    deal = Deal(state.deal.dealer, tuple(CardSet.of(h) | p for h, p in zip(hands, played, strict=True)))
    other = DealState.start(deal, state.rules, state.standing)
    for card in state.plays:
        other = other.play(card)
    return other


def cards(text: str) -> list[Card]:
    """`cards("G4 G9")`: cards in an order."""
    return [Card.parse(word) for word in text.split()]
