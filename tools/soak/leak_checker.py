"""What those who misbehave have heard, and whether they should have."""

import json
from collections import Counter
from itertools import accumulate
from pathlib import Path
from typing import Any

from davidgoliath.match.shuffle import Shuffle
from davidgoliath.rules import Card, CardSet
from davidgoliath.server.store.sqlite.store import SqliteStore
from davidgoliath.server.table import events as e
from davidgoliath.server.table.table import Table
from tools.decode_message import decode_message
from tools.soak.regulars import Regulars

Heard = tuple[str, int, str | None]
"""A table, the number of an event, and who heard of it: None is a spectator."""


class LeakChecker:
    """Keeps what was heard, once each, and compares it in the end with what is stored."""

    def __init__(self) -> None:
        self.secrets: set[str] = set()
        """What nobody may ever be told: tokens."""
        self.objections: list[str] = []
        self._events: dict[Heard, set[str]] = {}
        self._present: set[Heard] = set()
        """Who heard of an event as it happened, and not later."""
        self._cards: dict[Heard, set[str]] = {}
        """Cards that somebody was told to have."""
        self._others: set[str] = set()
        self._reasons: Counter[str] = Counter()

    def hear(self, table: str, person: str | None, text: str) -> dict[str, Any]:
        """Takes a message down, and gives it back."""
        message = decode_message(text)
        if any(secret in text for secret in self.secrets):
            self.objections.append(f"a token was told: {text[:200]}")
        match message:
            case {"type": "batch", "first": first, "events": events}:
                for seq, told in enumerate(events, first):
                    self._keep(table, seq, person, told)
            case {"type": "happened", "seq": seq}:
                self._present.add((table, seq, person))
                self._keep(table, seq, person, message)
            case {"type": "turn", "seq": seq, "legal": legal}:
                self._cards.setdefault((table, seq, person), set()).update(legal)
            case {"type": "advice", "seq": seq, "cards": worths}:
                self._cards.setdefault((table, seq, person), set()).update(worth["card"] for worth in worths)
            case {"type": "hand", "seq": seq, "hand": hand}:
                self._cards.setdefault((table, seq, person), set()).update(map(str, CardSet.parse(hand)))
            case {"type": "welcome", "you": you}:
                if you not in (None, person):
                    self.objections.append(f"somebody got in as somebody else: {text}")
            case {"type": "refused", "reason": reason, "arguments": arguments, "seq": seq}:
                self._reasons[reason] += 1
                if "legal" in arguments:
                    named = map(str, CardSet.parse(arguments["legal"]))
                    self._cards.setdefault((table, seq, person), set()).update(named)
                else:
                    self._others.add(text)
            case _:
                self._others.add(text)
        return message

    def _keep(self, table: str, seq: int, person: str | None, told: dict[str, Any]) -> None:
        what = {key: told[key] for key in ("event", "marks", "took") if key in told}
        self._events.setdefault((table, seq, person), set()).add(json.dumps(what))

    async def check(self, database: Path, regulars: Regulars) -> dict[str, float]:
        """Everything, against the store. Gives figures."""
        assert not self.objections, self.objections[0]
        store = SqliteStore(database)
        tables, times = {}, {}
        for listed in await store.tables():
            stored = await store.events(listed.table.id)
            tables[listed.table.id] = [e.decode(event.body) for event in stored]
            times[listed.table.id] = [event.at for event in stored]
        await store.close()
        for table in regulars.tables:
            _check_regulars(table, tables[table], regulars)
        states = {
            table: list(accumulate(events[1:], Table.after, initial=Table.fold(events[:1])))
            for table, events in tables.items()
        }
        for (table, seq, person), versions in self._events.items():
            for version in versions:
                event, later = tables[table][seq - 1], tables[table][seq:]
                _check_event(decode_message(version)["event"], event, states[table][seq - 1 :], later, person)
        for table, seq, person in self._present:
            begun = times[table].index(times[table][seq - 1])  # what one wish caused is told together
            before = states[table][max(0, begun - 1)]
            assert before.receives(person), f"{person} watched table {table} where nobody may: event {seq}"
        for (table, seq, person), cards in self._cards.items():
            view = states[table][seq - 1].view(person)
            assert view is not None, f"{person} was told cards before there were any"
            assert cards <= set(map(str, view.hand)), f"{person} was told cards of somebody else: {cards}"
        self._check_others(tables)
        return {
            "kinds_of_events": len({type(event) for events in tables.values() for event in events}),
            "events_heard": len(self._events),
            "hands_and_turns_heard": len(self._cards),
            "other_messages_heard": len(self._others),
            "refusals": sum(self._reasons.values()),
            "reasons_of_refusals": len(self._reasons),
        }

    def _check_others(self, tables: dict[str, list[e.AnyEvent]]) -> None:
        """No other message has a shuffle's secret or a whole hand in it."""
        hidden = set()
        for event in (event for events in tables.values() for event in events):
            if isinstance(event, e.Dealt):
                hidden |= {Shuffle.parse(event.shuffle).secret.hex(), *event.hands}
            elif isinstance(event, e.Committed):
                hidden.add(Shuffle.parse(event.shuffle).secret.hex())
        hidden.discard("-")
        everything = "\n".join(self._others)
        told = [secret for secret in hidden if secret in everything]
        assert not told, f"a secret was told: {told[0]}"


