"""Who plays in a browser: nobody becomes somebody else without a tap, nobody is lost, and who is signed out is out."""

import json
from typing import Any
from urllib.parse import unquote

import pytest
from playwright.sync_api import Page, expect
from tools.page_actions import CARD, GO_ON, play_card
from tools.scenes import Visit
from tools.served import Person, Served

from davidgoliath.server.asgi.invite_link import qr_code
from tests.marks import slow

NONSENSE = "x" * 43
UNKNOWN = "The server doesn’t know this link"


def kept(page: Page) -> dict[str, Any]:
    """What the browser keeps."""
    found: dict[str, Any] = json.loads(page.evaluate("localStorage.dg"))
    return found


def link_of(person: Person) -> str:
    return f"/#me={person.token}"


def test_a_personal_link_brings_the_person_to_another_browser(visit: Visit, server: Served) -> None:
    page = visit("/settings", storage_state=server.storage(server.person("Anna")))
    page.get_by_role("button", name="Show my link").click()
    link = page.get_by_label("Your personal link").input_value()
    other = visit(link.removeprefix(server.address))
    assert "#" not in other.url
    other.get_by_role("button", name="Become Anna").click()
    expect(other.get_by_role("heading", name="You are Anna here")).to_be_visible()
    expect(other.get_by_text("Your table is waiting")).to_have_count(0)
    other.goto("/settings")
    expect(other.get_by_label("Your name")).to_have_value("Anna")
    assert kept(other)["token"] == kept(page)["token"]


def test_the_second_device_says_who_one_is_and_that_a_table_waits(visit: Visit, server: Served) -> None:
    """The link comes as a QR code too, which is nowhere but in the page: no address has the token."""
    anna = server.person("Anna")
    asked: list[str] = []
    page = visit(server.table(anna, [None, None, None]), storage_state=server.storage(anna))
    page.on("request", lambda request: asked.append(request.url + str(request.headers.get("referer"))))
    page.get_by_role("button", name="Show my link").click()
    picture = page.get_by_role("img", name="Your personal link as a QR code")
    expect(picture).to_have_js_property("complete", True)
    link = page.get_by_label("Your personal link").input_value()
    assert link == f"{server.address}/#me={anna.token}"
    assert unquote(str(picture.get_attribute("src"))) == f"data:image/svg+xml,{qr_code(link).decode()}"
    assert [url for url in asked if url.startswith(server.address)]
    page.get_by_role("button", name="Hide it").click()
    expect(picture).to_have_count(0)
    assert anna.token not in page.content()

    other = visit(link.removeprefix(server.address))
    other.on("request", lambda request: asked.append(request.url + str(request.headers.get("referer"))))
    expect(other.get_by_text("A table is waiting for Anna.")).to_be_visible()
    other.get_by_role("button", name="Become Anna").click()
    expect(other.get_by_role("heading", name="You are Anna here")).to_be_visible()
    expect(other.get_by_text("Your table is waiting")).to_be_visible()
    other.get_by_role("link", name="Return").click()
    expect(other.locator(".seat-at.me")).to_contain_text("You")
    assert not [url for url in asked if anna.token in url and not url.startswith("data:")]


def test_who_was_signed_out_is_told_so_and_not_who_they_were(
    visit: Visit, server: Served, complaints: list[str]
) -> None:
    anna = server.person("Anna")
    page = visit("/me", storage_state=server.storage(anna))
    expect(page.get_by_role("heading", name="You are Anna here")).to_be_visible()
    visit("/settings", storage_state=server.storage(anna)).evaluate(
        """async (token) => {
            const headers = { authorization: `Bearer ${token}` };
            const made = await (await fetch("/api/me/tokens", { method: "POST", headers })).json();
            await fetch("/api/me/tokens", { method: "DELETE", headers: { authorization: `Bearer ${made.token}` } });
        }""",
        anna.token,
    )
    page.reload()
    expect(page.get_by_role("heading", name="Anna")).to_contain_text("signed out")
    complaints.clear()


def test_somebody_elses_link_changes_nothing_without_a_tap(visit: Visit, server: Served) -> None:
    anna, eve = server.person("Anna"), server.person("Eve")
    page = visit(link_of(eve), storage_state=server.storage(anna))
    expect(page.get_by_text("You are Anna here. This link is somebody else’s: Eve.")).to_be_visible()
    assert "#" not in page.url
    assert eve.token not in page.evaluate(
        "localStorage.dg + JSON.stringify(sessionStorage) + JSON.stringify(history.state)"
    )
    assert kept(page)["token"] == anna.token
    page.get_by_role("link", name="Stay Anna").click()
    page.locator(".home").wait_for()
    page.goto("/settings")
    expect(page.get_by_label("Your name")).to_have_value("Anna")
    assert kept(page)["token"] == anna.token
    assert "past" not in kept(page)


