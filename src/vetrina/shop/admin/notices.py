"""Notices that a person dismisses in a shop's administration."""

from __future__ import annotations

from typing import Final

from vetrina.access.sessions import nonces
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure

_NOTICES: Final = "shop_dismissed_notices"
_DISMISS: Final = "dismiss_notice"
NOTICES: Final = (
    "woo-subscription-expired-notice", "woo-subscription-expiring-notice", "woo-subscription-missing-notice",
    "woo-disconnect-notice",
)  # fmt: skip


class NoticeNonceRefused(ApiError):
    failure, code = Failure.UNAUTHENTICATED, "unauthorized"
    message = "The nonce does not belong to you or is too old."


def build_notice_nonce(work: UnitOfWork) -> str:
    """Return the nonce that proves that the caller's own page dismisses a notice."""
    return nonces.create_nonce(work.site, f"account {work.user.id}", _DISMISS)


def dismiss_notice(work: UnitOfWork, nonce: object, id: object) -> bool:
    """Store that the caller dismissed a notice; return whether it exists. Raises NoticeNonceRefused."""
    if not nonces.is_valid_nonce(work.site, f"account {work.user.id}", nonce, _DISMISS):
        raise NoticeNonceRefused
    if id not in NOTICES:
        return False
    stored = work.stored_option(_NOTICES)
    kept = stored if isinstance(stored, dict) else {}
    name = str(work.user.id)
    if id not in kept.get(name, ()):
        work.set_option(_NOTICES, {**kept, name: [*kept.get(name, ()), id]})
    return True
