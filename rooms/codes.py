"""Codes of rooms, secrets and tokens."""

from __future__ import annotations

import hmac
import re
import secrets
from hashlib import sha256

ALPHABET = "ABCDEFGHJKMNPRSTWXYZ"
"""Letters that are not taken for each other on a projector or by ear: no I, L, O, Q, U, V."""
LENGTH = 6
CODE = re.compile(f"[{ALPHABET}]{{{LENGTH}}}")
SECRET_BYTES = 24


def new_code() -> str:
    """Return a code at random, one of 64 million."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def code_of(text: str) -> str:
    """Return the code that somebody typed; an empty text if it is none.

    Examples
    --------
    >>> code_of("abc xyz"), code_of("ABCXYO")
    ('ABCXYZ', '')
    """
    letters = "".join(text.split()).upper() if len(text) <= 4 * LENGTH else ""
    return letters if CODE.fullmatch(letters) else ""


def new_secret() -> str:
    """Return a secret: 24 random bytes as text for headers."""
    return secrets.token_urlsafe(SECRET_BYTES)


def digest(secret: str) -> str:
    """Return what is kept of a secret."""
    return sha256(secret.encode(errors="surrogatepass")).hexdigest()


def is_secret(secret: str, expected: str) -> bool:
    """Return whether a secret is the one of a digest, in a time that tells nothing."""
    return hmac.compare_digest(digest(secret), expected)
