"""The whole way of a study: hints while one plays, the review after it, positions to try again, and figures."""

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect
from tools.page_actions import CARD, EDGE, GO_ON, HAND, HINT, TWO_FRAMES, play_card, play_until
from tools.played import await_review, played
from tools.scenes import PATIENCE, SCENES, Stage, Visit, visits
from tools.served import Person, Served, served

from davidgoliath.study.intervals import estimate
from davidgoliath.texts import LANGUAGES, Texts
from tests.browser.conftest import listen
from tests.marks import slow

SCREENS = [
    *[(320, 568), (360, 640), (390, 844), (640, 400), (667, 375), (844, 390)],
    *[(820, 1180), (960, 540), (1280, 800), (1920, 1080)],
]
PHONE: ViewportSize = {"width": 390, "height": 844}
OUTSIDE = """() => [...document.querySelectorAll("#app *")]
    .filter((part) => part.getClientRects().length && !part.closest(".vh, svg, .chart"))
    .filter((part) => {
        const { left, right } = part.getBoundingClientRect();
        return left < -1 || right > innerWidth + 1;
    })
    .map((part) => `${part.tagName}.${part.className}`)"""
"""What sticks out on a side."""
SAID = """async (values) => {
    const { worded } = await import(document.querySelector("script[type=module]").src.replace("main", "study/reasons"));
    const parts = worded({ key: "study.reason.goliath_pays", arguments: values }, String);
    return parts.map((part) => part.textContent ?? part).join("");
}"""
"""How the page words a reason."""
MEAN = """async (sums) => {
    const { src } = document.querySelector("script[type=module]");
    const { meanOf } = await import(src.replace("main", "study/interval"));
    return meanOf(...sums);
}"""
LARGER = """() => {
    const parts = [...document.querySelectorAll("#app *")].filter((part) => !part.closest("svg"));
    const sizes = parts.map((part) => parseFloat(getComputedStyle(part).fontSize));
    parts.forEach((part, place) => { part.style.fontSize = `${1.3 * sizes[place]}px`; });
}"""


@pytest.fixture(scope="module")
def anna(server: Served) -> Person:
    return server.person()


@pytest.fixture(scope="module")
def single(server: Served, anna: Person) -> str:
    """A finished match of one deal, whose final review is there: and so is the judge."""
    table = played(server, anna, ["casual", "beginner"])
    await_review(server, anna, table)
    return table


def lines_of(reasons: list[Any]) -> int:
    """One each, and one for the rest of the deal."""
    return len(reasons) + bool(reasons)


def errors(told: dict[str, Any]) -> list[dict[str, Any]]:
    return [choice for choice in told["choices"] if choice["grade"] in ("inaccuracy", "mistake", "blunder")]


def number(text: str) -> float:
    return float(text.replace("−", "-").replace("±", "").replace("+", ""))


def violations(page: Page) -> list[tuple[str, str]]:
    found = Axe().run(page).response["violations"]
    return [(violation["id"], node["html"]) for violation in found for node in violation["nodes"]]


@pytest.mark.usefixtures("single")
def test_a_hint_names_a_card_and_says_that_the_record_has_it(visit: Visit, server: Served) -> None:
    page = Stage(server, visit, 4).table(5)
    play_until(page, HINT)
    expect(page.get_by_role("button", name="Hint")).to_be_visible()
    page.keyboard.press("a")
    says = page.locator(".say[data-say=advice]")
    expect(says).to_contain_text("The record says that you had a hint")
    marked = page.locator(".hand li:has(.over.best) .card")
    expect(marked).to_have_count(1)
    expect(marked).to_have_attribute("aria-label", re.compile("Hint$"))
    card = marked.get_attribute("data-card")
    expect(page.locator(HINT)).to_have_count(0)
    marked.click(position=EDGE)
    page.locator('[data-act="play"]').click()
    expect(page.locator(f'[data-slot="{card}"]')).to_be_visible()
    expect(page.locator(".over")).to_have_count(0)


def test_nobody_is_offered_a_hint_among_several_people_unless_it_was_agreed(visit: Visit, server: Served) -> None:
    stage = Stage(server, visit, 4)
    for agreed in (False, True):
        company = stage.company(hints=agreed)
        page = stage.seen_by(company[0].person, company[1:], HAND)
        while not page.locator(".say[data-say=turn]").count() or page.locator(CARD).count() == 1:
            for friend in company[1:]:
                friend.play_if_due()
            if page.locator(GO_ON).count():
                page.locator(GO_ON).click()
            elif page.locator(CARD).count() == 1:
                play_card(page)
        expect(page.locator(HINT)).to_have_count(int(agreed))
        for friend in company:
            friend.close()


