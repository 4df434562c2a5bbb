"""ID tokens: the signature of a provider, and what has to hold of the claims under it.

PyJWT checks the signature, with the one algorithm that fits the key; the claims are checked here, by the site's clock.
Rules: docs/rules/single_sign_on.md, 3; OpenID Connect Core 1.0, 3.1.3.7 and 3.1.3.8; RFC 8725.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from typing import Any, Final

import orjson

from vetrina.access.single_sign_on import discovery
from vetrina.access.single_sign_on.discovery import ProviderDocument
from vetrina.access.single_sign_on.model import MAX_SUBJECT_LENGTH
from vetrina.access.single_sign_on.refusals import Refusal, SignInRefused
from vetrina.account_settings import SignInProvider
from vetrina.core.site_context import SiteContext
from vetrina.kernel.keys import is_equal_secret

_MAX_LENGTH: Final = 32 << 10  # characters of a token
_LEEWAY: Final = 60  # seconds by which clocks may differ
_MAX_AGE: Final = 600  # seconds since a token was made; it is made for the very request that fetches it


def read_id_token(
    site: SiteContext, provider: SignInProvider, document: ProviderDocument, token: Any, nonce: str, access_token: str
) -> Mapping[str, Any]:
    """Return the claims of an ID token that this provider made now, for this site and this sign-in.

    token: as the provider sent it. access_token: that came with it, empty for none.
    Raises SignInRefused for every other token.
    """
    if not isinstance(token, str) or len(token) > _MAX_LENGTH:
        raise _refuse("there is no ID token, or one that is too long")
    alg, claims = _read_signed_claims(site, provider, document, token)
    now = site.clock.now()
    if claims.get("iss") != provider.issuer:
        raise _refuse("the ID token is of another issuer")
    audience = claims.get("aud")
    audiences = audience if isinstance(audience, list) else [audience]
    if provider.client_id not in audiences:
        raise _refuse("the ID token is for another client")
    if claims.get("azp", provider.client_id) != provider.client_id or (len(audiences) > 1 and "azp" not in claims):
        raise _refuse("the ID token was given to another client")
    if _read_instant(claims, "exp") <= now - _LEEWAY:
        raise _refuse("the ID token has expired")
    if not now - _MAX_AGE <= _read_instant(claims, "iat") <= now + _LEEWAY:
        raise _refuse("the ID token was not made just now; compare the clocks")
    if "nbf" in claims and _read_instant(claims, "nbf") > now + _LEEWAY:
        raise _refuse("the ID token is not yet valid; compare the clocks")
    if not is_equal_secret(str(claims.get("nonce")), nonce):
        raise _refuse("the ID token belongs to another sign-in")
    if "at_hash" in claims and not is_equal_secret(str(claims["at_hash"]), _compute_token_hash(alg, access_token)):
        raise _refuse("the access token does not belong to the ID token")
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 0 < len(subject) <= MAX_SUBJECT_LENGTH:
        raise _refuse("the ID token names nobody")
    return claims


def _read_signed_claims(
    site: SiteContext, provider: SignInProvider, document: ProviderDocument, token: str
) -> tuple[str, Mapping[str, Any]]:
    """Return the algorithm and the claims of a token with a good signature. Raises SignInRefused."""
    # Imported late: few requests sign in by a provider.
    import jwt

    try:
        header = jwt.get_unverified_header(token)
        alg = header.get("alg")
        if alg not in discovery.ALGORITHMS:
            raise _refuse(f"the ID token is signed by {str(alg)[:20]!r}, which is not taken")
        key = discovery.find_key(site, provider, document, header.get("kid"), alg)
        signed = jwt.PyJWS(options={"enforce_minimum_key_length": True}).decode(
            token, jwt.PyJWK(dict(key), algorithm=alg), algorithms=[alg]
        )
        claims = orjson.loads(signed)
    except (jwt.PyJWTError, ValueError, TypeError) as error:
        raise _refuse(f"the ID token cannot be verified: {type(error).__name__}") from None
    if not isinstance(claims, dict):
        raise _refuse("the ID token holds no claims")
    return alg, claims


def _read_instant(claims: Mapping[str, Any], name: str) -> float:
    value = claims.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _refuse(f"the ID token has no {name}")
    return value


def _compute_token_hash(alg: str, token: str) -> str:
    """Return the hash of an access token as ID tokens have it: the left half, as the algorithm hashes."""
    digest = hashlib.sha512 if alg == "EdDSA" else hashlib.sha256
    octets = digest(token.encode()).digest()
    return base64.urlsafe_b64encode(octets[: len(octets) // 2]).rstrip(b"=").decode()


def _refuse(detail: str) -> SignInRefused:
    return SignInRefused(Refusal.UNTRUSTED, detail)
