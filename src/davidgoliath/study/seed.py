"""Chance from a view alone: whoever knows the same gets the same numbers, and hidden cards can't change them."""

from hashlib import blake2b

from davidgoliath.rules import View


def seed_of(view: View, *words: object) -> int:
    """A number from all that a seat knows, and some words more."""
    tricks = (*view.tricks, view.trick)
    known = (view.seat, view.rules, view.standing, view.dealer, view.hand, [(t.leader, *t.cards) for t in tricks])
    return int.from_bytes(blake2b(repr((known, words)).encode(), digest_size=8).digest(), "little")
