"""The caller: an account with its capabilities, or nobody."""

from __future__ import annotations

from typing import Any

import msgspec


class User(msgspec.Struct, frozen=True, kw_only=True):
    """An account. capabilities: what its roles and its own list allow; extra: its own list alone.

    app_password, session: by which the caller of a request is signed in, empty for none. scopes: what an access token
    limits the caller to, none for nothing.
    """

    id: int = 0
    login: str = ""
    email: str = ""
    slug: str = ""
    name: str = ""
    first_name: str = ""
    last_name: str = ""
    nickname: str = ""
    url: str = ""
    description: str = ""
    locale: str = ""
    roles: tuple[str, ...] = ()
    capabilities: frozenset[str] = frozenset()
    extra: dict[str, bool] = {}
    registered: int = 0
    meta: dict[str, Any] = {}
    app_password: str = ""
    session: str = ""
    scopes: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.id != 0

    def can(self, capability: str) -> bool:
        """Return whether the account has a capability."""
        return capability in self.capabilities


NOBODY = User()
