"""The tutorial, by keyboard alone: one illegal and one wrong card on the way, and a first match at its end."""

import json
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from tools.scenes import Visit

from davidgoliath.tutorial.lessons import Lesson, Play, lessons
from tests.marks import slow

LESSONS = lessons()
KEPT = "Object.entries(localStorage).find(([name]) => name.split(' ')[0] === 'dg')?.[1] ?? '{}'"
"""What a page knows: those of a site, by its place."""


def play_by_keys(page: Page, lesson: Lesson, card: str) -> None:
    """Goes to a card with the arrow keys, and plays it: where a first key press only previews it, with a second."""
    page.keyboard.press("Home")
    for _ in range(lesson.hand.index(card)):
        page.keyboard.press("ArrowRight")
    expect(page.locator(f'.hand [data-card="{card}"]')).to_be_focused()
    page.keyboard.press("Enter")
    if lesson.id == "radar":
        expect(page.locator(".slot.ghost .card")).to_have_count(1)
        page.keyboard.press("Enter")


def last_trick_by_keys(page: Page, play: Play) -> None:
    """The first trick stays, with who took what and everyone's points, until one goes on; the last card waits."""
    end = next(fall for fall in play.falls if fall.taken)
    assert end.taken is not None
    expect(page.locator(".slot .card")).to_have_count(4)
    expect(page.locator(".say .chip")).to_have_count(4)
    expect(page.locator(".tally dd")).to_contain_text([str(points) for points in end.taken.scores])
    expect(page.get_by_role("button", name="Go on")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".slot .card")).to_have_count(2)
    expect(page.locator(".learn .say")).to_have_text("One card is left. Play it!")
    expect(page.locator(".hand .card")).to_be_focused()
    page.keyboard.press("Enter")


def says(page: Page, headline: str) -> None:
    expect(page.get_by_role("status").get_by_role("heading")).to_have_text(headline)


def of(lesson: Lesson, right: bool) -> Play:
    """A legal card of the hand that reaches the aim, or one that doesn't."""
    return next(play for play in lesson.plays if play.right is right and not play.refused)


def no_complaints_of_axe(page: Page) -> None:
    violations = Axe().run(page).response["violations"]
    assert [(fault["id"], [node["html"] for node in fault["nodes"]]) for fault in violations] == []


