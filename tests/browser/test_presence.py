"""Who is there, who isn't, and what becomes of their cards: as those see it whom it concerns."""

import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect
from tools.friend import PATIENCE, Friend
from tools.page_actions import CARD, EDGE, HAND, play_card
from tools.scenes import Stage, Visit, visits
from tools.served import Served, impatient, served

from tests.marks import slow

Company = Callable[..., list[Friend]]
MISSED = ".say[data-say=missed]"
HERE = "[data-act=here]"


@pytest.fixture
def stage(visit: Visit, server: Served) -> Stage:
    return Stage(server, visit, 4)


@pytest.fixture
def company(stage: Stage) -> Iterator[Company]:
    """Anna, Ben and Cleo over the wire, for as long as the test lasts."""
    here: list[Friend] = []

    def come(rules: str = "classic", **terms: object) -> list[Friend]:
        here.extend(stage.company(rules, **terms))
        return here[-3:]

    yield come
    for friend in here:
        friend.close()


def page_of(stage: Stage, friend: Friend, sight: str = HAND) -> Page:
    return stage.seen_by(friend.person, [friend], sight, confirm=False)


def stood_in_for(company: Company) -> list[Friend]:
    """A bot plays for Ben, who is gone, and it is somebody else's turn."""
    anna, ben, cleo = company()
    ben.close()
    anna.await_event("away", seat=1, why="gone")
    anna.wish("replaceabsent", "stoodin", seat=1)
    return [anna, ben, cleo]


def play_round(*friends: Friend) -> None:
    """Until each of them has played a card, and so has everyone between them."""
    left = list(friends)
    deadline = time.monotonic() + PATIENCE
    while left:
        assert time.monotonic() < deadline
        for friend in list(left):
            if friend.play_if_due():
                left.remove(friend)


def open_people(page: Page) -> None:
    page.locator("[data-opens=people]:visible, [data-opens=menu]:visible").first.click()
    page.locator(".dialog.people").wait_for()


@pytest.mark.slow
def test_a_stand_in_plays_on_after_a_reload_and_ends_with_a_tap(stage: Stage, company: Company) -> None:
    anna, ben, cleo = stood_in_for(company)
    play_round(anna, cleo)
    page = page_of(stage, ben, MISSED)
    page.reload()
    expect(page.locator(MISSED)).to_contain_text("A bot plays for you")
    page.locator(HERE).click()
    anna.await_event("cameback", seat=1)
    expect(page.locator(MISSED)).to_have_count(0)
    expect(page.locator(".toast")).to_contain_text(re.compile(r"^A bot played .*\d.* for you\.$"))


@pytest.mark.slow
def test_whoever_plays_a_card_has_taken_over(stage: Stage, company: Company) -> None:
    anna, ben, cleo = stood_in_for(company)
    anna.wish("setpace", "paceset", milliseconds=5000)
    page = page_of(stage, ben, MISSED)
    while not page.locator(CARD).count():
        anna.play_if_due()
        cleo.play_if_due()
    expect(page.locator(MISSED)).to_be_visible()
    play_card(page)
    assert anna.await_event("played", seat=1).get("by", "person") == "person"
    expect(page.locator(MISSED)).to_have_count(0)


@pytest.mark.slow
def test_whoever_touches_a_card_has_taken_over(stage: Stage, company: Company) -> None:
    anna, ben, _ = stood_in_for(company)
    page = page_of(stage, ben, MISSED)
    expect(page).to_have_title(re.compile("^● A bot plays for you"))
    page.locator(HAND).first.click(position=EDGE, force=True)  # whosever turn it is
    anna.await_event("cameback", seat=1)
    expect(page.locator(MISSED)).to_have_count(0)