def test_whoever_is_invited_reads_that_there_are_hints_before_they_sit(visit: Visit, server: Served) -> None:
    page = visit("/friends", storage_state=server.storage(server.person()))
    wish = page.get_by_role("switch", name="Hints")
    expect(wish).to_have_attribute("aria-checked", "false")
    wish.click()
    page.get_by_role("button", name="Make the table").click()
    expect(page.locator(".terms")).to_contain_text("with hints")
    guest = visit(page.url.removeprefix(server.address))
    expect(guest.locator(".newcomer")).to_be_visible()
    expect(guest.locator(".terms")).to_contain_text("with hints")
    above, below = (guest.locator(part).bounding_box() for part in (".terms", ".newcomer"))
    assert above
    assert below
    assert above["y"] + above["height"] <= below["y"]
    host = page.get_by_role("switch", name="Hints")
    host.click()
    expect(guest.locator(".terms")).not_to_contain_text("with hints")
    guest.get_by_label("Your name").fill("Ben")
    guest.get_by_role("button", name="Sit here", exact=True).click()
    expect(host).to_have_count(0)


def test_a_lesson_has_a_hint_too(visit: Visit) -> None:
    page = visit("/learn")
    page.locator(CARD).first.wait_for()
    page.keyboard.press("a")
    star = page.locator(".hand li:has(.over) .card")
    expect(star).to_have_count(1)
    expect(page.locator(".speech h1")).to_contain_text("Try")
    star.click()
    expect(page.locator(".speech h1")).to_have_text("Well done!")


def test_a_review_says_what_the_server_has(visit: Visit, server: Served, anna: Person, single: str) -> None:
    page = visit(f"/t/{single}", storage_state=server.storage(anna), viewport=PHONE)
    page.get_by_role("link", name="Review the match").click()
    parts = page.locator(".balance b")
    expect(parts).to_have_count(4)
    told = await_review(server, anna, single)
    expect(page.locator(".progress progress")).to_have_count(0)
    shown = [number(text) for text in parts.all_inner_texts()]
    assert shown == pytest.approx([told["ledger"][part] for part in ("dealt", "own", "others", "result")], abs=0.051)
    assert sum(shown[:3]) == pytest.approx(shown[3], abs=1e-6)
    totals = server.ask(f"/api/tables/{single}")["totals"]
    assert told["ledger"]["result"] == pytest.approx(totals[0] - sum(totals[1:]) / 2, abs=0.051)
    wrong = sorted(errors(told), key=lambda choice: -choice["loss"])
    expect(page.locator(".costly")).to_have_count(min(3, len(wrong)))
    expect(page.locator(".errors li")).to_have_count(len(wrong))
    for place, choice in enumerate(wrong[:3]):
        expect(page.locator(".costly h3").nth(place)).to_contain_text(f"Trick {choice['trick']}")
        assert number(page.locator(".costly .loss").nth(place).inner_text().split()[0]) == pytest.approx(
            -choice["loss"], abs=0.051
        )
        gains = [
            number(text) for text in page.locator(".costly").nth(place).locator(".reasons li > b").all_inner_texts()
        ]
        assert len(gains) == lines_of(choice["reasons"])
        text = page.locator(".costly").nth(place).locator("p").inner_text()
        gain = number(re.findall(r"\(([+−][\d.]+)\)", text)[0])
        assert gain == pytest.approx(choice["loss"], abs=0.051)
        assert not gains or sum(gains) == pytest.approx(gain, abs=0.01 + 0.05 * len(gains))
    rows = page.locator(".course tbody tr td")
    expect(rows).to_have_count(16)
    assert number(rows.last.inner_text()) == pytest.approx(told["ledger"]["result"], abs=0.051)
    assert violations(page) == []


