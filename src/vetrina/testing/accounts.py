"""The accounts of a test server: one of each role, with passwords and keys that are the same in every run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha1
from typing import Any, Final

__all__ = ["ServerAccount", "build_accounts"]

_CONTENT_ROLES: Final = ("administrator", "editor", "author", "contributor", "subscriber")
_ROLES: Final = {"first": _CONTENT_ROLES, "second": (*_CONTENT_ROLES, "shop_manager", "customer")}
_LOGINS: Final = {"administrator": "admin"}


@dataclass(frozen=True)
class ServerAccount:
    """One account. password: of the person, for the site's own sign-in page; the others are for programs.

    consumer_key, consumer_secret: API key of the shop, empty for none.
    """

    login: str
    role: str
    email: str = ""
    name: str = ""
    password: str = ""
    application_password: str = ""
    consumer_key: str = ""
    consumer_secret: str = ""

    def to_members(self) -> dict[str, Any]:
        """Return its entry in the file of `--users`."""
        return asdict(self)


def build_accounts(profile: str) -> Sequence[ServerAccount]:
    """Return the accounts of a built-in profile; of any other just the administrator, which every site has."""
    shop = profile == "second"
    return [_build_account(role, shop) for role in _ROLES.get(profile, ("administrator",))]


def _build_account(role: str, shop: bool) -> ServerAccount:
    login = _LOGINS.get(role, role)
    # Publicly known on purpose: only test servers use them.
    letters = sha1(role.encode(), usedforsecurity=False).hexdigest()
    return ServerAccount(
        login, role, f"{login}@example.org", role.replace("_", " ").capitalize(),
        password=f"{login} signs in", application_password=f"{login} application password",
        consumer_key=f"ck_{letters}" if shop else "", consumer_secret=f"cs_{letters[::-1]}" if shop else "",
    )  # fmt: skip
