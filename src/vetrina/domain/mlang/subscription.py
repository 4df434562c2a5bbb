"""The site's subscription with the vendor of its software: when it was looked at last.

There is none to fetch here: the software is free, so what is kept is the time alone.
Rules: facts of the multilingual layer, 11.
"""

from __future__ import annotations

from typing import Final

from vetrina.domain.work import Work
from vetrina.kernel.errors import ApiError

from . import stored

__all__ = ["LookedAtLately", "refresh"]

_NAME: Final = "subscription"
_AGE: Final = 7200  # seconds until it is looked at again


class LookedAtLately(ApiError):
    """The last look is not long ago; the vendor knows the status."""

    status, code = 403, "installer_subscription_fresh"
    message = "The subscription was fetched less than two hours ago. Ask again in {seconds} seconds."

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds=seconds, data={"retry_after": seconds})


def refresh(work: Work) -> None:
    """Look at the subscription anew, once in two hours at most. Raises LookedAtLately."""
    kept = stored.read(work, _NAME, {})
    due = kept.get("refreshed", 0) + _AGE
    if work.now <= due:
        raise LookedAtLately(due - work.now + 1)
    stored.write(work, _NAME, {"refreshed": work.now, "looks": kept.get("looks", 0) + 1})
