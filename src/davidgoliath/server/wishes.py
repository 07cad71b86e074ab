"""What people may wish at a table, and which events come of it: the messages of `messages`, in the words of `table`."""

from collections.abc import Collection

from davidgoliath.rules import Card
from davidgoliath.server import messages as m
from davidgoliath.server.events import AnyEvent, Person
from davidgoliath.server.table import Table
from davidgoliath.server.thinkers import Thinkers


def wished(
    table: Table, person: Person, wish: m.AnyFromClient, thinkers: Thinkers, here: Collection[Person] = ()
) -> list[AnyEvent]:
    """What happens if a wish is granted; a rematch, which needs another table, is the room's. `here` are all who are
    connected."""
    match wish:
        case m.Sit(seat=seat):
            return table.sit(person, seat)
        case m.Leave():
            return table.leave(person, for_absent(thinkers))
        case m.Back():
            return table.back(person)
        case m.PlaceBot(seat=seat, bot=bot):
            thinkers.check(bot)
            return table.place_bot(person, seat, bot)
        case m.Free(seat=seat):
            return table.free(person, seat)
        case m.Start(fill=fill):
            if fill:
                thinkers.check(fill)
            return table.start(person, fill)
        case m.Play(card=card):
            return table.play(person, Card.parse(card))
        case m.Undo():
            return table.undo(person)
        case m.DealAgain():
            return table.deal_again(person)
        case m.GoOn():
            return table.go_on(person)
        case m.Pause():
            return table.pause(person)
        case m.Resume():
            return table.resume(person)
        case m.SetPace(milliseconds=milliseconds):
            return table.set_pace(person, milliseconds)
        case m.Lock(locked=locked):
            return table.lock(person, locked)
        case m.LetWatch(allowed=allowed):
            return table.let_watch(person, allowed)
        case m.Ask(seat=seat):
            return table.ask(person, seat)
        case m.ReplaceAbsent(seat=seat):
            return table.replace_absent(person, seat, for_absent(thinkers))
        case m.Remove(person=other):
            return table.remove(person, other, for_absent(thinkers), here)
        case m.End():
            return table.end(person)
        case _:
            raise TypeError(wish)


def for_absent(thinkers: Thinkers) -> str:
    """The bot that plays for people who are away."""
    return "club" if "club" in thinkers.names else thinkers.names[0]
