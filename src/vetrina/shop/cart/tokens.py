"""Cart tokens and nonces: a signed token names a visitor's cart, a nonce proves that a request comes from this site.

A token is a JSON Web Token signed with the site's secret (RFC 7519, HS256), so that it cannot be forged. A nonce
belongs to a caller and a period of half a day, and is valid in that period and the next. Both stay the same for a
while, so that frequent requests need no new signature. Not here: the headers that carry both
(shop/storefront/cart_session.py). Rules: docs/rules/cart.md, 1.
"""

from __future__ import annotations

import base64
import binascii
import hmac
from functools import lru_cache
from typing import Any, Final

import orjson

from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import SecretKind
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.keys import compute_digest, generate_key, is_equal_secret

TOKEN_LIFETIME: Final = (
    14 * 24 * 3600
)  # seconds that a token is valid after a response, less the part of the hour that has passed
_HOUR: Final = 3600  # seconds in which responses carry the same token
_TICK: Final = 12 * 3600  # seconds of a nonce's period
_NONCE_LENGTH: Final = 10  # characters
_MAX_TOKEN_LENGTH: Final = 600  # characters of a token; ours are shorter
_KEY_BYTES: Final = 24
_ISSUER: Final = "store-api"
_ACCOUNT_PREFIX: Final = "account-"


def generate_cart_key() -> str:
    """Return an unguessable key for a new cart."""
    return f"t_{generate_key(_KEY_BYTES)}"


def build_account_cart_key(id: int) -> str:
    """Return the key of an account's cart."""
    return f"{_ACCOUNT_PREFIX}{id}"


def issue_cart_token(site: SiteContext, key: str, now: int) -> str:
    """Return the token of a cart; now: seconds since 1970."""
    return _sign_token(site.settings.secret, key, now - now % _HOUR)


def decode_cart_token(work: UnitOfWork, written: str) -> str:
    """Return the cart key in a token; empty where it is invalid, expired, or names the cart of another account.

    Raises TooManyGuesses.
    """
    now, account, secret = work.now, work.user.id, work.site.settings.secret
    signed, _, signature = written.rpartition(".")

    def is_signed() -> bool:
        return len(written) <= _MAX_TOKEN_LENGTH and is_equal_secret(signature, _compute_signature(secret, signed))

    if not written or not guess_limiter.is_right_guess(work, SecretKind.CART_TOKEN, None, written, is_signed):
        return ""
    head, _, body = signed.partition(".")
    claims = _decode_claims(body) if head == _HEAD else {}
    if claims.get("iss") != _ISSUER or claims.get("exp", 0) <= now:
        return ""
    key = str(claims.get("user_id") or "")
    if key.startswith(_ACCOUNT_PREFIX) and key != build_account_cart_key(account):
        return ""
    return key


def compute_nonce(site: SiteContext, account: int, now: int) -> str:
    """Return the nonce of a caller at a time; now: seconds since 1970."""
    return _hash_nonce(site.settings.secret, account, now // _TICK)


def is_valid_nonce(site: SiteContext, account: int, now: int, written: str) -> bool:
    """Return whether a nonce is this caller's, of the current period or the last."""
    tick = now // _TICK
    secret = site.settings.secret
    return any(is_equal_secret(written, _hash_nonce(secret, account, one)) for one in (tick, tick - 1))


@lru_cache(maxsize=256)
def _hash_nonce(secret: str, account: int, tick: int) -> str:
    return compute_digest(secret, f"store nonce\n{account}\n{tick}")[:_NONCE_LENGTH]


@lru_cache(maxsize=2048)
def _sign_token(secret: str, key: str, at: int) -> str:
    claims = {"user_id": key, "exp": at + TOKEN_LIFETIME, "iss": _ISSUER, "iat": at}
    signed = f"{_HEAD}.{_encode_base64url(orjson.dumps(claims))}"
    return f"{signed}.{_compute_signature(secret, signed)}"


def _encode_base64url(octets: bytes) -> str:
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


def _decode_claims(written: str) -> dict[str, Any]:
    try:
        found = orjson.loads(base64.urlsafe_b64decode(written + "=" * (-len(written) % 4)))
    except (binascii.Error, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


@lru_cache(maxsize=2048)
def _compute_signature(secret: str, text: str) -> str:
    return _encode_base64url(hmac.digest(_derive_signing_key(secret), text.encode(errors="surrogatepass"), "sha256"))


@lru_cache(maxsize=8)
def _derive_signing_key(secret: str) -> bytes:
    return compute_digest(secret, "cart token").encode()


_HEAD: Final = _encode_base64url(orjson.dumps({"alg": "HS256", "typ": "JWT"}))
