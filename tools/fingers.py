"""What a person does at the table, by tapping: plays the first legal card, and goes on after a trick."""

from typing import Final

from playwright.sync_api import Page, Position

CARD = ".hand button.card:not([aria-disabled=true])"
PLAY = '[data-act="play"]'
GO_ON = '[data-act="go-on"]'
EDGE: Final[Position] = {"x": 9, "y": 24}
"""What shows of a card that lies under the next one."""
MOST_TAPS = 200
"""No deal takes more."""


def play_card(page: Page) -> None:
    """Plays the first legal card, with a second tap where the first one only picks it."""
    page.locator(CARD).first.click(position=EDGE)
    if page.locator(PLAY).is_visible():
        page.locator(PLAY).click()


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
