"""Which command a client's message is: the messages of `protocol`, in the words of `table.commands`."""

from collections.abc import Callable, Collection

from davidgoliath.rules import Card
from davidgoliath.server.protocol import messages as m
from davidgoliath.server.rooms.bot_pool import BotPool
from davidgoliath.server.table import commands
from davidgoliath.server.table.commands import Change
from davidgoliath.server.table.events import Person
from davidgoliath.server.table.table import Table


def dispatch(
    table: Table,
    person: Person,
    wish: m.AnyFromClient,
    bot_pool: BotPool,
    here: Callable[[], Collection[Person]] = tuple,
) -> Change:
    """What happens if a wish is granted; a rematch, which needs another table, is the room's. `here` says who is
    connected."""
    match wish:
        case m.Sit(seat=seat):
            return commands.sit(table, person, seat)
        case m.Leave():
            return commands.leave(table, person, for_absent(bot_pool))
        case m.Back():
            return commands.back(table, person)
        case m.PlaceBot(seat=seat, bot=bot):
            bot_pool.check(bot)
            return commands.place_bot(table, person, seat, bot)
        case m.Free(seat=seat):
            return commands.free(table, person, seat)
        case m.Start(fill=fill):
            bots = [fill] if isinstance(fill, str) and fill else fill or []
            for bot in bots:
                bot_pool.check(bot)
            return commands.start(table, person, *bots)
        case m.Play(card=card):
            return commands.play(table, person, Card.parse(card))
        case m.Undo():
            return commands.undo(table, person)
        case m.DealAgain():
            return commands.deal_again(table, person)
        case m.Hint():
            return commands.hint(table, person)
        case m.AllowHints(allowed=allowed):
            return commands.allow_hints(table, person, allowed)
        case m.GoOn():
            return commands.go_on(table, person)
        case m.Pause():
            return commands.pause(table, person)
        case m.Resume():
            return commands.resume(table, person)
        case m.SetPace(milliseconds=milliseconds):
            return commands.set_pace(table, person, milliseconds)
        case m.Lock(locked=locked):
            return commands.lock(table, person, locked)
        case m.LetWatch(allowed=allowed):
            return commands.let_watch(table, person, allowed)
        case m.Ask(seat=seat):
            return commands.ask(table, person, seat)
        case m.ReplaceAbsent(seat=seat):
            return commands.replace_absent(table, person, seat, for_absent(bot_pool))
        case m.Remove(person=other):
            return commands.remove(table, person, other, for_absent(bot_pool), here())
        case m.End():
            return commands.end(table, person)
        case _:
            raise TypeError(wish)


def for_absent(bot_pool: BotPool) -> str:
    """The bot that plays for people who are away."""
    return "club" if "club" in bot_pool.names else bot_pool.names[0]
