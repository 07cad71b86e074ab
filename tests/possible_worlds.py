"""What a view leaves open: all worlds that are consistent with it, and views that leave little open."""

from itertools import product
from random import Random

from davidgoliath import CardSet, Deal, DealState, View


def all_worlds(view: View) -> set[tuple[CardSet, ...]]:
    """Every consistent world, by trying each seat for each unseen card."""
    others = [seat for seat in range(view.players) if seat != view.seat]
    found: set[tuple[CardSet, ...]] = set()
    cards = list(view.unseen)
    choices = [[seat for seat in others if card.colour not in view.voids[seat]] for card in cards]
    for owners in product(*choices):
        if all(owners.count(seat) == view.hand_sizes[seat] for seat in others):
            hands = [
                CardSet.of(c for c, owner in zip(cards, owners, strict=True) if owner == s) for s in range(view.players)
            ]
            found.add(tuple(view.hand if seat == view.seat else hands[seat] for seat in range(view.players)))
    return found


def late_view(players: int, seed: int, left: int, least_voids: int) -> View:
    """A view near the end of a random deal in which so many voids still matter."""
    for attempt in range(10_000):
        rng = Random(f"{seed} {attempt}")
        state = DealState.start(Deal.shuffled(players, rng))
        while len(state.plays) < players * (15 - left) + attempt % players:
            state = state.play(rng.choice(list(state.legal_cards)))
        assert state.to_play is not None
        view = state.view(state.to_play)
        out = {card.colour for card in view.unseen}
        if sum(len(voids & out) for seat, voids in enumerate(view.voids) if seat != view.seat) >= least_voids:
            return view
    raise AssertionError("no such view")
