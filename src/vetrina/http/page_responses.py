"""URLs that are not the interface's: passed to a `PageHandler`, whose responses are encoded here.

Rules: RFC 9110 (HEAD, conditions), RFC 9111 (caches).
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final, Protocol

from vetrina.http.cached_responses import matches_etag
from vetrina.http.responses import Headers, build_cache_tag
from vetrina.kernel.site_paths import remove_base_path
from vetrina.rest.cache_tags import build_cache_tags
from vetrina.rest.call import Request, Response

MAX_BODY_BYTES: Final = 64 << 10  # of a form's body


class PageHandler(Protocol):
    """Answers the URLs that are not the interface's (pages/page_table.py)."""

    def is_slow(self, request: Request) -> bool:
        """Return whether a request may wait, and must not be answered in the loop."""

    def answer(self, request: Request) -> Response:
        """Answer a request; its path is the full one.

        The body is in `raw_content`; a header whose value is a list is sent once for each item.
        """


class NoPageHandler:
    """A site that has the interface alone."""

    def is_slow(self, request: Request) -> bool:
        return False

    def answer(self, request: Request) -> Response:
        text = f"There is no page here. The interface is at {request.root}/\n".encode()
        return Response(404, None, {}, [], ("text/plain; charset=UTF-8", text), failed=True)


def build_fault_response(id: str) -> Response:
    """Return the response for an internal error; id: under which it is logged."""
    text = f"The server made a mistake; its log names it by {id}.\n".encode()
    return Response(500, None, {"Cache-Control": "no-store"}, [], ("text/plain; charset=UTF-8", text), failed=True)


def add_base_path(answer: Response, base: str) -> None:
    """Put the path that the site lives under in front of a redirect to a path of the site."""
    target = answer.headers.get("Location", "")
    if base and target.startswith("/") and remove_base_path(base, target.partition("?")[0]) == target.partition("?")[0]:
        answer.headers["Location"] = base + target


def encode_page(answer: Response, cache_tags: bool = False) -> tuple[Headers, bytes, bytes]:
    """Return headers, body and entity tag of a page, its own where it has one.

    cache_tags: whether it names what it was made from.
    """
    assert answer.raw_content is not None, "a page is bytes"
    kind, content = answer.raw_content
    headers: Headers = []
    for name, value in answer.headers.items():
        for one in value if isinstance(value, list) else (value,):
            headers.append((name.lower().encode(), _encode_header_value(str(one))))
    if answer.links:
        headers.append((b"link", _encode_header_value(", ".join(answer.links))))
    headers += [(b"content-type", kind.encode()), (b"x-content-type-options", b"nosniff")]
    if "immutable" not in answer.headers.get("Cache-Control", "") and "Vary" not in answer.headers:
        headers.append((b"vary", b"Cookie"))  # what never changes is the same for everybody
    etag = str(answer.headers.get("ETag", "")).encode()
    if answer.status == 200 and answer.kinds is not None:
        etag = f'"{blake2b(content, digest_size=9).hexdigest()}"'.encode()
        headers.append((b"etag", etag))
        if cache_tags and answer.sources:
            headers.append(build_cache_tag(build_cache_tags(*answer.sources)))
    headers.append((b"content-length", str(len(content)).encode()))
    return headers, content, etag


def build_page_reply(
    request: Request, status: int, headers: Headers, content: bytes, etag: bytes
) -> tuple[int, Headers, bytes]:
    """Return a page as it is sent: without a body for HEAD, and where it is unchanged."""
    condition = request.headers.get("if-none-match")
    if condition is not None and etag and matches_etag(condition.encode("latin-1", "replace"), etag):
        return 304, [pair for pair in headers if pair[0] not in (b"content-length", b"content-type")], b""
    return status, headers, b"" if request.method == "HEAD" else content


def _encode_header_value(text: str) -> bytes:
    return text.replace("\r", "").replace("\n", "").encode("latin-1", "replace")
