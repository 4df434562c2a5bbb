"""Integrity rules of accounts, and of the encrypted secrets in the database."""

from __future__ import annotations

from collections.abc import Iterator

import orjson
from sqlalchemy import select

from vetrina.access.roles.role_rights import list_role_names
from vetrina.access.second_factors import store as second_factors
from vetrina.backends.database import Statement
from vetrina.backends.tables.accounts import account
from vetrina.backends.tables.second_factors import one_time_code
from vetrina.backends.tables.taxes_shipping import shop_key
from vetrina.backends.tables.webhooks import webhook
from vetrina.connector import stored_values
from vetrina.core.integrity.rule import IntegrityRule
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.webhooks import store as webhooks
from vetrina.kernel.encryption import CannotDecrypt, decrypt_text
from vetrina.shop.keys import rules as keys

_ROLES = Statement(select(account.c.id, account.c.login, account.c.roles).order_by(account.c.id))
_SEALED = (
    ("consumer key", keys.SECRET_PURPOSE, Statement(select(shop_key.c.id, shop_key.c.secret).order_by(shop_key.c.id))),
    ("webhook", webhooks.SECRET_CONTEXT, Statement(select(webhook.c.id, webhook.c.secret).order_by(webhook.c.id))),
    (
        "one-time codes of account",
        second_factors.SECRET_PURPOSE,
        Statement(select(one_time_code.c.account, one_time_code.c.secret).order_by(one_time_code.c.account)),
    ),
)
_OF_CONNECTOR = ("blog_token", "user_tokens")


def _iterate_unknown_roles(work: UnitOfWork) -> Iterator[str]:
    known = list_role_names(work)
    for id, login, roles in work.tx.all(_ROLES):
        for role in orjson.loads(roles):
            if role not in known:
                yield f"account {id} ({login}) has the role {role}, which the site has not"


def _iterate_unopenable_secrets(work: UnitOfWork) -> Iterator[str]:
    secret = work.site.settings.secret
    for what, name, statement in _SEALED:
        for id, text in work.tx.all(statement):
            try:
                decrypt_text(secret, name, text)
            except CannotDecrypt as error:
                yield f"the secret of {what} {id} does not open: {error}"
    for name in _OF_CONNECTOR:
        if stored_values.get_value(work, name) is not None and stored_values.get_decrypted_value(work, name) is None:
            yield f"the connector's {name} does not open"


RULES: tuple[IntegrityRule, ...] = (
    IntegrityRule(
        "roles", "Accounts have roles that the site has.", _iterate_unknown_roles, "Give the account another role."
    ),
    IntegrityRule(
        "secrets",
        "Secrets open with the site's own.",
        _iterate_unopenable_secrets,
        "Put the old `secret` back into `vetrina.toml`, or make the keys again, connect again, and set up codes again.",
    ),
)
