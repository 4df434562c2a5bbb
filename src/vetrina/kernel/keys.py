"""Random keys, readable passwords, keyed digests and comparison in constant time.

Not here: what a digest is stored for (domain/access), numbers of records (backends/id_sequences.py).
Application passwords are long and random, so a fast keyed digest is enough for them; passwords that people choose are
hashed slowly (access/passwords/hashing.py).
"""

import hashlib
import hmac
import secrets
import string
import uuid
from functools import lru_cache
from typing import Final

__all__ = ["digest", "new_uuid", "random_key", "random_letters", "readable_password", "same"]

_SIGNS: Final = string.ascii_letters + string.digits
_GROUPS, _SIZE = 6, 4
_FAIR: Final = 256 - 256 % len(_SIGNS)
_DIGEST_BYTES: Final = 32


def random_key(octets: int = 32) -> str:
    """Return a random key that fits an address; octets: how much randomness it holds."""
    return secrets.token_urlsafe(octets)


def new_uuid() -> str:
    """Return a random UUID as text."""
    return str(uuid.uuid4())


def readable_password() -> str:
    """Return a random password of 24 letters and digits, in six groups that blanks part (143 bits)."""
    return " ".join("".join(secrets.choice(_SIGNS) for _ in range(_SIZE)) for _ in range(_GROUPS))


def random_letters(count: int) -> str:
    """Return letters and digits that nobody guesses, for keys of which clients know the length."""
    out = ""
    while len(out) < count:
        # Bytes above the last whole multiple would make the first signs likelier than the others.
        out += "".join(_SIGNS[byte % len(_SIGNS)] for byte in secrets.token_bytes(count) if byte < _FAIR)
    return out[:count]


def digest(secret: str, text: str) -> str:
    """Return the BLAKE2 digest of `text` under a secret key, as 64 hexadecimal digits."""
    return hashlib.blake2b(text.encode(errors="surrogatepass"), key=_key(secret), digest_size=_DIGEST_BYTES).hexdigest()


def same(one: str, other: str) -> bool:
    """Say whether two texts are equal, in a time that tells neither where they differ nor how long either is."""
    first, second = (hashlib.blake2b(text.encode(errors="surrogatepass")).digest() for text in (one, other))
    return hmac.compare_digest(first, second)


@lru_cache(maxsize=8)
def _key(secret: str) -> bytes:
    # BLAKE2 takes keys of 64 bytes at most; a longer secret must count with all of its letters.
    return hashlib.blake2b(secret.encode(errors="surrogatepass")).digest()
