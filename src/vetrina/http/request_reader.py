"""The body of a request: received up to a limit, and its members put into the request.

Not here: bodies that bring files (http/multipart.py), what the members mean (http/bodies.py).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from vetrina.http import bodies
from vetrina.http.limits import Limits
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Request
from vetrina.rest.dialects.dialect import Dialect

__all__ = ["Receive", "RequestReader", "Scope", "TargetTooLong", "override_method"]

Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]

_READS = frozenset({"GET", "HEAD", "OPTIONS"})


class TargetTooLong(ApiError):
    """Path and query together are longer than the server takes."""

    status, code = 414, "rest_uri_too_long"
    message = "The address is longer than {limit} bytes."


class RequestReader:
    """Reads requests within their limits."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits

    def require_short_target(self, scope: Scope) -> None:
        """Raise TargetTooLong when the address is longer than the server takes."""
        if len(scope["query_string"]) + len(scope["path"]) > self._limits.target_bytes:
            raise TargetTooLong(limit=self._limits.target_bytes)

    async def read_body(self, request: Request, receive: Receive) -> bytes:
        """Return the body. Raises TooLarge before more than the limit is held, BodyIncomplete."""
        limits = self._limits
        limit = min(limits.read_body_bytes, limits.body_bytes) if request.method in _READS else limits.body_bytes
        first = await self._receive(request, receive, limit)
        if not first.get("more_body"):
            return _part(first, limit)
        parts = [_part(first, limit)]
        parts += [part async for part in self._following(receive, limit, len(parts[0]))]
        return b"".join(parts)

    async def chunks(self, request: Request, receive: Receive, limit: int) -> AsyncIterator[bytes]:
        """Give the body as it arrives; limit: bytes. Raises TooLarge, BodyIncomplete."""
        first = await self._receive(request, receive, limit)
        part = _part(first, limit)
        yield part
        if first.get("more_body"):
            async for further in self._following(receive, limit, len(part)):
                yield further

    async def _receive(self, request: Request, receive: Receive, limit: int) -> Message:
        """Return the first message of a body. Raises TooLarge where more is announced."""
        length = request.headers.get("content-length", "")
        if length.isdecimal() and int(length[:20]) > limit:
            raise bodies.TooLarge(limit=limit)
        return await receive()

    async def _following(self, receive: Receive, limit: int, size: int) -> AsyncIterator[bytes]:
        more = True
        while more:
            message = await receive()
            part = _part(message, limit, size)
            size += len(part)
            yield part
            more = bool(message.get("more_body"))

    def decode(self, request: Request, content: bytes, dialect: Dialect | None) -> None:
        """Put the members of a body into the request."""
        bodies.decode(request, content, self._limits.body_depth, self._limits.body_values)
        if dialect is not None:
            dialect.read_body(request)


def _part(message: Message, limit: int, before: int = 0) -> bytes:
    """Return the bytes of a message; before: those that came earlier. Raises TooLarge, BodyIncomplete."""
    if message["type"] == "http.disconnect":
        raise bodies.BodyIncomplete
    part: bytes = message.get("body", b"")
    if before + len(part) > limit:
        raise bodies.TooLarge(limit=limit)
    return part


def override_method(request: Request) -> bool:
    """Put the method that the query or a header asks for into the request; say whether one did."""
    asked = request.query.get("_method")
    if asked is None:
        asked = request.headers.get("x-http-method-override")
    if asked is None:
        return False
    request.method = asked.upper() if isinstance(asked, str) else ""
    return True
