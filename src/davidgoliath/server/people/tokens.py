"""Tokens: what a person's browser shows to be recognised.

A token is 256 random bits, and a store holds only its SHA-256. A slow hash, as passwords need, would add nothing: it
makes guessing costly where secrets are few, and nobody guesses one of 2²⁵⁶. A stolen database gives no token away.
Looking a hash up in an index takes a time that depends on the hash, of which an attacker can't choose the beginning, so
it tells nothing about any token.
"""

import hashlib
import secrets
from typing import Final

TOKEN_BYTES: Final = 32
ALPHABET: Final = "23456789abcdefghjkmnpqrstuvwxyz"
"""For ids in links: nothing that is read as something else."""
ID_LENGTH: Final = 12
"""Of 31 characters, about 59 bits: nobody finds a table by guessing."""


def new_id() -> str:
    """The id of a table or a person: public, and unlike any other.

    >>> len(new_id())
    12
    """
    return "".join(secrets.choice(ALPHABET) for _ in range(ID_LENGTH))


def new_token() -> str:
    """A token, in characters that a link can carry.

    >>> len(new_token())
    43
    """
    return secrets.token_urlsafe(TOKEN_BYTES)


def token_hash(token: str) -> bytes:
    """What a store knows a token by.

    >>> token_hash("a").hex()[:8]
    'ca978112'
    """
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
