"""From an answer to status, headers and bytes: envelope, JSONP, CORS, the headers that every answer carries.

Rules: facts of the interface, "Global parameters and headers".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha1
from typing import Any

import orjson

from vetrina.kernel.errors import ApiError
from vetrina.kernel.json_text import TooLong, written
from vetrina.rest.call import Answer, Request
from vetrina.rest.dialects.dialect import Dialect
from vetrina.rest.route import Route

__all__ = ["AnswerTooLarge", "Encoded", "Headers", "InvalidCallback", "cors", "encode", "valid_callback"]

Headers = list[tuple[bytes, bytes]]
Encoded = tuple[int, Headers, bytes, bytes]  # status, headers, body, entity tag

_NO_STORE = "no-cache, must-revalidate, max-age=0, no-store, private"
_ALWAYS = (
    (b"x-robots-tag", b"noindex"),
    (b"x-content-type-options", b"nosniff"),
    (b"access-control-expose-headers", b"X-CMS-Total, X-CMS-TotalPages, Link"),
    (b"access-control-allow-headers", b"Authorization, X-CMS-Nonce, Content-Disposition, Content-MD5, Content-Type"),
)
_READS = frozenset({"GET", "HEAD"})
_JSON = b"application/json; charset=UTF-8"
_VARY: Headers = [(b"vary", b"Origin")]
_CALLBACK = re.compile(r"[\w.]+", re.ASCII)
_SAFE_SCHEMES = frozenset({"http", "https", "ftp", "ftps", "mailto", "news", "irc", "tel", "null"})
_TAG = 18  # signs of an entity tag
_UNPRINTABLE = re.compile(r"[^\x21-\x7e]")


class InvalidCallback(ApiError):
    """The name of the JSONP function holds other signs than letters, digits, underscores and dots."""

    code = "rest_callback_invalid"
    message = "The JSONP callback function is invalid: use letters, digits, underscores and dots."

    def body(self) -> dict[str, Any]:
        return {"code": self.code, "message": self.text, "data": None}


class AnswerTooLarge(ApiError):
    """A read asks for more than one answer may hold."""

    status, code = 413, "rest_answer_too_large"
    message = "The answer is larger than {limit} bytes; ask for fewer records (per_page) or for some members (_fields)."


def valid_callback(name: str) -> bool:
    return _CALLBACK.fullmatch(name) is not None


def encode(
    request: Request, answer: Answer, *, signed_in: bool, overridden: bool, callback: str = "", cache_control: str = "",
    route: Route | None = None, dialect: Dialect | None = None, takes: Iterable[str] = (), most: int = 0,
    inline: bool = False,
) -> Encoded:  # fmt: skip
    """Return status, headers, body and entity tag of an answer; the headers of CORS are `cors`.

    signed_in: the request carried credentials. overridden: its method was.
    callback: the name of the JSONP function, empty for none. cache_control: what anonymous answers say of caches.
    dialect: what the client speaks, None for neutral names; route: what was asked, where that is known.
    takes: headers of its own that the route reads. most: bytes that the answer to a read may have, 0 for any number.
    inline: whether others wait meanwhile. Raises AnswerTooLarge, and TakesLong where others would wait long.
    """
    status, body = answer.status, answer.body
    named = {**answer.headers, **({"Link": ", ".join(answer.links)} if answer.links else {})}
    if "_envelope" in request.query:
        body = {"body": body, "status": status, "headers": named}
        status, named = 200, {}
    named.setdefault("Link", f'<{request.root}/>; rel="https://api.cms.example/"')
    if dialect is not None:
        named = dialect.headers(named, request.root)
    headers: Headers = [(name.lower().encode(), _value(value)) for name, value in named.items()]
    headers += _ALWAYS if dialect is None else _always(dialect)
    if takes:
        # A header that may be sent may stand in a line of its own.
        headers.append((b"access-control-allow-headers", ", ".join(takes).encode()))
    if signed_in or (overridden and 400 <= answer.status < 500):
        headers.append((b"cache-control", _NO_STORE.encode()))
    elif cache_control and not answer.failed and request.method in _READS and "Cache-Control" not in named:
        headers.append((b"cache-control", cache_control.encode()))
    if status == 204:
        # It has no content, and says no length of one (RFC 9110, 8.6 and 15.3.5); clients read its type all the same.
        return status, [*headers, (b"content-type", _JSON)], b"", b""
    tagged, digest = status == 200 and request.method in _READS and not answer.failed, ""
    if answer.bare is not None and "_envelope" not in request.query:
        kind, content = answer.bare[0], answer.bare[1]
    else:
        content, digest = _json(request, None if answer.failed else route, dialect, body, inline, most)
        kind = _JSON.decode()
        if callback:
            kind = "application/javascript; charset=UTF-8"
            if valid_callback(callback):
                content = b"/**/" + callback.encode() + b"(" + content + b")"
    headers.append((b"content-type", kind.encode()))
    etag = b""
    if tagged:
        digest = (digest or _digest(content))[:_TAG]
        etag = f'"{answer.state}.{digest}"'.encode() if answer.state else f'"{digest}"'.encode()
        headers.append((b"etag", etag))
    headers.append((b"content-length", str(len(content)).encode()))
    return status, headers, content, etag


def _json(
    request: Request, route: Route | None, dialect: Dialect | None, body: Any, inline: bool, most: int
) -> tuple[bytes, str]:
    """Return the JSON text of a body, and what tells it apart from others, empty where unknown."""
    option = orjson.OPT_INDENT_2 if "_pretty" in request.query else 0
    try:
        if dialect is not None:
            content, digest = dialect.encoded(request, route, body, option, inline=inline)
        elif inline or option:
            content, digest = orjson.dumps(body, option=option), ""
        else:
            content, digest = written(body, most if request.method in _READS else 0), ""
    except TooLong:
        raise AnswerTooLarge(limit=most) from None
    if most and len(content) > most and request.method in _READS:
        raise AnswerTooLarge(limit=most)
    return content, digest


@lru_cache(maxsize=8)
def _always(dialect: Dialect) -> Headers:
    """Return the headers of every answer as a dialect writes them."""
    return [(name, dialect.words(value.decode()).encode()) for name, value in _ALWAYS]


def _digest(content: bytes) -> str:
    # Tells texts apart and protects nothing, so the one that processors have instructions for is the right one.
    return sha1(content, usedforsecurity=False).hexdigest()


def _value(value: object) -> bytes:
    return str(value).replace("\r", "").replace("\n", "").encode("latin-1", "replace")


def cors(origin: str | None, signed_in: bool, method: str) -> Headers:
    """Return the headers that let a page of another origin read the answer."""
    if origin is None:
        return _VARY if not signed_in and method in _READS else []
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
