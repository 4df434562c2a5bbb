"""Credentials: an application password, a consumer key of the shop, a browser session.

Each signs a request by adding headers and query parameters. No secret appears in a `repr`. Rules: RFC 7617 (Basic), RFC
5849 (OAuth 1.0a, without a token), docs/clients.md.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import quote

from .names import Names

__all__ = ["Addition", "ApplicationPassword", "ConsumerKey", "Credentials", "Session", "signature"]

Pairs = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Addition:
    """What credentials add to a request."""

    headers: Mapping[str, str] = field(default_factory=dict)
    query: Pairs = ()


class Credentials(Protocol):
    """Credentials that sign requests."""

    def sign(self, method: str, url: str, query: Pairs, names: Names) -> Addition:
        """Return the headers and parameters to add to a request; url: without its query."""


@dataclass(frozen=True)
class ApplicationPassword:
    """A login and one of its application passwords, sent as Basic credentials."""

    login: str
    password: str = field(repr=False)

    def sign(self, method: str, url: str, query: Pairs, names: Names) -> Addition:
        return Addition({"Authorization": _basic(self.login, self.password)})


@dataclass(frozen=True)
class ConsumerKey:
    """A consumer key of the shop, valid on its routes only.

    oauth: sign each request by OAuth 1.0a, so that the secret is never transmitted; for URLs without TLS. The clocks of
    both machines may then differ by a quarter of an hour. now, nonce: for tests.
    """

    key: str
    secret: str = field(repr=False)
    oauth: bool = False
    now: Callable[[], float] = field(default=time.time, repr=False)
    nonce: Callable[[], str] = field(default=lambda: secrets.token_hex(16), repr=False)

    def sign(self, method: str, url: str, query: Pairs, names: Names) -> Addition:
        if not self.oauth:
            return Addition({"Authorization": _basic(self.key, self.secret)})
        parameters = [
            ("oauth_consumer_key", self.key),
            ("oauth_nonce", self.nonce()),
            ("oauth_signature_method", "HMAC-SHA256"),
            ("oauth_timestamp", str(int(self.now()))),
        ]
        signed = signature(method, url, [*query, *parameters], self.secret)
        return Addition(query=[*parameters, ("oauth_signature", signed)])


@dataclass(frozen=True)
class Session:
    """A browser session: its cookies, and the nonce from `/admin/nonce`."""

    cookies: Mapping[str, str] = field(repr=False)
    nonce: str = field(repr=False)

    def sign(self, method: str, url: str, query: Pairs, names: Names) -> Addition:
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return Addition({"Cookie": cookie, names.nonce: self.nonce})


def signature(method: str, url: str, query: Pairs, secret: str) -> str:
    """Return the OAuth 1.0a signature of a request by HMAC-SHA256; url: scheme, host and path."""
    escaped = sorted((_escaped(name), _escaped(value)) for name, value in query)
    parameters = "&".join(f"{name}={value}" for name, value in escaped)
    base = "&".join((method.upper(), _escaped(url), _escaped(parameters)))
    digest = hmac.digest(f"{_escaped(secret)}&".encode(), base.encode(), hashlib.sha256)
    return base64.b64encode(digest).decode()


def _escaped(text: str) -> str:
    return quote(text, safe="~")


def _basic(name: str, secret: str) -> str:
    return "Basic " + base64.b64encode(f"{name}:{secret}".encode()).decode()
