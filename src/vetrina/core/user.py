"""The caller: an account with its capabilities, or nobody."""

from __future__ import annotations

from typing import Any

import msgspec


class Grant(msgspec.Struct, frozen=True):
    """Capabilities that count for some records only. types, languages: theirs; None for all."""

    capabilities: frozenset[str]
    types: frozenset[str] | None = None
    languages: frozenset[str] | None = None

    def covers(self, capability: str, type: str | None, language: str | None) -> bool:
        """Return whether it gives a capability for a type and a language; None asks for all of them."""
        return (
            capability in self.capabilities
            and (self.types is None or type in self.types)
            and (self.languages is None or language in self.languages)
        )


class User(msgspec.Struct, frozen=True, kw_only=True):
    """An account.

    capabilities: what its roles and its own list allow everywhere; extra: its own list alone. grants: what roles allow
    that are limited to content types or languages; `can` never counts them. listed: all capabilities in the order of
    responses, which list the names of roles among them.
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
    grants: tuple[Grant, ...] = ()
    extra: dict[str, bool] = {}
    listed: dict[str, bool] = {}
    registered: int = 0
    meta: dict[str, Any] = {}
    app_password: str = ""
    session: str = ""
    scopes: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.id != 0

    def can(self, capability: str) -> bool:
        """Return whether the account has a capability, for everything that it is about."""
        return capability in self.capabilities

    def can_for(self, capability: str, type: str | None, language: str | None) -> bool:
        """Return whether the account has a capability for what is of a content type and in a language.

        None asks for all types, or languages.
        """
        return capability in self.capabilities or (
            bool(self.grants) and any(grant.covers(capability, type, language) for grant in self.grants)
        )

    def can_somewhere(self, capability: str, type: str = "", language: str = "") -> bool:
        """Return whether the account has a capability for anything; type, language: of these, if named."""
        return capability in self.capabilities or any(
            capability in grant.capabilities
            and (not type or grant.types is None or type in grant.types)
            and (not language or grant.languages is None or language in grant.languages)
            for grant in self.grants
        )


NOBODY = User()
