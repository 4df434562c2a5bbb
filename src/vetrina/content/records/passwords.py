"""Passwords of records: whether one protects a record's texts, and whether what a reader sent is it.

Not here: what is hidden (each room), how guesses are slowed (access/sign_in/guess_limiter.py). Rules: facts,
"Passwords".
"""

from __future__ import annotations

from collections.abc import Iterable

from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import Secret
from vetrina.content.records.model import Record
from vetrina.core.unit_of_work import Work
from vetrina.kernel.keys import same

__all__ = ["opened_by", "opens", "protects"]


def protects(record: Record) -> bool:
    """Say whether a record has a password that protects; "0" is kept but protects nothing."""
    return record.password not in ("", "0")


def opens(work: Work, record: Record, given: str) -> bool:
    """Say whether a password is the record's; where it protects, wrong ones are counted. Raises TooManyGuesses."""
    if not protects(record):
        return same(given, record.password)
    return guess_limiter.opens(work, Secret.RECORD, record.id, given, record.password)


def opened_by(work: Work, records: Iterable[Record], given: str) -> frozenset[int]:
    """Return the numbers of those protected records that a password opens; the others count it as a wrong one.

    Raises TooManyGuesses.
    """
    return guess_limiter.opened_by(
        work, Secret.RECORD, {one.id: one.password for one in records if protects(one)}, given
    )
