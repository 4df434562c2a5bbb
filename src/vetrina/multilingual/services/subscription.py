"""The site's subscription with the vendor of its software: when it was looked at last.

There is none to fetch here: the software is free, so what is kept is the time alone.
Rules: facts of the multilingual layer, 11.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError
from vetrina.multilingual import stored_values as multilingual_stored_values

__all__ = ["LookedAtLately", "refresh"]

_NAME: Final = "subscription"
_AGE: Final = 7200  # seconds until it is looked at again


class LookedAtLately(ApiError):
    """The last look is not long ago; the vendor knows the status, and the word is the same for both."""

    status, code = 403, "installer_subscription_fresh"
    message = "OK"

    def __init__(self, seconds: int) -> None:
        super().__init__()
        self.headers["Retry-After"] = str(seconds)

    def body(self) -> dict[str, Any]:
        return {"message": self.text}


def refresh(work: Work) -> None:
    """Look at the subscription anew, once in two hours at most. Raises LookedAtLately."""
    kept = multilingual_stored_values.read(work, _NAME, {})
    due = kept.get("refreshed", 0) + _AGE
    if work.now <= due:
        raise LookedAtLately(due - work.now + 1)
    multilingual_stored_values.write(work, _NAME, {"refreshed": work.now, "looks": kept.get("looks", 0) + 1})
