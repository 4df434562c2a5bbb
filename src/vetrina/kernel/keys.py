"""Random keys, readable passwords, keyed digests and comparison in constant time.

Application passwords are long and random, so a fast keyed digest is enough for them; passwords that people choose are
hashed slowly (access/passwords/hashing.py). Ids of records: backends/id_sequences.py.
"""

import hashlib
import hmac
import secrets
import string
import uuid
from functools import lru_cache
from typing import Final

_CHARACTERS: Final = string.ascii_letters + string.digits
_GROUPS, _SIZE = 6, 4
_UNBIASED_LIMIT: Final = 256 - 256 % len(_CHARACTERS)
_DIGEST_BYTES: Final = 32


def generate_key(octets: int = 32) -> str:
    """Return a random key that is safe in a URL; octets: how much randomness it holds."""
    return secrets.token_urlsafe(octets)


def generate_uuid() -> str:
    """Return a random UUID as text."""
    return str(uuid.uuid4())


def generate_password() -> str:
    """Return a random password of 24 letters and digits, in six groups separated by blanks (143 bits)."""
    return " ".join("".join(secrets.choice(_CHARACTERS) for _ in range(_SIZE)) for _ in range(_GROUPS))


def generate_letters(count: int) -> str:
    """Return random letters and digits, for keys whose length clients know."""
    out = ""
    while len(out) < count:
        # Bytes above the last whole multiple would make the first characters more likely than the others.
        out += "".join(
            _CHARACTERS[byte % len(_CHARACTERS)] for byte in secrets.token_bytes(count) if byte < _UNBIASED_LIMIT
        )
    return out[:count]


def compute_digest(secret: str, text: str) -> str:
    """Return the BLAKE2 digest of `text` under a secret key, as 64 hexadecimal digits."""
    return hashlib.blake2b(
        text.encode(errors="surrogatepass"), key=_derive_key(secret), digest_size=_DIGEST_BYTES
    ).hexdigest()


def is_equal_secret(one: str, other: str) -> bool:
    """Return whether two texts are equal, in a time that reveals neither where they differ nor how long either is."""
    first, second = (hashlib.blake2b(text.encode(errors="surrogatepass")).digest() for text in (one, other))
    return hmac.compare_digest(first, second)


@lru_cache(maxsize=8)
def _derive_key(secret: str) -> bytes:
    # BLAKE2 takes keys of at most 64 bytes; a longer secret must count with all of its characters.
    return hashlib.blake2b(secret.encode(errors="surrogatepass")).digest()
