"""Games against bots, from the first page to the end, with a tap for everything."""

import json
from urllib.request import urlopen

from playwright.sync_api import Page, expect
from tools.fingers import play_until
from tools.scenes import Stage, Visit
from tools.served import Served


def test_a_whole_deal_from_the_first_page(visit: Visit, server: Served) -> None:
    page = visit("/", storage_state=server.storage(server.person(), speed="instant", stay=0))
    page.locator(".now button.act").click()
    play_until(page, ".between")
    assert shown_points(page) == totals(server, page)
    page.locator(".between [data-act=go-on]").click()
    expect(page.locator(".hand button.card")).to_have_count(15)


def test_a_match_to_its_end(visit: Visit, server: Served) -> None:
    page = Stage(server, visit, 3).table()
    play_until(page, ".end h1")
    assert shown_points(page) == totals(server, page)


def shown_points(page: Page) -> list[int]:
    """The points of all seats, the best first."""
    return [int(text.split()[0].replace("−", "-")) for text in page.locator(".stand .pts").all_inner_texts()]


def totals(server: Served, page: Page) -> list[int]:
    """What the server says of that, the best first."""
    table = page.url.rsplit("/", 1)[-1]
    with urlopen(f"{server.address}/api/tables/{table}") as answer:  # noqa: S310
        return sorted(json.load(answer)["totals"], reverse=True)
