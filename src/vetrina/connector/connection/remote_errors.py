"""What went wrong with signatures, kept for a day so that the service can ask whether an error was told by this site.

Not here: how a signature is proved (connector/connection/signatures.py). Rules: facts of the connector, 5.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import Secret
from vetrina.connector.connection import state as connection_state
from vetrina.core.unit_of_work import Work
from vetrina.kernel.keys import random_letters, same
from vetrina.rest.call import Request

__all__ = ["clear", "is_new", "log", "note", "verify"]

_NAME: Final = "error_log"
_HOUR, _DAY = 3600, 86_400
_MOST_USERS: Final = 5  # of one code


def is_new(work: Work, code: str, user: str) -> bool:
    """Say whether a failure is worth keeping: each code once an hour, for some accounts, of a site with a number."""
    if connection_state.site_id(work) is None:
        # A site that nobody knows keeps no notes of what strangers send.
        return False
    known = log(work).get(code, {})
    last = max((one["timestamp"] for one in known.values()), default=0)
    return work.now - last >= _HOUR and (user in known or len(known) < _MOST_USERS)


def note(work: Work, code: str, user: str, request: Request, sent: dict[str, Any]) -> None:
    """Keep a failure if it is new."""
    if not is_new(work, code, user):
        return
    kept = log(work)
    members = ("token", "timestamp", "nonce", "signature")
    data = {name: str(sent.get(name, ""))[:200] for name in members}
    data |= {"body_hash": str(sent.get("body-hash", ""))[:200], "method": request.method, "url": request.target[:500]}
    kept.setdefault(code, {})[user] = {
        "error_code": code, "user_id": user, "error_message": code.replace("_", " "), "error_data": data,
        "timestamp": work.now, "nonce": random_letters(10), "error_type": "rest", "verified": False,
    }  # fmt: skip
    connection_state.put(work, _NAME, kept)


def log(work: Work) -> dict[str, dict[str, Any]]:
    """Return what is kept, by code and account; what is older than a day is gone."""
    kept: dict[str, dict[str, Any]] = connection_state.get(work, _NAME, {})
    fresh = {
        code: {user: one for user, one in found.items() if work.now - one["timestamp"] < _DAY}
        for code, found in kept.items()
    }
    return {code: found for code, found in fresh.items() if found}


def verify(work: Work, nonce: str) -> bool:
    """Say whether an error with this nonce was told by this site, and mark it as true. Raises TooManyGuesses."""
    kept = log(work)
    matching: list[dict[str, Any]] = []

    def is_known() -> bool:
        every = (one for found in kept.values() for one in found.values())
        matching.extend(one for one in every if same(one["nonce"], nonce))
        return bool(matching)

    if not guess_limiter.is_right(work, Secret.SERVICE_SECRET, "error", nonce, is_known):
        return False
    matching[0]["verified"] = True
    connection_state.drop(work, _NAME)
    connection_state.put(work, _NAME, kept)
    return True


def clear(work: Work) -> None:
    """Forget all of it, as a new registration does."""
    connection_state.drop(work, _NAME)
