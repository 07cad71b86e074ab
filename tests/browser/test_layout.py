"""The table on every screen: nothing lies on anything else, every card can be tapped, nothing scrolls sideways."""

from functools import partial

import pytest
from playwright.sync_api import Page
from tools.friend import Friend
from tools.page_actions import GO_ON, TWO_FRAMES, pick_card, play_card
from tools.played import played
from tools.scenes import SCENES, Stage, Visit
from tools.served import Served

from davidgoliath.texts import LANGUAGES
from tests.marks import slow

SCREENS = [
    (320, 568),
    (360, 640),
    (390, 844),
    (640, 400),  # the desktop at 200 %
    (667, 375),
    (844, 390),
    (820, 1180),
    (960, 540),  # the large one at 200 %
    (1024, 768),
    (1280, 800),
    (1920, 1080),
]
NARROWEST = 24
"""Pixels of a card of the hand that show beside the next one."""
FLAWS = """(narrowest) => {
    const isShown = (part) => part.offsetParent && !part.closest(".vh");
    const shown = (selector) => [...document.querySelectorAll(selector)].filter(isShown);
    const flaws = [];
    const names = [".bar", ".ledger", ".others .panel", ".slot", ".slot .role", ".say", ".mine .panel", ".side"];
    const parts = [...names, ".watching", ".hand button.card"]
        .flatMap((selector) => shown(selector).map((part) => [selector, part.getBoundingClientRect()]));
    for (const [place, [name, box]] of parts.entries()) {
        const isBelow = box.top > innerHeight - narrowest;
        if (box.left < -1 || box.right > innerWidth + 1 || isBelow) flaws.push(`${name} sticks out`);
        for (const [other, that] of parts.slice(0, place)) {
            if (name === ".hand button.card" && other === name) continue; // they are held like a fan
            if (name === ".slot .role" && other === ".slot") continue; // where it belongs
            const wide = Math.min(box.right, that.right) - Math.max(box.left, that.left);
            const high = Math.min(box.bottom, that.bottom) - Math.max(box.top, that.top);
            if (wide > 1 && high > 1) flaws.push(`${name} lies on ${other}: ${Math.round(wide)} x ${Math.round(high)}`);
        }
    }
    const hidden = document.querySelectorAll(".hand button.card").length - shown(".hand button.card").length;
    if (hidden || !shown(".slot").length) flaws.push(`${hidden} cards of the hand, or the trick, can't be seen`);
    for (const row of shown(".hand .row")) {
        const lefts = [...row.querySelectorAll("button.card")].map((card) => card.getBoundingClientRect().left);
        const strips = lefts.slice(1).map((left, place) => left - lefts[place]);
        if (Math.min(Infinity, ...strips) < narrowest) flaws.push(`cards show only ${Math.min(...strips)} pixels`);
    }
    const boxOf = (part) => part.getBoundingClientRect();
    for (const value of shown(".cell.up b")) {
        const [box, stone] = [value, value.parentElement.querySelector(".lump")].map(boxOf);
        const isInside = box.width <= stone.width - 2 && box.height <= stone.height + 4;
        if (!isInside) flaws.push("a value is larger than its stone");
    }
    for (const [button, text] of shown(".say .btn").flatMap((one) => shown(".outs > span").map((two) => [one, two]))) {
        const isBeside = boxOf(text).right <= boxOf(button).left + 1 || boxOf(text).top >= boxOf(button).bottom;
        if (!isBeside) flaws.push("the narrator's button lies on what is said");
    }
    for (const points of shown(".say .outs b:last-child")) {
        const isAlone = boxOf(points).top >= boxOf(points.previousElementSibling).bottom;
        if (isAlone) flaws.push("points stand on a line of their own");
    }
    const cards = shown(".slot .card, .slot .hole").map((card) => boxOf(card).width);
    if (Math.min(...cards) < 36) flaws.push(`the trick is ${Math.min(...cards)} pixels small`);
    if (document.documentElement.scrollWidth > innerWidth) flaws.push("scrolls sideways");
    return flaws;
}"""


