"""Calls to the outside service that translates: signed, bounded, and every failure told in words.

The service has three parts: the editor (ATE), the accounts (AMS) and the agencies (TP), each with an address of its
own. A call is signed with the key that the part gave: HMAC-SHA-256 over method, path with query, time and the digest of
the body. Not here: what is asked (multilingual/services/editor_client.py, multilingual/services/account.py,
multilingual/services/agency_client.py), where this server goes at all (backends/http_client.py). The service's side:
docs/translation-service.md.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
import orjson

from vetrina.backends.http_client import Outbound, OutboundError, Reply, checked_address
from vetrina.core.unit_of_work import Frame
from vetrina.kernel.errors import ApiError
from vetrina.multilingual.services.service import ServiceError

__all__ = [
    "PARTS", "NoService", "PassedOn", "Remote", "ServiceFailed", "address", "is_beneath", "is_passed_on", "outbound",
    "pass_on", "signature",
]  # fmt: skip

PARTS: Final = ("ate", "ams", "tp")
_LONGEST_MESSAGE: Final = 300  # letters of what a service says of a failure


class ServiceFailed(ApiError):
    """The outside service refused or gave no answer; `data.number` is its HTTP status, 0 where none came."""

    status, code = 424, "mlang_service_failed"
    message = "{reason}"

    def __init__(self, error: ServiceError) -> None:
        super().__init__(reason=str(error), data={"number": error.status or 500})


class NoService(ServiceError):
    """The profile names no such service."""


def address(frame: Frame, part: str) -> str:
    """Return the address of a part of the service, without a stroke at the end; empty where there is none."""
    told = frame.profile.translation
    own: str = getattr(told, f"{part}_url")
    return (own or (f"{told.service_url.rstrip('/')}/{part}" if told.service_url else "")).rstrip("/")


def outbound(frame: Frame) -> Outbound:
    """Return the client that reaches the service, even in a private network; nothing else of that network."""
    told = frame.profile.translation
    bases = [base for part in PARTS if (base := address(frame, part))]
    return frame.outbound.allowing(*bases, seconds=told.seconds, most_bytes=told.answer_bytes)


def is_beneath(url: str, base: str) -> bool:
    """Say whether an address lies beneath another: same scheme, host and port, and the path within its folder."""
    if not base:
        return False
    try:
        given, known = checked_address(url, None), checked_address(base, None)
    except OutboundError:
        return False
    if (given.scheme, given.host, given.port) != (known.scheme, known.host, known.port):
        return False
    path, folder = urlsplit(given.url).path, urlsplit(known.url).path.rstrip("/")
    # A server may read `..` and its encoded forms as the way out of the folder.
    return (path == folder or path.startswith(f"{folder}/")) and ".." not in path and "%2" not in path.lower()


class Remote:
    """A part of the service. key: what its calls are signed with, empty for none; site: by what it knows the site.

    Every method raises ServiceError.
    """

    def __init__(self, frame: Frame, part: str, key: str = "", site: str = "") -> None:
        self.base = address(frame, part)
        if not self.base:
            raise NoService("The site's profile names no translation service; set translation.service_url.")
        self._frame, self._key, self._site = frame, key, site
        try:
            self._outbound = outbound(frame)
        except OutboundError as error:
            raise ServiceError(f"The address of the translation service cannot be used: {error}") from error

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Return the JSON value that the service answers; path: beneath its address, with the query."""
        content = b"" if body is None else orjson.dumps(body)
        headers = {"Accept": "application/json", **({"Content-Type": "application/json"} if content else {})}
        reply = self._reply(method, self.base + path, content, headers)
        try:
            return orjson.loads(reply.body) if reply.body else None
        except orjson.JSONDecodeError:
            raise ServiceError("The translation service answered something that is not JSON.") from None

    def file(self, url: str) -> str:
        """Return a file that the service named; one that lies elsewhere is asked for without a signature."""
        reply = self._reply("GET", url, b"", {"Accept": "application/x-xliff+xml, */*"})
        try:
            return reply.body.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise ServiceError("The file of the translation service is not in UTF-8.") from None

    def _reply(self, method: str, url: str, content: bytes, headers: dict[str, str]) -> Reply:
        if is_beneath(url, self.base):
            headers |= self._signed(method, url, content)
        try:
            reply = self._outbound.ask(method, url, body=content, headers=headers)
        except OutboundError as error:
            raise ServiceError(f"The translation service cannot be asked: {error}") from error
        if not 200 <= reply.status < 300:
            raise ServiceError(f"The translation service answered {reply.status}{_words(reply)}", reply.status)
        return reply

    def _signed(self, method: str, url: str, content: bytes) -> dict[str, str]:
        if not self._key:
            return {"X-Site": self._site} if self._site else {}
        now = str(self._frame.clock.now())
        parts = urlsplit(url)
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        return {
            "X-Site": self._site,
            "X-Timestamp": now,
            "X-Signature": signature(self._key, method, target, now, content),
        }


class PassedOn(msgspec.Struct, frozen=True):
    """What the service answered to a request that was passed on."""

    status: int
    kind: str
    body: bytes


def is_passed_on(frame: Frame, url: str) -> bool:
    """Say whether requests to an address are passed on: it lies beneath that of the editor or of the accounts."""
    return any(is_beneath(url, address(frame, part)) for part in ("ate", "ams"))


def pass_on(frame: Frame, method: str, url: str, content: bytes, headers: dict[str, str]) -> PassedOn:
    """Pass a request on and return the answer as it is; one of its own faults (5xx) is told as a failure.

    url: one that `is_passed_on`. Raises ServiceError.
    """
    try:
        reply = outbound(frame).ask(method, url, body=content, headers=headers)
    except OutboundError as error:
        raise ServiceError(f"The translation service cannot be asked: {error}") from error
    if reply.status >= 500 or reply.status < 200:
        raise ServiceError(f"The translation service answered {reply.status}{_words(reply)}", reply.status)
    return PassedOn(reply.status, reply.headers.get("content-type", "application/octet-stream"), reply.body)


def signature(key: str, method: str, target: str, at: str, content: bytes = b"") -> str:
    """Return the signature of a call, as the service makes it to compare."""
    said = "\n".join((method, target, at, hashlib.sha256(content).hexdigest()))
    return hmac.new(key.encode(), said.encode(), hashlib.sha256).hexdigest()


def _words(reply: Reply) -> str:
    """Return what a service says of its failure, where it says it in JSON."""
    try:
        told = orjson.loads(reply.body)
    except orjson.JSONDecodeError:
        return "."
    message = told.get("message") if isinstance(told, dict) else None
    return f": {message[:_LONGEST_MESSAGE]}" if isinstance(message, str) and message else "."
