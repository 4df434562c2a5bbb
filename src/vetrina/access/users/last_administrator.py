"""A site always has an administrator: the only one is neither removed nor given other roles.

Asked wherever an account is removed or its roles change, whoever does it: over the interface, on a page, from a file,
by a provider's claim, by a job. Rules: docs/rules/roles.md, 4.
"""

from __future__ import annotations

import orjson
from sqlalchemy import select

from vetrina.access.roles.built_in_roles import ADMINISTRATOR
from vetrina.access.roles.role_rights import is_administrator
from vetrina.backends.database import Statement, Transaction
from vetrina.backends.tables.accounts import account
from vetrina.core.user import User
from vetrina.kernel.errors import ApiError, Failure

_ADMINISTRATORS = Statement(
    select(account.c.id, account.c.roles).where(account.c.roles.contains(f'"{ADMINISTRATOR}"')).order_by(account.c.id)
)


class LastAdministrator(ApiError):
    """The only administrator of the site would be none any more."""

    failure, code = Failure.CONFLICT, "rest_last_administrator"
    message = "{login} is the only administrator. Make another account an administrator first."


def is_last_administrator(tx: Transaction, user: User) -> bool:
    """Return whether an account is the only one of an administrator."""
    if not is_administrator(user):
        return False
    rows = tx.all(_ADMINISTRATORS)
    return not any(id != user.id and ADMINISTRATOR in orjson.loads(roles) for id, roles in rows)


def require_other_administrator(tx: Transaction, user: User) -> None:
    """Raise LastAdministrator where an account is the only one of an administrator."""
    if is_last_administrator(tx, user):
        raise LastAdministrator(login=user.login)