@pytest.mark.parametrize(
    ("players", "tricks"),
    [(3, 0), (6, 8), *slow((4, 0), (5, 0), (6, 0), (3, 8), (4, 8), (5, 8))],
)
def test_nothing_lies_on_anything_else(visit: Visit, server: Served, players: int, tricks: int) -> None:
    page = Stage(server, visit, players).table(tricks)
    if tricks:
        pick_card(page)
        assert _flaws(page) == {}
        play_card(page)
        page.locator(GO_ON).wait_for()
    assert _flaws(page) == {}


def test_a_larger_phone_has_no_smaller_trick(visit: Visit, server: Served) -> None:
    page = Stage(server, visit, 4).table()
    wide = [0.0]
    for width, height in [(320, 568), (360, 640), (375, 667), (390, 844)]:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(TWO_FRAMES)
        wide.append(max(box["width"] for box in page.locator(".slot .hole, .slot .card").evaluate_all(BOXES)))
    assert wide == sorted(wide)


def test_the_controls_of_a_replay_fit_every_phone(visit: Visit, server: Served) -> None:
    page = SCENES["replay"].act(Stage(server, visit, 3))
    for width, height in [(320, 568), (360, 640), (375, 667), (390, 844), (667, 375)]:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(TWO_FRAMES)
        boxes = page.locator(".controls :is(button, input)").evaluate_all(BOXES)
        assert all(box["left"] >= 0 and box["right"] <= width for box in boxes), width


@pytest.mark.parametrize(
    ("name", "players"),
    [("newcomer", 4), *slow(("spectator", 6), ("spectator", 5), ("stood_in", 4), ("being_asked", 4))],
)
def test_nor_does_it_where_somebody_is_missed_or_comes_or_watches(
    visit: Visit, server: Served, name: str, players: int
) -> None:
    visit = partial(visit, locale="fr")  # the language with the longest words for it
    assert _flaws(SCENES[name].act(Stage(server, visit, players))) == {}


@pytest.mark.parametrize("players", [5, *slow(6)])
def test_panels_of_whoever_watches_leave_no_hole(visit: Visit, server: Served, players: int) -> None:
    page = SCENES["spectator"].act(Stage(server, visit, players))
    for width, height in [(820, 1180), (1280, 800), (1920, 1080)]:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(TWO_FRAMES)
        boxes = page.locator(".others .panel").evaluate_all(BOXES)
        rows = [[box for box in boxes if box["y"] == top] for top in sorted({box["y"] for box in boxes})]
        middles = [(row[0]["x"] + row[-1]["x"] + row[-1]["width"]) / 2 for row in rows]
        assert max(map(len, rows)) - min(map(len, rows)) <= 1, (width, rows)
        assert max(middles) - min(middles) < 2, (width, rows)
        assert min(box["width"] for box in boxes) > 160, width


BOXES = "(parts) => parts.map((part) => part.getBoundingClientRect().toJSON())"
COVERED = """() => {
    const words = document.createRange();
    words.selectNodeContents(document.querySelector(".tag1"));
    const hits = (x, y) => document.elementsFromPoint(x, y).some((part) => part.matches(".duel svg *"));
    return [...words.getClientRects()].some(({ left, right, top, bottom }) =>
        Array.from({ length: 41 }, (_, step) => left + ((right - left) * step) / 40)
            .some((x) => hits(x, top + 2) || hits(x, bottom - 2)));
}"""


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_boulder_hides_no_word(visit: Visit, language: str) -> None:
    page = visit("/", locale=language)
    page.locator(".tag1").wait_for()
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(TWO_FRAMES)
        assert not page.evaluate(COVERED), (width, height)
        word, now = (page.locator(part).first.bounding_box() for part in (".word .g", ".now"))
        assert word
        assert now
        assert word["y"] + word["height"] <= now["y"] + 1 or word["x"] + word["width"] <= now["x"] + 1, (width, height)


