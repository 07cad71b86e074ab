"""The page of a site: that of every server, but with relative addresses and a server of its own, and all of it kept."""

import json
from collections.abc import Mapping
from typing import Final

from davidgoliath.server.asgi.assets import (
    HTML,
    MANIFEST,
    ROUTES,
    WORKER,
    Route,
    build_of,
    imported,
    page_files,
    shell,
)
from davidgoliath.server.asgi.middleware import PAGE_POLICY

SERVICE_WORKER: Final = "js/site/service_worker.js"
HOME: Final = "/"
COUNTED: Final = (".wasm", ".zip", ".so")
"""What takes the time of loading, and is counted meanwhile."""


def page_of(folder: str, python: Mapping[str, bytes], pace: int, bots: list[str], server: str) -> dict[str, bytes]:
    """The files of a site but for these of Python, which lie in that folder. The page comes last, as it names all."""
    contents = page_files(of_site=True)
    build = build_of({**contents, "python": folder, "pace": str(pace), "server": server})
    rows, html, worker = json.loads(contents.pop(ROUTES)), contents.pop(HTML), contents.pop(SERVICE_WORKER)
    del contents[WORKER]
    manifest = json.loads(contents[MANIFEST].replace("/web/{build}/", ""))
    contents[MANIFEST] = _json({**manifest, "start_url": "../../", "scope": "../../"})
    files = {f"web/{build}/{name}": content for name, content in contents.items()}
    settings = {
        "build": build,
        "python": folder,
        "bytes": sum(len(content) for name, content in python.items() if name.endswith(COUNTED)),
        "pace": pace,
        "bots": bots,
        "server": server,
    }
    files[WORKER] = worker.replace("{build}", build).replace('["{files}"]', _json(sorted([*files, *python])))
    head = (
        f'<meta http-equiv="content-security-policy" content="{PAGE_POLICY}">'
        f'<link rel="stylesheet" href="/web/{build}/css/site/loading.css">'
        f'<script type="application/json" id="site">{_json(settings)}</script>'
    )
    home = next(route for route in map(Route.of, rows) if route.path.fullmatch(HOME))
    modules = imported(contents, home.module, imported(contents, "js/main.js", set()))
    styles = {name for name in contents if name.startswith("css/")}
    html = html.replace("{build}", build).replace("{routes}", _json(rows)).replace("{head}", head)
    files[HTML] = shell(html, build, modules, styles, home.styles).replace('"/web/', '"web/')
    return {name: content.encode() for name, content in files.items()}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
