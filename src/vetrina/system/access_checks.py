"""Rules of accounts, and of the secrets that lie sealed in the database."""

from __future__ import annotations

from collections.abc import Iterator

import orjson
from sqlalchemy import select

from vetrina.backends.database import Statement
from vetrina.backends.tables.core import account
from vetrina.backends.tables.taxes_shipping import shop_key
from vetrina.backends.tables.webhooks import webhook
from vetrina.connector.connection import state as connection_state
from vetrina.core.integrity.rule import Rule
from vetrina.core.unit_of_work import Work
from vetrina.kernel.encryption import CannotOpen, opened
from vetrina.shop.keys import rules as keys
from vetrina.shop.webhooks import rules as webhooks

__all__ = ["RULES"]

_ROLES = Statement(select(account.c.id, account.c.login, account.c.roles).order_by(account.c.id))
_SEALED = (
    ("consumer key", keys.SEALED, Statement(select(shop_key.c.id, shop_key.c.secret).order_by(shop_key.c.id))),
    ("webhook", webhooks.SEALED, Statement(select(webhook.c.id, webhook.c.secret).order_by(webhook.c.id))),
)
_OF_CONNECTOR = ("blog_token", "user_tokens")


def _unknown_roles(work: Work) -> Iterator[str]:
    for id, login, roles in work.tx.all(_ROLES):
        for role in orjson.loads(roles):
            if role not in work.frame.profile.roles:
                yield f"account {id} ({login}) has the role {role}, which the profile has not"


def _shut(work: Work) -> Iterator[str]:
    secret = work.frame.settings.secret
    for what, name, statement in _SEALED:
        for id, text in work.tx.all(statement):
            try:
                opened(secret, name, text)
            except CannotOpen as error:
                yield f"the secret of {what} {id} does not open: {error}"
    for name in _OF_CONNECTOR:
        if connection_state.get(work, name) is not None and connection_state.opened_value(work, name) is None:
            yield f"the connector's {name} does not open"


RULES: tuple[Rule, ...] = (
    Rule("roles", "Accounts have roles that the profile has.", _unknown_roles, "Give the account another role."),
    Rule(
        "secrets",
        "Secrets open with the site's own.",
        _shut,
        "Put the old `secret` back into `vetrina.toml`, or make the keys anew and connect anew.",
    ),
)