@pytest.mark.slow
def test_the_question_fits_a_small_phone_with_the_longest_names(visit: Visit, server: Served) -> None:
    anna, eve = server.person("W" * 20), server.person("M" * 20)
    page = visit(link_of(eve), storage_state=server.storage(anna), viewport={"width": 320, "height": 568})
    page.get_by_role("button", name="Become").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.slow
def test_a_tap_that_was_meant_for_another_page_does_not_count(visit: Visit, server: Served) -> None:
    page = visit("/healthz", storage_state=server.storage(server.person("Anna")))
    page.clock.install()
    page.goto(link_of(server.person("Eve")))
    become = page.get_by_role("button", name="Become Eve")
    expect(become).to_be_disabled()
    page.clock.run_for(1000)
    expect(become).to_be_enabled()


@pytest.mark.parametrize("path", ["/settings", *slow("/me", "/rules", "/t/nowhere", "/learn")])
def test_a_link_counts_at_one_address_only(visit: Visit, server: Served, complaints: list[str], path: str) -> None:
    anna, eve = server.person("Anna"), server.person("Zenobia")
    page = visit("/healthz", storage_state=server.storage(anna))
    asked = []
    page.on("request", lambda request: asked.append(request.headers.get("authorization", "")))
    page.goto(f"{path}#me={eve.token}")
    page.locator("main, .learn").first.wait_for()
    assert page.url == server.address + path  # and it is gone from the address
    assert page.get_by_text("Zenobia").count() == 0
    assert kept(page)["token"] == anna.token
    assert not any(eve.token in header for header in asked)
    complaints.clear()  # of a table that isn't there


@pytest.mark.parametrize("token", ["nonsense", *slow(NONSENSE, "")])
def test_a_token_of_nonsense_changes_nothing(visit: Visit, server: Served, complaints: list[str], token: str) -> None:
    anna = server.person("Anna")
    page = visit("/healthz", storage_state=server.storage(anna))
    page.goto(f"/#me={token}")
    expect(page.get_by_role("heading", name=UNKNOWN)).to_be_visible()
    page.get_by_role("link", name="Home").last.click()
    page.locator(".home").wait_for()
    assert (kept(page)["token"], kept(page)["name"]) == (anna.token, "Anna")
    assert all("/api/me" in complaint or "401" in complaint for complaint in complaints)
    complaints.clear()


@pytest.mark.slow
def test_a_link_that_is_followed_within_the_page_asks_too(visit: Visit, server: Served) -> None:
    anna, eve = server.person("Anna"), server.person("Eve")
    page = visit("/", storage_state=server.storage(anna))
    page.locator(".home").wait_for()
    page.evaluate(f"location.hash = 'me={eve.token}'")
    expect(page.get_by_role("heading", name="Be Eve on this device?")).to_be_visible()
    assert page.url == f"{server.address}/me"
    assert kept(page)["token"] == anna.token


def test_one_can_go_back_to_whom_one_was_or_forget_them(visit: Visit, server: Served) -> None:
    anna, eve = server.person("Anna"), server.person("Eve")
    page = visit(link_of(eve), storage_state=server.storage(anna))
    page.get_by_role("button", name="Become Eve").click()
    page.get_by_role("heading", name="You are Eve here").wait_for()
    assert (kept(page)["token"], [history["token"] for history in kept(page)["past"]]) == (eve.token, [anna.token])
    page.goto("/settings")
    page.get_by_role("button", name="Go back to being Anna").click()
    page.locator(".home").wait_for()
    assert (kept(page)["token"], [history["token"] for history in kept(page)["past"]]) == (anna.token, [eve.token])
    page.goto("/settings")
    expect(page.get_by_label("Your name")).to_have_value("Anna")
    page.get_by_role("button", name="Forget Eve here").click()
    page.get_by_role("button", name="No", exact=True).click()
    page.get_by_role("button", name="Forget Eve here").click()
    page.get_by_role("group", name="Forget Eve in this browser?").get_by_role("button", name="Forget").click()
    expect(page.get_by_text("Who you were here")).to_have_count(0)
    assert kept(page)["past"] == []
    assert kept(page)["token"] == anna.token


@pytest.mark.slow
def test_so_many_past_people_are_kept_and_no_more(visit: Visit, server: Served) -> None:
    people = [server.person(f"P{number}") for number in range(8)]
    page = visit("/", storage_state=server.storage(people[0]))
    for person in people[1:]:
        page.goto("/healthz")
        page.goto(link_of(person))
        page.get_by_role("button", name=f"Become {person.name}").click()
        page.get_by_role("heading", name=f"You are {person.name} here").wait_for()
    assert [history["name"] for history in kept(page)["past"]] == ["P6", "P5", "P4", "P3", "P2"]


