"""The page in each of its states: for pictures of it, and for checks that every state has to pass.

A scene is a function that opens a page and brings it there. To add one, write it here with `@scene`.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

from playwright.sync_api import Browser, Error, Page

from davidgoliath.notation import ScorePad, Tally
from davidgoliath.rules import CardSet, Deal, DealState
from tools.friend import Friend, friends
from tools.page_actions import CARD, EDGE, GO_ON, HAND, HINT, NO_CARD, pick_card, play_card, play_until
from tools.played import await_review, played
from tools.served import Person, Served, ServedSite
from tools.site_match import played_in_page

READY = "main:not([aria-busy=true])"
PATIENCE = 15_000
"""Milliseconds until whatever is awaited has to be there, on a busy computer."""

Visit = Callable[..., Page]
"""Opens a path as somebody with a browser of their own, whose options are those of Playwright's contexts."""


@contextmanager
def visits(
    browser: Browser, server: Served, watch: Callable[[Page], None] = lambda page: None, language: str = "en"
) -> Iterator[Visit]:
    """Opens pages until the end of the context; whoever watches has each of them before it loads."""
    contexts = []

    def visit(path: str, **options: Any) -> Page:
        settings = {"locale": language, "reduced_motion": "reduce", **options}
        contexts.append(browser.new_context(base_url=server.address, **settings))
        contexts[-1].set_default_timeout(PATIENCE)
        page = contexts[-1].new_page()
        watch(page)
        response = page.goto(server.at(path))
        if response is None or not response.ok:
            raise Error(f"{path} isn't there")
        return page

    try:
        yield visit
    finally:
        for context in contexts:
            context.close()


@dataclass(frozen=True, slots=True)
class Stage:
    """Where a scene is set."""

    server: Served
    visit: Visit
    players: int

    @property
    def bots(self) -> list[str]:
        return ["club"] * (self.players - 1)

    def table(self, tricks: int = 0, rules: str = "single") -> Page:
        """The turn of a person among bots, after so many tricks. A finished trick waits for a tap."""
        if isinstance(self.server, ServedSite):
            return self._table_of_site(tricks, rules)
        anna = self.server.person()
        table = played(self.server, anna, self.bots, rules, tricks=tricks)
        page = self.visit(f"/t/{table}", storage_state=self.server.storage(anna, speed="instant", stay=0))
        page.locator(CARD).first.wait_for()
        return page

    def _table_of_site(self, tricks: int, rules: str) -> Page:
        """The same: there the tables are in the page's own browser."""
        page = self.visit("/", storage_state=self.server.storage(speed="instant", stay=0))
        table, _ = played_in_page(page, self.bots, rules, tricks)
        page.goto(self.server.address + self.server.at(f"/t/{table}"))
        page.locator(CARD).first.wait_for()
        return page

    def company(self, rules: str = "classic", **terms: object) -> list[Friend]:
        """Anna, who is the host, Ben and Cleo at the table of a match that has begun; all other seats are bots'."""
        people = [self.server.person(name) for name in ("Anna", "Ben", "Cleo")]
        bots = ["club"] * (self.players - len(people))
        return friends(self.server, self.server.table(people[0], [None, None, None, *bots], rules, **terms), *people)

    def seen_by(self, person: Person, company: list[Friend], sight: str, **settings: object) -> Page:
        """The page of somebody at the others' table, once something shows; they stay for as long as it is open."""
        storage = self.server.storage(person, speed="instant", stay=0, **settings)
        page = self.visit(company[0].path, storage_state=storage)

        def close(_: Page) -> None:
            for friend in company:
                friend.close()

        page.once("close", close)
        page.locator(sight).first.wait_for()
        return page


Act = Callable[[Stage], Page]


@dataclass(frozen=True, slots=True)
class Scene:
    """A state of the page, and the numbers of players that make a difference to it."""

    act: Act
    players: tuple[int, ...]


SCENES: dict[str, Scene] = {}


def scene(*players: int) -> Callable[[Act], Act]:
    """Makes a function a scene."""

    def add(act: Act) -> Act:
        SCENES[act.__name__] = Scene(act, players or (4,))
        return act

    return add


