"""How a card feels: it falls at once, also over a slow line, and whatever moves does so smoothly or not at all."""

import json
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, expect
from tools.friend import Friend
from tools.page_actions import CARD, GO_ON, HAND, NO_CARD, pick_card, play_card, play_until
from tools.played import played
from tools.scenes import Stage, Visit
from tools.served import Served

from tests.marks import slow

SLOW = """
window.WebSocket = class extends WebSocket {
    send(text) {
        setTimeout(() => super.send(text), 300);
    }
};
"""
"""A line that takes its time."""
FALL = """async (card) => {
    const name = card.dataset.card;
    const begin = performance.now();
    card.click();
    await new Promise(requestAnimationFrame);
    const lies = document.querySelector(`.slot:not(.ghost) [data-slot="${name}"]`) !== null;
    return [name, lies, performance.now() - begin];
}"""
SETTLED = 4000
"""After so many milliseconds a page has fetched all that it may want later."""
AT_ONCE = 100
"""Milliseconds that people don't notice."""
CHANGED = """async (button) => {
    button.click();
    let frames = [];
    for (let frame = 0; frame < 60 && !frames.length; frame++) {
        await new Promise(requestAnimationFrame);
        frames = document.getAnimations().flatMap((moving) => moving.effect.getKeyframes());
    }
    return [...new Set(frames.flatMap(Object.keys))];
}"""
ASIDE = {"offset", "computedOffset", "easing", "composite"}
"""What keyframes say besides what they change."""


HEARD = """
window.WebSocket = class extends WebSocket {
    constructor(...where) {
        super(...where);
        this.addEventListener("message", ({ data }) => {
            if (data.includes('"turn"') || data.includes('"played"')) window.isMyTurn = data.includes('"turn"');
        });
    }
};
"""
"""Whether it is my turn by what the page has heard, whatever it shows."""
SHOWN = """
window.shown = [];
new MutationObserver(() => {
    for (const card of document.querySelectorAll(".slot:not(.ghost) [data-slot]")) {
        const name = card.dataset.slot;
        if (!window.shown.some((one) => one.name === name)) window.shown.push({ name, at: performance.now() });
    }
}).observe(document, { childList: true, subtree: true, attributes: true });
"""
"""When each card was first seen in a trick."""
OPENED = """
new MutationObserver(() => {
    if (!document.querySelector(".dialog.between, .page.end")) return;
    window.over ??= document.querySelectorAll(".flying").length;
}).observe(document, { childList: true, subtree: true });
"""
"""How many cards were flying when the scores came."""


@pytest.mark.parametrize(("speed", "pace", "least"), [("normal", 1000, 600), *slow(("quick", 400, 160))])
def test_people_can_follow_the_cards_after_a_held_trick(
    visit: Visit, server: Served, speed: str, pace: int, least: int
) -> None:
    anna = server.person()
    page = visit("/healthz", storage_state=server.storage(anna, speed=speed, stay=0), reduced_motion="no-preference")
    friend = Friend(server, server.table(anna, [None, *["club"] * 3]), anna)
    friend.wish("start", "started")
    friend.wish("setpace", "paceset", milliseconds=pace)
    page.add_init_script(HEARD + SHOWN)
    page.goto(friend.path)
    gaps: list[float] = []
    while not gaps:
        play_until(page, GO_ON)
        before = page.evaluate("window.shown.length")
        page.wait_for_function("() => window.isMyTurn")  # the bots have played up to me, while the trick is held
        page.locator(GO_ON).click()
        page.locator(CARD).first.wait_for()
        times = [card["at"] for card in page.evaluate("window.shown")[before:]]
        gaps = [later - sooner for sooner, later in pairwise(times)]
    assert min(gaps) >= least
    friend.close()


def test_the_scores_wait_for_the_last_cards(visit: Visit, server: Served) -> None:
    anna = server.person()
    table = played(server, anna, ["club", "club"], "classic", tricks=14)
    page = visit(
        f"/t/{table}", storage_state=server.storage(anna, speed="quick", stay=0), reduced_motion="no-preference"
    )
    page.evaluate(OPENED)
    play_until(page, GO_ON)
    page.locator(GO_ON).click()
    page.locator(".flying").first.wait_for()
    page.locator(".between").wait_for()
    assert page.evaluate("window.over") == 0


def test_an_open_dialog_keeps_the_focus_when_the_trick_goes_and_escape_closes_it(visit: Visit, server: Served) -> None:
    anna = server.person()
    table = played(server, anna, ["club", "club"], tricks=3)
    page = visit(
        f"/t/{table}",
        storage_state=server.storage(anna, speed="quick", stay=2),
        viewport={"width": 820, "height": 1180},
    )
    play_card(page)
    page.locator(GO_ON).wait_for()
    page.locator("[data-opens=radar]").click()
    dialog = page.locator(".dialog.radar")
    expect(dialog).to_be_focused()
    expect(page.locator(GO_ON)).to_have_count(0)
    expect(dialog).to_be_focused()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


