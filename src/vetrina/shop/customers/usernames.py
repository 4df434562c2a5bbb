"""User names of new customers: the one that was given, or one made of their name or e-mail address.

Rules: docs/rules/customers.md, 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.access.users import rules as users
from vetrina.access.users.text_rules import is_valid_login
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError
from vetrina.kernel.tags import strip_tags

_NAMELESS: Final = "customer"  # where an address has no letters that a user name may have


class CustomerUsernameExists(ApiError):
    code = "registration-error-username-exists"
    message = "The user name {login!r} is taken."


def choose_username(work: UnitOfWork, wanted: str, email: str, given: Mapping[str, Any]) -> str:
    """Return the user name of a new customer: the given one, or else one derived from names or the e-mail address."""
    if wanted:
        login = _normalize_username(wanted)
        if login and users.find_user_by_login(work.tx, login) is not None:
            raise CustomerUsernameExists(login=login)
        if login:
            return login
    parts = [_normalize_username(str(given.get(name) or "")).lower() for name in ("first_name", "last_name")]
    stem = ".".join(part for part in parts if part) if given.get("names_make_login") else ""
    stem = stem or _normalize_username(email.partition("@")[0]).lower() or _NAMELESS
    number, login = 0, stem
    while users.find_user_by_login(work.tx, login) is not None:
        number += 1
        login = f"{stem}{number}"
    return login


def _normalize_username(login: str) -> str:
    kept = " ".join("".join(sign for sign in strip_tags(login) if sign == " " or is_valid_login(sign)).split())
    return kept if is_valid_login(kept) else ""
