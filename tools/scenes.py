"""The page in each of its states: for pictures of it, and for checks that every state has to pass.

A scene is a function that opens a page and brings it there. To add one, write it here with `@scene`.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, Error, Page

from tools.served import Served

PATIENCE = 15_000
"""Milliseconds until whatever is awaited has to be there, on a busy computer."""

Visit = Callable[..., Page]
"""Opens a path as somebody with a browser of their own, whose options are those of Playwright's contexts."""


@contextmanager
def visits(browser: Browser, server: Served, watch: Callable[[Page], None] = lambda page: None) -> Iterator[Visit]:
    """Opens pages until the end of the context; whoever watches has each of them before it loads."""
    contexts = []

    def visit(path: str, **options: Any) -> Page:
        settings = {"locale": "en", "reduced_motion": "reduce", **options}
        contexts.append(browser.new_context(base_url=server.address, **settings))
        contexts[-1].set_default_timeout(PATIENCE)
        page = contexts[-1].new_page()
        watch(page)
        response = page.goto(path)
        if response is None or not response.ok:
            raise Error(f"{path} isn't there")
        return page

    try:
        yield visit
    finally:
        for context in contexts:
            context.close()


@dataclass(frozen=True, slots=True)
class Stage:
    """Where a scene is set."""

    server: Served
    visit: Visit
    players: int

    def table(self, rules: str = "single") -> Page:
        """A new table of one person among bots, where nothing takes time, and a finished trick waits for a tap."""
        anna = self.server.person()
        path = self.server.table(anna, [None, *["club"] * (self.players - 1)], rules)
        return self.visit(path, storage_state=self.server.storage(anna, speed="instant", stay=0))


Act = Callable[[Stage], Page]


@dataclass(frozen=True, slots=True)
class Scene:
    """A state of the page, and the numbers of players that make a difference to it."""

    act: Act
    players: tuple[int, ...]


SCENES: dict[str, Scene] = {}


def scene(*players: int) -> Callable[[Act], Act]:
    """Makes a function a scene."""

    def add(act: Act) -> Act:
        SCENES[act.__name__] = Scene(act, players or (4,))
        return act

    return add


@scene()
def home(stage: Stage) -> Page:
    return stage.visit("/")


@scene(3, 4, 5, 6)
def table(stage: Stage) -> Page:
    page = stage.table()
    page.locator(".hand .card").first.wait_for()
    return page
