"""Passwords chosen by people: hashed slowly with Argon2, so that a stolen database does not reveal them.

Application passwords are random and long, so they need no slow hash (access/app_passwords/rules.py). Costs: 19 MiB, two
rounds, one lane: about 40 ms; the library's own defaults take 64 MiB and six times as long.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from vetrina.kernel.keys import generate_key

if TYPE_CHECKING:
    from argon2 import PasswordHasher


_MEMORY_KIB = 19 * 1024
_ROUNDS = 2
_LANES = 1


@lru_cache(maxsize=1)
def _get_hasher() -> PasswordHasher:
    # Few processes ever hash a password, so the library is imported at first use.
    from argon2 import PasswordHasher

    return PasswordHasher(time_cost=_ROUNDS, memory_cost=_MEMORY_KIB, parallelism=_LANES)


class HashedPassword(str):
    """A password that was already hashed, before the transaction that stores it."""

    __slots__ = ()


def is_usable_password(password: str) -> bool:
    """Return whether a password may be chosen: it is not empty and has no backslash."""
    return bool(password) and "\\" not in password


def hash_password(password: str) -> str:
    """Return the salted hash to store for a password; it differs on each call."""
    return str(password) if isinstance(password, HashedPassword) else _get_hasher().hash(password)


def is_correct_password(stored: str, password: str) -> bool:
    """Return whether a password matches the stored hash; slow on purpose.

    An empty hash is nobody's, and takes as long: the time must not reveal which accounts exist.
    """
    from argon2.exceptions import InvalidHashError, VerificationError

    try:
        _get_hasher().verify(stored or _get_dummy_hash(), password)
    except (VerificationError, InvalidHashError):
        return False
    return bool(stored)


@lru_cache(maxsize=1)
def _get_dummy_hash() -> str:
    """Return a hash that belongs to no account: comparing with it takes as long as with a real one."""
    return hash_password(generate_key())
