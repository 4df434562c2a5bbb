"""Signature errors, stored for a day so that the service can verify that this site reported them.

Not here: how a signature is checked (connector/connection/signature_checks.py). Rules:
docs/rules/connector_signatures.md, 11.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import SecretKind
from vetrina.connector import stored_values
from vetrina.connector.connection import state as connection_state
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.keys import generate_letters, is_equal_secret

_NAME: Final = "error_log"
_HOUR, _DAY = 3600, 86_400
_MOST_USERS: Final = 5  # per code


def is_new_error(work: UnitOfWork, code: str, user: str) -> bool:
    """Say whether to store an error: each code once an hour, for some accounts, on a site with an id."""
    if connection_state.find_site_id(work) is None:
        # An unregistered site stores nothing of what anonymous clients send.
        return False
    known = load_error_log(work).get(code, {})
    last = max((one["timestamp"] for one in known.values()), default=0)
    return work.now - last >= _HOUR and (user in known or len(known) < _MOST_USERS)


def record_error(work: UnitOfWork, code: str, user: str, method: str, target: str, sent: dict[str, Any]) -> None:
    """Store an error if it is new; target: path and query of the refused request."""
    if not is_new_error(work, code, user):
        return
    log = load_error_log(work)
    members = ("token", "timestamp", "nonce", "signature")
    data = {name: str(sent.get(name, ""))[:200] for name in members}
    data |= {"body_hash": str(sent.get("body-hash", ""))[:200], "method": method, "url": target[:500]}
    log.setdefault(code, {})[user] = {
        "error_code": code, "user_id": user, "error_message": code.replace("_", " "), "error_data": data,
        "timestamp": work.now, "nonce": generate_letters(10), "error_type": "rest", "verified": False,
    }  # fmt: skip
    stored_values.save_value(work, _NAME, log)


def load_error_log(work: UnitOfWork) -> dict[str, dict[str, Any]]:
    """Return the stored errors of the last day, by code and account."""
    log: dict[str, dict[str, Any]] = stored_values.get_value(work, _NAME, {})
    fresh = {
        code: {user: one for user, one in found.items() if work.now - one["timestamp"] < _DAY}
        for code, found in log.items()
    }
    return {code: found for code, found in fresh.items() if found}


def verify_error(work: UnitOfWork, nonce: str) -> bool:
    """Say whether this site reported an error with this nonce, and mark it as verified. Raises TooManyGuesses."""
    log = load_error_log(work)
    matching: list[dict[str, Any]] = []

    def is_known() -> bool:
        every = (one for found in log.values() for one in found.values())
        matching.extend(one for one in every if is_equal_secret(one["nonce"], nonce))
        return bool(matching)

    if not guess_limiter.is_right_guess(work, SecretKind.SERVICE_SECRET, "error", nonce, is_known):
        return False
    matching[0]["verified"] = True
    stored_values.delete_values(work, _NAME)
    stored_values.save_value(work, _NAME, log)
    return True


def clear_errors(work: UnitOfWork) -> None:
    """Delete all stored errors, as a new registration does."""
    stored_values.delete_values(work, _NAME)
