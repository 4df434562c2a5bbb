"""The state of a sign-in between a right password and the second factor: a signed value that a browser keeps.

It names the account and when it runs out, and is good only as long as the account's password stays the same. Nothing
can be done with it but to send a second factor. Rules: docs/rules/second_factors.md, 3.
"""

from __future__ import annotations

from typing import Final

from vetrina.access.users.rules import find_user, load_password_hash
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.integers import parse_digits
from vetrina.kernel.keys import compute_digest, is_equal_secret

PENDING_SECONDS: Final = 300  # how long somebody may look for the phone
_MAX_LENGTH: Final = 200  # characters of a value; ours are shorter


def create_pending_step(work: UnitOfWork, user: User) -> str:
    """Return the value for an account whose password is proved."""
    begin = f"{user.id}.{work.now + PENDING_SECONDS}"
    return f"{begin}.{_sign(work, begin, user.id)}"


def find_pending_user(work: UnitOfWork, value: str) -> User | None:
    """Return the account that a value names, None where it proves nothing any more."""
    begin, _, signature = value.rpartition(".")
    account, _, until = begin.partition(".")
    id, end = parse_digits(account), parse_digits(until)
    if len(value) > _MAX_LENGTH or id is None or end is None or end <= work.now:
        return None
    user = find_user(work.tx, id, work.site.roles)
    return user if is_equal_secret(signature, _sign(work, begin, id)) else None


def _sign(work: UnitOfWork, begin: str, account: int) -> str:
    stored = load_password_hash(work.tx, account)
    return compute_digest(work.site.settings.secret, f"second step\n{begin}\n{stored}")
