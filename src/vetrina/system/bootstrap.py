"""What a new site begins with: the default terms, and the accounts that it is given.

Not here: sample content for a first look (system/sample_content.py).
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from vetrina.access.app_passwords import rules as app_passwords
from vetrina.access.users import rules as users
from vetrina.access.users.model import User
from vetrina.content.terms import store as term_store
from vetrina.core.unit_of_work import Work

__all__ = ["Account", "found"]


class Account(msgspec.Struct, frozen=True):
    """One account of the stand-in's list. password: for people; empty for none.
    consumer_key, consumer_secret: of the shop."""

    login: str
    role: str = "subscriber"
    email: str = ""
    application_password: str = ""
    password: str = ""
    name: str = ""
    consumer_key: str = ""
    consumer_secret: str = ""


def found(work: Work, accounts: Iterable[Account] = ()) -> list[User]:
    """Write what a new site begins with and return its accounts, in the order given."""
    term_store.ensure_default(work)
    made: list[User] = []
    for account in accounts:
        user = users.create(
            work,
            account.login,
            account.email or f"{account.login}@example.org",
            roles=(account.role,),
            password=account.password,
            name=account.name or account.login,
            url=work.origin if not made and account.role == "administrator" else "",
        )
        if account.application_password:
            app_passwords.create(work, user.id, "Stand-in", password=account.application_password)
        if account.consumer_key and account.consumer_secret:
            from vetrina.shop.keys import rules as keys

            keys.create(
                work, user.id, "read_write", "Stand-in", key=account.consumer_key, secret=account.consumer_secret
            )
        if not made:
            work.set_option("email", user.email)
        made.append(user)
    if "shop" in work.frame.profile.modules:
        from vetrina.shop import onboarding

        onboarding.found(work, made[0].id if made else 0)
    return made
