"""The documentation tells the truth: samples parse, links lead somewhere, generated pages have not drifted."""

import re
import tomllib
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from starlette.routing import Route, WebSocketRoute
from tools import protocol
from tools.judge import Error

from davidgoliath import Deal, DealRecord, DealState
from davidgoliath.bots import GROUP, LADDER
from davidgoliath.notation.dgn import REQUIRED_TAGS, TAGS
from davidgoliath.notation.jsonform import OPTIONAL_KEYS, RESULT_KEYS
from davidgoliath.server.asgi.app import ENDPOINTS, SOCKET, make_app
from davidgoliath.server.asgi.assets import Assets
from davidgoliath.server.protocol import messages
from davidgoliath.server.rooms.registry import Registry
from davidgoliath.server.table import events
from davidgoliath.texts import Texts

ROOT = Path(__file__).parent.parent
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
PROTOCOL = ROOT / "docs/protocol.md"
NOTATION = (ROOT / "docs/notation.md").read_text(encoding="utf-8")
BOTS = (ROOT / "docs/bots.md").read_text(encoding="utf-8")


def samples(language: str) -> list[str]:
    return [
        sample
        for page in PAGES
        if page != PROTOCOL
        for sample in re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
    ]


def test_there_are_samples() -> None:
    assert len(samples("dgn")) >= 2
    assert len(samples("json")) >= 1


@pytest.mark.parametrize("sample", samples("dgn") + samples("json"))
def test_every_sample_parses(sample: str) -> None:
    assert DealRecord.parse(sample).players == 3


def test_the_notation_page_has_every_tag_and_key() -> None:
    for tag in TAGS:
        assert re.search(rf"`{tag}`.*needed" if tag in REQUIRED_TAGS else rf"`{tag}`|`Seat0` … `Seat5`", NOTATION), tag
    for key in (*OPTIONAL_KEYS, *RESULT_KEYS):
        assert f"`{key}`" in NOTATION, key


def test_the_commands_page_is_what_the_program_says(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    page = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^## `davidgoliath ?([^`]*)`\n\n```text\n(.*?)\n```$", page, re.M | re.S))
    wanted = [""]
    for words in wanted:
        said = run(*words.split(), "--help").out
        assert told.pop(words) == said.strip()
        assert "  -h, --help" in said
        commands = said.partition("\nCommands:\n")[2]
        wanted += [f"{words} {name}".strip() for name in re.findall(r"^  (\w+)", commands, re.M)]
    assert len(wanted) > 20
    assert not told


def test_the_bot_of_the_bots_page_plays() -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```", BOTS, re.M | re.S)
    (project,) = re.findall(r"^```toml\n(.*?)^```", BOTS, re.M | re.S)
    module, _, name = tomllib.loads(project)["project"]["entry-points"][GROUP]["mybot"].partition(":")
    assert f"`{module}.py`" in BOTS
    names: dict[str, Any] = {}
    exec(code, names)  # noqa: S102 (it is ours)
    bot, rng, state = names[name](), Random(7), DealState.start(Deal.shuffled(4, Random(7)))
    while not state.is_over:
        state = state.play(bot.choose(state.view(state.to_play), rng), state.to_play)


def test_the_bots_page_has_the_ladder_and_every_error() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \|", BOTS.partition("## How strong")[0], re.M)
    assert rows == [(bot, Texts("en")(f"page.bot.{bot}")) for bot in LADDER]
    for error in Error:
        assert error in BOTS, error


def test_the_protocol_page_has_every_message_event_and_endpoint() -> None:
    assert [type(message) for message in protocol.CLIENT] == protocol.kinds(messages.AnyFromClient)
    assert [type(message) for message in protocol.SERVER] == protocol.kinds(messages.AnyFromServer)
    assert [type(event) for event in protocol.EVENTS] == protocol.kinds(events.AnyEvent)
    text = PROTOCOL.read_text(encoding="utf-8")
    for endpoint in ENDPOINTS:
        assert f"### `{endpoint.address}`\n\n{endpoint.sentence}\n" in text, "an endpoint's docstring is its sentence"
        for kind in (endpoint.body, endpoint.answer):
            assert kind in (None, str) or kind in protocol.EXAMPLES, kind
    routes = make_app(Registry(None, None), Assets.load()).routes  # type: ignore[arg-type]
    assert [route.path for route in routes if isinstance(route, Route | WebSocketRoute)] == [
        *(endpoint.address.split()[1] for endpoint in ENDPOINTS),
        SOCKET,
    ]


def test_the_samples_of_the_protocol_page_are_what_the_server_reads_and_writes() -> None:
    text = PROTOCOL.read_text(encoding="utf-8").partition("## What a client says")[2]
    kinds = {
        **dict.fromkeys(map(type, protocol.CLIENT), messages.AnyFromClient),
        **{type(message): type(message) for message in protocol.SERVER},
        **dict.fromkeys(map(type, protocol.EVENTS), events.AnyEvent),
    }
    found = re.findall(r"^```json\n(.*?)^```", text, re.M | re.S)
    assert len(found) == len(kinds)
    for sample, (kind, union) in zip(found, kinds.items(), strict=True):
        assert type(msgspec.json.decode(sample, type=union)) is kind


def test_the_page_on_reliability_names_what_there_is() -> None:
    text = (ROOT / "docs/reliability.md").read_text(encoding="utf-8")
    for folder, file in re.findall(r"`((?:server|match|web|tests|tools|deploy)/)([\w/]+\.\w+)`", text):
        assert (ROOT / folder / file).exists() or (ROOT / "src/davidgoliath" / folder / file).exists(), folder + file
    source = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("src/davidgoliath/**/*.py"))
    for kind, member in re.findall(r"`([A-Z]\w+)\.(\w+)`", text):
        written = re.search(rf"^class {kind}\b.*?(?=^\S|\Z)", source, re.M | re.S)
        assert written, kind
        assert re.search(rf"\b{member}\b", written[0]), f"{kind}.{member}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for link in re.findall(r"\]\((?!https:)([^)\s]+)\)", text):
        target, _, anchor = link.partition("#")
        file = (page.parent / target) if target else page
        assert file.exists(), link
        if anchor:
            headings = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.M)
            slugs = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]
            assert anchor in slugs, link


def test_the_repository_names_no_registry_and_no_machine() -> None:
    for lock in ROOT.glob("lock/*"):
        text = lock.read_text(encoding="utf-8")
        assert "://" not in text
        assert "--hash=sha256:" in text or "integrity" in text or lock.name == "package.json"
