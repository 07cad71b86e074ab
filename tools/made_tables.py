"""Tables as a test or a measurement needs them, made of the events that a server would have stored."""

from random import Random

from davidgoliath import Deal
from davidgoliath.server.store.contract import MemberRow, Stage, Store, Stored, TableRow
from davidgoliath.server.table import commands
from davidgoliath.server.table.commands import Change
from davidgoliath.server.table.events import VERSION, AnyEvent, Committed, Created, Dealt, Started, encode
from davidgoliath.server.table.table import Table


class MadeTable:
    """A table, and all that has happened there."""

    def __init__(self, *seats: str, rules: str = "classic deals=2", seed: int = 1, hints: bool = False) -> None:
        host = next(player for player in seats if not player.startswith("bot:"))
        created = Created(host, seats, rules, takeover=True, hints=hints)
        self.events: list[AnyEvent] = [created]
        self.table = Table.begin(created)
        self.rng = Random(seed)
        self.happen(Started())

    def happen(self, *events: AnyEvent) -> "MadeTable":
        for event in events:
            self.events.append(event)
            self.table = self.table.after(event)
        return self

    def change(self, change: Change) -> "MadeTable":
        return self.happen(*change.events)

    def deal(self) -> "MadeTable":
        number, table = self.table.match.standing.deal, self.table
        deal = Deal.shuffled(table.players, self.rng, table.match.next_dealer)
        hands = tuple(map(str, deal.hands))
        return self.happen(Committed(number, "hash", "secret"), Dealt(number, deal.dealer, hands, "secret"))

    def play(self, cards: int = 90) -> "MadeTable":
        """So many cards more of the deal, or all."""
        for _ in range(cards):
            table, seat = self.table, self.table.to_play
            if seat is None or table.state is None:
                break
            chair, card = table.chairs[seat], self.rng.choice(sorted(table.state.legal_cards))
            is_persons = chair.person and not chair.stand_in
            self.change(
                commands.play(table, chair.person, card)
                if is_persons and chair.person
                else commands.play_for(table, seat, card)
            )
        return self

    def play_to(self, seat: int) -> "MadeTable":
        """Until it is that seat's turn."""
        while self.table.to_play != seat:
            self.play(1)
        return self

    async def store(self, store: Store, name: str = "t1", at: float = 0.0) -> None:
        """As a server would have done."""
        stored = [Stored(VERSION, at, encode(event)) for event in self.events]
        assert await store.create_table(TableRow(name, at, Stage.RUNNING), *stored)
        for person in self.table.had_cards:
            await store.join(MemberRow(name, person, at))
