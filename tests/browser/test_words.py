"""What the table says in words: the story, points with their names, why not, what was taken back, and the keys."""

import re

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect
from tools.page_actions import GO_ON, NO_CARD, pick_card, play_card, play_tricks
from tools.scenes import Stage, Visit, refused
from tools.served import Served

DESKTOP: ViewportSize = {"width": 1280, "height": 800}


@pytest.fixture
def stage(visit: Visit, server: Served) -> Stage:
    return Stage(server, visit, 4)


def cards(where: Locator) -> set[str]:
    """The cards of a sentence, in words."""
    return {re.sub(r"\s+", " ", text).strip() for text in where.locator(".chip").all_text_contents()}


def test_the_story_is_told_in_sentences(stage: Stage) -> None:
    page = stage.table(5)
    page.set_viewport_size(DESKTOP)
    lines = page.locator(".side .log li").all_inner_texts()
    assert len(lines) == 5
    one = r"(\w+ was|You were) {} with \w+ \d+ and took {} \([+−±]\d+\)\."
    told = one.format("Goliath", r"3 cards") + " " + one.format("David", r"\w+ \d+")
    for line in lines:
        assert re.search(told, re.sub(r"\s+", " ", line)), line


@pytest.mark.slow
def test_points_say_whether_they_are_the_deals_or_the_matchs(stage: Stage) -> None:
    page = stage.table(2, "classic")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".ledger thead .sum")).to_have_text("dealmatch")
    page.set_viewport_size(DESKTOP)
    expect(page.locator(".panel .sum").first).to_have_text(re.compile(r"^deal \d+match \d+$"))
    alone = stage.table(2, "single")
    alone.set_viewport_size(DESKTOP)
    expect(alone.locator(".panel .sum").first).to_have_text(re.compile(r"^pts \d+$"))


@pytest.mark.slow
def test_whoever_plays_last_hears_how_the_trick_ends(stage: Stage) -> None:
    page = stage.table()
    heard = set()
    for _ in range(12):
        pick_card(page)
        waiting = page.locator(".slot:not(:has(.card))").count()
        if page.locator(".slot .card").count() > 1:
            says = page.locator(".say .head").inner_text()
            assert says == ("If the trick ended now" if waiting else "This ends the trick")
            heard.add(says)
        if len(heard) == 2:
            return
        page.keyboard.press("Escape")
        play_card(page)
        page.locator(GO_ON).click()
    raise AssertionError(heard)


def test_a_refusal_names_the_cards_that_may_be_played(stage: Stage) -> None:
    page = refused(stage)
    says = page.locator(".say[data-say=refused]")
    legal = {card.get_attribute("aria-label") or "" for card in page.locator(".hand li:not(.no) .card").all()}
    assert cards(says) >= legal
    assert len(cards(says)) == len(legal) + 1
    expect(says).to_contain_text("was led, and you hold")
    assert page.locator(NO_CARD).count()


def test_undo_says_what_it_has_done(stage: Stage) -> None:
    page = stage.table()
    play_tricks(page, 1)
    mine = page.locator(".hand .card").count()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".toast")).to_have_text(re.compile(r"^Taken back: \w+ \d+( and all that followed)?$"))
    expect(page.locator(".hand .card")).to_have_count(mine + 1)


def test_a_question_mark_lists_the_keys_and_each_of_them_works(stage: Stage) -> None:
    page = stage.table(3)
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(dialog).to_be_visible()
    listed = dict(zip(dialog.locator("dt").all_inner_texts(), dialog.locator("dd").all_inner_texts(), strict=True))
    assert set("rlpisuhtb?") < set(listed)
    page.keyboard.press("Escape")
    for key in "rlpis":
        page.keyboard.press(key)
        title = listed[key] if key != "l" else "Trick 3"
        expect(page.get_by_role("dialog", name=title, exact=True)).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.slow
def test_each_speed_says_what_it_is_for(stage: Stage) -> None:
    page = stage.table()
    page.keyboard.press("s")
    expect(page.get_by_role("dialog")).to_contain_text("How fast bots play is set at the table")
    page.keyboard.press("Escape")
    page.keyboard.press("p")
    expect(page.get_by_role("dialog")).to_contain_text("The speed of the cards is in your settings")


def test_home_says_how_long_a_match_takes(visit: Visit) -> None:
    page = visit("/")
    takes = page.locator(".takes")

    def minutes(page: Page, *names: str) -> int:
        for name in names:
            page.get_by_role("button", name=name, exact=True).click()
        found = re.search(r"about (\d+) minutes", takes.inner_text())
        assert found
        return int(found[1])

    assert 5 <= minutes(page, "3", "Full match") < minutes(page, "6") <= 25
    expect(takes).to_contain_text("6 deals")
    assert minutes(page, "One deal") < 5
    expect(takes).to_contain_text("1 deal ")
