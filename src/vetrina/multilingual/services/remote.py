"""Signed, bounded calls to the translation service, with every failure as a readable error.

The service has three parts, each with its own URL: the editor (ATE), the accounts (AMS) and the agencies (TP). A call
is signed with the part's key: HMAC-SHA-256 over method, path with query, time and the digest of the body. Not here: the
single calls (multilingual/services/editor_client.py, multilingual/services/account.py,
multilingual/services/agency_client.py). The service's side: docs/translation-service.md. Rules:
docs/rules/content_languages.md, 11.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
import orjson

from vetrina.backends.http_client import OutboundClient, OutboundResponse
from vetrina.backends.http_client_urls import OutboundError, parse_target
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import ApiError, Failure
from vetrina.multilingual.services.service import TranslationServiceError

PARTS: Final = ("ate", "ams", "tp")
_LONGEST_MESSAGE: Final = 300  # characters of a service's error message


class TranslationServiceFailed(ApiError):
    """The service refused or did not answer; `data.number` is its HTTP status, 0 where there was none."""

    failure, code = Failure.DEPENDENCY_FAILED, "mlang_service_failed"
    message = "{reason}"

    def __init__(self, error: TranslationServiceError) -> None:
        super().__init__(reason=str(error), data={"number": error.status or 500})


class TranslationServiceMissing(TranslationServiceError):
    """The profile names no such service."""


def find_service_address(site: SiteContext, part: str) -> str:
    """Return the URL of a part of the service, without a trailing slash; empty where there is none."""
    config = site.profile.translation
    own: str = getattr(config, f"{part}_url")
    return (own or (f"{config.service_url.rstrip('/')}/{part}" if config.service_url else "")).rstrip("/")


def build_service_client(site: SiteContext) -> OutboundClient:
    """Return the client that reaches the service, even in a private network, and nothing else of that network."""
    config = site.profile.translation
    bases = [base for part in PARTS if (base := find_service_address(site, part))]
    return site.outbound.with_allowed_servers(*bases, seconds=config.seconds, most_bytes=config.answer_bytes)


def is_beneath(url: str, base: str) -> bool:
    """Say whether a URL lies beneath another: same scheme, host and port, and a path within its folder."""
    if not base:
        return False
    try:
        given, known = parse_target(url, None), parse_target(base, None)
    except OutboundError:
        return False
    if (given.scheme, given.host, given.port) != (known.scheme, known.host, known.port):
        return False
    path, folder = urlsplit(given.url).path, urlsplit(known.url).path.rstrip("/")
    # A server may resolve `..` and its encoded forms to a path outside the folder.
    return (path == folder or path.startswith(f"{folder}/")) and ".." not in path and "%2" not in path.lower()


class TranslationServiceClient:
    """A part of the service. Every method raises TranslationServiceError.

    key: signs the calls, empty for none; site_id: what the service calls the site.
    """

    def __init__(self, site: SiteContext, part: str, key: str = "", site_id: str = "") -> None:
        self.base = find_service_address(site, part)
        if not self.base:
            raise TranslationServiceMissing(
                "The site's profile names no translation service; set translation.service_url."
            )
        self._site, self._key, self._site_id = site, key, site_id
        try:
            self._outbound = build_service_client(site)
        except OutboundError as error:
            raise TranslationServiceError(f"The address of the translation service cannot be used: {error}") from error

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Call the service and return its JSON response; path: relative to its URL, with the query."""
        content = b"" if body is None else orjson.dumps(body)
        headers = {"Accept": "application/json", **({"Content-Type": "application/json"} if content else {})}
        reply = self._send_request(method, self.base + path, content, headers)
        try:
            return orjson.loads(reply.body) if reply.body else None
        except orjson.JSONDecodeError:
            raise TranslationServiceError("The translation service answered something that is not JSON.") from None

    def fetch_file(self, url: str) -> str:
        """Return a file by the URL that the service gave; one on another host is fetched without a signature."""
        reply = self._send_request("GET", url, b"", {"Accept": "application/x-xliff+xml, */*"})
        try:
            return reply.body.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise TranslationServiceError("The file of the translation service is not in UTF-8.") from None

    def _send_request(self, method: str, url: str, content: bytes, headers: dict[str, str]) -> OutboundResponse:
        if is_beneath(url, self.base):
            headers |= self._build_signature_headers(method, url, content)
        try:
            reply = self._outbound.ask(method, url, body=content, headers=headers)
        except OutboundError as error:
            raise TranslationServiceError(f"The translation service cannot be asked: {error}") from error
        if not 200 <= reply.status < 300:
            raise TranslationServiceError(
                f"The translation service answered {reply.status}{_describe_failure(reply)}", reply.status
            )
        return reply

    def _build_signature_headers(self, method: str, url: str, content: bytes) -> dict[str, str]:
        if not self._key:
            return {"X-Site": self._site_id} if self._site_id else {}
        now = str(self._site.clock.now())
        parts = urlsplit(url)
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        return {
            "X-Site": self._site_id,
            "X-Timestamp": now,
            "X-Signature": compute_call_signature(self._key, method, target, now, content),
        }


class ForwardedResponse(msgspec.Struct, frozen=True):
    """The service's response to a forwarded request."""

    status: int
    kind: str
    body: bytes


def is_forwarded_address(site: SiteContext, url: str) -> bool:
    """Say whether requests to a URL are forwarded: it lies beneath that of the editor or of the accounts."""
    return any(is_beneath(url, find_service_address(site, part)) for part in ("ate", "ams"))


def forward_request(
    site: SiteContext, method: str, url: str, content: bytes, headers: dict[str, str]
) -> ForwardedResponse:
    """Forward a request and return the response unchanged; a server error (5xx) is raised.

    url: one that `is_forwarded_address` accepts. Raises TranslationServiceError.
    """
    try:
        reply = build_service_client(site).ask(method, url, body=content, headers=headers)
    except OutboundError as error:
        raise TranslationServiceError(f"The translation service cannot be asked: {error}") from error
    if reply.status >= 500 or reply.status < 200:
        raise TranslationServiceError(
            f"The translation service answered {reply.status}{_describe_failure(reply)}", reply.status
        )
    return ForwardedResponse(reply.status, reply.headers.get("content-type", "application/octet-stream"), reply.body)


def compute_call_signature(key: str, method: str, target: str, at: str, content: bytes = b"") -> str:
    """Return the signature of a call, as the service computes it to compare."""
    text = "\n".join((method, target, at, hashlib.sha256(content).hexdigest()))
    return hmac.new(key.encode(), text.encode(), hashlib.sha256).hexdigest()


def _describe_failure(reply: OutboundResponse) -> str:
    """Return the service's error message, where the response has one as JSON."""
    try:
        answer = orjson.loads(reply.body)
    except orjson.JSONDecodeError:
        return "."
    message = answer.get("message") if isinstance(answer, dict) else None
    return f": {message[:_LONGEST_MESSAGE]}" if isinstance(message, str) and message else "."
