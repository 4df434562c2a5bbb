"""A lock on the tokens while a database is being copied, so that the copy at another URL has none.

It holds the site's URL and its expiry. At another URL, any access to a token deletes them all; at its own the lock has
no effect, and expires. Rules: docs/rules/connector.md, 2.
"""

from __future__ import annotations

import base64
import binascii
from datetime import UTC, datetime
from typing import Final

from vetrina.connector import stored_values as connector_stored_values
from vetrina.core.unit_of_work import UnitOfWork

_NAME: Final = "token_lock"
_PART: Final = "|||"
_TOKENS: Final = ("blog_token", "user_tokens", "master_user")


def lock_tokens(work: UnitOfWork, seconds: int) -> None:
    """Lock the tokens to the current URL for some time, replacing an existing lock."""
    until = datetime.fromtimestamp(work.now + seconds, UTC).isoformat()
    connector_stored_values.save_value(
        work,
        _NAME,
        until + _PART + base64.b64encode(connector_stored_values.build_home_address(work).encode()).decode(),
    )


def unlock_tokens(work: UnitOfWork) -> None:
    """Remove the lock, as a new registration does."""
    connector_stored_values.delete_values(work, _NAME)


def is_locked_elsewhere(work: UnitOfWork) -> bool:
    """Say whether the tokens are locked to another URL; if so, they are deleted where this work may write."""
    lock = connector_stored_values.get_value(work, _NAME)
    if not isinstance(lock, str):
        return False
    until, _, where = lock.partition(_PART)
    if _decode_address(where) != connector_stored_values.build_home_address(work):
        if work.tx.writes:
            connector_stored_values.delete_values(work, *_TOKENS)
        return True
    if work.tx.writes and _is_over(until, work.now):
        unlock_tokens(work)
    return False


def _decode_address(encoded: str) -> str:
    try:
        return base64.b64decode(encoded, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return ""


def _is_over(until: str, now: int) -> bool:
    try:
        return datetime.fromisoformat(until).timestamp() <= now
    except ValueError:
        return True
