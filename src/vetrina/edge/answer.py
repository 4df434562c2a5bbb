"""From an answer to status, headers and bytes: envelope, JSONP, CORS, the headers that every answer carries.

Rules: facts of the interface, "Global parameters and headers".
"""

from __future__ import annotations

import re
from typing import Any

import orjson

from vetrina.declare.call import Answer, Request
from vetrina.kernel.errors import ApiError

__all__ = ["InvalidCallback", "encode", "valid_callback"]

_NO_STORE = "no-cache, must-revalidate, max-age=0, no-store, private"
_ALWAYS = (
    (b"x-robots-tag", b"noindex"),
    (b"x-content-type-options", b"nosniff"),
    (b"access-control-expose-headers", b"X-CMS-Total, X-CMS-TotalPages, Link"),
    (b"access-control-allow-headers", b"Authorization, X-CMS-Nonce, Content-Disposition, Content-MD5, Content-Type"),
)
_CALLBACK = re.compile(r"[\w.]+", re.ASCII)
_SAFE_SCHEMES = frozenset({"http", "https", "ftp", "ftps", "mailto", "news", "irc", "tel", "null"})
_UNPRINTABLE = re.compile(r"[^\x21-\x7e]")

Headers = list[tuple[bytes, bytes]]


class InvalidCallback(ApiError):
    """The name of the JSONP function holds other signs than letters, digits, underscores and dots."""

    code = "rest_callback_invalid"
    message = "The JSONP callback function is invalid: use letters, digits, underscores and dots."

    def body(self) -> dict[str, Any]:
        return {"code": self.code, "message": self.text, "data": None}


def valid_callback(name: str) -> bool:
    return _CALLBACK.fullmatch(name) is not None


def encode(
    request: Request, answer: Answer, *, signed_in: bool, overridden: bool, callback: str = ""
) -> tuple[int, Headers, bytes]:
    """Return status, headers and body of an answer.

    signed_in: the request carried credentials. overridden: its method was.
    callback: the name of the JSONP function, empty for none.
    """
    status, body = answer.status, answer.body
    named = {**answer.headers, **({"Link": ", ".join(answer.links)} if answer.links else {})}
    if "_envelope" in request.query:
        body = {"body": body, "status": status, "headers": named}
        status, named = 200, {}
    named.setdefault("Link", f'<{request.root}/>; rel="https://api.cms.example/"')
    headers: Headers = [(name.lower().encode(), _value(value)) for name, value in named.items()]
    headers += _ALWAYS
    headers += _cors(request, signed_in)
    if signed_in or (overridden and 400 <= answer.status < 500):
        headers.append((b"cache-control", _NO_STORE.encode()))
    if answer.bare is not None and "_envelope" not in request.query:
        kind, content = answer.bare[0], answer.bare[1]
    else:
        option = orjson.OPT_INDENT_2 if "_pretty" in request.query else 0
        content = orjson.dumps(body, option=option)
        kind = "application/json; charset=UTF-8"
        if callback:
            kind = "application/javascript; charset=UTF-8"
            if valid_callback(callback):
                content = b"/**/" + callback.encode() + b"(" + content + b")"
    headers.append((b"content-type", kind.encode()))
    headers.append((b"content-length", str(len(content)).encode()))
    return status, headers, b"" if request.headers.get(":head") else content


def _value(value: object) -> bytes:
    return str(value).replace("\r", "").replace("\n", "").encode("latin-1", "replace")


def _cors(request: Request, signed_in: bool) -> Headers:
    origin = request.headers.get("origin")
    if origin is None:
        return [(b"vary", b"Origin")] if not signed_in and request.method in ("GET", "HEAD") else []
    return [
        (b"access-control-allow-origin", _origin(origin).encode()),
        (b"access-control-allow-methods", b"OPTIONS, GET, POST, PUT, PATCH, DELETE"),
        (b"access-control-allow-credentials", b"true"),
        (b"vary", b"Origin"),
    ]


def _origin(text: str) -> str:
    """Return an Origin as it may be sent back: only harmless protocols, a bare word as a host."""
    text = _UNPRINTABLE.sub("", text)
    if text in ("null", ""):
        return text
    scheme, found, _ = text.partition(":")
    if not found or "/" in scheme or "." in scheme:
        return text if text.startswith(("/", "#", "?")) else f"http://{text}"
    return text if scheme.lower() in _SAFE_SCHEMES else ""
