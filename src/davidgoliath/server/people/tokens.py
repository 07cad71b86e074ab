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

CODE_LETTERS: Final = "BCDFGHJKLMNPQRSTVWXZ"
"""For codes that are read out: none that looks like another, no digit to be searched for on a telephone, and no vowel,
so that they make no word."""
CODE_LENGTH: Final = 6
"""Of 20 letters: 64 million codes, of which only those of waiting tables lead anywhere, and few may be tried."""


def new_id() -> str:
    """The id of a table or a person: public, and unlike any other.

    >>> len(new_id())
    12
    """
    return "".join(secrets.choice(ALPHABET) for _ in range(ID_LENGTH))


def new_code() -> str:
    """A code by which a table can be found while it waits.

    >>> len(new_code())
    6
    """
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def code_in(text: str) -> str:
    """The letters of a code, however somebody writes it.

    >>> code_in(" kpr-txw ")
    'KPRTXW'
    """
    return "".join(letter for letter in text.upper() if letter.isalnum())


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
