"""The link to a table, and who can open it: only this computer, its network, or everyone.

A link has the address by which its reader found the server, since that one works. But whoever sits at the server's own
computer came by an address that means nothing elsewhere: where the server listens on the network, its address there
takes the place of it.
"""

import io
import re
import socket
from ipaddress import ip_address
from typing import Final, NamedTuple

from davidgoliath.rules import Refusal
from davidgoliath.server.asgi.reasons import RequestReason
from davidgoliath.server.protocol.http_types import Reach

HOST: Final = re.compile(r"(?P<name>[a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?", re.IGNORECASE | re.ASCII)
LOCAL_NAMES: Final = (".local", ".lan", ".home", ".home.arpa", ".internal", ".fritz.box")
ELSEWHERE: Final = ("192.0.2.1", 9)
"""An address for examples, which nobody has: the way there leads out of this computer."""
QUIET_ZONE: Final = 4
"""So many white modules around a QR code, as its standard wants."""


class Origin(NamedTuple):
    """A server as somebody sees it."""

    address: str
    """The beginning of all its links."""
    reach: Reach


def origin(scheme: str, host: str, *, network: str | None, port: int, is_proxied: bool = False) -> Origin:
    """A server by the host that a request names, and its address in the network if it listens there.

    >>> origin("http", "127.0.0.1:8642", network=None, port=8642)
    Origin(address='http://127.0.0.1:8642', reach=<Reach.COMPUTER: 'computer'>)
    >>> origin("http", "localhost:9000", network="192.168.1.5", port=8642)
    Origin(address='http://192.168.1.5:8642', reach=<Reach.NETWORK: 'network'>)
    """
    found = HOST.fullmatch(host)
    if not found:
        raise Refusal(RequestReason.REQUEST_UNFIT, why="Host")
    far = Reach.PUBLIC if is_proxied else reach(found["name"])
    if far is Reach.COMPUTER and network:
        return Origin(f"http://{bracketed(network)}:{port}", reach(network))
    return Origin(f"{scheme}://{host}", far)


def personal_link(address: str, token: str) -> str:
    """The link that makes a browser the person of a token: behind #, which no browser sends to any server.

    >>> personal_link("https://cards.example.org", "abc")
    'https://cards.example.org/#me=abc'
    """
    return f"{address}/#me={token}"


def reach(name: str) -> Reach:
    """Who can open what has such a name or address.

    >>> [str(reach(name)) for name in ("localhost", "[::1]", "10.0.0.7", "raspberrypi", "pi.local", "8.8.8.8", "a.org")]
    ['computer', 'computer', 'network', 'network', 'network', 'public', 'public']
    """
    name = name.strip("[]").lower()
    try:
        address = ip_address(name)
    except ValueError:
        if name == "localhost" or name.endswith(".localhost"):
            return Reach.COMPUTER
        return Reach.NETWORK if "." not in name or name.endswith(LOCAL_NAMES) else Reach.PUBLIC
    if address.is_loopback or address.is_unspecified:
        return Reach.COMPUTER
    return Reach.PUBLIC if address.is_global else Reach.NETWORK


def network_address() -> str | None:
    """This computer's address in its network, if it is in one. Nothing is sent to find out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if reach(address) is Reach.COMPUTER else address


def bracketed(host: str) -> str:
    """A host as it stands in an address.

    >>> bracketed("::1"), bracketed("192.0.2.7")
    ('[::1]', '192.0.2.7')
    """
    return f"[{host}]" if ":" in host else host


def qr_code(link: str) -> bytes:
    """A link as SVG, to be read by a telephone's camera."""
    import segno  # here, since a server is to start quickly

    file = io.BytesIO()
    looks = {"border": QUIET_ZONE, "dark": "#000", "light": "#fff", "svgclass": None, "lineclass": None}
    segno.make_qr(link, error="m").save(file, kind="svg", omitsize=True, xmldecl=False, nl=False, **looks)
    return file.getvalue()
