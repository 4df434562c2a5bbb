"""The password of one's own account: proved before something important, and changed.

Lost ones: access/passwords/reset.py. Rules: docs/rules/registration.md, 7.
"""

from __future__ import annotations

from vetrina.access.own_account.model import WrongCurrentPassword
from vetrina.access.passwords import hashing
from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import SecretKind
from vetrina.access.users import rules as users
from vetrina.core.unit_of_work import UnitOfWork


def require_current_password(work: UnitOfWork, password: str) -> None:
    """Raise WrongCurrentPassword unless this is the caller's password; a wrong one counts as one at signing in.

    Slow on purpose, so its routes run in a thread. Raises TooManyFailedSignIns.
    """
    user = work.user
    stored = users.load_password_hash(work.tx, user.id)

    def is_right() -> bool:
        return hashing.is_correct_password(stored or hashing.get_dummy_hash(), password) and bool(stored)

    if not guess_limiter.is_right_guess(work, SecretKind.ACCOUNT, user.login.lower(), password, is_right):
        raise WrongCurrentPassword


def change_password(work: UnitOfWork, password: hashing.HashedPassword) -> None:
    """Give the caller another password; the other sessions of the account end."""
    users.update_user(work, work.user, password=password)
