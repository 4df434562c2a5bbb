"""The site's subscription with the vendor of its software: the time of its last check.

The software is free, so there is no subscription to fetch and only the time is stored.
Rules: docs/rules/translation_services.md, 15.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.multilingual import stored_values as multilingual_stored_values

_NAME: Final = "subscription"
_AGE: Final = 7200  # seconds until it may be checked again


class SubscriptionCheckedRecently(ApiError):
    """The last check was too recent; the vendor knows the status, and the code is the same for both."""

    failure, code = Failure.FORBIDDEN, "installer_subscription_fresh"
    message = "OK"

    def __init__(self, seconds: int) -> None:
        super().__init__()
        self.headers["Retry-After"] = str(seconds)

    def body(self) -> dict[str, Any]:
        return {"message": self.text}


def refresh_subscription(work: UnitOfWork) -> None:
    """Check the subscription again, at most once in two hours. Raises SubscriptionCheckedRecently."""
    stored = multilingual_stored_values.load_setting(work, _NAME, {})
    due = stored.get("refreshed", 0) + _AGE
    if work.now <= due:
        raise SubscriptionCheckedRecently(due - work.now + 1)
    multilingual_stored_values.save_setting(work, _NAME, {"refreshed": work.now, "looks": stored.get("looks", 0) + 1})