def test_every_error_is_a_position_to_try_again(visit: Visit, server: Served, anna: Person, single: str) -> None:
    told = await_review(server, anna, single)
    wrong = errors(told)
    page = visit(f"/review/{single}", storage_state=server.storage(anna), viewport=PHONE)
    page.locator("[data-act=try]").click()
    for choice in wrong:
        right = {one["card"] for one in choice["cards"] if one["grade"] in ("best", "fine")}
        expect(page.locator(".bar .where")).to_contain_text(re.compile(rf"Trick {choice['trick']}\b"))
        expect(page.locator(CARD)).to_have_count(len(choice["cards"]))
        assert choice["played"] not in right
        page.locator(f'.hand [data-card="{choice["played"]}"]').click(position=EDGE)
        expect(page.locator("[data-act=show]")).to_be_visible()
        page.locator(f'.hand [data-card="{sorted(right)[-1]}"]').click(position=EDGE)
        expect(page.locator(".verdict .chip").first).to_have_text(re.compile(rf"{sorted(right)[-1][1:]}$"))
        expect(page.locator(".say .reasons li")).to_have_count(lines_of(choice["reasons"]))
        expect(page.locator(".hand .over")).to_have_count(len(choice["cards"]))
        page.locator("[data-act=next]").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"0 of {len(wrong)}")
    expect(page.locator(".errors li", has_text="in the end")).to_have_count(len(wrong))
    page.get_by_role("button", name="Once more").click()
    for _ in wrong:
        page.get_by_role("button", name="Skip").click()
    expect(page.locator(".errors li", has_text="skipped")).to_have_count(len(wrong))
    page.get_by_role("button", name="Once more").click()
    page.locator(CARD).first.press("Escape")
    expect(page.locator(".balance")).to_be_visible()


def test_a_replay_through_ones_eyes_shows_what_cards_were_worth_and_what_was_hidden(
    visit: Visit, server: Served, anna: Person, single: str
) -> None:
    told = await_review(server, anna, single)
    page = visit(f"/review/{single}", storage_state=server.storage(anna), viewport=PHONE)
    page.locator(".costly a").first.click()
    worst = max(errors(told), key=lambda choice: choice["loss"])  # the first of those that cost the most
    expect(page.locator(".fan .over")).to_have_count(len(worst["cards"]))
    expect(page.locator(".fan .over.best")).to_have_count(1)
    expect(page.locator(".eyes .about")).to_contain_text(f"Trick {worst['trick']}:")
    expect(page.locator(".hands .strip.hidden")).to_have_count(2)
    page.get_by_label("Through whose eyes?").select_option(index=2)
    expect(page.locator(".fan .card").first).to_be_visible()
    page.keyboard.press("Home")
    expect(page.locator(".fan li")).to_have_count(15)
    for width in (700, 768, 1100, 1280):  # a whole hand lies in one line
        page.set_viewport_size({"width": width, "height": 900})
        assert (
            page.evaluate("new Set([...document.querySelectorAll('.fan li')].map((card) => card.offsetTop)).size") == 1
        )
    page.keyboard.press("End")
    page.get_by_label("Through whose eyes?").select_option(index=0)
    expect(page.locator(".strip.hidden")).to_have_count(0)


def test_a_bot_says_what_it_knew(visit: Visit, server: Served, anna: Person, single: str) -> None:
    page = visit(f"/replay/{single}?deal=1&eyes=1", storage_state=server.storage(anna))
    page.locator("[data-act=knowledge]").click()
    rows = page.locator(".guesses tbody tr")
    expect(rows).to_have_count(2)
    for row in range(2):
        cells = rows.nth(row).locator("td").all_inner_texts()
        assert sum(0 if text == "none" else number(text) for text in cells) == pytest.approx(15, abs=0.3)


def test_nobody_sees_the_review_of_somebody_else(
    visit: Visit, server: Served, single: str, complaints: list[str]
) -> None:
    page = visit(f"/review/{single}?seat=0", storage_state=server.storage(server.person("Ben")))
    expect(page.get_by_role("heading", name="No review")).to_be_visible()
    assert page.locator(".balance, .costly").count() == 0
    assert all("403" in complaint for complaint in complaints)
    complaints.clear()


def test_whoever_only_looks_at_what_nobody_asked_for_is_told_so(
    visit: Visit, server: Served, complaints: list[str]
) -> None:
    anna = server.person()
    table = played(server, anna, ["casual", "beginner"])
    server.ask(f"/api/tables/{table}/sharing", {"is_shared": True}, anna.token)
    page = visit(f"/review/{table}?seat=0", storage_state=server.storage(server.person("Ben")))
    expect(page.locator(".nothing")).to_contain_text("hasn’t been worked out")
    page.goto(f"/review/{table}?seat=7")  # there is none: then it is about the first one
    expect(page.locator(".nothing")).to_contain_text("hasn’t been worked out")
    page.goto(f"/replay/{table}?step=5&eyes=7")
    expect(page.get_by_label("Through whose eyes?")).to_have_value("all")


