"""A server that offers a static site: its files, what they may do, and how large it is. The site itself is tried in
`tests/browser`; here a folder of the same kind does.
"""

import json
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tools.served import served

FILES = {
    "index.html": '<html>{"server":""}',
    "sw.js": "worker",
    "web/abc/js/site/worker.js": "runs",
    "python/abc/pyodide.asm.wasm": "wasm" * 1000,
}


def test_a_server_offers_a_site(tmp_path: Path) -> None:
    for name, content in FILES.items():
        (tmp_path / "site" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "site" / name).write_text(content)
    (tmp_path / "secret").write_text("secret")
    with served(tmp_path, "--site", str(tmp_path / "site")) as server:
        host = urlsplit(server.address).netloc
        assert (get(host, "/site/")[0], get(host, "/site/")[2]) == (200, '<html>{"server":"/"}')
        assert "script-src 'self';" in get(host, "/site/")[1]["content-security-policy"]
        assert "immutable" in get(host, "/site/python/abc/pyodide.asm.wasm")[1]["cache-control"]
        assert get(host, "/site/python/abc/pyodide.asm.wasm")[1]["content-type"] == "application/wasm"
        assert "'wasm-unsafe-eval'" in get(host, "/site/web/abc/js/site/worker.js")[1]["content-security-policy"]
        assert [get(host, path)[0] for path in ("/site/none", "/site/../secret", "/site/%2e%2e/secret")] == [404] * 3
        assert 0 < json.loads(get(host, "/api/server")[2])["site"] < sum(map(len, FILES.values()))


def test_a_folder_without_a_site_is_refused(run: Any, tmp_path: Path) -> None:
    ran = run("serve", "--port", "0", "--database", str(tmp_path / "tables.db"), "--site", str(tmp_path))
    assert (ran.status, ran.err) == (1, f"davidgoliath: there is no site in {tmp_path}: site build makes one\n")


def get(host: str, path: str) -> tuple[int, dict[str, str], str]:
    connection = HTTPConnection(host, timeout=20)
    connection.request("GET", path)
    answer = connection.getresponse()
    found = answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read().decode()
    connection.close()
    return found