def _at(path: str) -> Act:
    """A page that needs nothing but its address."""

    def act(stage: Stage) -> Page:
        page = stage.visit(path)
        page.locator(READY).first.wait_for()
        return page

    return act


ADDRESSES = {
    "home": "/",
    "friends": "/friends",
    "join": "/join",
    "learn": "/learn",
    "rules": "/rules",
    "settings": "/settings",
    "privacy": "/privacy",
    "pad_setup": "/score",
    "nowhere": "/t/nowhere",
}
SCENES |= {name: Scene(_at(path), (4,)) for name, path in ADDRESSES.items()}


@scene()
def games(stage: Stage) -> Page:
    """With a match that is over, and one that isn't."""
    anna = stage.server.person()
    played(stage.server, anna, stage.bots)
    stage.server.table(anna, [None, *stage.bots])
    page = stage.visit("/games", storage_state=stage.server.storage(anna))
    page.locator("main a[href^='/t/']").first.wait_for()
    return page


@scene()
def link(stage: Stage) -> Page:
    """Somebody else's personal link, and the question whether to become them."""
    anna, ben = stage.server.person(), stage.server.person("Ben")
    page = stage.visit(f"/#me={ben.token}", storage_state=stage.server.storage(anna))
    page.locator(".arrival .btn:not(.act):not([disabled])").wait_for()
    return page


@scene()
def arrived(stage: Stage) -> Page:
    """Who one is on the second device, and the table that waits."""
    anna = stage.server.person()
    stage.server.table(anna, [None, None, None])
    page = stage.visit("/me", storage_state=stage.server.storage(anna))
    page.locator(".arrival .act[href^='/t/']").wait_for()
    return page


@scene()
def device(stage: Stage) -> Page:
    """The personal link, as a QR code too."""
    page = stage.visit("/settings", storage_state=stage.server.storage(stage.server.person()))
    page.locator(".device .btn").click()
    page.locator(".device .qr").scroll_into_view_if_needed()
    return page


@scene()
def link_unknown(stage: Stage) -> Page:
    """A personal link that is none."""
    page = stage.visit("/#me=nonsense")
    page.locator(".nothing").wait_for()
    return page


@scene()
def brought(stage: Stage) -> Page:
    """Somebody comes from a static site with other settings than they have here."""
    storage = stage.server.storage(stage.server.person(), theme="light")
    page = stage.visit(f"/friends#from={json.dumps({'name': 'Ann', 'settings': {'stay': 2}})}", storage_state=storage)
    page.locator("#brought").wait_for()
    return page


@scene()
def settings_past(stage: Stage) -> Page:
    """The settings of somebody who was somebody else here, with the question whether other devices should go."""
    anna, ben = stage.server.person(), stage.server.person("Ben")
    page = stage.visit(f"/#me={ben.token}", storage_state=stage.server.storage(anna))
    page.get_by_role("button", name="Become Ben").click()
    page.locator(".arrival .act[href]").wait_for()
    page.goto("/settings")
    page.get_by_role("button", name="Sign out my other devices").click()
    page.locator(".warning").scroll_into_view_if_needed()
    return page


@scene(3, 6)
def lobby(stage: Stage) -> Page:
    """A table whose host waits for friends."""
    anna = stage.server.person()
    path = stage.server.table(anna, [None, "club", *[None] * (stage.players - 2)])
    page = stage.visit(path, storage_state=stage.server.storage(anna))
    page.locator(".lobby").wait_for()
    return page


@scene(3, 6)
def invitation(stage: Stage) -> Page:
    """What somebody sees who has followed a friend's link."""
    path = stage.server.table(stage.server.person(), [None, "club", *[None] * (stage.players - 2)])
    page = stage.visit(path)
    page.locator(".demo .outcome [data-pile]").first.wait_for()
    page.locator(".code").wait_for()
    return page


@scene()
def lesson_meanwhile(stage: Stage) -> Page:
    """A lesson for somebody who waits at a table."""
    page = invitation(stage)
    page.locator(".invitation .lesson").click()
    page.locator(".learn .hand .card").first.wait_for()
    return page


@scene(3, 4, 5, 6)
def table(stage: Stage) -> Page:
    """The first turn."""
    return stage.table()


