"""Signatures of the connector: what is signed of a request, and the HMAC over it; both sides make them with these.

Not here: which key a request names, its time and its nonce (connector/connection/signatures.py). Rules: facts of the
connector, 5. HMAC-SHA1 is what the other side speaks; for a keyed digest the weakness of SHA-1 does not count.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, quote, quote_plus, urlencode, urlsplit

__all__ = [
    "MARK", "authorization", "body_hash", "digest_text", "file_hash", "form_text", "normalised", "proof", "role_scope",
    "signature", "signed_url", "stringified",
]  # fmt: skip

MARK = "connector"  # the value of `_for` that says that a request is signed

_PORTS = {"http": 80, "https": 443}


def body_hash(body: bytes) -> str:
    """Return the digest of a body as it is signed; empty for an empty one."""
    return digest_text(hashlib.sha1(body, usedforsecurity=False).digest()) if body else ""


def digest_text(digest: bytes) -> str:
    """Return a digest as it is written in a request."""
    return base64.b64encode(digest).decode()


def form_text(form: Mapping[str, Any]) -> str:
    """Return a multipart body's fields as the one text that is hashed in the body's place.

    form: fields by name, groups as mappings and lists; of a file the text of its hash (`file_hash`).
    """
    lines = [line for name in sorted(form) for line in _form_lines(name, form[name])]
    return "&".join(lines)


def file_hash(content: Any, secret: str, salt: str) -> str:
    """Return what stands for a file of a multipart body: its keyed digest and the salt of the key.

    content: a file that is open for reading bytes. secret: of the token that signs the request.
    """
    made = hmac.new((salt + secret).encode(), digestmod="sha1")
    while part := content.read(1 << 20):
        made.update(part)
    return f"{made.hexdigest()}:{salt}"


def stringified(value: Any) -> Any:
    """Return a body's value with every scalar as text, as the service has them: true is 1, false 0, null empty."""
    if isinstance(value, dict):
        return {name: stringified(member) for name, member in value.items()}
    if isinstance(value, list):
        return [stringified(member) for member in value]
    return str(int(value)) if isinstance(value, bool) else "" if value is None else str(value)


def authorization(url: str, version: str) -> str:
    """Return the header that says once more what signs an address. version: of who sends it."""
    sent = dict(parse_qsl(url.partition("?")[2], keep_blank_values=True))
    names = ("token", "timestamp", "nonce", "body-hash", "signature")
    said = " ".join(
        f'{name}="{value}"' for name, value in {**{name: sent[name] for name in names}, "version": version}.items()
    )
    return f"X_CONNECTOR {said}"


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


def signed_url(
    url: str, token: str, user: int, method: str, body: bytes = b"", *, timestamp: int, nonce: str, mark: str = MARK
) -> str:  # fmt: skip
    """Return an address with the parameters that sign a request to it.

    token: `KEY.SECRET`; user: 0 for the site's own token, else the number of the account that it belongs to.
    mark: what says so, in the dialect of whoever is called.
    """
    key, _, rest = token.partition(".")
    secret = rest.partition(".")[0]
    base, _, query = url.partition("?")
    params: dict[str, str] = dict(parse_qsl(query, keep_blank_values=True))
    params |= {
        "_for": mark, "token": f"{key}:1:{user}", "timestamp": str(timestamp), "nonce": nonce,
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


def _form_lines(name: str, value: Any) -> list[str]:
    if not _many(value):
        # The one difference between the form of a query and what the other side writes is the tilde.
        return ["=".join(quote_plus(str(part)).replace("~", "%7E") for part in (name, value))]
    members = value.items() if isinstance(value, dict) else enumerate(value)
    return [line for key, item in members for line in _form_lines(f"{name}[{key}]", item)]


def _encoded(text: str) -> str:
    return quote(text, safe="-_.~", errors="surrogatepass")