WEAR_ALL = """async () => {
  const links = [...document.querySelectorAll("link[rel=stylesheet]")].filter((link) => link.disabled);
  await Promise.all(links.map((link) => new Promise((worn) => {
    link.onload = worn;
    link.disabled = false;
  })));
}"""
EVERY_BOX = """() => [...document.querySelectorAll("#app *")].map((part) => {
  const { left, top, width, height } = part.getBoundingClientRect();
  return `${part.tagName} ${part.getAttribute("class")} ${[left, top, width, height].map(Math.round)}`;
})"""


@pytest.mark.parametrize("scene", ["keys", *slow("taken", "home", "lobby", "learn", "settings", "games")])
def test_the_styles_of_one_page_change_no_other(visit: Visit, server: Served, scene: str) -> None:
    """Whoever was elsewhere before has them all."""
    page = SCENES[scene].act(Stage(server, visit, SCENES[scene].players[-1]))
    page.wait_for_load_state("networkidle")
    before = page.evaluate(EVERY_BOX)
    page.evaluate(WEAR_ALL)
    page.evaluate(TWO_FRAMES)
    assert page.evaluate(EVERY_BOX) == before


@pytest.mark.slow
def test_a_turning_point_stands_above_its_sentence(visit: Visit, server: Served) -> None:
    page = SCENES["replay"].act(Stage(server, visit, 3))
    page.locator(".decisive .at").first.wait_for()
    for width, height in [(390, 844), (1280, 800), (1920, 1080)]:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(TWO_FRAMES)
        for at, told in zip(
            *(page.locator(f".decisive .at{more}").evaluate_all(BOXES) for more in ("", " + span")), strict=True
        ):
            assert at["bottom"] <= told["top"] + 1


@pytest.mark.slow
def test_a_question_stands_in_the_middle_of_a_wide_screen(visit: Visit, server: Served) -> None:
    page = SCENES["sending_away"].act(Stage(server, visit, 4))
    for width, height in [(820, 1180), (1280, 800), (1920, 1080)]:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(TWO_FRAMES)
        (box,) = page.locator(".dialog").evaluate_all(BOXES)
        assert abs(box["y"] + box["height"] / 2 - height / 2) < 2
        assert abs(box["x"] + box["width"] / 2 - width / 2) < 2


@pytest.mark.slow
def test_a_match_broken_off_fills_its_page(visit: Visit, server: Served) -> None:
    page = SCENES["broken_off"].act(Stage(server, visit, 4))
    for width, height in [(390, 844), (820, 1180), (1920, 1080)]:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(TWO_FRAMES)
        (box,) = page.locator(".end .hero").evaluate_all(BOXES)
        assert abs(box["y"] + box["height"] / 2 - height / 2) < height / 10
        assert abs(box["x"] + box["width"] / 2 - width / 2) < 2


def test_nothing_lies_on_the_seats_of_a_lobby(visit: Visit, server: Served) -> None:
    page = SCENES["lobby"].act(Stage(server, visit, 6))
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(TWO_FRAMES)
        others = ".middle span, .begin" if height <= 520 else ".middle span"  # elsewhere one scrolls below the latter
        assert not page.evaluate(LIES_ON, [others, ".seat-at"]), (width, height)


LIES_ON = """([some, others]) => {
    const boxes = (what) => [...document.querySelectorAll(what)].map((part) => part.getBoundingClientRect());
    return boxes(some).some((one) => boxes(others).some((other) =>
        Math.min(one.right, other.right) > Math.max(one.left, other.left) &&
        Math.min(one.bottom, other.bottom) > Math.max(one.top, other.top)));
}"""


def test_the_bar_of_a_lobby_hides_no_way_to_say_something(visit: Visit, server: Served) -> None:
    anna = server.person()
    path = server.table(anna, [None, None, "club"])
    ben = Friend(server, path, server.person("Ben"))
    ben.wish("sit", "sat", seat=1)
    page = visit(path, storage_state=server.storage(anna))
    page.locator(".talk").wait_for()
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(TWO_FRAMES)
        assert page.locator(".talk").evaluate(IS_SEEN), (width, height)
    ben.close()