@pytest.mark.parametrize("width", [390, *slow(320, 820, 1280, 1920)])
def test_the_way_back_is_large_and_says_what_was_played(stage: Stage, company: Company, width: int) -> None:
    anna, ben, cleo = stood_in_for(company)
    for _ in range(8):
        play_round(anna, cleo)
    page = page_of(stage, ben, MISSED)
    page.set_viewport_size({"width": width, "height": 844})
    played = [event["card"][1:] for event in anna.events if event["type"] == "played" and event["seat"] == 1]
    shown = [text.split()[-1] for text in page.locator(f"{MISSED} .chip").all_inner_texts()]
    assert len(played) > 5
    assert shown[: len(played)] == played
    box = page.locator(HERE).bounding_box()
    assert box
    assert box["height"] >= 56
    page.locator(HERE).click()
    expect(page.locator(".toast .chip")).to_contain_text(shown)


@pytest.mark.slow
def test_a_missed_turn_at_a_timed_table_locks_nobody_out(stage: Stage, company: Company) -> None:
    anna, ben, _ = company(turn_seconds=10)
    page = page_of(stage, ben)
    while (turn := anna.await_event("away", why="late"))["seat"] != 1:
        pass
    assert turn["seat"] == 1
    expect(page.locator(".say")).to_contain_text("Your time is up")
    anna.await_event("stoodin", seat=1)
    page.locator(HERE).click()
    anna.await_event("cameback", seat=1)
    expect(page.locator(MISSED)).to_have_count(0)


@pytest.mark.slow
def test_nobody_reads_that_no_second_is_left(stage: Stage, company: Company) -> None:
    company_here = company(turn_seconds=600)
    pages = []
    for friend in company_here:
        page = stage.visit("/healthz", storage_state=stage.server.storage(friend.person, speed="instant"))
        page.clock.install()
        page.goto(friend.path)
        page.locator(HAND).first.wait_for()
        pages.append(page)
    (mine,) = [page for page in pages if page.locator(CARD).count()]
    mine.clock.fast_forward(599_500)
    expect(mine.locator(".say .hurry")).to_have_text(re.compile("1 second left|Your time is up"))
    mine.clock.fast_forward(2000)
    expect(mine.locator(".say .hurry")).to_contain_text("Your time is up")


def test_the_host_is_asked_before_somebody_is_sent_away_who_reads_it(stage: Stage, company: Company) -> None:
    anna, ben, _ = company()
    page, other = page_of(stage, anna), page_of(stage, ben)
    open_people(page)
    send = page.get_by_role("button", name="Send Ben away")
    expect(page.locator(".people .tools").get_by_role("button", name=re.compile("^Send"))).to_have_count(0)
    send.click()
    page.get_by_role("dialog").get_by_role("button", name="No").click()
    expect(page.locator(".dialog")).to_have_count(0)
    open_people(page)
    send.click()
    expect(page.get_by_role("dialog")).to_contain_text("Ben can’t come back to this table")
    expect(other.locator(HAND)).to_have_count(15)
    page.locator("[data-act=sure]").click()
    anna.await_event("removed", person=ben.person.id)
    expect(other.locator(".watching")).to_contain_text("Anna has sent you away from this table.")
    other.locator(".watching").get_by_role("link", name="Home").click()
    expect(other).to_have_url(f"{stage.server.address}/")


@pytest.mark.slow
def test_one_person_with_two_devices_watches_once(stage: Stage, company: Company) -> None:
    anna, _, _ = company()
    page = page_of(stage, anna)
    dora = stage.server.person("Dora")
    for _ in range(2):
        stage.seen_by(dora, [anna], ".watching")
    open_people(page)
    expect(page.locator(".people")).to_contain_text("1 person is watching")
    stage.visit(anna.path).locator(".watching").wait_for()
    expect(page.locator(".people")).to_contain_text("2 people are watching")


@pytest.mark.slow
def test_a_device_that_plays_forced_cards_by_itself_answers_nothing(stage: Stage, company: Company) -> None:
    anna, ben, cleo = company(rules="single")
    for _ in range(14):
        play_round(anna, ben, cleo)
    page = stage.visit("/healthz", storage_state=stage.server.storage(ben.person, speed="instant", forced=True))
    page.clock.install()
    page.goto(anna.path)
    page.locator(HAND).wait_for()
    anna.wish("ask", "asked", seat=1)
    page.locator(".asked").wait_for()
    while not page.locator(CARD).count():
        anna.play_if_due()
        cleo.play_if_due()
    page.clock.fast_forward(50_000)
    anna.wish("setpace", "paceset", milliseconds=10)
    page.clock.fast_forward(5_000)
    expect(page.locator(HERE)).to_be_visible()
    expect(page.locator(CARD)).to_have_count(1)
    page.locator(HERE).click()
    expect(page.locator(".asked")).to_have_count(0)
    page.clock.fast_forward(50_000)
    anna.await_event("played", seat=1)


