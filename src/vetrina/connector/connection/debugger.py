"""Requests signed by the service's debugger with its own key, to list the plugins of a site that is not connected.

The library `cryptography` is imported on first use: most sites name no key. Not here: requests signed with a site's
tokens (connector/connection/signature_checks.py). Rules: docs/rules/connector.md, 6; stricter than there, a signature
is valid for this site and the named route only.
"""

from __future__ import annotations

import base64
import binascii
import json
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from vetrina.connector import stored_values
from vetrina.connector.identity import rules as identity
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.site_paths import remove_base_path
from vetrina.rest import query_strings

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric import rsa

_SECONDS: Final = 300  # tolerance of the signature's time


def is_signed_by_debugger(work: UnitOfWork, target: str, route: str) -> bool:
    """Say whether the debugger's key signed a request, for this site and path, and recently.

    target: path and query as they were sent. route: the path below the API root.
    """
    key = _load_key(work.site.profile.connector.debugger_key)
    path, _, words = target.partition("?")
    sent = query_strings.parse_query(words)
    signature, timestamp, url, named = (sent.get(name) for name in ("signature", "timestamp", "url", "rest_route"))
    if key is None or not all(isinstance(one, str) for one in (signature, timestamp, url, named)):
        return False
    if not (str(timestamp).isascii() and str(timestamp).isdecimal() and len(str(timestamp)) <= 10):
        return False
    requested = path.removeprefix(remove_base_path(work.base_path, urlsplit(work.root).path))
    if abs(work.now - int(str(timestamp))) > _SECONDS or str(named).rstrip("/") not in (route, requested):
        return False
    try:
        ours = identity.normalize_address(str(url)) in (
            identity.normalize_address(stored_values.build_home_address(work)),
            identity.normalize_address(work.site.origin),
        )
    except ValueError:
        return False
    return ours and _is_signed(key, _build_signed_text(str(route), int(str(timestamp)), str(url)), str(signature))


def _build_signed_text(route: str, timestamp: int, url: str) -> bytes:
    text = json.dumps({"rest_route": route, "timestamp": timestamp, "url": url}, separators=(",", ":"))
    return text.replace("/", "\\/").encode()


def _is_signed(key: rsa.RSAPublicKey, text: bytes, signature: str) -> bool:
    from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import padding

    try:
        given = base64.b64decode(signature, validate=True)
    except (binascii.Error, ValueError):
        return False
    for digest in (hashes.SHA256(), hashes.SHA1()):  # SHA-1 is what the service uses
        try:
            key.verify(given, text, padding.PKCS1v15(), digest)
        except (InvalidSignature, UnsupportedAlgorithm):
            continue
        return True
    return False


@lru_cache(maxsize=4)
def _load_key(pem: str) -> rsa.RSAPublicKey | None:
    if not pem:
        return None
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric import rsa
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    try:
        found = load_pem_public_key(pem.encode())
    except (ValueError, UnsupportedAlgorithm):
        return None
    return found if isinstance(found, rsa.RSAPublicKey) else None
