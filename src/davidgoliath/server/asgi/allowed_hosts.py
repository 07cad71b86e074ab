"""By which names the server answers.

Any site can let a name of its own lead to this computer, and then its page, in the browser of somebody who may reach
the server, asks as if it were ours ("DNS rebinding"). Such a page always comes by a name. So whoever comes by an
address is answered, and of names those that no stranger can have: this computer's own, and what the operator allows.

A proxy that the operator trusts answers only for names that it was given. So its word is enough, unless names are
allowed one by one: then these are all.
"""

import socket
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Final

from davidgoliath.server.asgi.invite_link import HOST, LOCAL_NAMES

ANY: Final = "*"


class AllowedHosts:
    """The names that are answered."""

    def __init__(self, allowed: Sequence[str] = (), computer: str | None = None) -> None:
        own = _plain(computer or socket.gethostname())
        short = own.partition(".")[0]
        self._allowed = frozenset(map(_plain, allowed))
        self._own = frozenset({"localhost", own, short, *(short + ending for ending in LOCAL_NAMES)})

    def answers(self, host: str, *, is_proxied: bool = False) -> bool:
        """Whether to answer who came by this host, as requests name it; none at all is no browser.

        >>> hosts = AllowedHosts(["cards.example.org"], computer="attic")
        >>> [hosts.answers(host) for host in ("192.0.2.7:8642", "[::1]", "attic.local", "Cards.Example.org:443", "")]
        [True, True, True, True, True]
        >>> hosts.answers("elsewhere.example"), hosts.answers("a b<c>")
        (False, False)
        """
        if ANY in self._allowed or not host:
            return True
        found = HOST.fullmatch(host)
        if not found:
            return False
        name = _plain(found["name"])
        if is_proxied and not self._allowed:
            return True
        return name in self._allowed or name in self._own or name.endswith(".localhost") or _is_address(name)


def _plain(name: str) -> str:
    return name.strip().lower().rstrip(".")


def _is_address(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
