"""Sealed texts: secrets that lie in the database and open only with the site's own secret.

AES-256-GCM (NIST SP 800-38D) of the library `cryptography`, which is imported when something is first sealed or opened:
few requests do. The key is made of the site's secret, the name goes into the tag, each text has a random nonce.
Not here: digests of what need not be read again (kernel/keys.py).
"""

from __future__ import annotations

import base64
import hashlib
import secrets
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

__all__ = ["CannotOpen", "opened", "sealed"]

_NONCE: Final = 12  # bytes
_VERSION: Final = "2."


class CannotOpen(ValueError):
    """The text was sealed with another secret or under another name, or it was changed since."""


def sealed(secret: str, name: str, text: str) -> str:
    """Return `text` sealed; name: what it is for, needed to open it."""
    nonce = secrets.token_bytes(_NONCE)
    return (
        _VERSION
        + base64.urlsafe_b64encode(nonce + _cipher(secret).encrypt(nonce, text.encode(), name.encode())).decode()
    )


def opened(secret: str, name: str, text: str) -> str:
    """Return what was sealed. Raises CannotOpen."""
    from cryptography.exceptions import InvalidTag

    if not text.startswith(_VERSION):
        raise CannotOpen("this is no sealed text")
    try:
        raw = base64.urlsafe_b64decode(text.removeprefix(_VERSION).encode())
        return _cipher(secret).decrypt(raw[:_NONCE], raw[_NONCE:], name.encode()).decode()
    except InvalidTag:
        raise CannotOpen("the text was sealed with another secret, or was changed") from None
    except ValueError:
        raise CannotOpen("this is no sealed text") from None


@lru_cache(maxsize=8)
def _cipher(secret: str) -> AESGCM:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return AESGCM(hashlib.blake2b(secret.encode(errors="surrogatepass"), digest_size=32, person=b"seal").digest())
