"""Signing in with a consumer key: what of a request names the key, and proves it.

Keys are valid on the shop's routes only. Not here: whether a key is right (shop/keys/rules.py), what a signature covers
(shop/keys/signatures.py).
"""

from __future__ import annotations

import base64
import binascii
from typing import Final

from vetrina.access.sign_in.request_sign_in import get_request_guesses
from vetrina.backends.database import Database
from vetrina.core.site_context import SiteContext
from vetrina.core.user import User
from vetrina.rest.call import Request
from vetrina.shop.keys import rules as keys
from vetrina.shop.keys.signatures import find_signature

_PREFIXES: Final = ("/shop/", "/shop-")
_READ_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})


def authenticate_consumer_key(site: SiteContext, database: Database, request: Request) -> User | None:
    """Return the account whose consumer key authenticates a request; None without one, or outside the shop.

    Raises ConsumerKeyRefused, TooManyFailedSignIns.
    """
    if not request.path.startswith(_PREFIXES):
        return None
    guesses, reading = get_request_guesses(site, request), request.method in _READ_METHODS
    signed = keys.read_signature(lambda: find_signature(request))
    if signed is not None:
        request.check_body_path = lambda path_params: keys.read_signature(lambda: signed.check_path(path_params))
        if request.unread:
            request.verify_body = lambda: keys.read_signature(signed.check_body)
        user, key = keys.authenticate_by_signature(site, database, guesses, signed, reading=reading)
    elif (pair := _find_credentials(request)) is not None:
        user, key = keys.authenticate_by_key(site, database, guesses, *pair, reading=reading)
    else:
        return None
    request.key = f"shop {key.id}"
    return user


def _find_credentials(request: Request) -> tuple[str, str] | None:
    scheme, _, credentials = request.headers.get("authorization", "").strip().partition(" ")
    if scheme.lower() == "basic":
        try:
            key, _, secret = base64.b64decode(credentials.strip(), validate=True).decode().partition(":")
        except (binascii.Error, ValueError):
            return None
        return (key, secret) if key.startswith(keys.KEY_PREFIX) else None
    key_sent, secret_sent = request.query.get("consumer_key"), request.query.get("consumer_secret")
    return (key_sent, secret_sent) if isinstance(key_sent, str) and isinstance(secret_sent, str) and key_sent else None
