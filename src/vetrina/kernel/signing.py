"""Signatures of the connector: what is signed of a request, and the HMAC over it; both sides make them with these.

Not here: which key a request names, its time and its nonce (domain/connector/signatures.py). Rules: facts of the
connector, 5. HMAC-SHA1 is what the other side speaks; for a keyed digest the weakness of SHA-1 does not count.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

__all__ = ["MARK", "body_hash", "normalised", "proof", "role_scope", "signature", "signed_url"]

MARK = "connector"  # the value of `_for` that says that a request is signed

_PORTS = {"http": 80, "https": 443}


def body_hash(body: bytes) -> str:
    """Return the digest of a body as it is signed; empty for an empty one."""
    return base64.b64encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode() if body else ""


def normalised(
    token: str, timestamp: str, nonce: str, hash: str, method: str, url: str, params: Mapping[str, Any]
) -> str:
    """Return the text that a request's signature is made over.

    url: scheme, host, port where it is not the scheme's own, and path. params: the query without `signature`, its
    names as the server's parser gives them; lists and groups of members are written with brackets.
    """
    parts = urlsplit(url)
    usual = _PORTS.get(parts.scheme, 0)
    own = parts.port is not None and parts.port not in _PORTS.values()
    host, port = (parts.netloc, parts.port) if own else (parts.hostname or "", parts.port or usual)
    lines = [token, timestamp, nonce, hash, method.upper(), host.lower(), str(port), parts.path, *_lines(params)]
    return "".join(f"{line}\n" for line in lines)


def signature(secret: str, text: str) -> str:
    """Return the signature of a text."""
    return base64.b64encode(hmac.digest(secret.encode(), text.encode(errors="surrogatepass"), "sha1")).decode()


def signed_url(url: str, token: str, user: int, method: str, body: bytes = b"", *, timestamp: int, nonce: str) -> str:
    """Return an address with the parameters that sign a request to it.

    token: `KEY.SECRET`; user: 0 for the site's own token, else the number of the account that it belongs to.
    """
    key, _, secret = token.partition(".")
    base, _, query = url.partition("?")
    params: dict[str, str] = dict(parse_qsl(query, keep_blank_values=True))
    params |= {
        "_for": MARK, "token": f"{key}:1:{user}", "timestamp": str(timestamp), "nonce": nonce,
        "body-hash": body_hash(body),
    }  # fmt: skip
    text = normalised(params["token"], params["timestamp"], nonce, params["body-hash"], method, base, params)
    return f"{base}?{urlencode({**params, 'signature': signature(secret, text)}, quote_via=quote)}"


def proof(token: str, user: int, *, timestamp: int, nonce: str) -> str:
    """Return what proves, without any request, that the site has a token."""
    key, _, secret = token.partition(".")
    name = f"{key}:1:{user}"
    made = signature(secret, f"{name}\n{timestamp}\n{nonce}\n")
    return f'token="{name}" timestamp="{timestamp}" nonce="{nonce}" signature="{made}"'


def role_scope(token: str, role: str, user: int) -> str:
    """Return a role, signed with the whole site token, as an authorisation names it."""
    return f"{role}:{hmac.digest(token.encode(), f'{role}|{user}'.encode(), 'md5').hex()}"


def _lines(params: Mapping[str, Any]) -> list[str]:
    plain = sorted(f"{_encoded(name)}={_encoded(str(value))}" for name, value in params.items() if not _many(value))
    groups = sorted((name, value) for name, value in params.items() if _many(value))
    return plain + [line for name, value in groups for line in sorted(_grouped(_encoded(name), value))]


def _many(value: Any) -> bool:
    return isinstance(value, (dict, list))


def _grouped(name: str, value: Any) -> list[str]:
    members = value.items() if isinstance(value, dict) else enumerate(value)
    out: list[str] = []
    for key, item in members:
        out += _grouped(f"{name}[{key}]", item) if _many(item) else [f"{name}[{key}]={_encoded(str(item))}"]
    return out


def _encoded(text: str) -> str:
    return quote(text, safe="-_.~", errors="surrogatepass")
