"""A lock on the tokens while a database is being copied: whoever opens the copy at another address finds none.

It names the address and how long it holds. At another address every look at a token removes them all; at its own it
shuts nothing, and goes when its time is over. Rules: facts of the connector, 1, `token_lock`.
"""

from __future__ import annotations

import base64
import binascii
from datetime import UTC, datetime
from typing import Final

from vetrina.connector import stored_values as connector_stored_values
from vetrina.core.unit_of_work import Work

__all__ = ["hold", "release", "shuts"]

_NAME: Final = "token_lock"
_PART: Final = "|||"
_TOKENS: Final = ("blog_token", "user_tokens", "master_user")


def hold(work: Work, seconds: int) -> None:
    """Lock the tokens to the present address for a while; a lock that holds already is replaced."""
    until = datetime.fromtimestamp(work.now + seconds, UTC).isoformat()
    connector_stored_values.put(
        work, _NAME, until + _PART + base64.b64encode(connector_stored_values.home(work).encode()).decode()
    )


def release(work: Work) -> None:
    """Take the lock away, as a new registration does."""
    connector_stored_values.drop(work, _NAME)


def shuts(work: Work) -> bool:
    """Say whether the tokens were locked to another address; they are removed then, where this work may write."""
    kept = connector_stored_values.get(work, _NAME)
    if not isinstance(kept, str):
        return False
    until, _, where = kept.partition(_PART)
    if _address(where) != connector_stored_values.home(work):
        if work.tx.writes:
            connector_stored_values.drop(work, *_TOKENS)
        return True
    if work.tx.writes and _is_over(until, work.now):
        release(work)
    return False


def _address(where: str) -> str:
    try:
        return base64.b64decode(where, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return ""


def _is_over(until: str, now: int) -> bool:
    try:
        return datetime.fromisoformat(until).timestamp() <= now
    except ValueError:
        return True
