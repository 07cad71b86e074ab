"""Links of tables, their QR codes, and who can open them: at a real server."""

import re
from ipaddress import ip_network
from pathlib import Path
from xml.etree import ElementTree

import pytest

from davidgoliath import Refusal
from davidgoliath.server.asgi.invite_link import network_address, origin, qr_code, reach
from davidgoliath.server.config import Limits
from davidgoliath.server.protocol.http_types import Reach
from tests.app_server import Site, serve

SVG = "{http://www.w3.org/2000/svg}"


def test_a_link_is_made_from_the_address_by_which_people_came(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        table = await site.table(await site.person("Anna"), [None, "random", "random"])
        for host, expected in [
            (site.address, "computer"),
            ("localhost:7", "computer"),
            ("192.168.1.5:8642", "network"),
            ("cards.example.org", "public"),
        ]:
            status, answer = await site.ask(f"/api/tables/{table}/link", Host=host)
            assert (status, answer) == (200, {"link": f"http://{host}/t/{table}", "reach": expected})
        for path in ("link", "qr.svg"):
            status, refused = await site.ask(f"/api/tables/nosuch/{path}")
            assert (status, refused["reason"]) == (404, "no_such_table")

    serve(scenario, tmp_path, allowed=["cards.example.org"])


def test_on_the_network_a_link_leads_there_also_from_the_own_computer(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        table = await site.table(await site.person("Anna"), [None, "random", "random"])
        port = site.address.partition(":")[2]
        answer = {"link": f"http://192.168.1.5:{port}/t/{table}", "reach": "network"}
        for host in (site.address, "localhost:7"):
            assert await site.ask(f"/api/tables/{table}/link", Host=host) == (200, answer)
        _, answer = await site.ask(f"/api/tables/{table}/link", Host="cards.example.org")
        assert answer["reach"] == "public"
        status, code = await site.ask(f"/api/tables/{table}/qr.svg")
        assert (status, code) == (200, qr_code(f"http://192.168.1.5:{port}/t/{table}").decode())

    serve(scenario, tmp_path, network=lambda: "192.168.1.5", allowed=["cards.example.org"])


@pytest.mark.parametrize("proxies", [(), ("127.0.0.0/8",)])
def test_only_a_trusted_proxy_says_how_it_was_reached(tmp_path: Path, proxies: tuple[str, ...]) -> None:
    async def scenario(site: Site) -> None:
        table = await site.table(await site.person("Anna"), [None, "random", "random"])
        headers = {"Host": "cards.lan", "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}
        _, answer = await site.ask(f"/api/tables/{table}/link", **headers)
        scheme, expected = ("https", "public") if proxies else ("http", "network")
        assert answer == {"link": f"{scheme}://cards.lan/t/{table}", "reach": expected}

    serve(
        scenario,
        tmp_path,
        limits=Limits(sockets=0, new=0, messages=0, proxies=tuple(map(ip_network, proxies))),
        allowed=["cards.lan"],
    )


def test_a_qr_code_is_dark_on_white_with_a_quiet_zone_and_no_style() -> None:
    code = qr_code("http://192.168.1.5:8642/t/k3f9m2xw7hqp")
    assert b"style" not in code
    tree = ElementTree.fromstring(code)  # noqa: S314 - it is ours
    size = int(tree.attrib["viewBox"].split()[2])
    ground, modules = tree.findall(f"{SVG}path")
    assert (ground.attrib["fill"], ground.attrib["d"]) == ("#fff", f"M0 0h{size}v{size}h-{size}z")
    assert modules.attrib["stroke"] == "#000"
    assert re.match(r"M4 4\.5h7", modules.attrib["d"]), "the corner pattern begins after four light modules"


def test_an_ipv6_address_stands_in_brackets() -> None:
    here = origin("http", "[::1]:8642", network="fd00::5", port=8642)
    assert here == ("http://[fd00::5]:8642", Reach.NETWORK)
    assert origin("http", "[::1]:8642", network=None, port=8642) == ("http://[::1]:8642", Reach.COMPUTER)
    with pytest.raises(Refusal):
        origin("http", "::1", network=None, port=80)


def test_the_own_address_is_one_that_others_can_use() -> None:
    address = network_address()
    assert address is None or reach(address) is not Reach.COMPUTER
