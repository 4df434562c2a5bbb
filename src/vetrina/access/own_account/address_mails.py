"""The mails of a change of an address: a link to each, or that the address belongs to another account.

Rules: docs/rules/registration.md, 6 and 8.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from vetrina.access.account_mails import sending
from vetrina.access.account_mails.sending import AccountMail
from vetrina.access.own_account import store
from vetrina.access.own_account.email_changes import compute_change_digest
from vetrina.access.own_account.model import EmailChange
from vetrina.access.users import rules as users
from vetrina.core.unit_of_work import UnitOfWork


def _prepare_new_mail(work: UnitOfWork, id: str) -> AccountMail | None:
    change = store.find_by_uuid(work.tx, id)
    if change is None:
        return None
    holder = users.find_user_by_email(work.tx, change.email)
    if holder is not None and holder.id != change.account:
        return AccountMail("email_taken", change.email, {"login": holder.login})
    return _prepare_link(work, change, "email_new", change.email, "new_digest")


def _prepare_old_mail(work: UnitOfWork, id: str) -> AccountMail | None:
    change = store.find_by_uuid(work.tx, id)
    return None if change is None else _prepare_link(work, change, "email_old", change.old_email, "old_digest")


def _prepare_link(work: UnitOfWork, change: EmailChange, name: str, to: str, column: str) -> AccountMail | None:
    user = users.find_user(work.tx, change.account)
    if user is None or change.until <= work.now:
        return None
    key, id = sending.generate_mail_key(), change.id
    values = {"address": sending.build_link(work, "confirm-email", key=key), "login": user.login, "email": change.email}
    digest = compute_change_digest(work.site, key)
    return AccountMail(name, to, values, digest, lambda work, digest: store.save_digest(work.tx, column, id, digest))


MAILS: Final[Mapping[str, Callable[[UnitOfWork, Any], AccountMail | None]]] = {
    "email_new": _prepare_new_mail,
    "email_old": _prepare_old_mail,
}
