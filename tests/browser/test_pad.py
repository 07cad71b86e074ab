"""The score pad in the page: a deal by tapping, slips that are found, quick mode, and no network at all."""

import json
import os
import signal
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect
from tools.scenes import Visit, visits
from tools.served import served

from davidgoliath.cli import main
from davidgoliath.notation import ScorePad
from davidgoliath.notation.pad import FORMAT
from davidgoliath.rules import CardSet, Deal, DealState
from tests.marks import slow

NAMES = ("Ann", "Ben", "Cleo")
KEPT = """async () => {
    await navigator.serviceWorker.ready;
    while (!(await caches.match(`/web/${document.documentElement.dataset.build}/texts/en.json`))) {
        await new Promise((done) => setTimeout(done, 20));
    }
}"""
"""Waits until the browser keeps the page."""


def some_piles(players: int = 3, seed: int = 5) -> tuple[tuple[CardSet, ...], tuple[int, ...]]:
    """What a deal of random cards came to, and its scores."""
    rng = Random(seed)
    state = DealState.start(Deal.shuffled(players, rng))
    while not state.is_over:
        state = state.play(rng.choice(list(state.legal_cards)))
    return state.piles, state.scores


def begin(page: Page) -> None:
    page.get_by_role("group", name="Players").get_by_role("button", name="3").click()
    for number, name in enumerate(NAMES, 1):
        page.get_by_label(f"Player {number}").fill(name)
    page.get_by_label("Deals first").select_option("Cleo")
    page.get_by_role("button", name="Start the pad").click()


def turn_to(page: Page, seat: int) -> None:
    page.locator(f"[data-seat='{seat}']").click()


def tap(page: Page, pile: CardSet) -> None:
    for card in pile:
        page.locator(f"[data-card={card}]").click()


def totals(page: Page) -> list[int]:
    return [int(text) for text in page.locator(".totals tfoot td").all_inner_texts()]


@pytest.mark.parametrize("transport", ["server", *slow("site")], indirect=True)
def test_a_deal_is_scored_by_tapping_and_a_slip_is_found(visit: Visit, tmp_path: Path) -> None:
    piles, scores = some_piles()
    page = visit("/score")
    begin(page)
    expect(page.get_by_text("Cleo deals, Ann leads.")).to_be_visible()
    for seat in range(2):
        tap(page, piles[seat])
        page.locator("[data-act=next]").click()
    stolen = next(iter(piles[0]))
    page.locator(f"[data-card={stolen}]").click()
    expect(page.get_by_role("alert")).to_contain_text(f"{stolen.value} already belongs to Ann.")
    expect(page.locator(f"[data-card={stolen}]")).to_have_attribute("aria-pressed", "false")
    page.locator("[data-act=move]").click()
    expect(page.locator(f"[data-card={stolen}]")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(f"[data-card={stolen}]")).to_have_attribute("aria-pressed", "false")
    *most, last = piles[2]
    tap(page, CardSet.of(most))
    expect(page.get_by_role("heading", name="1 card left over")).to_be_visible()
    expect(page.locator(".leftover .chip")).to_have_text(
        f"{page.locator(f'[data-card={last}]').get_attribute('aria-label')}"
    )
    tap(page, CardSet.of([last]))
    page.get_by_role("button", name="Count").click()
    assert totals(page) == list(scores)
    assert [int(text) for text in page.locator(".bycolour .sum").all_inner_texts()] == list(scores)
    with page.expect_download() as download:
        page.locator("[data-act=file]").click()
    file = tmp_path / "pad.json"
    download.value.save_as(file)
    pad = ScorePad.parse(file.read_text(encoding="utf-8"))
    assert pad.names == NAMES
    assert tuple(tally.cards for tally in pad.deals[0]) == piles
    page.get_by_role("button", name="Deal 2").click()
    expect(page.get_by_text("Ann deals, Ben leads.")).to_be_visible()


def test_the_command_line_goes_on_with_a_pad_of_the_page_and_back(
    visit: Visit, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    piles, scores = some_piles()
    file = tmp_path / "pad.json"
    deals = [[str(pile) for pile in piles]]
    items = {"format": FORMAT, "rules": {"preset": "single"}, "names": NAMES, "dealer": 1, "deals": deals}
    file.write_text(json.dumps(items), encoding="utf-8")
    assert main(["score", "--pad", str(file), "--json"]) == 0
    file.write_text(capsys.readouterr().out, encoding="utf-8")
    page = visit("/score")
    page.locator("input[type=file]").set_input_files(file)
    best = NAMES[scores.index(max(scores))]
    expect(page.get_by_role("heading", name=f"{best} wins")).to_be_visible()
    assert totals(page) == list(scores)
    file.write_text(json.dumps({**items, "deals": [["R1", "R1", "-"]]}), encoding="utf-8")
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_role("alert")).to_have_text("R1 already belongs to Ann")
    assert totals(page) == list(scores)


@pytest.mark.slow
def test_quick_mode_needs_values_only_where_they_count(visit: Visit) -> None:
    page = visit("/score", viewport={"width": 320, "height": 568})
    begin(page)
    page.get_by_role("button", name="Quick").click()
    counts = [(5, 4, 3, 9, 2), (4, 0, 6, 0, 0), (0, 5, 0, 0, 7)]
    for seat, row in enumerate(counts):
        turn_to(page, seat)
        for colour, count in zip("RYGBV", row, strict=True):
            page.locator(f"[data-count={colour}{min(count, 6)}]").click()
            for _ in range(count - 6):
                page.locator(f"[data-count='{colour}+']").click()
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.locator("[data-count=R1]").click()
    expect(page.get_by_role("alert")).to_contain_text("somebody has one too many")
    expect(page.get_by_text("Values are still missing: Ann")).to_be_visible()
    turn_to(page, 0)
    page.locator("[data-card=V8]").click()
    page.locator("[data-card=V9]").click()
    page.get_by_role("button", name="Count").click()
    assert totals(page) == [5 + 4 + 3 + 9 + 17, 4 + 6, 5 + 7]


def test_without_a_network_the_pad_opens_and_goes_on_after_a_reload(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as server, visits(browser, server) as visit:
        page = visit("/")
        page.evaluate(KEPT)
        os.kill(server.process, signal.SIGKILL)
        page.context.set_offline(True)
        page.goto("/score")
        begin(page)
        tap(page, CardSet.parse("R1,9 Y5"))
        page.reload()
        expect(page.get_by_text("3 of 45 cards")).to_be_visible()
        expect(page.locator("[data-card=R9]")).to_have_attribute("aria-pressed", "true")
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_text("2 of 45 cards")).to_be_visible()
        page.goto("/offline")
        page.get_by_role("link", name="Score pad").click()
        expect(page.get_by_text("2 of 45 cards")).to_be_visible()
