"""Removing every second factor of somebody who lost the phone, by whoever may edit the account.

Rules: docs/rules/second_factors.md, 7.
"""

from __future__ import annotations

from vetrina.access.passkeys import store as passkeys
from vetrina.access.second_factors import store
from vetrina.access.second_factors.model import NoSecondFactor
from vetrina.access.second_factors.rules import note_factors
from vetrina.access.users import rights as user_rights
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User


def may_remove_factors(caller: User, user: User) -> bool:
    """Return whether a caller may remove all second factors of an account, which is never their own."""
    return user.id != caller.id and user_rights.may_edit_user(caller, user)


def remove_all_factors(work: UnitOfWork, user: User) -> None:
    """Remove one-time codes, passkeys and recovery codes of an account. Raises NoSecondFactor."""
    if not store.has_second_factor(work.tx, user.id):
        raise NoSecondFactor
    store.delete_one_time_codes(work.tx, user.id)
    passkeys.delete_passkeys_of_account(work.tx, user.id)
    store.replace_recovery_codes(work.tx, user.id, ())
    note_factors(work, user, "removed")