@pytest.mark.slow
def test_another_tab_is_nobody_else_either(visit: Visit, server: Served) -> None:
    anna, eve = server.person("Anna"), server.person("Eve")
    page = visit(server.table(anna, [None, "random", "random"]), storage_state=server.storage(anna, speed="instant"))
    page.locator(CARD).first.wait_for()
    other = page.context.new_page()
    other.goto(link_of(eve))
    other.get_by_role("button", name="Become Eve").click()
    expect(page.get_by_text("You are watching.")).to_be_visible()
    expect(page.locator(CARD)).to_have_count(0)


def test_signing_out_other_devices_sends_the_other_browser_off_at_once(visit: Visit, server: Served) -> None:
    anna = server.person("Anna")
    table = server.table(anna, [None, "random", "random"])
    thief = visit(table, storage_state=server.storage(anna, speed="instant"))
    thief.locator(CARD).first.wait_for()
    hers = visit(table, storage_state=server.storage(anna, speed="instant", stay=0, confirm=False))
    hers.locator(CARD).first.wait_for()
    settings = hers.context.new_page()
    settings.goto("/settings")
    settings.get_by_role("button", name="Sign out my other devices").click()
    settings.get_by_role("group", name="Sign out everywhere").get_by_role("button", name="Sign out").click()
    expect(settings.get_by_text("Done.")).to_be_visible()
    expect(thief.get_by_role("heading", name="Anna was signed out here")).to_be_visible()
    assert "token" not in kept(thief)
    assert kept(thief)["past"][0]["token"] == anna.token
    assert kept(settings)["token"] != anna.token
    play_card(hers)
    hers.locator(GO_ON).wait_for()
    assert "past" not in kept(hers)
    settings.get_by_role("button", name="Show my link").click()
    again = settings.get_by_label("Your personal link").input_value()
    assert anna.token not in again
    thief.goto("/healthz")
    thief.goto(again)
    thief.get_by_role("button", name="Become Anna").click()
    thief.get_by_role("link", name="Return").click()
    thief.locator(CARD).first.wait_for()


@pytest.mark.slow
def test_who_comes_back_in_one_tab_is_back_in_the_others(visit: Visit, server: Served) -> None:
    anna = server.person("Anna")
    page = visit("/me", storage_state=server.storage(anna))
    page.evaluate("localStorage.setItem('dg', JSON.stringify({ past: [JSON.parse(localStorage.dg)] }))")
    page.reload()
    expect(page.get_by_role("heading", name="Anna was signed out here")).to_be_visible()
    other = page.context.new_page()
    other.goto(link_of(anna))
    other.get_by_role("button", name="Become Anna").click()
    expect(page.get_by_role("heading", name="You are Anna here")).to_be_visible()


@pytest.mark.slow
def test_who_is_unknown_to_the_server_plays_as_somebody_new_and_is_not_lost(
    visit: Visit, server: Served, complaints: list[str]
) -> None:
    gone = Person("nobody", NONSENSE, "Anna")
    page = visit("/", storage_state=server.storage(gone))
    page.get_by_role("button", name="Play now").click()
    page.locator(CARD).first.wait_for()
    assert kept(page)["token"] != NONSENSE
    assert [history["token"] for history in kept(page)["past"]] == [NONSENSE]
    page.goto("/settings")
    page.get_by_role("button", name="Go back to being Anna").click()
    expect(page.get_by_role("alert")).to_contain_text("The server doesn’t know Anna any more")
    assert kept(page)["token"] != NONSENSE
    assert all("/api/" in complaint or "401" in complaint for complaint in complaints)
    complaints.clear()


@pytest.mark.slow
def test_a_name_that_runs_from_right_to_left_stays_in_its_place(visit: Visit, server: Served) -> None:
    page = visit(link_of(server.person("דוד 2")), storage_state=server.storage(server.person("Anna")))
    sentence = page.get_by_text("This link is somebody else’s")
    expect(sentence).to_have_text("You are Anna here. This link is somebody else’s: \u2068דוד 2\u2069.")


@pytest.mark.slow
def test_a_tab_that_gives_up_an_old_token_takes_no_new_one_along(visit: Visit, server: Served) -> None:
    """A browser may tell one tab late what another has stored: it must not lose who somebody is."""
    anna = server.person("Anna")
    page = visit("/settings", storage_state=server.storage(anna))
    page.get_by_role("button", name="Sign out my other devices").click()
    page.get_by_role("group", name="Sign out everywhere").get_by_role("button", name="Sign out").click()
    expect(page.get_by_text("Done.")).to_be_visible()
    new = kept(page)["token"]
    other = page.context.new_page()
    other.goto("/privacy")
    other.evaluate(
        "(past) => localStorage.setItem('dg', JSON.stringify({ past: [past], settings: {} }))",
        {"token": anna.token, "person": anna.id, "name": anna.name},
    )
    page.wait_for_function("(token) => JSON.parse(localStorage.getItem('dg')).token === token", arg=new)
    assert "past" not in kept(page) or not kept(page)["past"]
