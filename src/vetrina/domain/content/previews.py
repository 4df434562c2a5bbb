"""Preview keys: a short-lived word that shows its bearer one unpublished state of one record."""

from __future__ import annotations

from vetrina.domain.work import Work
from vetrina.kernel.ids import digest

__all__ = ["nonce"]

_HALF_DAY = 12 * 3600  # seconds; a key is good in the half day that made it and in the next


def nonce(work: Work, record: int) -> str:
    """Return the caller's preview key for a record."""
    tick = work.now // _HALF_DAY
    return digest(work.frame.settings.secret, f"preview:{record}:{work.user.id}:{tick}")[:10]
