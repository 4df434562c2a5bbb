"""Tokens as credentials: sent with each request, exchanged for new ones once when they have run out.

Signing in and out: the methods of both clients (client/client.py). The retry: client/transports.py. Rules: RFC 6750
(bearer tokens), docs/tokens.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from .credentials import Addition, Pairs
from .errors import NotUnderstood
from .exchange import Ask, Call, Reply, read_value
from .names import Names

__all__ = ["Tokens", "is_expired", "refresh_of", "sign_in_of", "sign_out_of"]

_PATH: Final = "/access/v1/tokens"
_REFRESH_PATH: Final = f"{_PATH}/refresh"
_REVOKE_PATH: Final = f"{_PATH}/revoke"
_UNSIGNED: Final = (_REFRESH_PATH, _REVOKE_PATH)
_EXPIRED: Final = "rest_token_expired"


@dataclass
class Tokens:
    """The tokens of a session. on_change: called with them after each refresh, for programs that keep them.

    refresh: empty where there is none. session: UUID of the session.
    """

    access: str = field(repr=False)
    refresh: str = field(default="", repr=False)
    session: str = ""
    on_change: Callable[[Tokens], object] | None = field(default=None, repr=False)

    def sign(self, method: str, url: str, query: Pairs, names: Names) -> Addition:
        # A token that has run out is refused on every route, those included that take the refresh token.
        if url.endswith(_UNSIGNED):
            return Addition()
        return Addition({"Authorization": f"Bearer {self.access}"})

    def take(self, body: Mapping[str, Any]) -> None:
        """Keep the tokens of an answer."""
        self.access, self.session = str(body["access_token"]), str(body["session"])
        self.refresh = str(body.get("refresh_token") or "")
        if self.on_change is not None:
            self.on_change(self)


def is_expired(reply: Reply | None) -> bool:
    """Return whether a response says that the access token has run out."""
    if reply is None or reply.status != 401:
        return False
    try:
        body = reply.value
    except NotUnderstood:
        return False
    return isinstance(body, dict) and body.get("code") == _EXPIRED


def sign_in_of(login: str, password: str, name: str, scopes: Iterable[str]) -> Ask[Any]:
    """Return the call that signs in."""
    body: dict[str, Any] = {"login": login, "password": password, "name": name}
    if wanted := list(scopes):
        body["scopes"] = wanted
    return Ask(Call("POST", _PATH, body=body), read_value)


def refresh_of(tokens: Tokens) -> Ask[Any]:
    """Return the call that exchanges a refresh token."""
    return Ask(Call("POST", _REFRESH_PATH, body={"refresh_token": tokens.refresh}), read_value)


def sign_out_of(tokens: Tokens) -> Ask[Any]:
    """Return the call that ends the session."""
    if tokens.refresh:
        return Ask(Call("POST", _REVOKE_PATH, body={"refresh_token": tokens.refresh}), read_value)
    return Ask(Call("DELETE", _PATH), read_value)
