"""Addresses that are not the interface's: handed on to who shows pages, and his answers as bytes.

Not here: which pages there are (handed in as `Pages`).
Rules: RFC 9110 (HEAD, conditions), RFC 9111 (caches).
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final, Protocol

from vetrina.http.cached_responses import matches
from vetrina.http.responses import Headers
from vetrina.rest.call import Answer, Request

__all__ = ["MOST_BYTES", "NoPages", "Pages", "encoded", "fault", "sent"]

MOST_BYTES: Final = 64 << 10  # of the body of a form


class Pages(Protocol):
    """Who answers the addresses that are not the interface's (vetrina/pages)."""

    def slow(self, request: Request) -> bool:
        """Say whether a request may wait, and must not be answered in the loop."""

    def answer(self, request: Request) -> Answer:
        """Answer a request; its path is the whole one. The answer is bare; a header's list is sent item by item."""


class NoPages:
    """A site that has the interface alone."""

    def slow(self, request: Request) -> bool:
        return False

    def answer(self, request: Request) -> Answer:
        text = f"There is no page here. The interface is at {request.root}/\n".encode()
        return Answer(404, None, {}, [], ("text/plain; charset=UTF-8", text), failed=True)


def fault(id: str) -> Answer:
    """Return the answer to a request that a fault of ours stopped; id: under which the log has it."""
    text = f"The server made a mistake; its log names it by {id}.\n".encode()
    return Answer(500, None, {"Cache-Control": "no-store"}, [], ("text/plain; charset=UTF-8", text), failed=True)


def encoded(answer: Answer) -> tuple[Headers, bytes, bytes]:
    """Return headers, body and entity tag of an answer."""
    assert answer.bare is not None, "a page is bytes"
    kind, content = answer.bare
    headers: Headers = []
    for name, value in answer.headers.items():
        for one in value if isinstance(value, list) else (value,):
            headers.append((name.lower().encode(), _line(str(one))))
    if answer.links:
        headers.append((b"link", _line(", ".join(answer.links))))
    headers += [(b"content-type", kind.encode()), (b"x-content-type-options", b"nosniff"), (b"vary", b"Cookie")]
    etag = b""
    if answer.status == 200 and answer.kinds is not None:
        etag = f'"{blake2b(content, digest_size=9).hexdigest()}"'.encode()
        headers.append((b"etag", etag))
    headers.append((b"content-length", str(len(content)).encode()))
    return headers, content, etag


def sent(request: Request, status: int, headers: Headers, content: bytes, etag: bytes) -> tuple[int, Headers, bytes]:
    """Return an answer as it goes out: without a body where only its head is asked for, or nothing changed."""
    condition = request.headers.get("if-none-match")
    if condition is not None and matches(condition.encode("latin-1", "replace"), etag):
        return 304, [pair for pair in headers if pair[0] not in (b"content-length", b"content-type")], b""
    return status, headers, b"" if request.method == "HEAD" else content


def _line(text: str) -> bytes:
    return text.replace("\r", "").replace("\n", "").encode("latin-1", "replace")
