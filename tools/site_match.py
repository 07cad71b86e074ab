"""A match at a table of a static site, or part of it, played in its page by the messages that it says itself.

Nobody looks on, so it is quick; a site's tables are in its browser, and nobody else can reach them.
"""

from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Page

PLAY = """async ([bots, rules, tricks]) => {
    const base = document.querySelector("script[type=module]").src.replace("main.js", "base/");
    const [{ become, makeTable }, { openLine }, { stored }] =
        await Promise.all(["api", "transport", "storage"].map((name) => import(`${base}${name}.js`)));
    await become(stored.name ?? "Anna");
    const table = await makeTable({ seats: [null, ...bots], rules });
    const waits = [];
    let turns = 0;
    let last = 0;
    await new Promise((done) => {
        const say = (type, said) => line.say(JSON.stringify({ type, ...said }));
        const heard = (text) => {
            const message = JSON.parse(text);
            if (Array.isArray(message)) {
                const [, seq, event, , , stand] = message;
                if (event.type === "played" && last) waits.push(performance.now() - last);
                last = event.type === "played" ? performance.now() : 0;
                if (event.type === "committed") say("share", { deal: event.deal, share: "0123456789abcdef".repeat(2) });
                if (stand?.phase === "over" && event.type === "opened") done();
                else if (event.type === "opened") say("goon", { expect: seq });
            } else if (message.type === "batch" && !message.events.some(({ event }) => event.type === "dealt"))
                say("start", { expect: message.first + message.events.length - 1 });
            else if (message.type === "turn" && turns++ === tricks) done();
            else if (message.type === "turn")
                say("play", { expect: message.seq, card: message.legal[message.seq % message.legal.length] });
        };
        const line = openLine(`/api/tables/${table}/socket`, {
            opened: () => say("hello", { protocol: 1, build: "", token: stored.token, since: 0 }),
            heard,
            ended() {},
        });
        setTimeout(done, 60_000);
    });
    return [table, waits];
}"""


def played_in_page(
    page: Page, bots: Sequence[str], rules: str = "single", tricks: int | None = None
) -> tuple[str, list[float]]:
    """The id of a table whose match is over, or left before a turn; and the milliseconds from one card to the next."""
    found: Any = page.evaluate(PLAY, [list(bots), rules, tricks])
    table, waits = found
    return table, waits
