"""Scopes: what a token is limited to, whatever the roles of its account allow.

A scope is a list of routes, by path and method, so that routes declare nothing for it. Rules: docs/rules/tokens.md, 6.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from enum import StrEnum
from typing import Final


class Scope(StrEnum):
    """The scopes that there are."""

    READ = "read"  # reads all that the account may read
    ORDERS = "orders"  # the own cart, checkout and orders in the visitors' interface of the shop
    ACCOUNT = "account"  # the own account, its sessions and what it signs in with
    WRITE = "write"  # all that the roles of the account allow


SCOPES: Final = tuple(str(one) for one in Scope)

_READ_METHODS: Final = frozenset({"GET"})
# The rest of the namespace is about other accounts: roles, the audit trail.
_ACCOUNT_PATH: Final = re.compile(
    r"/access/v1/(?:account|sessions|tokens|second-factors|passkeys|identities)(?![\w-]).*"
)  # fmt: skip
_OWN_USER_PATH: Final = "/cms/v2/users/me"
_ORDERS_PATH: Final = re.compile(r"/shop/store(?:/v1)?(?![\w-]).*")
# Signing out is open to every token: it takes away, and gives nothing.
_OPEN_PATHS: Final = frozenset({"/access/v1/tokens", "/access/v1/tokens/refresh", "/access/v1/tokens/revoke"})


def parse_scopes(text: str) -> tuple[str, ...]:
    """Return the known scopes of a list that is separated by blanks."""
    given = set(text.split(" "))
    return tuple(one for one in SCOPES if one in given)


def is_within_scopes(scopes: Collection[str], path: str, methods: Iterable[str]) -> bool:
    """Return whether scopes cover a route. path: of the route, with its path parameters."""
    if Scope.WRITE in scopes or path in _OPEN_PATHS:
        return True
    reads = _READ_METHODS.issuperset(methods)
    return (
        (Scope.READ in scopes and reads)
        or (Scope.ORDERS in scopes and _ORDERS_PATH.fullmatch(path) is not None)
        or (
            Scope.ACCOUNT in scopes
            and (_ACCOUNT_PATH.fullmatch(path) is not None or (path == _OWN_USER_PATH and reads))
        )
    )
