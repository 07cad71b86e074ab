"""Every address shows a page that fits a small phone, and the browser has nothing to complain about."""

import pytest
from playwright.sync_api import expect
from tools.scenes import Visit

from tests.marks import slow

PATHS = ["/", "/rules", "/friends", "/score", *slow("/learn", "/games", "/settings", "/me", "/privacy", "/join")]


@pytest.mark.parametrize("transport", ["server", *slow("site")], indirect=True)
@pytest.mark.parametrize("path", PATHS)
def test_every_page_fits_a_small_phone(visit: Visit, path: str) -> None:
    page = visit(path, viewport={"width": 320, "height": 568})
    expect(page.locator("main")).not_to_be_empty()
    assert page.title()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize(("style", "path", "part"), [("learn", "/learn", ".coach"), ("pad", "/score", ".who-plays")])
def test_a_page_gets_a_style_of_its_own_when_it_is_wanted_and_says_if_it_cannot(
    visit: Visit, complaints: list[str], style: str, path: str, part: str
) -> None:
    page = visit("/")
    page.route(f"**/css/**/{style}.css", lambda route: route.abort())
    page.locator(f"a[href='{path}']").first.click()
    again = page.get_by_role("button", name="Try again")
    again.wait_for()
    assert complaints
    assert all(f"{style}.css" in complaint for complaint in complaints)
    complaints.clear()
    page.unroute(f"**/css/**/{style}.css")
    again.click()
    page.locator(part).wait_for()
    assert page.locator(part).evaluate("(part) => getComputedStyle(part).display") in {"flex", "grid"}
