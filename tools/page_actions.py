"""What a person does at the table, by tapping: plays the first legal card, and goes on after a trick."""

from typing import Any, Final

from playwright.sync_api import Page, Position

HAND = ".hand button.card"
CARD = f"{HAND}:not([aria-disabled=true])"
"""A card that may be played."""
NO_CARD = ".hand .no button.card"
"""One that may not, in a turn of ours."""
PLAY = '[data-act="play"]'
GO_ON = '[data-act="go-on"]'
HINT = '.say [data-act="hint"]'
EDGE: Final[Position] = {"x": 9, "y": 24}
"""What shows of a card that lies under the next one."""
MOST_TAPS = 200
"""No deal takes more."""
ASK = """async (table) => {
    const { ask } = await import(document.querySelector("script[type=module]").src.replace("main", "base/api"));
    return ask("GET /api/tables/{table}", { table });
}"""
TWO_FRAMES = "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
"""In the first, the page sees that its size has changed."""


def pick_card(page: Page, card: str = CARD) -> None:
    """Taps the first card of a kind, also one that may not be played."""
    page.locator(card).first.click(position=EDGE, force=card == NO_CARD)


def play_card(page: Page) -> None:
    """Plays the first legal card, with a second tap where the first one only picks it."""
    pick_card(page)
    if page.locator(PLAY).is_visible():
        page.locator(PLAY).click()


def play_tricks(page: Page, count: int) -> None:
    """Plays so many tricks, and waits for the next turn."""
    for _ in range(count):
        play_until(page, GO_ON)
        page.locator(GO_ON).click()
    page.locator(CARD).first.wait_for()


def play_until(page: Page, sight: str) -> None:
    """Plays on until something shows."""
    anything = page.locator(f"{sight}, {GO_ON}, {CARD}").first
    for _ in range(MOST_TAPS):
        anything.wait_for()
        if page.locator(sight).first.is_visible():
            return
        if page.locator(GO_ON).is_visible():
            page.locator(GO_ON).click()
        else:
            play_card(page)
    raise AssertionError(f"{sight} never showed")


def asked(page: Page) -> dict[str, Any]:
    """What the server says of the table that a page shows, asked as the page does it."""
    found: dict[str, Any] = page.evaluate(ASK, page.url.rsplit("/", 1)[-1])
    return found
