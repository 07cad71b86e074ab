"""Who is who at a table: stones of one's own, bots by name and level, and what each of them says."""

import json
import re
from urllib.parse import quote, unquote

import pytest
from playwright.sync_api import Locator, Page, expect
from tools.friend import friends
from tools.page_actions import HAND, play_until
from tools.scenes import Stage, Visit
from tools.served import Served

from davidgoliath.art.palette import BOTS, RIMS, Rim
from davidgoliath.texts import Texts
from tests.marks import slow

EN = Texts("en")


def colours(picture: Locator) -> str:
    """A face's drawing, in which its tones stand."""
    return unquote(picture.get_attribute("src") or picture.get_attribute("href") or "")


def face_of(page: Page, seat: int) -> Locator:
    return page.locator(f".faced[data-seat='{seat}'] img:visible").first


@pytest.fixture
def stage(visit: Visit, server: Served) -> Stage:
    return Stage(server, visit, 4)


def test_a_stone_that_somebody_chooses_is_seen_by_friends_at_once(stage: Stage) -> None:
    company = anna, ben, _ = stage.company()
    other = stage.seen_by(anna.person, company, HAND)
    looks = [colours(face_of(other, seat)) for seat in range(4)]
    assert len(set(looks)) == 4
    page = stage.visit("/settings", storage_state=stage.server.storage(ben.person))
    picker = page.get_by_role("group", name=EN("page.own_stone"))
    picker.get_by_role("button", name=EN("page.form.hexagon"), exact=True).click()
    picker.get_by_role("button", name=EN("page.rim.berry"), exact=True).click()
    expect(picker.locator("[aria-pressed=true]")).to_have_count(2)
    expect(face_of(other, 1)).to_have_attribute("src", re.compile(quote(RIMS[Rim.BERRY])))
    page.reload()
    expect(picker.get_by_role("button", name=EN("page.rim.berry"), exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )


@pytest.mark.slow
def test_a_stone_shows_in_the_chart_the_replay_and_my_games(visit: Visit, server: Served) -> None:
    anna = server.person()
    path = server.table(anna, [None, "club", "club"], "single")
    page = visit(path, storage_state=server.storage(anna, speed="instant", stay=0))
    page.locator(".seat-at.me, .hand").first.wait_for()
    status = page.request.post(
        "/api/me/stone", data={"form": "tall", "rim": "cyan"}, headers={"authorization": f"Bearer {anna.token}"}
    ).status
    assert status == 200
    play_until(page, ".end")
    assert any(RIMS[Rim.CYAN] in colours(face) for face in page.locator(".chart image").all())
    assert RIMS[Rim.CYAN] in colours(page.locator(".stand .me img").first)
    page.goto(path.replace("/t/", "/replay/"))
    expect(page.locator(".faced img:visible").first).to_be_visible()
    assert any(RIMS[Rim.CYAN] in colours(face) for face in page.locator(".faced img:visible").all())
    page.goto("/games")
    assert RIMS[Rim.CYAN] in colours(page.locator(".game .me img").first)


@pytest.mark.slow
def test_a_lobby_lets_people_choose_their_stone(stage: Stage) -> None:
    anna = stage.server.person()
    page = stage.visit(stage.server.table(anna, [None, None, "beginner"]), storage_state=stage.server.storage(anna))
    page.locator(".seat-at.me").click()
    page.get_by_role("button", name=EN("page.rim.olive"), exact=True).click()
    expect(page.locator(".own-stone [aria-pressed=true]").last).to_have_attribute("aria-label", EN("page.rim.olive"))
    assert RIMS[Rim.OLIVE] in colours(page.locator(".seat-at.me img"))


def test_one_tap_mixes_the_levels_and_each_bot_has_a_face_name_and_temperament(stage: Stage) -> None:
    page = stage.visit("/")
    page.get_by_role("button", name=EN("page.bot.mixed")).click()
    page.get_by_role("button", name=EN("page.home_play")).click()
    page.locator(HAND).first.wait_for()
    assert len({colours(face_of(page, seat)) for seat in (1, 2, 3)}) == 3
    assert BOTS["onyx"][0] in colours(face_of(page, 1))
    page.keyboard.press("p")
    titles = page.locator(".dialog.people .name").all_inner_texts()
    levels = [EN("page.bot_a.beginner"), EN("page.bot_a.club"), EN("page.bot_a.master")]
    assert titles[1:] == [f"{name}, {level}" for name, level in zip(("Onyx", "Agate", "Slate"), levels, strict=True)]
    expect(page.locator(".dialog.people")).to_contain_text(EN("bot.master"))
    assert json.loads(page.evaluate("localStorage.dg"))["last"]["bot"] == "mixed"


SAY = """([seat, emote]) => window.hears.dispatchEvent(
  new MessageEvent("message", { data: JSON.stringify({ type: "said", seat, emote }) }))"""
LISTEN = "window.WebSocket = class extends WebSocket { constructor(...a) { super(...a); window.hears = this; } };"


@pytest.mark.parametrize("wanted", [False, *slow(True)])
def test_what_bots_say_can_be_hidden_and_what_people_say_stays(visit: Visit, server: Served, wanted: bool) -> None:
    people = [server.person(name) for name in ("Anna", "Ben")]
    company = _, ben = friends(server, server.table(people[0], [None, None, "beginner"]), *people)
    stage = Stage(server, visit, 3)
    page = stage.seen_by(people[0], company, HAND, reactions=wanted)
    page.add_init_script(LISTEN)
    page.reload()
    page.locator(HAND).first.wait_for()
    page.evaluate(SAY, [2, "oops"])
    ben.emote("wow")
    expect(page.locator(".said:visible", has_text=EN("page.emote.wow")).first).to_be_visible()
    expect(page.locator(".said:visible", has_text=EN("page.emote.oops"))).to_have_count(1 if wanted else 0)
