"""The connector's signatures: what is signed of a request, and the HMAC over it, for both sides.

HMAC-SHA1 is what the other side speaks; the weakness of SHA-1 does not affect a keyed digest. Not here:
how a received signature is checked (connector/connection/signature_checks.py), the calls to the service
(connector/connection/remote.py). Rules: docs/rules/connector_signatures.md, 2, 3 and 6;
docs/rules/connector_registration.md, 7.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, quote, quote_plus, urlencode, urlsplit

SIGNATURE_MARK = "connector"  # the value of `_for` that marks a signed request

_DEFAULT_PORTS = {"http": 80, "https": 443}


def hash_body(body: bytes) -> str:
    """Return the digest of a body for signing; empty for an empty one."""
    return format_digest(hashlib.sha1(body, usedforsecurity=False).digest()) if body else ""


def format_digest(digest: bytes) -> str:
    """Return a digest as it is written in a request."""
    return base64.b64encode(digest).decode()


def format_form(form: Mapping[str, Any]) -> str:
    """Return a multipart body's fields as the text that is hashed in place of the body.

    form: fields by name, groups as mappings and lists; for a file the text of its hash (`hash_file`).
    """
    lines = [line for name in sorted(form) for line in _format_form_lines(name, form[name])]
    return "&".join(lines)


def hash_file(content: Any, secret: str, salt: str) -> str:
    """Return what stands for a file of a multipart body: its keyed digest and the salt of the key.

    content: a file open for reading bytes. secret: of the token that signs the request.
    """
    made = hmac.new((salt + secret).encode(), digestmod="sha1")
    while part := content.read(1 << 20):
        made.update(part)
    return f"{made.hexdigest()}:{salt}"


def stringify_scalars(value: Any) -> Any:
    """Return a body's value with every scalar as text, as the service has them: true is 1, false 0, null empty."""
    if isinstance(value, dict):
        return {name: stringify_scalars(member) for name, member in value.items()}
    if isinstance(value, list):
        return [stringify_scalars(member) for member in value]
    return str(int(value)) if isinstance(value, bool) else "" if value is None else str(value)


def build_authorization(url: str, version: str) -> str:
    """Return the Authorization header that repeats the signature of a URL. version: of the sender."""
    signed = dict(parse_qsl(url.partition("?")[2], keep_blank_values=True))
    names = ("token", "timestamp", "nonce", "body-hash", "signature")
    fields = " ".join(
        f'{name}="{value}"' for name, value in {**{name: signed[name] for name in names}, "version": version}.items()
    )
    return f"X_CONNECTOR {fields}"


def build_signature_base(
    token: str, timestamp: str, nonce: str, hash: str, method: str, url: str, params: Mapping[str, Any]
) -> str:
    """Return the text that a request's signature is computed over.

    url: scheme, host, port where it is not the scheme's default, and path. params: the query without `signature`, its
    names as the server's parser returns them; lists and groups of members are written with brackets.
    """
    parts = urlsplit(url)
    default_port = _DEFAULT_PORTS.get(parts.scheme, 0)
    own = parts.port is not None and parts.port not in _DEFAULT_PORTS.values()
    host, port = (parts.netloc, parts.port) if own else (parts.hostname or "", parts.port or default_port)
    lines = [
        token,
        timestamp,
        nonce,
        hash,
        method.upper(),
        host.lower(),
        str(port),
        parts.path,
        *_format_parameters(params),
    ]
    return "".join(f"{line}\n" for line in lines)


def compute_signature(secret: str, text: str) -> str:
    """Return the signature of a text."""
    return base64.b64encode(hmac.digest(secret.encode(), text.encode(errors="surrogatepass"), "sha1")).decode()


def sign_url(
    url: str,
    token: str,
    user: int,
    method: str,
    body: bytes = b"",
    *,
    timestamp: int,
    nonce: str,
    mark: str = SIGNATURE_MARK,
) -> str:
    """Return a URL with the parameters that sign a request to it.

    token: `KEY.SECRET`; user: 0 for the site's own token, else the id of the account that it belongs to.
    mark: the value of `_for`, in the dialect of the called side.
    """
    key, _, rest = token.partition(".")
    secret = rest.partition(".")[0]
    base, _, query = url.partition("?")
    params: dict[str, str] = dict(parse_qsl(query, keep_blank_values=True))
    params |= {
        "_for": mark, "token": f"{key}:1:{user}", "timestamp": str(timestamp), "nonce": nonce,
        "body-hash": hash_body(body),
    }  # fmt: skip
    text = build_signature_base(params["token"], params["timestamp"], nonce, params["body-hash"], method, base, params)
    return f"{base}?{urlencode({**params, 'signature': compute_signature(secret, text)}, quote_via=quote)}"


def build_token_proof(token: str, user: int, *, timestamp: int, nonce: str) -> str:
    """Return a proof that the site has a token, independent of any request."""
    key, _, secret = token.partition(".")
    name = f"{key}:1:{user}"
    made = compute_signature(secret, f"{name}\n{timestamp}\n{nonce}\n")
    return f'token="{name}" timestamp="{timestamp}" nonce="{nonce}" signature="{made}"'


def build_role_scope(token: str, role: str, user: int) -> str:
    """Return a role, signed with the whole site token, as an authorization names it."""
    return f"{role}:{hmac.digest(token.encode(), f'{role}|{user}'.encode(), 'md5').hex()}"


def _format_parameters(params: Mapping[str, Any]) -> list[str]:
    plain = sorted(
        f"{_percent_encode(name)}={_percent_encode(str(value))}"
        for name, value in params.items()
        if not _is_composite(value)
    )
    groups = sorted((name, value) for name, value in params.items() if _is_composite(value))
    return plain + [line for name, value in groups for line in sorted(_flatten_group(_percent_encode(name), value))]


def _is_composite(value: Any) -> bool:
    return isinstance(value, (dict, list))


def _flatten_group(name: str, value: Any) -> list[str]:
    members = value.items() if isinstance(value, dict) else enumerate(value)
    out: list[str] = []
    for key, item in members:
        out += (
            _flatten_group(f"{name}[{key}]", item)
            if _is_composite(item)
            else [f"{name}[{key}]={_percent_encode(str(item))}"]
        )
    return out


def _format_form_lines(name: str, value: Any) -> list[str]:
    if not _is_composite(value):
        # A query differs from what the other side writes in the tilde only.
        return ["=".join(quote_plus(str(part)).replace("~", "%7E") for part in (name, value))]
    members = value.items() if isinstance(value, dict) else enumerate(value)
    return [line for key, item in members for line in _format_form_lines(f"{name}[{key}]", item)]


def _percent_encode(text: str) -> str:
    return quote(text, safe="-_.~", errors="surrogatepass")
