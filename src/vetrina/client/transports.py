"""The two senders of an `Ask`: one blocks the thread, one is awaited.

Both share `Site`: how a request is built. When one is sent again: retries.py.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

import httpx2

from .credentials import Addition, Credentials
from .errors import NoAnswer
from .exchange import Ask, Call, Reply
from .names import Names
from .query import pairs, text
from .retries import compute_pause
from .tokens import Tokens, is_expired, refresh_of

__all__ = ["AsyncSender", "Sender", "Site"]

T = TypeVar("T")


@dataclass(frozen=True)
class Site:
    """The site that a client talks to, and how.

    root: URL of the API root. credentials: None for anonymous. language: None for the URL's own.
    timeout: seconds for each phase of a request: connecting, sending, waiting, reading.
    retries: how often a safe request is repeated. longest_pause: seconds; a response that asks for a longer wait is an
    error at once. environment: whether proxies from the environment are used.
    """

    root: str
    names: Names
    credentials: Credentials | None = None
    language: str | None = None
    timeout: float = 30.0
    retries: int = 2
    longest_pause: float = 30.0
    headers: Mapping[str, str] | None = None
    environment: bool = True

    def request(self, client: httpx2.Client | httpx2.AsyncClient, call: Call, files: ExitStack) -> httpx2.Request:
        """Return a call as an HTTP request; files: closes the files that it reads."""
        url = self.root + quote(self.names.path(call.path), safe="/")
        query = pairs(call.query)
        if self.language is not None and self.names.language not in call.query:
            query.append((self.names.language, self.language))
        added = self.credentials.sign(call.method, url, query, self.names) if self.credentials else Addition()
        headers = {"Accept": "application/json", **(self.headers or {}), **added.headers, **call.headers}
        words: dict[str, Any] = {}
        if call.upload is not None:
            words = _body(call, headers, files)
        elif call.body is not None:
            headers["Content-Type"] = "application/json"
            words["content"] = json.dumps(call.body, ensure_ascii=False, allow_nan=False, default=text).encode()
        # None would keep a query in the URL; there is none.
        params: Any = [*query, *added.query] or None
        return client.build_request(call.method, url, params=params, headers=headers, **words)


class Sender:
    """Sends synchronously."""

    def __init__(self, site: Site, transport: httpx2.BaseTransport | None = None) -> None:
        self.site = site
        self._client = httpx2.Client(timeout=site.timeout, transport=transport, trust_env=site.environment)
        self._renewal = threading.Lock()

    def use(self, credentials: Credentials | None) -> None:
        """Send with these credentials from now on."""
        self.site = replace(self.site, credentials=credentials)

    def send(self, ask: Ask[T]) -> T:
        """Return the result of a call. Raises VetrinaError."""
        attempt = 0
        while True:
            attempt += 1
            used = _get_access(self.site.credentials)
            reply, failure = self._exchanged(ask.call)
            if used and is_expired(reply) and self._renew(used):
                reply, failure = self._exchanged(ask.call)
            wait = compute_pause(ask.call, reply, attempt, self.site.retries, self.site.longest_pause)
            if wait is None:
                return _read(ask, reply, failure)
            time.sleep(wait)

    def _renew(self, used: str) -> bool:
        """Exchange the tokens, unless that was done since a request; return whether it may be sent again."""
        tokens = self.site.credentials
        if not isinstance(tokens, Tokens):
            return False
        with self._renewal:
            if tokens.access == used:
                if not tokens.refresh:
                    return False
                ask = refresh_of(tokens)
                body = _read(ask, *self._exchanged(ask.call))
                tokens.take(body)
        return True

    def _exchanged(self, call: Call) -> tuple[Reply | None, httpx2.RequestError | None]:
        with ExitStack() as files:
            try:
                return _replied(self._client.send(self.site.request(self._client, call, files))), None
            except httpx2.RequestError as error:
                return None, error

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


class AsyncSender:
    """Sends asynchronously."""

    def __init__(self, site: Site, transport: httpx2.AsyncBaseTransport | None = None) -> None:
        self.site = site
        self._client = httpx2.AsyncClient(timeout=site.timeout, transport=transport, trust_env=site.environment)
        self._renewal = asyncio.Lock()

    def use(self, credentials: Credentials | None) -> None:
        """Send with these credentials from now on."""
        self.site = replace(self.site, credentials=credentials)

    async def send(self, ask: Ask[T]) -> T:
        """Return the result of a call. Raises VetrinaError."""
        attempt = 0
        while True:
            attempt += 1
            used = _get_access(self.site.credentials)
            reply, failure = await self._exchanged(ask.call)
            if used and is_expired(reply) and await self._renew(used):
                reply, failure = await self._exchanged(ask.call)
            wait = compute_pause(ask.call, reply, attempt, self.site.retries, self.site.longest_pause)
            if wait is None:
                return _read(ask, reply, failure)
            await asyncio.sleep(wait)

    async def _renew(self, used: str) -> bool:
        """Exchange the tokens, unless that was done since a request; return whether it may be sent again."""
        tokens = self.site.credentials
        if not isinstance(tokens, Tokens):
            return False
        async with self._renewal:
            if tokens.access == used:
                if not tokens.refresh:
                    return False
                ask = refresh_of(tokens)
                body = _read(ask, *await self._exchanged(ask.call))
                tokens.take(body)
        return True

    async def _exchanged(self, call: Call) -> tuple[Reply | None, httpx2.RequestError | None]:
        with ExitStack() as files:
            try:
                return _replied(await self._client.send(self.site.request(self._client, call, files))), None
            except httpx2.RequestError as error:
                return None, error

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()


def _get_access(credentials: Credentials | None) -> str:
    """Return the access token that a request is sent with, empty for none."""
    return credentials.access if isinstance(credentials, Tokens) else ""


def _read(ask: Ask[T], reply: Reply | None, failure: httpx2.RequestError | None) -> T:
    if reply is None:
        what = "in time" if isinstance(failure, httpx2.TimeoutException) else f"({failure or type(failure).__name__})"
        raise NoAnswer(f"{ask.call.method} {ask.call.path}: the site did not answer {what}") from failure
    return ask.read(reply)


def _replied(response: httpx2.Response) -> Reply:
    headers = {name.lower(): value for name, value in response.headers.items()}
    return Reply(response.status_code, headers, response.content)


def _body(call: Call, headers: dict[str, str], files: ExitStack) -> dict[str, Any]:
    """Return the request arguments of a file; set its headers if it is the whole body."""
    upload = call.upload
    assert upload is not None
    if not upload.raw:
        content = (
            upload.content if isinstance(upload.content, bytes) else files.enter_context(upload.content.open("rb"))
        )
        fields = dict(pairs(call.body or {}))
        return {"files": {"file": (upload.name, content, upload.type)}, "data": fields}
    headers["Content-Type"] = upload.type
    headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(upload.name, safe='')}"
    return {"content": upload.content.read_bytes() if isinstance(upload.content, Path) else upload.content}
