"""Which requests may be answered from the cache, and how a cached response is sent: ETag, 304, CORS.

Only anonymous reads are cached: everything else that can change their response is in the key. Whether an entry is
still valid is decided by the `CacheBackend` (backends/response_cache.py). Rules: docs/rules/global_parameters.md, 9.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable
from typing import Any, NamedTuple, Protocol

from vetrina.http.cross_origin import build_cors_headers
from vetrina.http.responses import Headers
from vetrina.kernel.compact_bytes import compact_bytes

_ENTRY_OVERHEAD = 1536  # approximate bytes that the headers and the key of a response take, where they are not long

# Headers that can change a response in ways that the key does not cover. A content type implies a body, which over
# HTTP/2 may come without its length.
_BYPASS_HEADERS = frozenset({
    b"authorization", b"content-type", b"x-http-method-override", b"x-cms-nonce", b"x-forwarded-proto",
    b"x-forwarded-host", b"transfer-encoding", b"if-modified-since",
})  # fmt: skip


class CachedResponse(NamedTuple):
    """A response as it is sent, without the headers that depend on the request's Origin.

    shared: whether pages of other origins may read it. route: the route's template, for the metrics.
    """

    status: int
    headers: Headers
    content: bytes
    etag: bytes
    shared: bool = True
    route: str = ""


class CacheBackend(Protocol):
    """Where responses are cached (backends/response_cache.py)."""

    def mark(self) -> int: ...

    def get(self, key: Hashable) -> CachedResponse | None: ...

    def put(self, key: Hashable, mark: int, kinds: frozenset[str], value: CachedResponse, size: int) -> None: ...


class CacheKey(NamedTuple):
    """What selects a cached response, and how it is sent."""

    key: tuple[str, bytes, bytes | None, str | None]
    origin: bytes | None
    match: bytes | None
    head: bool


def build_bypass_headers(spellings: Iterable[Callable[[str], str]]) -> frozenset[bytes]:
    """Return the headers that bypass the cache; spellings: their names in each dialect."""
    ways = tuple(spellings)
    return _BYPASS_HEADERS | {way(name.decode()).encode() for way in ways for name in _BYPASS_HEADERS}


def find_cache_key(
    scope: dict[str, Any], deciding: frozenset[bytes] = _BYPASS_HEADERS, deciding_cookies: tuple[bytes, ...] = (b"",)
) -> CacheKey | None:
    """Return the cache key of a request, None when the cache cannot answer it.

    deciding: headers that can change a response. deciding_cookies: in the names of cookies that can; by default all.
    Those of other programs on the host, and of what a page asks a script for, do not.
    """
    method = scope["method"]
    if method != "GET" and method != "HEAD":
        return None
    if b"signature=" in scope["query_string"]:
        # A signed URL is verified each time; a second use of a signature must be refused.
        return None
    host = origin = match = None
    for name, value in scope["headers"]:
        if name == b"host":
            host = value
        elif name == b"origin":
            origin = value
        elif name == b"if-none-match":
            match = value
        elif (
            name in deciding
            or (name == b"content-length" and value != b"0")
            or (name == b"cookie" and any(part in value for part in deciding_cookies))
        ):
            return None
    return CacheKey((scope["path"], scope["query_string"], host, scope.get("scheme")), origin, match, method == "HEAD")


def cache_response(
    cache: CacheBackend, cache_key: CacheKey, mark: int, kinds: frozenset[str], cached: CachedResponse
) -> None:
    """Cache a response that was made after `mark` from these kinds of things."""
    cached = cached._replace(content=compact_bytes(cached.content))
    path, query, host, _ = cache_key.key
    beside = len(path) + len(query) + len(host or b"") + sum(len(value) for _, value in cached.headers)
    cache.put(cache_key.key, mark, kinds, cached, len(cached.content) + max(_ENTRY_OVERHEAD, beside))


def build_cached_reply(
    cached: CachedResponse, cache_key: CacheKey, allowed_origins: Collection[str]
) -> tuple[int, Headers, bytes]:
    """Return status, headers and body of a cached response for one request; allowed_origins: http/cross_origin.py."""
    headers = cached.headers
    if cached.shared:
        headers = headers + build_cors_headers(
            cache_key.origin.decode("latin-1") if cache_key.origin is not None else None, False, "GET", allowed_origins
        )
    if cache_key.match is not None and matches_etag(cache_key.match, cached.etag):
        return 304, [pair for pair in headers if pair[0] not in (b"content-length", b"content-type")], b""
    return cached.status, headers, b"" if cache_key.head else cached.content


def matches_etag(condition: bytes, etag: bytes) -> bool:
    """Return whether an If-None-Match names an entity tag (RFC 9110, 13.1.2: weak comparison)."""
    if not etag:
        return False
    return condition.strip() == b"*" or any(tag.strip().removeprefix(b"W/") == etag for tag in condition.split(b","))