def test_whoever_is_asked_says_so_with_one_key(stage: Stage, company: Company) -> None:
    anna, ben, cleo = company()
    page, other = page_of(stage, ben), page_of(stage, cleo)
    anna.wish("ask", "asked", seat=1)
    dialog = page.get_by_role("alertdialog", name="Anna asks: are you there?")
    expect(dialog.get_by_role("button", name="I’m here")).to_be_focused()
    expect(dialog).to_contain_text(re.compile(r"\b[45]\d s|60 s"))
    expect(page.get_by_role("log")).to_contain_text("Anna asks: are you there?")
    expect(page).to_have_title(re.compile("^● Are you there?"))
    expect(other.locator(".sign:visible")).to_have_text("?")
    expect(other.locator(".toast")).to_contain_text("Ben is being asked")
    page.keyboard.press("Enter")
    anna.await_event("cameback", seat=1)
    expect(dialog).to_have_count(0)
    expect(other.locator(".sign")).to_have_count(0)


@pytest.mark.slow
def test_whoever_was_silent_reads_that_they_are_missed(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path, program=impatient(answer=1.0)) as server, visits(browser, server) as visit:
        stage = Stage(server, visit, 4)
        anna, ben, cleo = stage.company()
        page, other = page_of(stage, ben), page_of(stage, cleo)
        anna.wish("ask", "asked", seat=1)
        anna.await_event("away", seat=1, why="silent")
        expect(page.locator(MISSED)).to_contain_text("The others think that you are away")
        expect(other.locator(".toast")).to_contain_text("Ben doesn’t answer")
        page.locator(HERE).click()
        anna.await_event("cameback", seat=1)
        expect(page.locator(MISSED)).to_have_count(0)
        anna.close()


@pytest.mark.slow
def test_the_host_lets_a_bot_play_only_for_who_is_away(stage: Stage, company: Company) -> None:
    anna, ben, cleo = company()
    page, other = page_of(stage, anna), page_of(stage, cleo)
    open_people(page)
    row = page.locator(".people .stand li").nth(1)
    expect(row.get_by_role("button", name="Are you there?")).to_be_visible()
    expect(page.get_by_role("button", name="Let a bot play")).to_have_count(0)
    ben.close()
    expect(row).to_contain_text("away")
    expect(row.get_by_role("button", name="Are you there?")).to_have_count(0)
    row.get_by_role("button", name="Let a bot play").click()
    expect(row).to_contain_text("a bot plays")
    expect(page.get_by_role("button", name="Let a bot play")).to_have_count(0)
    expect(other.locator(".toast")).to_contain_text("A bot plays for Ben")
    open_people(other)
    expect(other.locator(".people .stand li").nth(1)).to_contain_text("away · a bot plays")
    expect(other.locator(".people .tools button")).to_have_count(0)


def test_the_clock_stands_still_while_the_table_does(stage: Stage, company: Company) -> None:
    anna, _, cleo = company(turn_seconds=600)
    page = stage.visit("/healthz", storage_state=stage.server.storage(cleo.person, speed="instant"))
    page.clock.install()
    page.goto(anna.path)
    page.locator(HAND).first.wait_for()
    full = left(page)
    page.clock.fast_forward(150_000)
    expect_left(page, full - 0.25)
    anna.wish("pause", "paused")
    expect(page.locator(".say")).to_contain_text("paused")
    page.clock.fast_forward(300_000)
    expect_left(page, full - 0.25)
    anna.wish("resume", "resumed")
    expect(page.locator(".say")).not_to_contain_text("paused")
    anna.wish("lock", "locked", locked=True)
    expect_left(page, full - 0.25)
    page.clock.fast_forward(60_000)
    expect_left(page, full - 0.35)