@scene(3, 4, 5, 6)
def middle(stage: Stage) -> Page:
    """A card picked in the middle of a deal, and what it would do."""
    page = stage.table(7)
    pick_card(page)
    return page


@scene(3, 4, 5, 6)
def taken(stage: Stage) -> Page:
    """A finished trick, late in a deal."""
    page = stage.table(11)
    play_card(page)
    page.locator(GO_ON).wait_for()
    return page


@scene(4)
def refused(stage: Stage) -> Page:
    """A card that can't be played, and why."""
    page = stage.table(rules="classic")
    play_until(page, NO_CARD)
    pick_card(page, NO_CARD)
    page.locator(".say[data-say=refused]").wait_for()
    return page


@scene(4, 6)
def points(stage: Stage) -> Page:
    return _with_dialog(stage, ".named:visible")


@scene(4, 6)
def radar(stage: Stage) -> Page:
    page = stage.table(9)
    page.locator(CARD).first.press("r")
    page.locator(".dialog.radar").wait_for()
    return page


@scene(4, 6)
def last(stage: Stage) -> Page:
    return _with_dialog(stage, "[data-opens=last]")


@scene(4)
def keys(stage: Stage) -> Page:
    """What each key does."""
    page = stage.table(3)
    page.locator(CARD).first.press("?")
    page.locator(".dialog.keys").wait_for()
    return page


@scene(4)
def people(stage: Stage) -> Page:
    return _with_dialog(stage, "[data-opens=people]")


@scene()
def stood_in(stage: Stage) -> Page:
    """A bot has played for me."""
    company = anna, ben, cleo = stage.company()
    _goes(ben, anna)
    anna.wish("replaceabsent", "stoodin", seat=1)
    while sum(event["type"] == "played" and event["seat"] == 1 for event in anna.events) < 3:
        for friend in (anna, cleo):
            friend.play_if_due()
    return stage.seen_by(ben.person, company, ".say[data-say=missed]")


@scene(4, 6)
def emotes(stage: Stage) -> Page:
    """What can be said with one tap."""
    company = stage.company()
    page = stage.seen_by(company[1].person, company, HAND)
    page.locator("[data-opens=emotes]").click()
    page.locator(".faces img[src]").first.wait_for()
    return page


@scene(4, 6)
def saying(stage: Stage) -> Page:
    """Everyone says something, for as long as one looks."""
    company = anna, ben, cleo = stage.company()
    page = stage.seen_by(ben.person, company, HAND)
    page.evaluate("""() => {
      const set = window.setTimeout;
      window.setTimeout = (act, wait, ...more) => set(act, wait === 3500 ? 1e8 : wait, ...more);
    }""")
    for friend, emote in ((anna, "well_played"), (ben, "oops"), (cleo, "wow")):
        friend.emote(emote)
    page.locator(".said img[src]").nth(2).wait_for()
    return page


@scene()
def asked(stage: Stage) -> Page:
    """The host asks whether I am there."""
    company = anna, ben, _ = stage.company()
    page = stage.seen_by(ben.person, company, HAND)
    anna.wish("ask", "asked", seat=1)
    page.locator(".asked").wait_for()
    return page


@scene()
def being_asked(stage: Stage) -> Page:
    """The host has asked somebody else; and somebody is promised a bot's seat."""
    company = anna, ben, _ = stage.company(takeover=True)
    dora = Friend(stage.server, anna.path, stage.server.person("Dora"))
    page = stage.seen_by(ben.person, [*company, dora], HAND)
    anna.wish("ask", "asked", seat=2)
    dora.wish("sit", "reserved", seat=3)
    page.locator(".sign").nth(1).wait_for(state="attached")
    return page


@scene()
def taken_over(stage: Stage) -> Page:
    """I have taken over from a bot, and read what it played."""
    page = stood_in(stage)
    page.locator("[data-act=here]").click()
    page.locator(".toast .chip").first.wait_for()
    return page


@scene()
def sending_away(stage: Stage) -> Page:
    """The host is asked whether somebody should really go."""
    company = stage.company()
    page = stage.seen_by(company[0].person, company[1:], HAND)
    company[0].close()
    page.locator("[data-opens=people]").first.click()
    page.get_by_role("button", name="Send Ben away").click()
    page.locator(".dialog.sure").wait_for()
    return page