def _check_event(
    heard: dict[str, Any], stored: e.AnyEvent, after: list[Table], later: list[e.AnyEvent], person: str | None
) -> None:
    """Somebody heard what they may hear: no secret, and a hand only if it was theirs or is played out.

    What is hidden is said here once more, so that a mistake in `table.visibility` is found.
    """
    expected = json.loads(e.encode(stored))
    if isinstance(stored, e.Committed | e.Dealt):
        del expected["shuffle"]
    if isinstance(stored, e.Dealt):
        opened = next((place for place, event in enumerate(later, 1) if isinstance(event, e.Opened)), len(after))
        theirs = {
            seat
            for table in (after[0], *after[opened:])
            for seat, chair in enumerate(table.chairs)
            if person and chair.person == person
        }
        shown = [seat for seat, hand in enumerate(heard["hands"]) if hand != "-"]
        assert len(shown) <= 1, f"{person} was told several hands"
        assert theirs.issuperset(shown), f"{person} was told the hands of seats {shown}"
        expected["hands"] = [hand if seat in shown else "-" for seat, hand in enumerate(stored.hands)]
    assert heard == expected, f"{person} heard {heard} instead of {expected}"


def _check_regulars(table: str, events: list[e.AnyEvent], regulars: Regulars) -> None:
    """Everything at their table is what one of them wished at that moment, or follows from it."""
    for seq, event in enumerate(events, 1):
        said = regulars.said[table, seq - 1]
        match event:
            case e.Created():
                is_fine = seq == 1
            case e.Sat(seat=1, player=player):
                is_fine = ("sit", 1, "") in said and player == regulars.persons[1]
            case e.Started():
                is_fine = ("start", 0, "") in said
            case e.Played(seat=2, by=by):
                is_fine = by == "bot"
            case e.Played(seat=seat, card=card, by="person"):
                is_fine = ("play", seat, str(Card.parse(card))) in said
            case e.WentOn(seat=seat):
                is_fine = ("goon", seat, "") in said
            case e.Dealt(deal=deal, shuffle=shuffle):
                shares = Shuffle.parse(shuffle).shares
                known = [regulars.shares.get((table, deal, seat), "") for seat in (0, 1)]
                is_fine = shares == (*map(bytes.fromhex, known), None)
            case e.Committed() | e.Opened():
                is_fine = True
            case _:
                is_fine = False
        assert is_fine, f"somebody else caused event {seq} at the regulars' table: {event}"
