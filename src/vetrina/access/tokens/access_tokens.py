"""Access tokens: made, and read again.

A token is a JWT (RFC 7519) that a key of the site signed, as RFC 9068 has them. Who it is made for and how long its
session lasts is looked up with each request (access/tokens/token_sign_in.py): the signature alone opens nothing.
Rules: docs/rules/tokens.md, 2 and 3; RFC 8725 (what to check of a JWT).
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
import orjson

from vetrina.access.tokens.model import AccessClaims, AccessTokenExpired, InvalidAccessToken
from vetrina.access.tokens.signing_keys import ALGORITHM, get_current_key
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.keys import generate_key
from vetrina.rest.dialects.prefixes import NEUTRAL_PREFIX

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

TOKEN_TYPE: Final = "at+jwt"
MAX_TOKEN_LENGTH: Final = 4096  # characters; ours are shorter
_MAX_HEADER_LENGTH: Final = 1024  # characters of the first part of a token
_ID_BYTES: Final = 12
_HEADER_MEMBERS: Final = frozenset({"alg", "typ", "kid"})


class UnverifiedToken(NamedTuple):
    """What a token says of itself, before its signature is checked. header, claims: empty where they are none."""

    header: dict[str, Any]
    claims: dict[str, Any]

    @property
    def kid(self) -> str:
        """Return the name of the key that signed it."""
        found = self.header.get("kid")
        return found if isinstance(found, str) else ""

    @property
    def session(self) -> str:
        """Return the id of its session."""
        found = self.claims.get("sid")
        return found if isinstance(found, str) else ""


def get_issuer(site: SiteContext) -> str:
    """Return who issues the tokens of a site: its address, whatever host a client writes."""
    return site.origin


def get_audience(site: SiteContext) -> str:
    """Return for whom they are: the interface of the same site."""
    return f"{site.origin}/{NEUTRAL_PREFIX}"


def create_access_token(work: UnitOfWork, account: int, session: str, scopes: Sequence[str]) -> tuple[str, int]:
    """Return a new access token and the seconds until it runs out."""
    import jwt

    kid, key = get_current_key(work)
    seconds = work.site.profile.accounts.access_token_seconds
    claims = {
        "iss": get_issuer(work.site), "aud": get_audience(work.site), "sub": str(account), "sid": session,
        "scope": " ".join(scopes), "iat": work.now, "exp": work.now + seconds, "jti": generate_key(_ID_BYTES),
    }  # fmt: skip
    text = jwt.encode(claims, key, ALGORITHM, {"kid": kid, "typ": TOKEN_TYPE})
    return text, seconds


def read_unverified(token: str) -> UnverifiedToken | None:
    """Return what a text says of itself that has the form of a JWT; None for one that has not.

    Of one that is too long to be ours the header alone is read.
    """
    if token.count(".") != 2 or not token.isascii():
        return None
    header, claims, _ = token.split(".")
    if len(header) > _MAX_HEADER_LENGTH or not (read := _decode_part(header)):
        return None
    return UnverifiedToken(read, _decode_part(claims) if len(token) <= MAX_TOKEN_LENGTH else {})


def verify_access_token(
    site: SiteContext, token: str, unverified: UnverifiedToken, key: EllipticCurvePrivateKey
) -> AccessClaims:
    """Return the claims of a token that this key signed. Raises InvalidAccessToken, AccessTokenExpired."""
    import jwt

    header = unverified.header
    # Nothing else is ever in it, so that no word of a header (`crit`, `jku`, `jwk`) can mean anything.
    if header.keys() != _HEADER_MEMBERS or header["alg"] != ALGORITHM or header["typ"] != TOKEN_TYPE:
        raise InvalidAccessToken
    try:
        claims = msgspec.convert(
            jwt.decode(
                token, key.public_key(), algorithms=[ALGORITHM], audience=get_audience(site), issuer=get_issuer(site),
                # The site's clock says the time, below.
                options={"verify_exp": False, "verify_iat": False, "verify_nbf": False},
            ),
            AccessClaims,
        )  # fmt: skip
    except (jwt.PyJWTError, msgspec.ValidationError, ValueError):
        raise InvalidAccessToken from None
    if claims.iat > site.clock.now():
        raise InvalidAccessToken
    if claims.exp <= site.clock.now():
        raise AccessTokenExpired
    return claims


def _decode_part(text: str) -> dict[str, Any]:
    """Return the JSON object that a part of a token holds, empty for none."""
    try:
        found = orjson.loads(base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True))
    except (binascii.Error, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
