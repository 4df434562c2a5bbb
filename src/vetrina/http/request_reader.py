"""The body of a request: received up to a limit, and its members put into the request.

Bodies with files: http/multipart.py; decoding: http/body_decoding.py. Rules: docs/rules/global_parameters.md, 5.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from vetrina.http import body_decoding
from vetrina.http.limits import RequestLimits
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Request
from vetrina.rest.dialects.dialect import Dialect

Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]

_READ_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_ANNOUNCING_HEADERS = frozenset({"content-length", "transfer-encoding"})  # one of them comes with every body of HTTP/1


class TargetTooLong(ApiError):
    """Path and query together are longer than the server accepts."""

    failure, code = Failure.ADDRESS_TOO_LONG, "rest_uri_too_long"
    message = "The address is longer than {limit} bytes."


class RequestReader:
    """Reads requests within their limits."""

    def __init__(self, limits: RequestLimits) -> None:
        self._limits = limits

    def require_short_target(self, scope: Scope) -> None:
        """Raise TargetTooLong when path and query are longer than the server accepts."""
        if len(scope["query_string"]) + len(scope["path"]) > self._limits.target_bytes:
            raise TargetTooLong(limit=self._limits.target_bytes)

    async def read_body(self, request: Request, receive: Receive, http_version: str = "") -> bytes:
        """Return the body. Raises RequestTooLarge before more than the limit is held, BodyIncomplete.

        http_version: 1.1 or 1.0 where a body is announced (RFC 9112, 6.3); then nobody is asked for one that is not.
        """
        # Asking is a turn of the event loop, and one of the server's thread.
        if http_version.startswith("1.") and _ANNOUNCING_HEADERS.isdisjoint(request.headers):
            return b""
        limits = self._limits
        limit = min(limits.read_body_bytes, limits.body_bytes) if request.method in _READ_METHODS else limits.body_bytes
        first = await self._receive(request, receive, limit)
        if not first.get("more_body"):
            return _get_message_bytes(first, limit)
        parts = [_get_message_bytes(first, limit)]
        parts += [part async for part in self._iterate_following(receive, limit, len(parts[0]))]
        return b"".join(parts)

    async def iterate_chunks(self, request: Request, receive: Receive, limit: int) -> AsyncIterator[bytes]:
        """Yield the body as it arrives; limit: bytes. Raises RequestTooLarge, BodyIncomplete."""
        first = await self._receive(request, receive, limit)
        part = _get_message_bytes(first, limit)
        yield part
        if first.get("more_body"):
            async for further in self._iterate_following(receive, limit, len(part)):
                yield further

    async def _receive(self, request: Request, receive: Receive, limit: int) -> Message:
        """Return the first message of a body. Raises RequestTooLarge where more is announced."""
        length = request.headers.get("content-length", "")
        if length.isdecimal() and int(length[:20]) > limit:
            raise body_decoding.RequestTooLarge(limit=limit)
        return await receive()

    async def _iterate_following(self, receive: Receive, limit: int, size: int) -> AsyncIterator[bytes]:
        more = True
        while more:
            message = await receive()
            part = _get_message_bytes(message, limit, size)
            size += len(part)
            yield part
            more = bool(message.get("more_body"))

    def decode(self, request: Request, content: bytes, dialect: Dialect | None) -> None:
        """Put the members of a body into the request."""
        body_decoding.decode_body(request, content, self._limits.body_depth, self._limits.body_values)
        if dialect is not None:
            dialect.translate_request_body(request)


def _get_message_bytes(message: Message, limit: int, before: int = 0) -> bytes:
    """Return the bytes of a message; before: bytes of earlier ones. Raises RequestTooLarge, BodyIncomplete."""
    if message["type"] == "http.disconnect":
        raise body_decoding.BodyIncomplete
    part: bytes = message.get("body", b"")
    if before + len(part) > limit:
        raise body_decoding.RequestTooLarge(limit=limit)
    return part


def override_method(request: Request) -> bool:
    """Apply the method that the query or a header asks for; return whether one did."""
    method = request.query.get("_method")
    if method is None:
        method = request.headers.get("x-http-method-override")
    if method is None:
        return False
    request.method = method.upper() if isinstance(method, str) else ""
    return True