def kept(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(page.evaluate(KEPT))
    return found


@pytest.mark.parametrize("transport", ["server", *slow("site")], indirect=True)
def test_the_whole_tutorial_by_keyboard_alone(visit: Visit) -> None:
    page = visit("/learn", viewport={"width": 390, "height": 844})
    says(page, "Follow the colour")
    stop = page.locator(".hand [tabindex='0']")
    for _ in range(6):
        if stop.evaluate("card => card === document.activeElement"):
            break
        page.keyboard.press("Tab")
    expect(stop).to_be_focused()
    for step, lesson in enumerate(LESSONS, 1):
        expect(page.get_by_role("img", name=f"Step {step} of {len(LESSONS)}")).to_be_visible()
        if lesson.id == "follow":
            illegal = next(play for play in lesson.plays if play.refused)
            play_by_keys(page, lesson, illegal.card)
            says(page, "That one can’t go")
            expect(page.locator(".hand .card")).to_have_count(len(lesson.hand))
        if lesson.id == "david":
            play_by_keys(page, lesson, of(lesson, False).card)
            says(page, "Not quite")
            expect(page.get_by_role("status")).to_contain_text("So Mia is David")
            expect(page.get_by_role("button", name="Once more")).to_be_focused()
            page.keyboard.press("Enter")
            says(page, "The lowest is David")
        right = of(lesson, True)
        assert "learnt" not in kept(page)
        play_by_keys(page, lesson, right.card)
        if lesson.id == "match":
            last_trick_by_keys(page, right)
        says(page, "Well done!")
        if step < len(LESSONS):
            expect(page.get_by_role("button", name="Next")).to_be_focused()
            page.keyboard.press("Enter")
    assert kept(page)["learnt"] is True
    expect(page.get_by_role("button", name="Play your first deal")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")
    page.locator(".hand .card").first.wait_for()


def test_a_right_answer_is_called_right(visit: Visit) -> None:
    page = visit("/learn")
    for _ in range([lesson.id for lesson in LESSONS].index("ties")):
        page.get_by_role("button", name="Skip").click()
    expect(page.locator(".learn .say")).to_have_text("You come last. Be David!")
    page.locator('.hand [data-card="V12"]').click()
    says(page, "Not quite")
    expect(page.get_by_role("status")).to_contain_text("makes you Goliath, and you take")
    page.get_by_role("button", name="Once more").click()
    page.locator('.hand [data-card="B2"]').click()
    says(page, "Well done!")


def test_a_card_that_falls_travels_and_the_others_follow_one_by_one(visit: Visit) -> None:
    page = visit("/learn", reduced_motion="no-preference")
    at_once = """async (card) => {
      card.click();
      await null; // it is drawn
      const lies = document.querySelector('.slot [data-slot="G5"]');
      for (let frame = 0; frame < 20 && !lies.getAnimations().length; frame++) await new Promise(requestAnimationFrame);
      const moves = lies.getAnimations().map((move) => move.effect);
      const changed = moves.flatMap((move) => move.getKeyframes().flatMap(Object.keys));
      return [document.querySelectorAll('.slot .card').length, [...new Set(changed)].sort()];
    }"""
    lying, changed = page.locator('.hand [data-card="G5"]').evaluate(at_once)
    assert lying == 2
    assert set(changed) - {"offset", "computedOffset", "easing", "composite"} == {"transform", "opacity"}
    expect(page.locator(".slot .card")).to_have_count(4)
    says(page, "Well done!")


def test_one_may_go_back_skip_and_leave(visit: Visit) -> None:
    page = visit("/learn")
    for lesson in LESSONS[:3]:
        expect(page.locator(".top b")).to_have_text(lesson.id.capitalize())
        page.get_by_role("button", name="Skip").click()
    page.get_by_role("button", name="Back").click()
    says(page, "The lowest is David")
    page.get_by_role("button", name="Leave the tutorial").click()
    page.wait_for_url("**/")
    assert "learnt" not in kept(page)


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height", "scheme"), [(320, 568, "light"), (844, 390, "light"), (1280, 800, "dark")])
def test_every_step_fits_and_axe_is_content(visit: Visit, width: int, height: int, scheme: str) -> None:
    page = visit("/learn", viewport={"width": width, "height": height}, color_scheme=scheme, locale="de")
    for step, lesson in enumerate(LESSONS):
        if step:
            page.locator(".top .plain").click()
        card = page.locator(f'.hand [data-card="{of(lesson, True).card}"]')
        fits(page)
        if width == 1280:
            no_complaints_of_axe(page)
        card.click()
        if lesson.id == "radar":
            fits(page)
            card.click()
        if lesson.id == "match":
            fits(page)
            page.locator(".say .act").click()
            page.locator(".hand .card").click()
        page.locator(".say .act").wait_for()
        fits(page)
        if width == 320:
            page.evaluate("Promise.all(document.getAnimations().map((moving) => moving.finished))")
            no_complaints_of_axe(page)


def fits(page: Page) -> None:
    """Nothing sticks out, the cards of the trick are large enough to be read, and no words run under a button."""
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0
    assert page.locator(".slot").first.evaluate("slot => slot.offsetWidth") >= 36
    over = """() => [...document.querySelectorAll('.learn *')].filter((part) => {
      const box = part.getBoundingClientRect();
      const outside = box.left < -1 || box.right > innerWidth + 1 || box.top < -1 || box.bottom > innerHeight + 1;
      return box.width && !part.closest('.vh, svg') && outside;
    }).map((part) => part.className)"""
    assert page.evaluate(over) == []
    button = page.locator(".say .btn")
    if button.count():
        text = "bar => bar.querySelector('.text').scrollWidth - bar.querySelector('.text').clientWidth"
        assert page.locator(".learn .say").evaluate(text) <= 0
