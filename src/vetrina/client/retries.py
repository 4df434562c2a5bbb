"""Which requests are sent again after a failure, and when: safe ones only, and never earlier than the site allows."""

from __future__ import annotations

import random
from typing import Final

from .exchange import Call, Reply

__all__ = ["compute_pause"]

_TEMPORARY: Final = frozenset({429, 502, 503, 504})
_FIRST_PAUSE: Final = 0.2  # seconds before the second attempt; doubled before each further one


def compute_pause(call: Call, reply: Reply | None, attempt: int, retries: int, longest: float) -> float | None:
    """Return the seconds until a call is repeated, None if its outcome is final.

    reply: None if there was no response. attempt: how often it was sent. retries: how often it may be repeated.
    longest: seconds; a response that asks for a longer wait is final.
    """
    if not call.safe or attempt > retries or (reply is not None and reply.status not in _TEMPORARY):
        return None
    retry_after = reply.retry_after if reply is not None else None
    wait = retry_after if retry_after is not None else _FIRST_PAUSE * 2 ** (attempt - 1) * random.uniform(0.75, 1.25)
    return wait if wait <= longest else None
