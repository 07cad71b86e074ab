"""Who may see what of an event: the one place that hides anything of it.

Everybody at the table gets every event as it is stored, but for the secrets of a shuffle and the others' cards.
"""

from davidgoliath.server.table.events import AnyEvent, Committed, Dealt, Seat


def told(event: AnyEvent, seat: Seat | None) -> AnyEvent:
    """An event as a seat may see it; None is a spectator."""
    match event:
        case Committed():
            return Committed(event.deal, event.commitment)
        case Dealt():
            hands = tuple(hand if other == seat else "-" for other, hand in enumerate(event.hands))
            return Dealt(event.deal, event.dealer, hands)
        case _:
            return event


def is_plain(event: AnyEvent) -> bool:
    """Whether it is told to everyone as it is stored."""
    return not isinstance(event, Committed | Dealt)


def differs_by_seat(event: AnyEvent) -> bool:
    """Whether a seat sees more than a spectator."""
    return isinstance(event, Dealt)


def opened(event: AnyEvent) -> AnyEvent:
    """An event of a deal that is over, with all hands. What was shuffled is told by `Opened`."""
    return Dealt(event.deal, event.dealer, event.hands) if isinstance(event, Dealt) else told(event, None)
