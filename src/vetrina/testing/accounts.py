"""The accounts of a stand-in: one of each role, with passwords and keys that are the same in every run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha1
from typing import Any, Final

__all__ = ["Account", "accounts_of"]

_CONTENT: Final = ("administrator", "editor", "author", "contributor", "subscriber")
_ROLES: Final = {"first": _CONTENT, "second": (*_CONTENT, "shop_manager", "customer")}
_LOGINS: Final = {"administrator": "admin"}


@dataclass(frozen=True)
class Account:
    """One account. password: of the person, for the pages to sign in; the others are for programs.

    consumer_key, consumer_secret: of the shop, empty for none.
    """

    login: str
    role: str
    email: str = ""
    name: str = ""
    password: str = ""
    application_password: str = ""
    consumer_key: str = ""
    consumer_secret: str = ""

    def written(self) -> dict[str, Any]:
        """Return what the file of `--users` says of it."""
        return asdict(self)


def accounts_of(profile: str) -> Sequence[Account]:
    """Return the accounts of a built-in profile; of any other the one that every site has, an administrator."""
    shop = profile == "second"
    return [_account(role, shop) for role in _ROLES.get(profile, ("administrator",))]


def _account(role: str, shop: bool) -> Account:
    login = _LOGINS.get(role, role)
    # Known to everybody, which is what they are for: nothing but a stand-in has them.
    letters = sha1(role.encode(), usedforsecurity=False).hexdigest()
    return Account(
        login, role, f"{login}@example.org", role.replace("_", " ").capitalize(),
        password=f"{login} signs in", application_password=f"{login} application password",
        consumer_key=f"ck_{letters}" if shop else "", consumer_secret=f"cs_{letters[::-1]}" if shop else "",
    )  # fmt: skip
