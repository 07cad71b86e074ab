"""The page's types of what is said: whatever the server writes fits them, and what it would refuse doesn't."""

import re
import shutil
import subprocess
from pathlib import Path

import msgspec
import pytest
from tools import npm, protocol
from tools.declarations import declarations

from davidgoliath.server.asgi.reasons import REASONS

WRONG = {
    "AnyFromClient": (
        '{ type: "play", expect: 7 }',
        '{ type: "play", expect: 7, card: 9 }',
        '{ type: "say", emote: "boo" }',
        '{ type: "nosuch" }',
        '{ type: "leave", expect: 7, seat: 1 }',
    ),
    "AnyEvent": ('{ type: "away", seat: 1, why: "bored" }', '{ type: "sat", seat: "1", player: "x" }'),
    "AnyFromServer": (
        '{ type: "refused", reason: "nosuch", arguments: {}, seq: 8 }',
        '["happened", 57, { type: "started" }]',
        '{ type: "turn", seq: 6, legal: ["R2"] }',
    ),
    "Endpoints": ('{ "GET /api/nosuch": { body: undefined, answer: null } }',),
}
WEB = Path(__file__).parent.parent / "src/davidgoliath/web/js"
RIGHT_USES = (
    'const link: string = (await ask("GET /api/tables/{table}/link", { table: "k3f9" })).link;',
    'await ask("POST /api/people", { body: { name: "Anna" } });',
    'await ask("GET /api/me", { token: "p9Xk" });',
    'session.wish({ type: "sit", seat: 1 });',
)
WRONG_USES = (
    'await ask("GET /api/nosuch");',
    'await ask("POST /api/people");',
    'await ask("POST /api/people", { body: { nome: "Anna" } });',
    'await ask("GET /api/tables/{table}/link");',
    '(await ask("GET /api/server")).nosuch;',
    'session.wish({ type: "sit" });',
    'session.wish({ type: "sit", seat: "1" });',
    'session.wish({ type: "nosuch" });',
    'session.emote("boo");',
)


def test_a_message_has_a_type_that_tells_it_from_all_others_and_lists_have_labels() -> None:
    text = declarations()
    assert 'export interface Sit {\n  type: "sit";\n' in text
    assert "  fill?: string | string[] | null;\n" in text, "a client may leave out what has a default"
    assert "  passed: number;\n" in text, "the server says what has a default too"
    assert "  now?: Now | null;\n" in text, "unless it leaves out defaults"
    assert 'export type Happened = [\n  type: "happened",\n' in text
    assert not re.search(r": .*\b(any|unknown)\b.*[;,]$", re.sub(r"/\*\*.*?\*/", "", text, flags=re.S), re.M)


@pytest.mark.skipif(bool(npm.why_not()), reason=npm.why_not())
def test_every_sample_fits_its_type_and_wrong_ones_do_not(tmp_path: Path) -> None:
    assert not npm.install()
    (tmp_path / "protocol.d.ts").write_text(declarations(), encoding="utf-8")
    samples = {"AnyFromClient": protocol.CLIENT, "AnyFromServer": protocol.SERVER, "AnyEvent": protocol.EVENTS}
    lines = ['import type * as p from "./protocol";']
    for name, said in samples.items():
        lines += [f"({msgspec.json.encode(sample).decode()}) satisfies p.{name};" for sample in said]
    for kind, example in protocol.EXAMPLES.items():
        lines.append(f"({msgspec.json.encode(example).decode()}) satisfies p.{kind.__name__};")
    for name, wrong in WRONG.items():
        lines += [f"// @ts-expect-error\n({sample}) satisfies p.{name};" for sample in wrong]
    (tmp_path / "samples.ts").write_text("\n".join(lines), encoding="utf-8")
    assert not what_tsc_finds(tmp_path)


@pytest.mark.skipif(bool(npm.why_not()), reason=npm.why_not())
def test_the_page_can_ask_and_wish_only_what_there_is(tmp_path: Path) -> None:
    assert not npm.install()
    api, session = ((WEB / name).as_posix() for name in ("base/api.js", "table/session.js"))
    lines = [
        f'import {{ ask }} from "{api}";',
        f'import type {{ Session }} from "{session}";',
        "declare const session: Session;",
        *RIGHT_USES,
        *(f"// @ts-expect-error\n{line}" for line in WRONG_USES),
        "export {};",
    ]
    (tmp_path / "samples.ts").write_text("\n".join(lines), encoding="utf-8")
    assert not what_tsc_finds(tmp_path)


def test_no_type_in_the_page_is_any_but_for_those_that_browsers_bring() -> None:
    found = {
        file.relative_to(WEB.parent).as_posix(): len(explicit)
        for file in WEB.parent.rglob("*.js")
        if (explicit := re.findall(r"@\w+ \{[^\n]*\bany\b[^\n]*\}", file.read_text(encoding="utf-8")))
    }
    assert found == {
        "js/base/dom.js": 2,  # a handler takes events of its own kind, and an element whatever attributes it has
        "js/site/files.js": 1,  # nor is the file system of Python in a browser
        "js/site/python.js": 1,  # nor is what runs Python there
        "js/site/service_worker.js": 3,
        "sw.js": 3,  # the events of a service worker are not among the types of a page
    }


def test_a_reason_that_clients_are_told_is_one_of_the_types() -> None:
    assert {*protocol.REASONS} <= {reason for kind in REASONS for reason in kind}


def what_tsc_finds(folder: Path) -> str:
    """Of `samples.ts`, with the page's own settings."""
    command = [shutil.which("node") or "node", str(npm.TSC.resolve()), "--noEmit", "--strict", "--allowJs"]
    command += ["--target", "es2023", "--lib", "es2023,dom,dom.iterable", "--module", "esnext"]
    command += ["--moduleResolution", "bundler", "--types", "", "samples.ts"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr
