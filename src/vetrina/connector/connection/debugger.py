"""Requests that the service's debugger signs with its own key, to see the plugins of a site that it cannot reach else.

Not here: requests by the tokens of a site (connector/connection/signatures.py). Rules: facts of the connector, 2,
"Debugger key". Stricter than there: the signature counts for this site and the route that it names only.
"""

from __future__ import annotations

import base64
import binascii
import json
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from vetrina.connector.connection import state as connection_state
from vetrina.connector.identity import rules as identity
from vetrina.core.unit_of_work import Work
from vetrina.rest import query_strings
from vetrina.rest.call import Request

__all__ = ["proves"]

_SECONDS: Final = 300  # by which the signature's time may differ
_DIGESTS: Final = (hashes.SHA256(), hashes.SHA1())  # the second is what the other side speaks


def proves(work: Work, request: Request) -> bool:
    """Say whether the debugger's key signed a request, for this site and its path, just now."""
    key = _key(work.frame.profile.connector.debugger_key)
    path, _, words = request.target.partition("?")
    sent = query_strings.parse(words)
    signature, timestamp, url, route = (sent.get(name) for name in ("signature", "timestamp", "url", "rest_route"))
    if key is None or not all(isinstance(one, str) for one in (signature, timestamp, url, route)):
        return False
    if not (str(timestamp).isascii() and str(timestamp).isdecimal() and len(str(timestamp)) <= 10):
        return False
    asked = path.removeprefix(urlsplit(request.root).path)
    if abs(work.now - int(str(timestamp))) > _SECONDS or str(route).rstrip("/") not in (request.path, asked):
        return False
    try:
        ours = identity.plain(str(url)) in (
            identity.plain(connection_state.home(work)),
            identity.plain(work.frame.origin),
        )
    except ValueError:
        return False
    return ours and _is_signed(key, _text(str(route), int(str(timestamp)), str(url)), str(signature))


def _text(route: str, timestamp: int, url: str) -> bytes:
    text = json.dumps({"rest_route": route, "timestamp": timestamp, "url": url}, separators=(",", ":"))
    return text.replace("/", "\\/").encode()


def _is_signed(key: rsa.RSAPublicKey, text: bytes, signature: str) -> bool:
    try:
        given = base64.b64decode(signature, validate=True)
    except (binascii.Error, ValueError):
        return False
    for digest in _DIGESTS:
        try:
            key.verify(given, text, padding.PKCS1v15(), digest)
        except (InvalidSignature, UnsupportedAlgorithm):
            continue
        return True
    return False


@lru_cache(maxsize=4)
def _key(pem: str) -> rsa.RSAPublicKey | None:
    try:
        found = load_pem_public_key(pem.encode()) if pem else None
    except (ValueError, UnsupportedAlgorithm):
        return None
    return found if isinstance(found, rsa.RSAPublicKey) else None
