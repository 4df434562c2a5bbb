"""What a visitor shows to have a cart: a signed token that names it, and a nonce that proves a page of this site.

A token is a JSON Web Token signed with the site's secret (RFC 7519, HS256): nobody can make up one for another's cart.
A nonce belongs to a caller and to half a day; it is good in that half day and in the next. Both are the same for a
while, so that a visitor who comes again soon costs no new signature. Not here: the cart (shop/cart/store.py), the
headers that carry both (namespaces/store). Rules: facts, "Visitors' interface".
"""

from __future__ import annotations

import base64
import binascii
import hmac
from functools import lru_cache
from typing import Any, Final

import orjson

from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import Secret
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.keys import digest, random_key, same

__all__ = ["LIFE", "is_nonce", "key_of", "new_key", "nonce", "of_account", "token"]

LIFE: Final = 14 * 24 * 3600  # seconds from an answer, for which its token is good, but for the hour that has begun
_HOUR: Final = 3600  # seconds in which answers give the same token
_TICK: Final = 12 * 3600  # seconds
_NONCE: Final = 10  # signs
_LONGEST: Final = 600  # signs of a token; ours are shorter
_OCTETS: Final = 24
_ISSUER: Final = "store-api"
_OF_ACCOUNT: Final = "account-"


def new_key() -> str:
    """Return the key of a new cart, which nobody guesses."""
    return f"t_{random_key(_OCTETS)}"


def of_account(id: int) -> str:
    """Return the key of an account's cart."""
    return f"{_OF_ACCOUNT}{id}"


def token(frame: Frame, key: str, now: int) -> str:
    """Return the token that names a cart; now: seconds since 1970."""
    return _token(frame.settings.secret, key, now - now % _HOUR)


def key_of(work: Work, written: str) -> str:
    """Return the key that a token names; empty where it is none of ours, too old, or of another account's cart.

    Raises TooManyGuesses.
    """
    now, account, secret = work.now, work.user.id, work.frame.settings.secret
    signed, _, signature = written.rpartition(".")

    def is_signed() -> bool:
        return len(written) <= _LONGEST and same(signature, _signature(secret, signed))

    if not written or not guess_limiter.is_right(work, Secret.CART_TOKEN, None, written, is_signed):
        return ""
    head, _, body = signed.partition(".")
    claims = _decoded(body) if head == _HEAD else {}
    if claims.get("iss") != _ISSUER or claims.get("exp", 0) <= now:
        return ""
    key = str(claims.get("user_id") or "")
    if key.startswith(_OF_ACCOUNT) and key != of_account(account):
        return ""
    return key


def nonce(frame: Frame, account: int, now: int) -> str:
    """Return the nonce of a caller at a moment."""
    return _nonce(frame.settings.secret, account, now // _TICK)


def is_nonce(frame: Frame, account: int, now: int, written: str) -> bool:
    """Say whether a nonce is this caller's, of this half day or the last."""
    tick = now // _TICK
    secret = frame.settings.secret
    return any(same(written, _nonce(secret, account, one)) for one in (tick, tick - 1))


@lru_cache(maxsize=256)
def _nonce(secret: str, account: int, tick: int) -> str:
    return digest(secret, f"store nonce\n{account}\n{tick}")[:_NONCE]


@lru_cache(maxsize=2048)
def _token(secret: str, key: str, at: int) -> str:
    claims = {"user_id": key, "exp": at + LIFE, "iss": _ISSUER, "iat": at}
    signed = f"{_HEAD}.{_encoded(orjson.dumps(claims))}"
    return f"{signed}.{_signature(secret, signed)}"


def _encoded(octets: bytes) -> str:
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


def _decoded(written: str) -> dict[str, Any]:
    try:
        found = orjson.loads(base64.urlsafe_b64decode(written + "=" * (-len(written) % 4)))
    except (binascii.Error, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


@lru_cache(maxsize=2048)
def _signature(secret: str, text: str) -> str:
    return _encoded(hmac.digest(_key(secret), text.encode(errors="surrogatepass"), "sha256"))


@lru_cache(maxsize=8)
def _key(secret: str) -> bytes:
    return digest(secret, "cart token").encode()


_HEAD: Final = _encoded(orjson.dumps({"alg": "HS256", "typ": "JWT"}))