IS_SEEN = """(button) => {
    const { left, right, top, bottom } = button.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const points = [[x, top + 3], [x, bottom - 3], [left + 3, y], [right - 3, y]];
    return points.every((point) => button.contains(document.elementFromPoint(...point)));
}"""


@pytest.mark.slow
def test_a_lobby_fills_its_page(visit: Visit, server: Served) -> None:
    page = SCENES["lobby"].act(Stage(server, visit, 6))
    for width, height in [(820, 1180), (1920, 1080)]:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(TWO_FRAMES)
        boxes = page.locator(".round, .gathering > .stack").evaluate_all(BOXES)
        assert max(box["bottom"] for box in boxes) - min(box["top"] for box in boxes) > 0.55 * height
        (table,) = page.locator(".round").evaluate_all(BOXES)
        assert table["width"] > 600
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        (begin,) = page.locator(".begin").evaluate_all(BOXES)
        boxes = page.locator(".gathering > .stack").evaluate_all(BOXES)
        assert max(box["bottom"] for box in boxes) <= begin["top"]
        page.evaluate("scrollTo(0, 0)")


TOUCHING = """() => {
    const texts = [...document.querySelectorAll(".chart text")].map((text) => text.getBoundingClientRect());
    return texts.some((one, place) => texts.slice(0, place).some((other) =>
        Math.min(one.right, other.right) > Math.max(one.left, other.left) + 1 &&
        Math.min(one.bottom, other.bottom) > Math.max(one.top, other.top) + 2));
}"""


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "players"), [("single", 6), *slow(("single", 3), ("classic", 3), ("classic", 6))])
def test_the_cards_of_the_end_are_of_one_height_and_no_labels_touch(
    visit: Visit, server: Served, rules: str, players: int
) -> None:
    anna = server.person()
    table = played(server, anna, ["club"] * (players - 1), rules)
    for width, height in [(320, 568), (390, 844), (1280, 800), (1920, 1080)]:
        page = visit(f"/t/{table}", storage_state=server.storage(anna), viewport={"width": width, "height": height})
        page.locator(".end .chart").wait_for()
        assert not page.evaluate(TOUCHING), width
        standings, chart = page.locator(".end .grid > .box").evaluate_all(BOXES)
        if width > 860:
            assert standings["height"] == chart["height"]


def _flaws(page: Page) -> dict[tuple[int, int], list[str]]:
    found = {}
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(TWO_FRAMES)
        if flaws := page.evaluate(FLAWS, NARROWEST):
            found[width, height] = flaws
    return found


IN_ONE_ROW = """() => {
    const [first, ...others] = document.querySelectorAll(".hand .row");
    const moved = others.flatMap((row) => [...row.children].map((card) => [row, card]));
    const colour = (card) => card?.querySelector("[data-card]").dataset.card[0];
    const starts = moved.length && colour(first.lastElementChild) !== colour(moved[0][1]);
    if (starts) moved[0][1].classList.add("first");
    for (const [, card] of moved) first.append(card);
    const lefts = [...first.children].map((card) => card.getBoundingClientRect().left);
    const narrowest = Math.min(...lefts.slice(1).map((left, place) => left - lefts[place]));
    for (const [row, card] of moved) row.append(card);
    if (starts) moved[0][1].classList.remove("first");
    return [others.length, narrowest];
}"""


@pytest.mark.parametrize("tricks", [0, *slow(3, 6)])
def test_the_hand_has_two_rows_only_where_one_would_be_too_narrow(visit: Visit, server: Served, tricks: int) -> None:
    page = Stage(server, visit, 3).table(tricks)
    for width, height in [
        *SCREENS,
        (699, 900),
        (1110, 800),
        (1180, 800),
        (1210, 800),
        (1240, 800),
        (1600, 860),
        (1920, 860),
    ]:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(TWO_FRAMES)
        others, narrowest = page.evaluate(IN_ONE_ROW)
        least = 27 if width < 700 and height > 520 else 33
        assert others == (narrowest < least - 0.1), (width, height, narrowest)
