"""Every address shows a page that fits a small phone, and the browser has nothing to complain about."""

import pytest
from playwright.sync_api import expect
from tools.scenes import Visit

PATHS = ["/", "/learn", "/rules", "/games", "/settings", "/privacy", "/friends", "/join", "/score"]


@pytest.mark.parametrize("path", PATHS)
def test_every_page_fits_a_small_phone(visit: Visit, path: str) -> None:
    page = visit(path, viewport={"width": 320, "height": 568})
    expect(page.locator("main")).not_to_be_empty()
    assert page.title()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
