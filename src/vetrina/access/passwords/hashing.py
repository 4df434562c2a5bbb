"""Passwords that people choose: hashed slowly with Argon2, so that a stolen database does not give them away.

Not here: application passwords, which are random and long (access/app_passwords/rules.py).
Costs: 19 MiB, two rounds, one lane: about 40 ms; the library's own defaults take 64 MiB and six times as long.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from vetrina.kernel.keys import random_key

if TYPE_CHECKING:
    from argon2 import PasswordHasher

__all__ = ["Hashed", "hashed", "is_usable", "matches", "nobodys", "outdated"]

_MEMORY_KIB = 19 * 1024
_ROUNDS = 2
_LANES = 1


@lru_cache(maxsize=1)
def _hasher() -> PasswordHasher:
    # Few processes ever hash a password, so the library is loaded by the first that does.
    from argon2 import PasswordHasher

    return PasswordHasher(time_cost=_ROUNDS, memory_cost=_MEMORY_KIB, parallelism=_LANES)


class Hashed(str):
    """A password that was hashed already, before the transaction that stores it."""

    __slots__ = ()


def is_usable(password: str) -> bool:
    """Say whether somebody may choose a password: it is not empty and has no backslash."""
    return bool(password) and "\\" not in password


def hashed(password: str) -> str:
    """Return the text that is stored for a password; the same password gives another text each time."""
    return str(password) if isinstance(password, Hashed) else _hasher().hash(password)


def matches(stored: str, password: str) -> bool:
    """Say whether a password is the one whose hash is stored; an account without a hash has none."""
    from argon2.exceptions import InvalidHashError, VerificationError

    if not stored:
        return False
    try:
        return _hasher().verify(stored, password)
    except (VerificationError, InvalidHashError):
        return False


@lru_cache(maxsize=1)
def nobodys() -> str:
    """Return a hash that belongs to no account: comparing with it takes as long as with a real one."""
    return hashed(random_key())


def outdated(stored: str) -> bool:
    """Say whether a hash was made with other costs than those of today and should be made anew."""
    return _hasher().check_needs_rehash(stored)