@scene()
def sent_away(stage: Stage) -> Page:
    """The host has sent me away."""
    company = anna, ben, _ = stage.company()
    page = stage.seen_by(ben.person, company, HAND)
    anna.wish("remove", "removed", person=ben.person.id)
    page.locator(".watching").wait_for()
    return page


@scene()
def away(stage: Stage) -> Page:
    """The host may let a bot play for somebody, and ask somebody else."""
    company = anna, ben, _ = stage.company()
    _goes(ben, anna)
    page = stage.seen_by(anna.person, company, HAND)
    page.locator("[data-opens=people]").first.click()
    page.get_by_role("button", name="Let a bot play").first.wait_for()
    return page


@scene()
def acting(stage: Stage) -> Page:
    """The host is away, and I keep things going."""
    company = anna, ben, _ = stage.company()
    anna.close()
    ben.await_event("hostis", person=ben.person.id)
    page = stage.seen_by(ben.person, company, HAND)
    page.locator("[data-opens=people]").first.click()
    page.locator(".acting").wait_for()
    return page


@scene()
def newcomer(stage: Stage) -> Page:
    """Who watches may have a bot's seat."""
    return stage.seen_by(stage.server.person("Dora"), stage.company(takeover=True), ".takeover")


@scene()
def promised(stage: Stage) -> Page:
    """Who watches has been promised a bot's seat."""
    page = newcomer(stage)
    page.locator(".takeover button").first.click()
    page.get_by_role("button", name="Never mind").wait_for()
    return page


@scene(3, 4, 5, 6)
def spectator(stage: Stage) -> Page:
    """Who watches, and no more."""
    anna = stage.server.person()
    table = played(stage.server, anna, stage.bots, tricks=7)
    page = stage.visit(f"/t/{table}")
    page.locator(".watching").wait_for()
    return page


@scene()
def broken_off(stage: Stage) -> Page:
    """A match that was broken off in its first deal."""
    company = anna, _, _ = stage.company()
    anna.wish("end", "ended")
    return stage.seen_by(anna.person, company, ".end h1")


def _goes(somebody: Friend, other: Friend) -> None:
    """Somebody leaves without a word, and another sees that they are away."""
    somebody.close()
    other.await_event("away")


def _with_dialog(stage: Stage, opener: str) -> Page:
    """A table with a dialog over it."""
    page = stage.table(9)
    page.locator(opener).first.click()
    page.locator(".dialog").wait_for()
    return page


@scene(3, 6)
def scores(stage: Stage) -> Page:
    """Between two deals."""
    page = stage.table(14, "classic")
    play_until(page, ".between")
    return page


@scene(3, 6)
def end(stage: Stage) -> Page:
    """The end of a match of all deals."""
    anna = stage.server.person()
    path = played(stage.server, anna, stage.bots, "classic")
    page = stage.visit(f"/t/{path}", storage_state=stage.server.storage(anna))
    page.locator(".end h1").wait_for()
    return page


@scene(3, 6)
def replay(stage: Stage) -> Page:
    anna = stage.server.person()
    path = played(stage.server, anna, stage.bots)
    page = stage.visit(f"/replay/{path}")
    page.locator(READY).first.wait_for()
    return page


@scene()
def hinted(stage: Stage) -> Page:
    """The turn of somebody who has asked for a hint."""
    page = stage.table(6)
    play_until(page, HINT)
    page.locator(HINT).click()
    page.locator(".say[data-say=advice]").wait_for(timeout=4 * PATIENCE)
    return page


@scene(3, 4)
def review(stage: Stage) -> Page:
    """A match looked back at: first results, which become surer."""
    page = _reviewed(stage)
    page.locator(".errors li, .course-of > .quiet").first.wait_for()
    return page


@scene()
def practice(stage: Stage) -> Page:
    """An error, as a position to play."""
    page = _reviewed(stage)
    page.locator("[data-act=try]").click()
    page.locator(f".practice {CARD}").first.wait_for()
    return page


