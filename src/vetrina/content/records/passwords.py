"""Passwords of records: whether one protects the texts, and whether a reader sent the right one.

Not here: how guesses are slowed down (access/sign_in/guess_limiter.py). Rules: docs/rules/passwords.md, 1, 2 and 4.
"""

from __future__ import annotations

from collections.abc import Iterable

from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import SecretKind
from vetrina.content.records.model import Record
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.keys import is_equal_secret


def is_password_protected(record: Record) -> bool:
    """Return whether a record has a password that protects it; "0" is stored but protects nothing."""
    return record.password not in ("", "0")


def is_record_password(work: UnitOfWork, record: Record, given: str) -> bool:
    """Return whether a password is the record's; wrong guesses are counted. Raises TooManyGuesses."""
    if not is_password_protected(record):
        return is_equal_secret(given, record.password)
    return guess_limiter.matches_secret(work, SecretKind.RECORD, record.id, given, record.password)


def find_opened_records(work: UnitOfWork, records: Iterable[Record], given: str) -> frozenset[int]:
    """Return the ids of the protected records that a password opens; for the others it counts as a wrong guess.

    Raises TooManyGuesses.
    """
    return guess_limiter.find_opened_targets(
        work, SecretKind.RECORD, {one.id: one.password for one in records if is_password_protected(one)}, given
    )