def test_a_review_goes_on_after_the_line_was_dead(visit: Visit, server: Served, complaints: list[str]) -> None:
    anna = server.person()
    page = visit(
        f"/review/{played(server, anna, ['casual', 'beginner'], 'classic')}", storage_state=server.storage(anna)
    )
    page.locator(".progress progress").wait_for()
    page.context.set_offline(True)
    expect(page.locator(".progress")).to_contain_text("no connection")
    page.context.set_offline(False)
    expect(page.locator(".progress")).to_contain_text("First results")
    expect(page.locator(".balance b")).to_have_count(4)
    page.reload()
    expect(page.locator(".balance b")).to_have_count(4)
    assert all("ERR_INTERNET_DISCONNECTED" in complaint for complaint in complaints)
    complaints.clear()


def test_who_has_had_all_reviews_of_a_day_keeps_those(tmp_path: Path, browser: Browser, complaints: list[str]) -> None:
    with (
        served(tmp_path, "--most-reviews", "1") as strict,
        visits(browser, strict, lambda page: listen(page, complaints)) as visit_strict,
    ):
        anna = strict.person()
        table = played(strict, anna, ["casual", "beginner"], "classic", deals=2)
        page = visit_strict(f"/review/{table}", storage_state=strict.storage(anna))
        expect(page.locator(".progress")).to_contain_text("No more reviews today: 1 in a day")
        expect(page.locator(".balance b")).to_have_count(4, timeout=4 * PATIENCE)
    assert all("429" in complaint for complaint in complaints)
    complaints.clear()


def test_figures_are_sums_of_what_was_reviewed(visit: Visit, server: Served, anna: Person, single: str) -> None:
    told = await_review(server, anna, single)
    page = visit("/games", storage_state=server.storage(anna))
    page.get_by_role("link", name="My figures").click()
    lost = sum(choice["loss"] for choice in told["choices"]) / len(told["choices"])
    mean = page.locator(".figures .figure b")
    expect(mean).to_have_text(re.compile(r"^\d\.\d\d$"))
    assert float(mean.inner_text()) == pytest.approx(lost, abs=0.00501)
    low, high = map(float, re.findall(r"[\d.]+", page.locator(".figures .figure .quiet").inner_text()))
    assert (low, high) == pytest.approx((max(0.0, told["low"]), told["high"]), abs=0.011), "as the review has it"
    for count in (4, 11, 40):
        values = [Random(count).gauss(1, 2) for _ in range(count)]
        sums = [count, sum(values), sum(value**2 for value in values)]
        assert list(page.evaluate(MEAN, sums).values()) == pytest.approx(list(estimate(values)), abs=1e-5)
    expect(page.locator(".companies li")).to_have_count(1)
    shown = [number(text) for text in page.locator(".balance b").all_inner_texts()]
    assert shown == pytest.approx([told["ledger"][part] for part in ("dealt", "own", "others", "result")], abs=0.11)
    assert violations(page) == []


STUDIES = ["hinted", "review", "practice_answer", "practised", "eyes", "figures", "figures_none"]


@pytest.mark.slow
@pytest.mark.parametrize("name", STUDIES)
def test_nothing_sticks_out_on_any_screen_or_when_letters_are_larger(visit: Visit, server: Served, name: str) -> None:
    page = SCENES[name].act(Stage(server, visit, 4))
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(TWO_FRAMES)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (width, height)
        assert page.evaluate(OUTSIDE) == [], (width, height)
    page.set_viewport_size(PHONE)
    page.evaluate(LARGER)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert page.evaluate(OUTSIDE) == []


@pytest.mark.parametrize("language", [*slow(*(language for language in LANGUAGES if language != "de")), "de"])
def test_every_sentence_is_there_in_every_language(
    visit: Visit, server: Served, anna: Person, single: str, language: str
) -> None:
    page = visit(f"/review/{single}", storage_state=server.storage(anna), locale=language)
    page.locator(".errors li").first.wait_for()
    assert not re.search(r"(?:study|page)\.[a-z_.]+|\{\w+\}", page.locator("#app").inner_text())
    for often, less in ((100, "some"), (60, "less")):
        said = page.evaluate(SAID, {"card": "R1", "other": "Y2", "often": often, "less": 2})
        assert Texts(language)(f"study.often.{less}", count=2) + "," in said
    page.locator(".errors a").first.click()
    page.locator(".fan .over").first.wait_for()
    assert not re.search(r"(?:study|page)\.[a-z_.]+|\{\w+\}", page.locator("#app").inner_text())
