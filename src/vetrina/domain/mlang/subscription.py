"""The site's subscription with the vendor of its software: when it was looked at last.

There is none to fetch here: the software is free, so what is kept is the time alone.
Rules: facts of the multilingual layer, 11.
"""

from __future__ import annotations

from typing import Final

from vetrina.domain.work import Work

from . import stored

__all__ = ["refresh"]

_NAME: Final = "subscription"
_AGE: Final = 7200  # seconds until it is looked at again


def refresh(work: Work) -> bool:
    """Look at the subscription anew where the last look is long ago, and say whether that was so."""
    kept = stored.read(work, _NAME, {})
    last = kept.get("refreshed", 0)
    if work.now - last <= _AGE:
        return False
    stored.write(work, _NAME, {"refreshed": work.now, "looks": kept.get("looks", 0) + 1})
    return True
