"""Which requests may be answered from what is kept, and how a kept answer is sent: ETag, 304, CORS.

Only anonymous reads are kept: everything that can change their answer is in the key. Not here: when a kept answer is
too old (it is asked of the store, through `Keeper`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, NamedTuple, Protocol

from vetrina.http.responses import Headers, cors
from vetrina.kernel.compact_bytes import compact

__all__ = ["Asked", "Keeper", "Kept", "asked", "deciding", "keep", "replied"]

_BESIDE = 1536  # bytes that the headers and the key of an answer take, about, and where they are not long

# Headers that can change an answer in ways that the key does not tell. A content type speaks of a body, which over
# HTTP/2 may come without its length.
_DECIDING = frozenset({
    b"authorization", b"content-type", b"x-http-method-override", b"x-cms-nonce", b"x-forwarded-proto",
    b"x-forwarded-host", b"transfer-encoding", b"if-modified-since", b"cookie",
})  # fmt: skip


class Kept(NamedTuple):
    """An answer as it is sent, without the headers that depend on the request's Origin.

    shared: whether pages of other origins may read it. route: what answered it, as the metrics name it.
    """

    status: int
    headers: Headers
    content: bytes
    etag: bytes
    shared: bool = True
    route: str = ""


class Keeper(Protocol):
    """Where answers are kept (backends/response_cache.py)."""

    def mark(self) -> int: ...

    def get(self, key: Hashable) -> Kept | None: ...

    def put(self, key: Hashable, mark: int, kinds: frozenset[str], value: Kept, size: int) -> None: ...


class Asked(NamedTuple):
    """What decides a kept answer, and how it is sent back."""

    key: tuple[str, bytes, bytes | None, str | None]
    origin: bytes | None
    match: bytes | None
    head: bool


def deciding(spellings: Iterable[Callable[[str], str]]) -> frozenset[bytes]:
    """Return the headers that keep a request from the kept answers; spellings: of their names in each dialect."""
    ways = tuple(spellings)
    return _DECIDING | {way(name.decode()).encode() for way in ways for name in _DECIDING}


def asked(scope: dict[str, Any], deciding: frozenset[bytes] = _DECIDING) -> Asked | None:
    """Return what a request asks of the kept answers, None when they cannot answer it."""
    method = scope["method"]
    if method != "GET" and method != "HEAD":
        return None
    if b"signature=" in scope["query_string"]:
        # What is signed in its address is looked at each time; a second use of a signature must be refused.
        return None
    host = origin = match = None
    for name, value in scope["headers"]:
        if name == b"host":
            host = value
        elif name == b"origin":
            origin = value
        elif name == b"if-none-match":
            match = value
        elif name in deciding or (name == b"content-length" and value != b"0"):
            return None
    return Asked((scope["path"], scope["query_string"], host, scope.get("scheme")), origin, match, method == "HEAD")


def keep(keeper: Keeper, ask: Asked, mark: int, kinds: frozenset[str], kept: Kept) -> None:
    """Keep an answer that was made after `mark` from these kinds of things."""
    kept = kept._replace(content=compact(kept.content))
    path, query, host, _ = ask.key
    beside = len(path) + len(query) + len(host or b"") + sum(len(value) for _, value in kept.headers)
    keeper.put(ask.key, mark, kinds, kept, len(kept.content) + max(_BESIDE, beside))


def replied(kept: Kept, ask: Asked) -> tuple[int, Headers, bytes]:
    """Return status, headers and body of a kept answer for one request."""
    headers = kept.headers
    if kept.shared:
        headers = headers + cors(ask.origin.decode("latin-1") if ask.origin is not None else None, False, "GET")
    if ask.match is not None and matches(ask.match, kept.etag):
        return 304, [pair for pair in headers if pair[0] not in (b"content-length", b"content-type")], b""
    return kept.status, headers, b"" if ask.head else kept.content


def matches(condition: bytes, etag: bytes) -> bool:
    """Say whether an If-None-Match names an entity tag (RFC 9110, 13.1.2: weak comparison)."""
    if not etag:
        return False
    return condition.strip() == b"*" or any(tag.strip().removeprefix(b"W/") == etag for tag in condition.split(b","))
