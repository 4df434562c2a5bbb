"""Encryption of secrets stored in the database, with a key derived from the site's own secret.

AES-256-GCM (NIST SP 800-38D) from the library `cryptography`, imported on first use because few requests need it. The
name is authenticated with the text, and each text has a random nonce. Digests, for what need not be read back:
kernel/keys.py.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM


_NONCE_BYTES: Final = 12
_VERSION: Final = "2."


class CannotDecrypt(ValueError):
    """The text was encrypted with another secret or under another name, or has been altered."""


def encrypt_text(secret: str, name: str, text: str) -> str:
    """Return `text` encrypted; name: what it is for, needed to decrypt it."""
    nonce = secrets.token_bytes(_NONCE_BYTES)
    return (
        _VERSION
        + base64.urlsafe_b64encode(nonce + _build_cipher(secret).encrypt(nonce, text.encode(), name.encode())).decode()
    )


def decrypt_text(secret: str, name: str, text: str) -> str:
    """Return the decrypted text. Raises CannotDecrypt."""
    from cryptography.exceptions import InvalidTag

    if not text.startswith(_VERSION):
        raise CannotDecrypt("this is no sealed text")
    try:
        raw = base64.urlsafe_b64decode(text.removeprefix(_VERSION).encode())
        return _build_cipher(secret).decrypt(raw[:_NONCE_BYTES], raw[_NONCE_BYTES:], name.encode()).decode()
    except InvalidTag:
        raise CannotDecrypt("the text was sealed with another secret, or was changed") from None
    except ValueError:
        raise CannotDecrypt("this is no sealed text") from None


@lru_cache(maxsize=8)
def _build_cipher(secret: str) -> AESGCM:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return AESGCM(hashlib.blake2b(secret.encode(errors="surrogatepass"), digest_size=32, person=b"seal").digest())
