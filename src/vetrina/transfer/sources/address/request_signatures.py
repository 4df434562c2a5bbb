"""Requests that the keys of a shop sign without sending their secret, for addresses without TLS.

Rules: RFC 5849 (OAuth 1.0a), without a token; the parameters of the signature stand in the address, since some servers
keep headers to themselves.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import time
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

_PLAIN_PORT = ":80"


def sign_read(url: str, key: str, secret: str, *, now: int | None = None, nonce: str = "") -> str:
    """Return the URL of a GET with its signature; each one is for a single request.

    now: seconds since 1970, the time of this machine by default; a shop takes a quarter of an hour of difference.
    """
    parameters = {
        "oauth_consumer_key": key, "oauth_nonce": nonce or secrets.token_hex(16),
        "oauth_signature_method": "HMAC-SHA256", "oauth_timestamp": str(int(time.time()) if now is None else now),
    }  # fmt: skip
    parts = urlsplit(url)
    address = f"{parts.scheme}://{parts.netloc.lower().removesuffix(_PLAIN_PORT)}{parts.path or '/'}"
    sent = [*parse_qsl(parts.query, keep_blank_values=True), *parameters.items()]
    escaped = sorted((_escape(name), _escape(value)) for name, value in sent)
    text = "&".join(("GET", _escape(address), _escape("&".join(f"{name}={value}" for name, value in escaped))))
    digest = hmac.digest(f"{_escape(secret)}&".encode(), text.encode(), hashlib.sha256)
    signed = urlencode({**parameters, "oauth_signature": base64.b64encode(digest).decode()})
    return f"{url}{'&' if parts.query else '?'}{signed}"


def _escape(text: str) -> str:
    return quote(text, safe="~")