def left(page: Page) -> float:
    """Which part of the turn is left, as its ring shows it."""
    return float(page.evaluate("getComputedStyle(document.querySelector('.turn .faced')).getPropertyValue('--left')"))


def expect_left(page: Page, part: float) -> None:
    """Within a few seconds of ten minutes."""
    style = "getComputedStyle(document.querySelector('.turn .faced')).getPropertyValue('--left')"
    page.wait_for_function(f"Math.abs({style} - {part}) < 0.06")


@pytest.mark.slow
def test_a_newcomer_plays_from_the_next_deal(stage: Stage, company: Company) -> None:
    anna, ben, cleo = company(rules="classic", takeover=True)
    dora = Friend(stage.server, anna.path, stage.server.person("Dora"))
    page, other = page_of(stage, dora, ".takeover"), page_of(stage, cleo)
    expect(page.locator(".watching")).to_contain_text("plays from the next deal")
    page.get_by_role("button", name=re.compile("^Play for")).click()
    expect(page.locator(".watching")).to_contain_text("You play from the next deal.")
    expect(other.locator(".hold:visible", has_text="Dora plays here from the next deal")).to_be_visible()
    page.get_by_role("button", name="Never mind").click()
    expect(other.locator(".sign")).to_have_count(0)
    page.get_by_role("button", name=re.compile("^Play for")).click()
    anna.await_event("reserved", seat=3, person=dora.person.id)
    assert not page.locator(HAND).count()
    for _ in range(15):
        play_round(anna, ben, cleo)
    page.locator(".between [data-act=go-on]").click()
    for friend in (anna, ben, cleo):
        friend.wish("goon", "wenton")
    for friend in (anna, ben, cleo):
        friend.await_event("dealt")
    expect(page.locator(HAND)).to_have_count(15)
    dora.close()


@pytest.mark.slow
def test_in_the_last_deal_no_seat_is_offered(stage: Stage, company: Company) -> None:
    anna, _, _ = company(rules="single", takeover=True)
    page = stage.visit(anna.path)
    expect(page.locator(".watching")).to_contain_text("This is the last deal")
    expect(page.locator(".watching button")).to_have_count(0)


@pytest.mark.slow
def test_whoever_left_a_hand_may_come_back_to_it(stage: Stage, company: Company) -> None:
    anna, ben, _ = company(rules="single")
    page = page_of(stage, ben)
    cards = {card.get_attribute("data-card") for card in page.locator(HAND).all()}
    ben.wish("leave", "sat")
    page.get_by_role("button", name="Back to my seat").click()
    anna.await_event("sat", seat=1, player=ben.person.id)
    page.locator(HAND).nth(13).wait_for()
    held = {card.get_attribute("data-card") for card in page.locator(HAND).all()}
    played = {event["card"] for event in anna.events if event["type"] == "played" and event["seat"] == 1}
    assert held == cards - played


@pytest.mark.slow
def test_the_acting_host_keeps_things_going_and_no_more(stage: Stage, company: Company) -> None:
    anna, ben, _ = company()
    page = page_of(stage, ben)
    anna.close()
    ben.await_event("hostis", person=ben.person.id)
    open_people(page)
    expect(page.locator(".people")).to_contain_text("You keep things going while Anna is away.")
    expect(page.get_by_role("dialog").get_by_role("button", name="Let a bot play")).to_be_visible()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    for name in ("Send Ben away", "End the match", "Lock the table", "Let nobody watch"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    Friend(stage.server, ben.path, anna.person)
    expect(page.get_by_role("button", name="Pause")).to_have_count(0)
    expect(page.locator(".acting")).to_have_count(0)


@pytest.mark.slow
def test_cards_are_taken_back_alone_and_never_in_company(stage: Stage, company: Company) -> None:
    alone = stage.table(1)
    expect(alone.get_by_role("button", name="Undo")).to_be_visible()
    anna, ben, cleo = company()
    play_round(anna, ben, cleo)
    page = page_of(stage, anna)
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)


