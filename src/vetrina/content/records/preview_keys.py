"""Preview keys: a short-lived word that shows its bearer one unpublished state of one record."""

from __future__ import annotations

from collections.abc import Iterable

from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import Secret
from vetrina.core.unit_of_work import Work
from vetrina.kernel.keys import digest, same

__all__ = ["nonce", "whose"]

_HALF_DAY = 12 * 3600  # seconds; a key is good in the half day that made it and in the next


def nonce(work: Work, record: int) -> str:
    """Return the caller's preview key for a record."""
    return _key(work, record, work.user.id, work.now // _HALF_DAY)


def whose(work: Work, record: int, key: str, users: Iterable[int]) -> int | None:
    """Return which of these accounts a key for a record was made for, None when it is none's or too old.

    Raises TooManyGuesses.
    """
    tick = work.now // _HALF_DAY
    found: list[int] = []

    def right() -> bool:
        found[:] = [
            user for user in users if user and any(same(key, _key(work, record, user, at)) for at in (tick, tick - 1))
        ]
        return bool(found)

    return found[0] if guess_limiter.is_right(work, Secret.PREVIEW, record, key, right) else None


def _key(work: Work, record: int, user: int, tick: int) -> str:
    return digest(work.frame.settings.secret, f"preview:{record}:{user}:{tick}")[:10]
