"""A fake of the service that responds as a test wants; it opens no socket."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from vetrina.backends.http_client import NoOutboundResponse, OutboundClient, OutboundResponse

__all__ = ["Asked", "ServiceStandIn"]


@dataclass
class Asked:
    """One call of the site."""

    path: str
    query: dict[str, str]
    body: bytes
    headers: dict[str, str]

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class ServiceStandIn(OutboundClient):
    """answers: path → JSON value, (status, JSON value, headers), or nothing for a service that does not respond."""

    answers: dict[str, Any] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)

    def with_allowed_servers(
        self, *urls: str, seconds: float | None = None, most_bytes: int | None = None
    ) -> OutboundClient:
        return self

    def ask(self, method: str, url: str, *, body: bytes = b"", headers: Any = None, **words: Any) -> OutboundResponse:
        parts = urlsplit(url)
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        self.asked.append(Asked(parts.path, query, body, dict(headers or {})))
        told = self.answers.get(parts.path)
        if told is None:
            raise NoOutboundResponse("nobody is there")
        status, value, named = told if isinstance(told, tuple) else (200, told, {})
        if callable(value):
            value = value(self.asked[-1])
        return OutboundResponse(status, url, named, json.dumps(value).encode())

    def of(self, path: str) -> list[Asked]:
        """Return the calls of a path."""
        return [one for one in self.asked if one.path == path]
