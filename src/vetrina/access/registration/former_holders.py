"""Shutting out whoever made an account with an address that was not theirs, when its owner proves to read it.

Rules: docs/rules/registration.md, 3; docs/rules/single_sign_on.md, 5.
"""

from __future__ import annotations

from vetrina.access.app_passwords import rules as app_passwords
from vetrina.access.second_factors import removal, rules as second_factors
from vetrina.access.sessions import rules as sessions
from vetrina.access.single_sign_on import store as identities
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User


def shut_out_former_holder(work: UnitOfWork, user: User) -> None:
    """End everything that opens an account but its password, which the caller replaces."""
    sessions.end_sessions(work, user.id)
    app_passwords.revoke_all_app_passwords(work, user.id)
    if second_factors.has_second_factor(work, user):
        removal.remove_all_factors(work, user)
    for one in identities.list_identities(work.tx, user.id):
        identities.remove_identity(work, one)
