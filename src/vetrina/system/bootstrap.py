"""What a new site starts with: the default terms, and the accounts it is given.

Sample content for a first look: system/sample_content.py. Rules: docs/rules/site_settings.md, 4 (accounts).
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from vetrina.access.app_passwords import rules as app_passwords
from vetrina.access.users import rules as users
from vetrina.content.custom_fields import reindexing
from vetrina.content.terms import store as term_store
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User


class InitialAccount(msgspec.Struct, frozen=True):
    """An account that a new site is given.

    password: for signing in as a person; empty for none. consumer_key, consumer_secret: of the shop's API.
    """

    login: str
    role: str = "subscriber"
    email: str = ""
    application_password: str = ""
    password: str = ""
    name: str = ""
    consumer_key: str = ""
    consumer_secret: str = ""


def bootstrap_site(work: UnitOfWork, accounts: Iterable[InitialAccount] = ()) -> list[User]:
    """Write what a new site starts with and return its accounts, in the order given."""
    reindexing.mark_fields_indexed(work)
    term_store.create_default_category(work)
    made: list[User] = []
    for account in accounts:
        user = users.create_user(
            work,
            account.login,
            account.email or f"{account.login}@example.org",
            roles=(account.role,),
            password=account.password,
            name=account.name or account.login,
            url=work.origin if not made and account.role == "administrator" else "",
        )
        if account.application_password:
            app_passwords.create_app_password(work, user.id, "Stand-in", password=account.application_password)
        if account.consumer_key and account.consumer_secret:
            from vetrina.shop.keys import rules as keys

            keys.create_consumer_key(
                work, user.id, "read_write", "Stand-in", key=account.consumer_key, secret=account.consumer_secret
            )
        if not made:
            work.set_option("email", user.email)
        made.append(user)
    for module in work.site.modules:
        if module.set_up is not None:
            module.set_up(work, made[0].id if made else 0)
    return made
