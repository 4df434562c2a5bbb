"""The mails of a registration: the link that confirms it, or that there is an account already.

Rules: docs/rules/registration.md, 3 and 6.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from vetrina.access.account_mails import sending
from vetrina.access.account_mails.sending import AccountMail
from vetrina.access.registration import store
from vetrina.access.registration.rules import compute_registration_digest
from vetrina.access.users import rules as users
from vetrina.core.unit_of_work import UnitOfWork


def _prepare_confirmation(name: str, work: UnitOfWork, id: str) -> AccountMail | None:
    one = store.STORE.find(work.tx, id)
    if one is None or one.until <= work.now:
        return None
    key = sending.generate_mail_key()
    values = {"address": sending.build_link(work, "confirm-registration", key=key), "login": one.login}
    digest = compute_registration_digest(work.site, key)
    return AccountMail(name, one.email, values, digest, lambda work, digest: store.save_digest(work.tx, id, digest))


def _prepare_notice(work: UnitOfWork, id: str) -> AccountMail | None:
    one = store.STORE.find(work.tx, id)
    user = users.find_user_by_email(work.tx, one.email) if one is not None else None
    if one is None or user is None:
        return None
    values = {"address": sending.build_link(work, "lost-password"), "login": user.login}
    return AccountMail("registration_exists", user.email, values)


MAILS: Final[Mapping[str, Callable[[UnitOfWork, Any], AccountMail | None]]] = {
    "registration_confirm": partial(_prepare_confirmation, "registration_confirm"),
    "registration_welcome": partial(_prepare_confirmation, "registration_welcome"),
    "registration_exists": _prepare_notice,
}
