"""An account has proved to read its address: by a link in a mail. What that opens follows in the modules.

Rules: docs/rules/registration.md, 5.
"""

from __future__ import annotations

from vetrina.access.registration import store
from vetrina.core.account_part import list_account_parts
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User


def confirm_email(work: UnitOfWork, user: User) -> None:
    """Record that an account reads its address, and let the modules join to it what belongs to the address."""
    if not user.email:
        return
    store.save_confirmed_email(work.tx, user.id, user.email.lower(), work.now)
    work.note("user", user.id, "changed")
    for part in list_account_parts(work.site):
        part.join(work, user)


def has_confirmed_email(work: UnitOfWork, user: User) -> bool:
    """Return whether an account has proved to read the address that it has."""
    work.uses_items("user", (user.id,))
    return store.is_confirmed(work.tx, user.id, user.email.lower())
