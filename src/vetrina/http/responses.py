"""From a response to status, headers and bytes: envelope, JSONP, CORS, the headers of every response.

Rules: docs/rules/global_parameters.md, 4, 6, 7, 8 and 9; docs/rules/errors.md, 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha1
from typing import Any

import orjson

from vetrina.kernel.errors import ApiError, Failure
from vetrina.kernel.json_text import JsonTooLong, serialize_json
from vetrina.rest.cache_tags import build_cache_tags
from vetrina.rest.call import Request, Response
from vetrina.rest.dialects.dialect import Dialect
from vetrina.rest.encoded_body import EncodedBody
from vetrina.rest.route import Route

Headers = list[tuple[bytes, bytes]]
EncodedResponse = tuple[int, Headers, bytes, bytes]  # status, headers, body, entity tag

_NO_STORE = "no-cache, must-revalidate, max-age=0, no-store, private"
_COMMON_HEADERS = (
    (b"x-robots-tag", b"noindex"),
    (b"x-content-type-options", b"nosniff"),
    (b"access-control-expose-headers", b"X-CMS-Total, X-CMS-TotalPages, Link"),
    (b"access-control-allow-headers", b"Authorization, X-CMS-Nonce, Content-Disposition, Content-MD5, Content-Type"),
)
_READ_METHODS = frozenset({"GET", "HEAD"})
_JSON_TYPE = b"application/json; charset=UTF-8"
_CALLBACK = re.compile(r"[\w.]+", re.ASCII)
_TAG = 18  # characters of an entity tag


class InvalidCallback(ApiError):
    """The name of the JSONP function has characters other than letters, digits, underscores and dots."""

    code = "rest_callback_invalid"
    message = "The JSONP callback function is invalid: use letters, digits, underscores and dots."

    def body(self) -> dict[str, Any]:
        return {"code": self.code, "message": self.text, "data": None}


class ResponseTooLarge(ApiError):
    """A read asks for more than one response may hold."""

    failure, code = Failure.TOO_LARGE, "rest_answer_too_large"
    message = "The answer is larger than {limit} bytes; ask for fewer records (per_page) or for some members (_fields)."


def is_valid_callback(name: str) -> bool:
    return _CALLBACK.fullmatch(name) is not None


def encode_response(
    request: Request,
    answer: Response,
    *,
    signed_in: bool,
    overridden: bool,
    callback: str = "",
    cache_control: str = "",
    cache_tags: bool = False,
    route: Route | None = None,
    dialect: Dialect | None = None,
    request_headers: Iterable[str] = (),
    most: int = 0,
    inline: bool = False,
) -> EncodedResponse:
    """Return status, headers, body and entity tag of a response; CORS headers: http/cross_origin.py.

    signed_in: the request carried credentials. overridden: its method was.
    callback: the name of the JSONP function, empty for none. cache_control: the Cache-Control of anonymous responses.
    cache_tags: whether those to reads name what they were made from.
    dialect: the client's, None for neutral names; route: that answered, where it is known.
    request_headers: additional ones that the route reads.
    most: bytes that the response to a read may have, 0 for any number.
    inline: whether this runs in the event loop. Raises ResponseTooLarge, and InlineBudgetExceeded where it would take
    long.
    """
    status, body = answer.status, answer.body
    named = {**answer.headers, **({"Link": ", ".join(answer.links)} if answer.links else {})}
    if "_envelope" in request.query:
        body = {"body": body, "status": status, "headers": named}
        status, named = 200, {}
    named.setdefault("Link", f'<{request.root}/>; rel="https://api.cms.example/"')
    if dialect is not None:
        named = dialect.translate_headers(named, request.root)
    headers: Headers = [(_encode_header_name(name), _encode_header_value(value)) for name, value in named.items()]
    headers += _COMMON_HEADERS if dialect is None else _build_common_headers(dialect)
    if request_headers:
        # A header that may be sent may be listed in a header line of its own.
        headers.append((b"access-control-allow-headers", ", ".join(request_headers).encode()))
    if signed_in or (overridden and 400 <= answer.status < 500):
        headers.append((b"cache-control", _NO_STORE.encode()))
    elif cache_control and not answer.failed and request.method in _READ_METHODS and "Cache-Control" not in named:
        headers.append((b"cache-control", cache_control.encode()))
    if cache_tags and not signed_in and answer.sources and request.method in _READ_METHODS:
        headers.append(build_cache_tag(build_cache_tags(*answer.sources)))
    if status == 204:
        # It has no content and no Content-Length (RFC 9110, 8.6 and 15.3.5); clients read its type all the same.
        return status, [*headers, (b"content-type", _JSON_TYPE)], b"", b""
    tagged, digest = status == 200 and request.method in _READ_METHODS and not answer.failed, ""
    if answer.raw_content is not None and "_envelope" not in request.query:
        kind, content = answer.raw_content[0], answer.raw_content[1]
    else:
        content, digest = _encode_json_body(request, None if answer.failed else route, dialect, body, inline, most)
        kind = _JSON_TYPE.decode()
        if callback:
            kind = "application/javascript; charset=UTF-8"
            if is_valid_callback(callback):
                content = b"/**/" + callback.encode() + b"(" + content + b")"
    headers.append((b"content-type", kind.encode()))
    etag = b""
    if tagged:
        if not digest and isinstance(body, EncodedBody) and dialect is None and not callback:
            digest = body.compute_digest(content, _hash_content)
        digest = (digest or _hash_content(content))[:_TAG]
        etag = f'"{answer.state}.{digest}"'.encode() if answer.state else f'"{digest}"'.encode()
        headers.append((b"etag", etag))
    headers.append((b"content-length", str(len(content)).encode()))
    return status, headers, content, etag


def _encode_json_body(
    request: Request, route: Route | None, dialect: Dialect | None, body: Any, inline: bool, most: int
) -> tuple[bytes, str]:
    """Return the JSON text of a body, and a digest for its entity tag, empty where unknown."""
    option = orjson.OPT_INDENT_2 if "_pretty" in request.query else 0
    try:
        if dialect is not None:
            content, digest = dialect.encode_body(request, route, body, option, inline=inline)
        elif isinstance(body, EncodedBody):
            content, digest = body.join(), ""
        elif inline or option:
            content, digest = orjson.dumps(body, option=option), ""
        else:
            content, digest = serialize_json(body, most if request.method in _READ_METHODS else 0), ""
    except JsonTooLong:
        raise ResponseTooLarge(limit=most) from None
    if most and len(content) > most and request.method in _READ_METHODS:
        raise ResponseTooLarge(limit=most)
    return content, digest


@lru_cache(maxsize=8)
def _build_common_headers(dialect: Dialect) -> Headers:
    """Return the headers of every response in a dialect."""
    return [(name, dialect.translate_header_list(value.decode()).encode()) for name, value in _COMMON_HEADERS]


@lru_cache(maxsize=1024)
def build_cache_tag(tags: tuple[str, ...]) -> tuple[bytes, bytes]:
    """Return the Cache-Tag of a response with these tags (rest/cache_tags.py)."""
    return b"cache-tag", ",".join(tags).encode("latin-1", "replace")


def _hash_content(content: bytes) -> str:
    # Only tells texts apart and protects nothing, so SHA-1, which processors have instructions for, is right.
    return sha1(content, usedforsecurity=False).hexdigest()


@lru_cache(maxsize=512)
def _encode_header_name(name: str) -> bytes:
    return name.lower().encode()


def _encode_header_value(value: object) -> bytes:
    return str(value).replace("\r", "").replace("\n", "").encode("latin-1", "replace")
