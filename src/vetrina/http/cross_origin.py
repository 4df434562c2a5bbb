"""What pages of other origins may do with responses (the Fetch standard, CORS protocol).

A response lists the names that the interface prescribes in lines of its own (http/responses.py); these are further
ones, for pages of other origins alone. Rules: docs/rules/global_parameters.md, 8.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

Headers = list[tuple[bytes, bytes]]

_READ_METHODS: Final = frozenset({"GET", "HEAD"})
_VARY_ORIGIN: Final[Headers] = [(b"vary", b"Origin")]
_SAFE_SCHEMES: Final = frozenset({"http", "https", "ftp", "ftps", "mailto", "news", "irc", "tel", "null"})
_UNPRINTABLE: Final = re.compile(r"[^\x21-\x7e]")
# A list may be spread over several lines of the same name (RFC 9110, 5.3).
_FURTHER_EXPOSED: Final[Headers] = [
    (
        b"access-control-expose-headers",
        b"ETag, Location, Retry-After, Allow, Content-Disposition, Cache-Tag, X-Request-Id, Consistency-Token",
    )
]
_FURTHER_ALLOWED: Final = frozenset({
    "if-none-match", "if-match", "if-modified-since", "if-unmodified-since", "x-http-method-override", "last-event-id",
    "x-request-id", "consistency-token",
})  # fmt: skip
_PREFLIGHT_LIFETIME: Final[Headers] = [(b"access-control-max-age", b"600")]


def build_cors_headers(
    origin: str | None,
    signed_in: bool,
    method: str,
    allowed_origins: Collection[str] = (),
    requested_headers: str | None = None,
) -> Headers:
    """Return the headers that let a page of another origin read the response.

    allowed_origins: those whose pages may read what is answered to the browser's own credentials (cookies); empty for
    all. A key that a page itself puts into `Authorization` is the page's own, and is not kept from it.
    requested_headers: `Access-Control-Request-Headers` of a preflight; what of it may be sent is allowed by name.
    """
    if origin is None:
        return _VARY_ORIGIN if not signed_in and method in _READ_METHODS else []
    trusted = not allowed_origins or origin in allowed_origins
    return [
        (b"access-control-allow-origin", _clean_origin(origin).encode()),
        (b"access-control-allow-methods", b"OPTIONS, GET, POST, PUT, PATCH, DELETE"),
        *([(b"access-control-allow-credentials", b"true")] if trusted else []),
        *(_build_preflight_headers(requested_headers or "") if method == "OPTIONS" else _FURTHER_EXPOSED),
        (b"vary", b"Origin"),
    ]


def _build_preflight_headers(requested: str) -> Headers:
    names = dict.fromkeys(name.strip().lower() for name in requested.split(","))
    allowed = ", ".join(name for name in names if name in _FURTHER_ALLOWED)
    return [*([(b"access-control-allow-headers", allowed.encode())] if allowed else []), *_PREFLIGHT_LIFETIME]


def _clean_origin(text: str) -> str:
    """Return an Origin that is safe to send back: only harmless protocols, a bare word as a host."""
    text = _UNPRINTABLE.sub("", text)
    if text in ("null", ""):
        return text
    scheme, found, _ = text.partition(":")
    if not found or "/" in scheme or "." in scheme:
        return text if text.startswith(("/", "#", "?")) else f"http://{text}"
    return text if scheme.lower() in _SAFE_SCHEMES else ""
