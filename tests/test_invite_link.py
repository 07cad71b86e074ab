"""Links of tables, their QR codes, and who can open them: at a real server."""

import re
from ipaddress import ip_network
from pathlib import Path
from xml.etree import ElementTree

import pytest

from davidgoliath import Refusal
from davidgoliath.server.asgi.invite_link import network_address, origin, qr_code, reach
from davidgoliath.server.asgi.rate_limits import GUESSERS
from davidgoliath.server.config import Limits
from davidgoliath.server.people.tokens import CODE_LENGTH, CODE_LETTERS
from davidgoliath.server.protocol.http_types import Reach
from tests.app_server import Site, hear, say, serve
from tests.clock import Clock

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
            assert (status, answer["link"], answer["reach"]) == (200, f"http://{host}/t/{table}", expected)
        for path in ("link", "qr.svg"):
            status, refused = await site.ask(f"/api/tables/nosuch/{path}")
            assert (status, refused["reason"]) == (404, "no_such_table")

    serve(scenario, tmp_path, allowed=["cards.example.org"])


def test_on_the_network_a_link_leads_there_also_from_the_own_computer(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        table = await site.table(await site.person("Anna"), [None, "random", "random"])
        port = site.address.partition(":")[2]
        for host in (site.address, "localhost:7"):
            status, answer = await site.ask(f"/api/tables/{table}/link", Host=host)
            assert (status, answer["link"]) == (200, f"http://192.168.1.5:{port}/t/{table}")
            assert answer["reach"] == "network"
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
        assert (answer["link"], answer["reach"]) == (f"{scheme}://cards.lan/t/{table}", expected)

    serve(
        scenario,
        tmp_path,
        limits=Limits(sockets=0, new=0, messages=0, proxies=tuple(map(ip_network, proxies))),
        allowed=["cards.lan"],
    )


async def find(site: Site, code: str, source: str = "198.51.100.1", **headers: str) -> tuple[int, str]:
    """The status and the table, or the reason, of a code that somebody gives who comes from there."""
    status, answer = await site.ask("/api/codes", {"code": code}, **{"X-Forwarded-For": source, **headers})
    return status, answer.get("table") or answer["reason"]


def test_a_waiting_table_is_found_by_its_code_however_it_is_written(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        token = await site.person("Anna")
        table = await site.table(token, [None, None, "random"])
        code = (await site.ask(f"/api/tables/{table}/link"))[1]["code"]
        assert re.fullmatch(f"[{CODE_LETTERS}]{{{CODE_LENGTH}}}", code)
        assert (await site.ask(f"/api/tables/{table}/link"))[1]["code"] == code
        for written in (code, code.lower(), f" {code[:3]} {code[3:]}\t", "-".join(code)):
            assert await find(site, written) == (200, table)
        for wrong in ("", code[:5], code + code[0], "AAAAAA", "\0", "%" * 6, "ﬁﬁﬁ", table):
            assert await find(site, wrong) == (404, "no_such_code"), wrong
        assert (await find(site, code, Origin="http://elsewhere.example"))[1] == "foreign_origin"
        async with site.socket(table) as socket:
            await say(socket, type="hello", protocol=1, build="", token=token)
            await hear(socket, "batch")
            await say(socket, type="lock", expect=1, locked=True)
            await hear(socket, "happened")
            assert await find(site, code) == (200, table), "as its link does, it leads to a door that says why"
            await say(socket, type="start", expect=2, fill="random")
            while (await hear(socket, "happened"))["event"]["type"] != "started":
                pass
        assert await find(site, code) == (404, "no_such_code")
        assert (await site.ask(f"/api/tables/{table}/link"))[1]["code"] is None

    serve(scenario, tmp_path)


def test_of_a_flood_of_wrong_codes_few_are_looked_at_and_five_addresses_keep_nobody_out(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        site.server.config.app.state.limiter._ledger._clock = Clock()  # type: ignore[union-attr]
        table = await site.table(await site.person("Anna"), [None, None, "random"])
        code = (await site.ask(f"/api/tables/{table}/link"))[1]["code"]
        for guest in range(5):
            answers = [(await find(site, "BBBBBB", f"198.51.100.{guest}"))[0] for _ in range(6)]
            assert answers == [404] * 4 + [429] * 2
            assert await find(site, code, f"198.51.100.{guest}") == (429, "too_many_codes"), "the right one neither"
        for friend in range(50):
            assert await find(site, code, f"203.0.113.{friend}") == (200, table)
        household = [(await find(site, "BBBBBB", f"2001:db8:1:2::{number}"))[0] for number in range(5)]
        assert household == [404] * 4 + [429]
        assert GUESSERS == 6
        assert await find(site, code, "203.0.113.99") == (429, "too_many_codes"), "with a sixth nobody's are"
        site.server.config.app.state.limiter._ledger._clock.now = 60.0  # type: ignore[union-attr]
        assert await find(site, code, "198.51.100.0") == (200, table)

    serve(scenario, tmp_path, limits=Limits(requests=0, codes=4, proxies=(ip_network("127.0.0.1"),)))


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
