"""Erasure: what is stored about a person goes, module by module, and then the account.

The last mail is sent before: afterwards nobody knows the address. Money that was taken stays in the books, without the
person where the shop's settings say so. Rules: docs/rules/personal_data.md, 4.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from sqlalchemy import bindparam, select

from vetrina.access.account_mails import sending
from vetrina.access.personal_data import mails, rules, store
from vetrina.access.personal_data.export import build_subject
from vetrina.access.personal_data.model import PersonalDataRequest, RequestState
from vetrina.access.users import rules as users
from vetrina.backends.database import Statement
from vetrina.backends.tables.accounts import account
from vetrina.core.account_part import DataSubject, list_account_parts
from vetrina.core.background_work import ExternalTask
from vetrina.core.unit_of_work import UnitOfWork

_ACCOUNTS = Statement(
    select(account.c.id).where(account.c.id != bindparam("but"), account.c.roles.contains("administrator"))
    .order_by(account.c.id).limit(1)
)  # fmt: skip


def erase_person(work: UnitOfWork, subject: DataSubject) -> None:
    """Erase a person: what modules store about them, then their account, with its sessions and passwords."""
    heir = _find_heir(work, subject)
    for part in reversed(list_account_parts(work.site)):
        part.erase(work, subject, heir)
    user = users.find_user(work.tx, subject.account) if subject.account else None
    if user is not None:
        users.delete_user(work, user)
    store.forget_person(work.tx, subject.account, subject.email, subject.login)


def _prepare_erasure(work: UnitOfWork, arguments: Mapping[str, Any]) -> Callable[[], None] | None:
    one = _find_due_request(work, arguments)
    if one is None:
        return None
    if not one.email or _manages_others(work, one):
        return lambda: None
    return sending.prepare_message(work, mails.build_farewell(one), one.language, f"erased-{one.id}")


def _save_erasure(work: UnitOfWork, arguments: Mapping[str, Any], result: None) -> None:
    one = _find_due_request(work, arguments)
    if one is None:
        return
    if _manages_others(work, one):
        rules.withdraw_request(work, one)
        return
    erase_person(work, build_subject(work, one))
    store.delete_other_requests(work.tx, one)
    rules.finish_request(work, one, erased=True)


ERASURE_TASK: Final = ExternalTask(_prepare_erasure, _save_erasure)


def _find_due_request(work: UnitOfWork, arguments: Mapping[str, Any]) -> PersonalDataRequest | None:
    one = store.STORE.find(work.tx, arguments["request"])
    due = one is not None and one.state == RequestState.CONFIRMED and one.due is not None and one.due <= work.now
    return one if due else None


def _manages_others(work: UnitOfWork, one: PersonalDataRequest) -> bool:
    """Return whether the account has come to manage others since it was to be erased: then it stays."""
    user = users.find_user(work.tx, one.account, work.site.roles) if one.account else None
    return user is not None and rules.may_manage_requests(user)


def _find_heir(work: UnitOfWork, subject: DataSubject) -> int:
    """Return the account that gets records and media: the one of the setting, or the first administrator."""
    login = work.site.profile.accounts.erasure_heir
    named = users.find_user_by_login(work.tx, login) if login else None
    if named is not None and named.id != subject.account:
        return named.id
    return int(work.tx.value(_ACCOUNTS, but=subject.account) or 0)