PAINTING = {"BeginFrame", "PrePaint", "Paint", "Commit", "DrawFrame"}
ENDS = """() => {
    const moving = document.getAnimations();
    const ends = moving.every(({ effect }) => effect.getComputedTiming().endTime < Infinity);
    for (const one of ends ? moving : []) one.finish();
    return ends;
}"""
"""Whether all that moves does so for a while only; then it is over at once."""


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [1, *slow(10)])
def test_while_nothing_happens_nothing_is_painted(browser: Browser, visit: Visit, server: Served, seconds: int) -> None:
    anna = server.person()
    table = played(server, anna, ["club", "club"], tricks=3)
    home = visit("/", reduced_motion="no-preference")
    home.locator(".duel").wait_for()
    page = visit(f"/t/{table}", storage_state=server.storage(anna), reduced_motion="no-preference")
    page.locator(CARD).first.wait_for()
    company = Stage(server, visit, 4).company()
    host = visit(company[0].path, storage_state=server.storage(company[0].person), reduced_motion="no-preference")
    host.locator(HAND).first.wait_for()
    page.wait_for_timeout(SETTLED)
    for one in (host, home, page):  # the host is offered to ask after a while
        one.bring_to_front()
        assert one.evaluate(ENDS)
        one.wait_for_timeout(500)
        browser.start_tracing(page=one, categories=["devtools.timeline", "devtools.timeline.frame"])
        one.wait_for_timeout(1000 * seconds)
        events = json.loads(browser.stop_tracing())["traceEvents"]
        assert PAINTING & {event["name"] for event in events} == set(), one.url
    for friend in company:
        friend.close()


def test_over_a_slow_line_a_card_falls_at_once_and_an_illegal_one_stays(visit: Visit, server: Served) -> None:
    page = Stage(server, visit, 3).table(rules="classic")
    play_until(page, NO_CARD)
    page.add_init_script(SLOW)
    page.reload()
    illegal, lies, _ = page.locator(NO_CARD).first.evaluate(FALL)
    assert not lies
    expect(page.locator(".say[data-say=refused]")).to_contain_text("was led")
    expect(page.locator(f'.hand [data-card="{illegal}"]')).to_be_visible()
    pick_card(page)
    legal, lies, time = page.locator(".hand .pick button.card").evaluate(FALL)
    assert lies
    assert time < AT_ONCE
    expect(page.locator(f'.hand [data-card="{legal}"]')).to_have_count(0)
    page.locator(GO_ON).wait_for()


@pytest.mark.parametrize("motion", ["no-preference", *slow("reduce")])
def test_only_transform_and_opacity_change_when_a_trick_is_taken(visit: Visit, server: Served, motion: str) -> None:
    anna = server.person()
    table = played(server, anna, ["club", "club"], tricks=3)
    page = visit(f"/t/{table}", storage_state=server.storage(anna, speed="quick", stay=0), reduced_motion=motion)
    play_card(page)
    changed = set(page.locator(GO_ON).evaluate(CHANGED)) - ASIDE
    assert changed <= {"transform", "opacity"}
    assert ("transform" in changed) is (motion == "no-preference")


def test_what_is_chosen_shows_where_the_system_sets_the_colours(visit: Visit) -> None:
    page = visit("/settings", forced_colors="active")
    ground = "(part) => getComputedStyle(part).backgroundColor"
    for chosen, other in (
        (".seg [aria-pressed=true]", ".seg [aria-pressed=false]"),
        ("[aria-checked=true] > .knob", "[aria-checked=false] > .knob"),
    ):
        assert page.locator(chosen).first.evaluate(ground) != page.locator(other).first.evaluate(ground)


def test_a_game_is_within_five_tab_stops(visit: Visit, server: Served) -> None:
    anna = server.person()
    page = visit(server.table(anna, [None, None, "club"]), storage_state=server.storage(anna))
    page.locator(".lobby").wait_for()  # so that home has a way back to that table, too
    page.goto("/")
    page.get_by_role("button", name="Play now").wait_for()
    for _ in range(5):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Play now":
            break
    expect(page.get_by_role("button", name="Play now")).to_be_focused()


def test_arrow_keys_go_from_choice_to_choice(visit: Visit) -> None:
    page = visit("/")
    players = page.get_by_role("group", name="Players")
    players.get_by_role("button", name="4").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(players.get_by_role("button", name="6")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(players.get_by_role("button", name="3")).to_be_focused()
    page.keyboard.press("Enter")
    expect(players.get_by_role("button", name="3")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("ArrowLeft")
    expect(players.get_by_role("button", name="6")).to_be_focused()


@pytest.mark.parametrize("skip", [True, *slow(False)])
def test_arrow_keys_skip_what_cannot_be_played_if_one_likes(visit: Visit, server: Served, skip: bool) -> None:
    page = Stage(server, visit, 3).table(rules="classic")
    play_until(page, NO_CARD)
    if skip:
        page.locator("[data-opens=settings]").click()
        page.get_by_role("switch", name="Arrow keys skip illegal cards").click()
        page.keyboard.press("Escape")
    cards = page.locator(HAND)
    page.locator(CARD).first.focus()
    page.keyboard.press("Home")
    reached = set()
    for _ in range(cards.count()):
        reached.add(page.evaluate("document.activeElement.dataset.card"))
        page.keyboard.press("ArrowRight")
    wanted = page.locator(CARD if skip else HAND).evaluate_all("(cards) => cards.map((card) => card.dataset.card)")
    assert reached == set(wanted)


def test_a_card_played_by_keys_leaves_the_focus_beside_it_and_a_dialog_gives_it_back(
    visit: Visit, server: Served
) -> None:
    page = Stage(server, visit, 3).table()
    cards = page.locator(".hand button.card").evaluate_all("(cards) => cards.map((card) => card.dataset.card)")
    focused = "document.activeElement.dataset.card"
    while page.evaluate(focused) not in cards:
        page.keyboard.press("Tab")
    page.keyboard.press("r")
    page.locator(".dialog").wait_for()
    page.keyboard.press("Escape")
    page.locator(".dialog").wait_for(state="detached")
    played = page.evaluate(focused)
    place = cards.index(played)
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator(f'.hand [data-card="{played}"]')).to_have_count(0)
    left = page.locator(".hand [tabindex='0']").get_attribute("data-card")
    assert left == (cards[place + 1] if place + 1 < len(cards) else cards[place - 1])
