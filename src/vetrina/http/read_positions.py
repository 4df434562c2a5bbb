"""The position of a client in the log of the database: read from its requests, told when it has written.

Programs hand back a header, browsers a cookie. Only a site with replicas has positions. What they are for:
kernel/read_consistency.py; rules: docs/decisions/replicas.md.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from vetrina.http.responses import Headers
from vetrina.kernel.read_consistency import ReadConsistency, format_position, parse_position
from vetrina.rest.call import Request

POSITION_HEADER: Final = "consistency-token"
POSITION_COOKIE: Final = "cms_position"
_LOOK_SECONDS: Final = 0.002  # between two looks whether a replica has what a client wrote
_READ_METHODS: Final = frozenset({"GET", "HEAD"})


class ReadPositions:
    """Reads and tells the positions of clients.

    has_replayed: whether a replica is known to have everything up to a position. wait_seconds: for which a read waits
    for one. format_cookie_name, format_cookie: (origin, name …) -> of a cookie. cookie_seconds: its lifetime, after
    which no replica in use can lack what was written.
    """

    def __init__(
        self,
        has_replayed: Callable[[int], bool],
        wait_seconds: float,
        format_cookie_name: Callable[[str, str], str],
        format_cookie: Callable[[str, str, str, int], str],
        cookie_seconds: int,
    ) -> None:
        self._has_replayed, self._wait_seconds = has_replayed, wait_seconds
        self._format_cookie_name, self._format_cookie = format_cookie_name, format_cookie
        self._cookie_seconds = cookie_seconds

    async def begin(self, request: Request, method: str) -> ReadConsistency:
        """Let a request read from replicas, when one has what its client wrote, or the wait for it is over.

        method: that the client sent.
        """
        text = request.headers.get(POSITION_HEADER, "") or request.cookie(
            self._format_cookie_name(request.origin, POSITION_COOKIE)
        )
        # A stream goes on when the primary's log has moved, and would find nothing new on a replica that is behind.
        is_stream = "text/event-stream" in request.headers.get("accept", "") or "stream" in request.query
        reading = request.consistency = ReadConsistency(parse_position(text), is_stream or method not in _READ_METHODS)
        if reading.after and not reading.needs_primary:
            loop = asyncio.get_running_loop()
            until = loop.time() + self._wait_seconds
            while not self._has_replayed(reading.after) and loop.time() < until:
                await asyncio.sleep(_LOOK_SECONDS)
        return reading

    def add_headers(self, headers: Headers, reading: ReadConsistency, origin: str) -> Headers:
        """Return the headers of an answer with what its client and caches have to know."""
        if reading.is_behind:
            # Whoever drops an answer because it has changed must not store the old one again.
            headers = [(name, b"no-store" if name.lower() == b"cache-control" else value) for name, value in headers]
        if not reading.written:
            return headers
        text = format_position(reading.written)
        cookie = self._format_cookie(origin, POSITION_COOKIE, text, self._cookie_seconds)
        return [*headers, (POSITION_HEADER.encode(), text.encode()), (b"set-cookie", cookie.encode())]


def is_kept(request: Request) -> bool:
    """Return whether an answer may be kept for others, as far as what it was read from goes."""
    reading = request.consistency
    return reading is None or not reading.is_behind