@pytest.mark.slow
def test_nothing_is_offered_at_the_table_of_a_match_that_is_over(stage: Stage, company: Company) -> None:
    anna, ben, cleo = company(rules="single")
    page = page_of(stage, anna)
    for _ in range(15):
        play_round(anna, ben, cleo)
    page.reload()
    page.get_by_role("button", name="See the piles").click()
    open_people(page)
    expect(page.locator(".people .tools button, .people .acts button")).to_have_count(0)


@pytest.mark.slow
def test_where_nobody_may_watch_those_who_did_read_why(stage: Stage, company: Company) -> None:
    anna, _, _ = company()
    page, stranger = page_of(stage, anna), stage.visit(anna.path)
    expect(stranger.locator(".watching")).to_be_visible()
    open_people(page)
    page.get_by_role("button", name="Let nobody watch").click()
    expect(stranger.get_by_role("main")).to_contain_text("The host lets nobody watch at this table")
    stranger.goto("/join")
    stranger.get_by_placeholder("Code or link").fill(stage.server.address + anna.path)
    stranger.get_by_role("button", name="Join").click()
    expect(stranger.get_by_role("main")).to_contain_text("The host lets nobody watch at this table")
    page.get_by_role("button", name="Let others watch").click()
    expect(page.get_by_role("button", name="Let nobody watch")).to_be_visible()
    stranger.get_by_role("main").get_by_role("link", name="Home").click()
    expect(stranger).to_have_url(f"{stage.server.address}/")
    stranger.goto(anna.path)
    expect(stranger.locator(".watching")).to_be_visible()


@pytest.mark.slow
def test_a_tap_counts_although_somebody_was_quicker(stage: Stage, company: Company) -> None:
    anna, ben, _ = stood_in_for(company)
    page = page_of(stage, ben, MISSED)
    said: list[int] = []

    def delay(socket: WebSocketRoute) -> None:
        """The first wish comes as late as if an event had happened before it."""
        line = socket.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            wish = json.loads(message)
            if wish["type"] == "back":
                said.append(wish["expect"])
                wish["expect"] -= len(said) == 1
            line.send(json.dumps(wish))

        socket.on_message(pass_on)

    page.route_web_socket("**/socket", delay)
    page.reload()
    page.locator(HERE).click()
    expect(page.locator(MISSED)).to_have_count(0)
    anna.await_event("cameback", seat=1)
    assert len(said) == 2


@pytest.mark.slow
def test_the_host_is_offered_to_ask_who_takes_long(stage: Stage, company: Company) -> None:
    anna, ben, cleo = company()
    page = stage.visit("/healthz", storage_state=stage.server.storage(anna.person, speed="instant", stay=1))
    page.clock.install()
    page.goto(anna.path)
    page.locator(HAND).first.wait_for()
    while not page.locator(".say b", has_text=re.compile("Ben|Cleo")).count():
        anna.play_if_due()
        page.clock.fast_forward(2000)
    ask = page.locator(".say").get_by_role("button", name="Are you there?")
    expect(ask).to_have_count(0)
    page.clock.fast_forward(30_000)
    ask.click()
    assert ben.await_event("asked")["seat"] in (ben.seat, cleo.seat)
    expect(page.locator(".say")).to_contain_text("is being asked")


@pytest.mark.slow
def test_before_the_match_too_the_acting_host_keeps_things_going(stage: Stage) -> None:
    anna, ben = (stage.server.person(name) for name in ("Anna", "Ben"))
    path = stage.server.table(anna, [None, None, "club"])
    host, guest = Friend(stage.server, path, anna), Friend(stage.server, path, ben)
    guest.wish("sit", "sat", seat=1)
    page = stage.seen_by(ben, [guest], ".lobby .begin")
    host.close()
    expect(page.locator(".lobby")).to_contain_text("You keep things going while Anna is away.")
    expect(page.get_by_role("switch")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_have_text("Anna invites you")
    page.locator(".begin button").click()
    expect(page.locator(HAND)).to_have_count(15)
