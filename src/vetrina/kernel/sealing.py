"""Sealed texts: secrets that lie in the database and open only with the site's own secret.

Encrypted, then authenticated, both with keyed BLAKE2: a stream of digests over nonce and counter hides the text, a tag
over name, nonce and hidden text shows every change. BLAKE2 with a key is a pseudo-random function (RFC 7693), which is
all that counter mode and a tag need; the standard library has no cipher. Each text has a random nonce of its own.
Not here: digests of what need not be read again (ids.py).
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from typing import Final

__all__ = ["CannotOpen", "opened", "sealed"]

_NONCE, _TAG, _BLOCK = 24, 32, 64  # bytes
_VERSION: Final = "1."


class CannotOpen(ValueError):
    """The text was sealed with another secret or under another name, or it was changed since."""


def sealed(secret: str, name: str, text: str) -> str:
    """Return `text` sealed; name: what it is for, needed to open it."""
    nonce = secrets.token_bytes(_NONCE)
    hidden = _with_stream(_key(secret, "hide"), nonce, text.encode())
    tag = _tag(_key(secret, "tag"), name, nonce, hidden)
    return _VERSION + base64.urlsafe_b64encode(nonce + tag + hidden).decode()


def opened(secret: str, name: str, text: str) -> str:
    """Return what was sealed. Raises CannotOpen."""
    if not text.startswith(_VERSION):
        raise CannotOpen("this is no sealed text")
    try:
        raw = base64.urlsafe_b64decode(text.removeprefix(_VERSION).encode())
    except ValueError:
        raise CannotOpen("this is no sealed text") from None
    nonce, tag, hidden = raw[:_NONCE], raw[_NONCE : _NONCE + _TAG], raw[_NONCE + _TAG :]
    if not hmac.compare_digest(tag, _tag(_key(secret, "tag"), name, nonce, hidden)):
        raise CannotOpen("the text was sealed with another secret, or was changed")
    return _with_stream(_key(secret, "hide"), nonce, hidden).decode()


def _key(secret: str, purpose: str) -> bytes:
    return hashlib.blake2b(secret.encode(errors="surrogatepass"), person=f"seal {purpose}".encode()).digest()


def _with_stream(key: bytes, nonce: bytes, data: bytes) -> bytes:
    blocks = range(-(-len(data) // _BLOCK))
    stream = b"".join(hashlib.blake2b(nonce + at.to_bytes(8, "big"), key=key).digest() for at in blocks)
    return bytes(one ^ other for one, other in zip(data, stream, strict=False))


def _tag(key: bytes, name: str, nonce: bytes, hidden: bytes) -> bytes:
    said = name.encode()
    return hashlib.blake2b(len(said).to_bytes(8, "big") + said + nonce + hidden, key=key, digest_size=_TAG).digest()
