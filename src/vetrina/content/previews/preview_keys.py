"""Preview keys: short-lived tokens that give access to the unpublished state of one record."""

from __future__ import annotations

from collections.abc import Iterable

from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import SecretKind
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.keys import compute_digest, is_equal_secret

_HALF_DAY = 12 * 3600  # seconds; a key is valid in the half day that made it and in the next


def create_preview_key(work: UnitOfWork, record: int) -> str:
    """Return the caller's preview key for a record."""
    return _compute_preview_key(work, record, work.user.id, work.now // _HALF_DAY)


def find_preview_user(work: UnitOfWork, record: int, key: str, users: Iterable[int]) -> int | None:
    """Return which of these accounts a key for a record was made for; None if for none or too old.

    Raises TooManyGuesses.
    """
    tick = work.now // _HALF_DAY
    found: list[int] = []

    def right() -> bool:
        found[:] = [
            user
            for user in users
            if user
            and any(is_equal_secret(key, _compute_preview_key(work, record, user, at)) for at in (tick, tick - 1))
        ]
        return bool(found)

    return found[0] if guess_limiter.is_right_guess(work, SecretKind.PREVIEW, record, key, right) else None


def _compute_preview_key(work: UnitOfWork, record: int, user: int, tick: int) -> str:
    return compute_digest(work.site.settings.secret, f"preview:{record}:{user}:{tick}")[:10]