@scene()
def practice_answer(stage: Stage) -> Page:
    """What was right, and why."""
    page = practice(stage)
    wrong = page.locator(CARD)
    while not page.locator("[data-act=next]").count():
        if page.locator("[data-act=show]").count():
            page.locator("[data-act=show]").click()
        else:
            wrong.first.click(position=EDGE)
    return page


@scene()
def practised(stage: Stage) -> Page:
    """What came of all positions."""
    page = practice_answer(stage)
    page.locator("[data-act=next]").click()
    while page.locator(".practice .bar .plain").count():
        page.locator(".practice .bar .plain").click()
    page.locator(".practised").wait_for()
    return page


@scene()
def eyes(stage: Stage) -> Page:
    """A replay through somebody's eyes: what their cards were worth, and what they couldn't know."""
    page = _reviewed(stage)
    page.locator(".costly a, .course-of a").first.click()
    page.locator(".fan .over").first.wait_for()
    page.locator("[data-act=knowledge]").click()
    page.locator(".guesses").wait_for()
    return page


@scene()
def figures_none(stage: Stage) -> Page:
    """Before anything counts."""
    page = stage.visit("/figures", storage_state=stage.server.storage(stage.server.person()))
    page.locator(".nothing").wait_for()
    return page


@scene()
def figures(stage: Stage) -> Page:
    """How somebody plays, after a review."""
    anna = stage.server.person()
    table = played(stage.server, anna, stage.bots)
    await_review(stage.server, anna, table)
    page = stage.visit("/figures", storage_state=stage.server.storage(anna))
    page.locator(".companies").wait_for()
    return page


def _reviewed(stage: Stage) -> Page:
    """The first results of a review."""
    anna = stage.server.person()
    table = played(stage.server, anna, stage.bots)
    page = stage.visit(f"/review/{table}", storage_state=stage.server.storage(anna))
    page.locator(".balance").wait_for(timeout=4 * PATIENCE)  # the judge may have to be loaded
    return page


@scene()
def learn(stage: Stage) -> Page:
    """The tutorial, where it explains the third card of a colour."""
    return _at_lesson(stage, "third")


@scene()
def learn_preview(stage: Stage) -> Page:
    """The tutorial, with a card picked."""
    page = _at_lesson(stage, "radar")
    page.locator(CARD).nth(2).click()
    page.locator(".slot.ghost").wait_for()
    return page


@scene()
def learn_taken(stage: Stage) -> Page:
    """The tutorial's last lesson, after the first of its two tricks."""
    page = _at_lesson(stage, "match")
    page.locator(CARD).first.click()
    page.locator(".say .act").wait_for()
    return page


def _at_lesson(stage: Stage, name: str) -> Page:
    page = stage.visit("/learn")
    page.locator(CARD).first.wait_for()
    while not page.locator(f".at-{name}").count():
        page.locator(".top .plain").click()
    return page


def _pad(stage: Stage, scored: bool) -> Page:
    """The score pad with a deal of random cards: scored, or with some cards left over and a tap that was refused."""
    rng = Random(stage.players)
    state = DealState.start(Deal.shuffled(stage.players, rng))
    while not state.is_over:
        state = state.play(rng.choice(list(state.legal_cards)))
    names = ("Anna", "Maximilian", "Tomek", "Giulia", "Noor", "Zoé")[: stage.players]
    whole = tuple(Tally(pile) for pile in state.piles)
    pad = ScorePad(names, deals=(whole, whole))
    if not scored:
        pad = pad.take(1, 2, Tally(CardSet.of(list(state.piles[2])[:3])))
    kept = {"pad": str(pad), "at": {"deal": 1, "seat": 1, "scored": scored}, "past": []}
    storage = [{"name": "dg-pad", "value": json.dumps(kept)}]
    page = stage.visit("/score", storage_state={"origins": [{"origin": stage.server.address, "localStorage": storage}]})
    page.locator(".scored" if scored else ".keypad").wait_for()
    return page


@scene(3, 4, 6)
def pad(stage: Stage) -> Page:
    page = _pad(stage, scored=False)
    page.locator(".key.theirs").first.click()
    page.locator(".padbubble").wait_for()
    return page


@scene(4, 6)
def pad_scores(stage: Stage) -> Page:
    return _pad(stage, scored=True)
